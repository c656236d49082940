"""Which pairs of many questions are worth comparing word by word: those that share their rarest pieces."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import count
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.questions.near.keys import Numbers, Positions, Texts, mixed, rare_sets, sketch_bands, together
from assay.questions.near.slips import RARE, TIMES

SKETCHED_FROM = 40
"""Texts of so many pieces are sketched too."""
LEAST = 0.6
"""The share of common pieces that two long texts need."""
CHUNK = 100_000
"""How many pairs are looked at at a time."""
WORDS = 4
"""How many numbers of 64 bits a text's bitmap has."""
RUN = 3
"""A run of added Chinese characters breaks fewer pairs of characters than this, an exchanged word as many."""


class Pieces:
    """The pieces of many texts as numbers, and what belongs to each text."""

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
        """Take in a text's different pieces. Texts are alike only where what is `agreeing` agrees.

        Originals tell how common a piece is.
        """
        before = len(self._flat)
        self._flat.extend(map(self._names.__getitem__, pieces))
        self._lengths.append(len(self._flat) - before)
        self._salt.append(self._agreeing[agreeing])
        self._han.append(han)
        self._original.append(original)
        self._held = None

    def held(self, piece: str) -> int:
        """Return how many originals hold a piece."""
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
            found = np.stack([part // len(self), part % len(self)], axis=1)
            han = texts.han[found[:, 0]] | texts.han[found[:, 1]]
            yield found[_may_be_slips(_difference(texts, found, held), han)]

    def _texts(self) -> Texts:
        return Texts(
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
    """By pair: how many pieces only the first has, only the second, and whether a slip may have made one."""

    first: Positions
    second: Positions
    strange: NDArray[np.bool_]


def _proposed(texts: Texts, first_new: int) -> Positions:
    """Return the pairs of texts that share a key and enough pieces, each as one number, in order."""
    n, edits = len(texts.lengths), texts.edits()
    bits = _bitmap(texts)
    seen: list[Positions] = []
    for found in together(rare_sets(texts), first_new):
        enough = _apart(bits, found) <= 2 * edits[found].max(axis=1)
        seen.append(found[enough] @ np.array([n, 1]))
    long = np.flatnonzero(texts.lengths >= SKETCHED_FROM)
    for found in together(sketch_bands(texts, long), first_new):
        enough = _apart(bits, found) <= (1 - LEAST) * texts.lengths[found].sum(axis=1)
        seen.append(found[enough] @ np.array([n, 1]))
    return np.unique(np.concatenate(seen)) if seen else np.empty(0, np.int64)


def _bitmap(texts: Texts) -> Numbers:
    """Return 256 bits for each text, one set by each piece: texts differ in at least as many pieces."""
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


def _difference(texts: Texts, pairs: Positions, held: Positions) -> _Difference:
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


def _may_be_slips(found: _Difference, han: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell the pairs that differ in more than one known word exchanged for another."""
    fewer = np.minimum(found.first, found.second)
    inserted = han & ((found.first != found.second) | (fewer == 1)) & (fewer < RUN)
    told: NDArray[np.bool_] = (fewer == 0) | inserted | found.strange
    return told
