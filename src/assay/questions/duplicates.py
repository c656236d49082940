"""Near-duplicates: the same question in almost the same words.

Questions of one family (an original and those made from it) and questions about one shared passage are not
compared with each other. docs/methodology/near-duplicates.md has the definition.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.questions.near.candidates import Pieces
from assay.questions.near.slips import (
    Counter,
    differing,
    misspelt,
    misspelt_han,
    misspelt_small_word,
    omitted_han,
    stuttered,
)
from assay.questions.near.words import (
    GUARDED,
    GUARDED_HAN,
    OPPOSITES_HAN,
    holds_han,
    is_han,
    numbers,
    option_pieces,
    option_words,
    pieces,
    stem_pieces,
    words,
)

SPARSE = 8
"""A question with fewer pieces than this is compared by its passage too."""
SAME_PASSAGE = 0.8
"""The least share of common pieces of two passages that count as the same."""
LONGEST = 400
"""The most words in the differing middles of two texts that can be alike."""
MOST = 8
"""The most words of a differing stretch in which slips and added words are distinguished."""


class AskedText(NamedTuple):
    """The text of a question. `passage` identifies a shared passage, `material` is its text."""

    id: int
    family: int
    passage: int | None
    stem: str
    options: tuple[str, ...] = ()
    material: str = ""


class DuplicatePair(NamedTuple):
    """Two near-duplicate questions, the smaller id first; `similarity` is the share of common pieces, 0-1."""

    question: int
    other: int
    similarity: float


class NearDuplicates:
    """A search for near-duplicates among questions, in two passes.

    First give each question to `add`, in the order of ids; then `candidates` yields pairs of ids, whose texts
    go to `compare`. Memory grows by about 130 bytes a question.
    """

    def __init__(self) -> None:
        self._pieces = Pieces()
        self._ids: list[int] = []
        self._families: list[int] = []
        self._passages: list[int] = []

    def __len__(self) -> int:
        return len(self._ids)

    def add(self, asked: AskedText) -> None:
        """Add a question. Raises ValueError for an id that is not greater than the last one."""
        if self._ids and asked.id <= self._ids[-1]:
            raise ValueError(
                f"question {asked.id} comes after {self._ids[-1]}: give questions in the order of ids"
            )
        text_pieces = stem_pieces(asked.stem)
        agreeing = numbers(text_pieces)
        for option in asked.options:
            text_pieces += option_pieces(option)
        if asked.material and len(text_pieces) < SPARSE:
            text_pieces += stem_pieces(asked.material)
        distinct, original = dict.fromkeys(text_pieces), asked.id == asked.family
        self._pieces.add(distinct, agreeing, han=holds_han(text_pieces), original=original)
        self._ids.append(asked.id)
        self._families.append(asked.family)
        self._passages.append(-1 if asked.passage is None else asked.passage)

    def candidates(self, after: int = 0) -> Iterator[NDArray[np.int64]]:
        """Yield pairs of ids that may be near-duplicates, (n, 2), at least one id greater than `after`."""
        ids = np.array(self._ids, np.int64)
        families, passages = np.array(self._families), np.array(self._passages)
        for pairs in self._pieces.pairs(int(np.searchsorted(ids, after, side="right"))):
            one, other = pairs[:, 0], pairs[:, 1]
            exempt = families[one] == families[other]
            exempt |= (passages[one] == passages[other]) & (passages[one] >= 0)
            yield ids[pairs[~exempt]]

    def compare(self, one: AskedText, other: AskedText) -> DuplicatePair | None:
        """Return the pair if the two questions ask the same, else None."""
        a, b = words(one.stem), words(other.stem)
        if not alike(a, b, self._pieces.held):
            return None
        left, right = [[option_words(option) for option in asked.options] for asked in (one, other)]
        if not self._same_options(left, right):
            return None
        if not _same_passage(one, other, len(a) + sum(map(len, left))):
            return None
        first, second = sorted((one.id, other.id))
        return DuplicatePair(first, second, share(_pieces(a, left), _pieces(b, right)))

    def _same_options(self, a: Sequence[list[str]], b: Sequence[list[str]]) -> bool:
        """Whether the options are the same in any order; one may be missing if three or more agree."""
        left, right = list(a), list(b)
        for option in a:
            if option in right:
                left.remove(option)
                right.remove(option)
        for option in tuple(left):
            match = next((candidate for candidate in right if self._same_option(option, candidate)), None)
            if match is not None:
                left.remove(option)
                right.remove(match)
        if not left and not right:
            return True
        return not (left and right) and len(left) + len(right) == 1 and min(len(a), len(b)) >= 3

    def _same_option(self, a: list[str], b: list[str]) -> bool:
        return len(a) == len(b) and alike(a, b, self._pieces.held)


def _same_passage(one: AskedText, other: AskedText, length: int) -> bool:
    """Whether two passages are the same; if only one question has a passage, the rest must be long enough."""
    if not one.material and not other.material:
        return True
    if not one.material or not other.material:
        return length >= SPARSE
    return share(set(stem_pieces(one.material)), set(stem_pieces(other.material))) >= SAME_PASSAGE


def _pieces(stem: list[str], options: list[list[str]]) -> set[str]:
    return {piece for text_words in (stem, *options) for piece in pieces(text_words)}


def share(a: set[str], b: set[str]) -> float:
    """Return the Jaccard index of two sets of pieces; 1 for two empty sets."""
    whole = len(a | b)
    return len(a & b) / whole if whole else 1.0


SHORT, LONG, MORE = 4, 20, 25
"""In words: no added words below `SHORT`, two from `LONG` on; one more slip for each `MORE` words."""


@dataclass(frozen=True, slots=True)
class WordSpan:
    """The words of a text from one place to before another."""

    words: Sequence[str]
    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start

    def joined(self) -> str:
        """Return the words written as one."""
        return "".join(self.words[self.start : self.end])


@dataclass(frozen=True, slots=True)
class Edits:
    """The differences of two texts: slips of the pen, and words that only one of them has."""

    slips: int
    added: float


def alike(a: Sequence[str], b: Sequence[str], count: Counter) -> bool:
    """Whether two texts ask the same: they differ by at most a few slips of the pen and added words.

    Slips: two, and one more for each 25 words; one in a text of fewer than 4 words. Added words: one, two
    from 20 words on, none below 4; two Chinese characters are a word. Numbers, operators, negations and other
    words that change a question must be the same, in the same order.
    """
    if a == b:
        return True
    head, left, right = differing(a, b)
    if max(len(left), len(right)) > LONGEST:
        return False
    n = min(_length(a), _length(b))
    slips = 1.0 if n < SHORT else 2 + n // MORE
    added = 0.0 if n < SHORT else 1 if n < LONG else 2
    for tag, i, j, k, m in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        one, other = WordSpan(a, head + i, head + j), WordSpan(b, head + k, head + m)
        edits = _edits(one, other, count) if len(one) <= len(other) else _edits(other, one, count)
        if edits is None:
            return False
        slips, added = slips - edits.slips, added - edits.added
        if slips < 0 or added < 0:
            return False
    return True


def _edits(short: WordSpan, long: WordSpan, count: Counter) -> Edits | None:
    """Return the differences of two stretches, or None if their meaning differs."""
    extra = len(long) - len(short)
    if not len(short):
        return _added(long, range(long.start, long.end), count)
    if extra and misspelt(short.joined(), long.joined(), count):
        return Edits(1, 0)
    if len(long) > MOST or extra > 2:
        return None
    for left_out in combinations(range(long.start, long.end), extra):
        kept = [place for place in range(long.start, long.end) if place not in left_out]
        slips = _count_misspelt(short, long, kept, count)
        added = None if slips is None else _added(long, left_out, count)
        if slips is not None and added is not None:
            return Edits(slips + added.slips, added.added)
    return None


def _count_misspelt(short: WordSpan, long: WordSpan, kept: Iterable[int], count: Counter) -> int | None:
    """Return the number of misspelt words, or None if one is another word."""
    slips = 0
    for i, j in zip(range(short.start, short.end), kept, strict=True):
        one, other = short.words[i], long.words[j]
        if one == other:
            continue
        if is_han(one) and is_han(other):
            same = misspelt_han(short.words, i, long.words, j, count)
        else:
            same = misspelt(one, other, count)
        if not same:
            return None
        slips += 1
    return slips


def _added(long: WordSpan, places: Sequence[int], count: Counter) -> Edits | None:
    """Return the edits that add the words at these places, or None if one of them changes the question."""
    slips, added = 0, 0.0
    for place in places:
        word = long.words[place]
        if (
            stuttered(long.words, place)
            or misspelt_small_word(word, count)
            or (word in OPPOSITES_HAN and omitted_han(long.words, place, count))
        ):
            slips += 1
        elif _guarded(word) or (len(places) == 1 and word in OPPOSITES_HAN):
            return None
        else:
            added += _length([word])
    return Edits(slips, added)


def _guarded(word: str) -> bool:
    if word in GUARDED or word in GUARDED_HAN or not word[0].isalpha():
        return True
    return len(word) == 1 and word.isascii()


def _length(text_words: Sequence[str]) -> float:
    """Return the number of words; two Chinese characters are one."""
    characters = sum(map(is_han, text_words)) if holds_han(text_words) else 0
    return len(text_words) - characters / 2
