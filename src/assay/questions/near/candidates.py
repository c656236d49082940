"""Pairs of questions to compare word by word: those that share their rarest pieces.

Let each of two texts have at most `e` pieces that the other lacks, and let them share at least `k` pieces.
Then the `k` rarest common pieces are among the `e + k` rarest of each text. So every such pair has at least
one set of `k` pieces among each text's `e + k` rarest in common, and is found by sorting these sets: no pair
is missed, unlike with sketches. Long texts may differ in more pieces; MinHash finds those.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations, count
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rensa import RMinHash  # type: ignore[import-untyped, unused-ignore]

from assay.questions.near.slips import RARE, TIMES

SKETCHED_FROM = 40
"""The least number of pieces of texts that are also sketched."""
LEAST = 0.6
"""The least share of common pieces of two long texts."""
CHUNK = 100_000
"""The number of pairs processed at a time."""
WORDS = 4
"""The number of 64-bit words of a text's bitmap."""
RUN = 3
"""Added Chinese characters break fewer pairs of characters than this; an exchanged word breaks this many."""
SET = 3
"""`k`: the number of rare pieces that two texts must have in common."""
SKETCHED = 4096
"""The number of texts sketched at a time."""
PART = 4_000_000
"""The number of keys sorted at a time."""
GROUP = 1000
"""The number of following texts with the same key that each text is paired with."""


