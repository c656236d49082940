"""Keys that texts share when they may be near-duplicates: sets of their rarest pieces, and MinHash bands.

Two texts of which each holds at most `e` pieces that the other lacks share, if they share `k` pieces at all,
the `k` rarest of the common ones among the first `e + k` of each text in order of rarity. So every such pair
agrees on at least one set of `k` pieces out of each one's `e + k` rarest, and is found by sorting those sets:
none is lost, unlike with sketches. Long texts may differ in more; MinHash finds those.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rensa import RMinHash  # type: ignore[import-untyped, unused-ignore]

SET = 3
"""`k`: how many rare pieces two texts must have in common."""
EDITS, EDITS_HAN, FEW = 3, 4, 8
"""`e` in English, in Chinese, where a slip changes two pairs of characters, and below how many pieces not."""
BANDS, ROWS, SEED = 16, 4, 20250
SKETCHED = 4096
"""How many texts are sketched at a time."""
PART = 4_000_000
"""How many keys are sorted at a time."""
GROUP = 1000
"""Of the texts that share a key each is paired with so many that follow."""

Numbers = NDArray[np.uint64]
Positions = NDArray[np.int64]


class Texts(NamedTuple):
    """Texts as arrays: their pieces one after the other, how many each has, and what must agree.

    `han` tells the texts with Chinese in them.
    """

    flat: NDArray[np.uint32]
    lengths: Positions
    salt: Numbers
    han: NDArray[np.bool_]

    @property
    def starts(self) -> Positions:
        """Where each text begins in `flat`."""
        return np.cumsum(self.lengths) - self.lengths

    def edits(self) -> Positions:
        """Return how many pieces of each text a near-duplicate may lack."""
        return np.where(self.han & (self.lengths >= FEW), EDITS_HAN, EDITS)


class Keys(NamedTuple):
    """Keys in the upper bits of numbers, and in the `low` ones the position of the text that each belongs to.

    The few keys that are equal by chance only cost a look.
    """

    packed: Numbers
    low: int


def rare_sets(texts: Texts) -> Keys:
    """Return a key for every set of `SET` of each text's rarest pieces; smaller sets where a text has few."""
    n, lengths, edits = len(texts.lengths), texts.lengths, texts.edits()
    row = np.repeat(np.arange(n), lengths)
    held = np.bincount(texts.flat)
    pieces = np.argsort(held, kind="stable")
    order = np.empty_like(pieces)
    order[pieces] = np.arange(len(pieces))
    ordered = np.sort(row * len(pieces) + order[texts.flat]) % len(pieces)
    rank = np.arange(len(ordered)) - np.repeat(texts.starts, lengths)
    width = EDITS_HAN + SET
    table = np.full((n, width), -1)
    table[row[rank < width], rank[rank < width]] = ordered[rank < width]
    keys = []
    for size in range(1, SET + 1):
        fitting = lengths <= size + 2 if size < SET else lengths >= SET
        for chosen in combinations(range(width), size):
            last = chosen[-1]
            own = np.flatnonzero(fitting & (lengths > last) & (edits + size > last))
            if len(own):
                values = np.sort(table[own][:, chosen], axis=1).astype(np.uint64)
                keys.append(_packed(_folded(values, texts.salt[own] + np.uint64(size)), own, n))
    return _joined(keys, n)


def sketch_bands(texts: Texts, chosen: Positions) -> Keys:
    """Return the MinHash band keys of the texts at the chosen positions."""
    keys, starts, n = [], texts.starts, len(texts.lengths)
    for begin in range(0, len(chosen), SKETCHED):
        some = chosen[begin : begin + SKETCHED]
        own = [texts.flat[starts[i] : starts[i] + texts.lengths[i]] for i in some]
        offsets = np.concatenate([[0], np.cumsum(texts.lengths[some])]).astype(np.uint64)
        hashes = mixed(np.concatenate(own).astype(np.uint64))
        matrix = RMinHash.digest_matrix_from_flat_token_hashes(hashes, offsets, BANDS * ROWS, SEED)
        digests = np.array(matrix.to_rows(), np.uint64).reshape(len(some), BANDS, ROWS)
        for band in range(BANDS):
            banded = _folded(digests[:, band], texts.salt[some] + np.uint64(SET + 1 + band))
            keys.append(_packed(banded, some, n))
    return _joined(keys, n)


def together(shared: Keys, first_new: int) -> Iterator[Positions]:
    """Yield pairs of positions that share a key, (n, 2), the smaller first; a pair may come more than once.

    The greater position of each is at least `first_new`.
    """
    low = np.uint64(shared.low)
    parts = np.uint64(1 + len(shared.packed) // PART)
    for part in range(int(parts)):
        some = np.sort(shared.packed[(shared.packed >> low) % parts == part])
        keys, owners = some >> low, (some & ((np.uint64(1) << low) - np.uint64(1))).astype(np.int64)
        alike = np.arange(len(keys))
        for distance in range(1, GROUP + 1):
            alike = alike[alike + distance < len(keys)]
            alike = alike[keys[alike] == keys[alike + distance]]
            if not len(alike):
                break
            pairs = np.stack([owners[alike], owners[alike + distance]], axis=1)
            yield pairs[(pairs[:, 1] >= first_new) & (pairs[:, 0] != pairs[:, 1])]


def mixed(values: Numbers) -> Numbers:
    """Return numbers whose bits all depend on all bits of the given ones."""
    values = (values + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    values ^= values >> np.uint64(32)
    values *= np.uint64(0xD6E8FEB86659FD93)
    return values ^ (values >> np.uint64(29))


def _folded(values: Numbers, salt: Numbers) -> Numbers:
    key = mixed(salt)
    for column in range(values.shape[1]):
        key = mixed(key + values[:, column])
    return key


def _packed(keys: Numbers, owners: Positions, n: int) -> Numbers:
    low = np.uint64(_low(n))
    return ((keys >> low) << low) | owners.astype(np.uint64)


def _joined(keys: list[Numbers], n: int) -> Keys:
    return Keys(np.concatenate(keys) if keys else np.empty(0, np.uint64), _low(n))


def _low(n: int) -> int:
    return max(1, n.bit_length())
