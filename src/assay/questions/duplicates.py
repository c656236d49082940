"""Near-duplicate questions: the same question asked again in almost the same words.

Questions of one family (an original and what was made from it) and questions over one shared passage are
exempt among themselves. docs/methodology/near-duplicates.md defines what counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.questions.near.candidates import Pieces
from assay.questions.near.likeness import alike
from assay.questions.near.words import (
    holds_han,
    numbers,
    option_pieces,
    option_words,
    pieces,
    stem_pieces,
    words,
)

SPARSE = 8
"""A question of fewer pieces is told apart by its passage too."""
SAME_PASSAGE = 0.8
"""The share of common pieces from which two passages count as one."""


class Asked(NamedTuple):
    """What a question asks. `passage` names the passage that it shares, `material` is its text."""

    id: int
    family: int
    passage: int | None
    stem: str
    options: tuple[str, ...] = ()
    material: str = ""


class Pair(NamedTuple):
    """Two near-duplicate questions, the smaller id first; `similarity` is the share of common pieces, 0-1."""

    question: int
    other: int
    similarity: float


class Comparison:
    """Finds the near-duplicates among questions that are shown twice.

    First each is given to `add`, in order of ids; then `candidates` names pairs of ids, whose texts go to
    `compare`. Memory grows by some 130 bytes a question, whatever their length.
    """

    def __init__(self) -> None:
        self._pieces = Pieces()
        self._ids: list[int] = []
        self._families: list[int] = []
        self._passages: list[int] = []

    def __len__(self) -> int:
        return len(self._ids)

    def add(self, asked: Asked) -> None:
        """Take in a question. Raises ValueError for an id that is not greater than the last one."""
        if self._ids and asked.id <= self._ids[-1]:
            raise ValueError(f"question {asked.id} comes after {self._ids[-1]}: give them in order of ids")
        found = stem_pieces(asked.stem)
        agreeing = numbers(found)
        for option in asked.options:
            found += option_pieces(option)
        if asked.material and len(found) < SPARSE:
            found += stem_pieces(asked.material)
        told, original = dict.fromkeys(found), asked.id == asked.family
        self._pieces.add(told, agreeing, han=holds_han(found), original=original)
        self._ids.append(asked.id)
        self._families.append(asked.family)
        self._passages.append(-1 if asked.passage is None else asked.passage)

    def candidates(self, after: int = 0) -> Iterator[NDArray[np.int64]]:
        """Yield pairs of ids that may be near-duplicates, (n, 2), one of each greater than `after`."""
        ids = np.array(self._ids, np.int64)
        families, passages = np.array(self._families), np.array(self._passages)
        for found in self._pieces.pairs(int(np.searchsorted(ids, after, side="right"))):
            one, other = found[:, 0], found[:, 1]
            exempt = families[one] == families[other]
            exempt |= (passages[one] == passages[other]) & (passages[one] >= 0)
            yield ids[found[~exempt]]

    def compare(self, one: Asked, other: Asked) -> Pair | None:
        """Return the pair if the two ask the same, else None."""
        a, b = words(one.stem), words(other.stem)
        if not alike(a, b, self._pieces.held):
            return None
        left, right = (
            [option_words(each) for each in one.options],
            [option_words(each) for each in other.options],
        )
        if not self._same_options(left, right):
            return None
        if not _same_passage(one, other, len(a) + sum(map(len, left))):
            return None
        first, second = sorted((one.id, other.id))
        return Pair(first, second, share(_pieces(a, left), _pieces(b, right)))

    def _same_options(self, a: Sequence[list[str]], b: Sequence[list[str]]) -> bool:
        """Whether the options are the same in any order; one may be missing where three agree."""
        left, right = list(a), list(b)
        for option in a:
            if option in right:
                left.remove(option)
                right.remove(option)
        for option in tuple(left):
            match = next((each for each in right if self._same_option(option, each)), None)
            if match is not None:
                left.remove(option)
                right.remove(match)
        if not left and not right:
            return True
        return not (left and right) and len(left) + len(right) == 1 and min(len(a), len(b)) >= 3

    def _same_option(self, a: list[str], b: list[str]) -> bool:
        return len(a) == len(b) and alike(a, b, self._pieces.held)


def _same_passage(one: Asked, other: Asked, told: int) -> bool:
    """Whether two passages are about the same; where one question has none, the rest must tell enough."""
    if not one.material and not other.material:
        return True
    if not one.material or not other.material:
        return told >= SPARSE
    return share(set(stem_pieces(one.material)), set(stem_pieces(other.material))) >= SAME_PASSAGE


def _pieces(stem: list[str], options: list[list[str]]) -> set[str]:
    return {piece for told in (stem, *options) for piece in pieces(told)}


def share(a: set[str], b: set[str]) -> float:
    """Return the common part of two sets of pieces (their Jaccard index); 1 for two empty ones."""
    whole = len(a | b)
    return len(a & b) / whole if whole else 1.0