class Pieces:
    """The pieces of many texts, as numbers."""

    def __init__(self) -> None:
        self._names: defaultdict[str, int] = defaultdict(count().__next__)
        self._agreeing: defaultdict[tuple[str, ...], int] = defaultdict(count().__next__)
        self._flat = array("I")
        self._lengths = array("I")
        self._salt = array("I")
        self._han = array("B")
        self._original = array("B")
        self._held: Positions | None = None

    def __len__(self) -> int:
        return len(self._lengths)

    def add(self, pieces: Iterable[str], agreeing: tuple[str, ...], *, han: bool, original: bool) -> None:
        """Add a text's distinct pieces. Texts are alike only if `agreeing` is equal.

        The number of originals with a piece is its frequency.
        """
        before = len(self._flat)
        self._flat.extend(map(self._names.__getitem__, pieces))
        self._lengths.append(len(self._flat) - before)
        self._salt.append(self._agreeing[agreeing])
        self._han.append(han)
        self._original.append(original)
        self._held = None

    def held(self, piece: str) -> int:
        """Return the number of originals with a piece."""
        number = self._names.get(piece)
        return 0 if number is None else int(self._holders()[number])

    def pairs(self, first_new: int = 0) -> Iterator[Positions]:
        """Yield pairs of positions to compare, (n, 2), each pair once, the smaller position first.

        The greater position of each is at least `first_new`.
        """
        if len(self) < 2:
            return
        texts = self._texts()
        held = self._holders()
        coded = _proposed(texts, first_new)
        for start in range(0, len(coded), CHUNK):
            part = coded[start : start + CHUNK]
            pairs = np.stack([part // len(self), part % len(self)], axis=1)
            han = texts.han[pairs[:, 0]] | texts.han[pairs[:, 1]]
            yield pairs[_may_be_slips(_difference(texts, pairs, held), han)]

    def _texts(self) -> TextArrays:
        return TextArrays(
            np.array(self._flat, np.uint32),
            np.array(self._lengths, np.int64),
            mixed(np.array(self._salt, np.uint64)),
            np.array(self._han, np.bool_),
        )

    def _holders(self) -> Positions:
        if self._held is None:
            counted = np.repeat(np.array(self._original, np.bool_), np.array(self._lengths))
            flat = np.array(self._flat, np.uint32)
            self._held = np.bincount(flat[counted], minlength=len(self._names))
        return self._held


class _Difference(NamedTuple):
    """By pair: the numbers of pieces of only the first and only the second, and whether one may be a slip."""

    first: Positions
    second: Positions
    strange: NDArray[np.bool_]


def _proposed(texts: TextArrays, first_new: int) -> Positions:
    """Return the pairs of texts that share a key and may share enough pieces, each as one number, sorted."""
    n, edits = len(texts.lengths), texts.edits()
    bits = _bitmap(texts)
    seen: list[Positions] = []
    for pairs in together(rare_sets(texts), first_new):
        enough = _apart(bits, pairs) <= 2 * edits[pairs].max(axis=1)
        seen.append(pairs[enough] @ np.array([n, 1]))
    long = np.flatnonzero(texts.lengths >= SKETCHED_FROM)
    for pairs in together(sketch_bands(texts, long), first_new):
        enough = _apart(bits, pairs) <= (1 - LEAST) * texts.lengths[pairs].sum(axis=1)
        seen.append(pairs[enough] @ np.array([n, 1]))
    return np.unique(np.concatenate(seen)) if seen else np.empty(0, np.int64)


def _bitmap(texts: TextArrays) -> Numbers:
    """Return 256 bits for each text, one per piece: texts differ in at least as many pieces as bits."""
    n = len(texts.lengths)
    row = np.repeat(np.arange(n), texts.lengths)
    place = mixed(texts.flat.astype(np.uint64)) >> np.uint64(56)
    bits = np.zeros(n * WORDS, np.uint64)
    at = row * WORDS + (place >> np.uint64(6)).astype(np.int64)
    np.bitwise_or.at(bits, at, np.uint64(1) << (place & np.uint64(63)))
    return bits.reshape(n, WORDS)


def _apart(bits: Numbers, pairs: Positions) -> Positions:
    apart: Positions = np.bitwise_count(bits[pairs[:, 0]] ^ bits[pairs[:, 1]]).sum(axis=1, dtype=np.int64)
    return apart


def _difference(texts: TextArrays, pairs: Positions, held: Positions) -> _Difference:
    starts, sides = texts.starts, []
    for side in (0, 1):
        own = pairs[:, side]
        n = texts.lengths[own]
        within = np.arange(n.sum()) - np.repeat(np.cumsum(n) - n, n)
        piece = texts.flat[np.repeat(starts[own], n) + within].astype(np.uint64)
        pair = np.repeat(np.arange(len(pairs), dtype=np.uint64), n)
        sides.append((pair << np.uint64(33)) | (piece << np.uint64(1)) | np.uint64(side))
    coded = np.sort(np.concatenate(sides))
    both = np.flatnonzero(coded[1:] >> np.uint64(1) == coded[:-1] >> np.uint64(1))
    alone = np.ones(len(coded), np.bool_)
    alone[both] = alone[both + 1] = False
    coded = coded[alone]
    of = (coded >> np.uint64(33)).astype(np.int64)
    second = (coded & np.uint64(1)) > 0
    often = held[((coded >> np.uint64(1)) & np.uint64(0xFFFFFFFF)).astype(np.int64)]
    strange = np.zeros(len(pairs), np.bool_)
    if len(of):
        starts = np.flatnonzero(np.r_[True, of[1:] != of[:-1]])
        rarest, commonest = np.minimum.reduceat(often, starts), np.maximum.reduceat(often, starts)
        strange[of[starts]] = (rarest <= RARE) | (rarest * TIMES <= commonest)
    first, last = (np.bincount(of[chosen], minlength=len(pairs)) for chosen in (~second, second))
    return _Difference(first, last, strange)


def _may_be_slips(difference: _Difference, han: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a mask of the pairs whose difference may be more than known words exchanged for others."""
    fewer = np.minimum(difference.first, difference.second)
    inserted = han & ((difference.first != difference.second) | (fewer == 1)) & (fewer < RUN)
    possible: NDArray[np.bool_] = (fewer == 0) | inserted | difference.strange
    return possible


EDITS, EDITS_HAN, FEW = 3, 4, 8
"""`e` in English; in Chinese, where a slip changes two pairs; the least number of pieces for the latter."""
BANDS, ROWS, SEED = 16, 4, 20250

Numbers = NDArray[np.uint64]
Positions = NDArray[np.int64]


class TextArrays(NamedTuple):
    """Texts as arrays: their pieces one after the other, their numbers of pieces, and what must agree.

    `han` is true for texts with Chinese.
    """

    flat: NDArray[np.uint32]
    lengths: Positions
    salt: Numbers
    han: NDArray[np.bool_]

    @property
    def starts(self) -> Positions:
        """The start of each text in `flat`."""
        return np.cumsum(self.lengths) - self.lengths

    def edits(self) -> Positions:
        """Return the number of pieces of each text that a near-duplicate may lack."""
        return np.where(self.han & (self.lengths >= FEW), EDITS_HAN, EDITS)


class TextKeys(NamedTuple):
    """Keys in the upper bits of numbers, and the positions of their texts in the `low` bits.

    A few keys are equal by chance, which costs only a comparison.
    """

    packed: Numbers
    low: int


def rare_sets(texts: TextArrays) -> TextKeys:
    """Return a key for every set of `SET` of each text's rarest pieces, or smaller sets for short texts."""
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


def sketch_bands(texts: TextArrays, chosen: Positions) -> TextKeys:
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


def together(shared: TextKeys, first_new: int) -> Iterator[Positions]:
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
    """Return hashed numbers: each bit depends on all bits of the given number."""
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


def _joined(keys: list[Numbers], n: int) -> TextKeys:
    return TextKeys(np.concatenate(keys) if keys else np.empty(0, np.uint64), _low(n))


def _low(n: int) -> int:
    return max(1, n.bit_length())
