"""Whether two lists of words ask the same: the edits between them are found, and each must be harmless."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import combinations

from assay.questions.near.slips import (
    Counter,
    common,
    misspelt,
    misspelt_han,
    misspelt_small_word,
    omitted_han,
    stuttered,
)
from assay.questions.near.words import GUARDED, GUARDED_HAN, OPPOSITES_HAN, holds_han, is_han

SHORT, LONG, MORE = 4, 20, 25
"""In words: below `SHORT` nothing may be added, from `LONG` on two words; each `MORE` allow one slip more."""
LONGEST = 400
"""Texts whose differing middles are longer than so many words are not alike."""
MOST = 8
"""The longest differing stretch in which slips and added words are told apart."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """The words of a text from one place to before another."""

    told: Sequence[str]
    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start

    def joined(self) -> str:
        """Return the words written as one."""
        return "".join(self.told[self.start : self.end])


@dataclass(frozen=True, slots=True)
class Edits:
    """What turns one text into the other: slips of the pen, and words that only one of them has."""

    slips: int
    added: float


def alike(a: Sequence[str], b: Sequence[str], count: Counter) -> bool:
    """Whether two texts ask the same: they differ by at most a few slips of the pen and added words.

    Slips: two, and one more for each 25 words; one in a text of fewer than 4. Added words: one, two from 20
    words on, none below 4; two Chinese characters are a word. Numbers, operators, negations and other words
    that turn a question into another one must be the same, in the same order.
    """
    if a == b:
        return True
    head = common(a, b)
    tail = common(a[head:][::-1], b[head:][::-1])
    left, right = a[head : len(a) - tail], b[head : len(b) - tail]
    if max(len(left), len(right)) > LONGEST:
        return False
    n = min(_length(a), _length(b))
    slips = 1.0 if n < SHORT else 2 + n // MORE
    added = 0.0 if n < SHORT else 1 if n < LONG else 2
    for tag, i, j, k, m in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        one, other = Stretch(a, head + i, head + j), Stretch(b, head + k, head + m)
        made = _edited(one, other, count) if len(one) <= len(other) else _edited(other, one, count)
        if made is None:
            return False
        slips, added = slips - made.slips, added - made.added
        if slips < 0 or added < 0:
            return False
    return True


def _edited(short: Stretch, long: Stretch, count: Counter) -> Edits | None:
    """Return what turns one stretch into the other, None when they say different things."""
    extra = len(long) - len(short)
    if not len(short):
        return _added(long, range(long.start, long.end), count)
    if extra and misspelt(short.joined(), long.joined(), count):
        return Edits(1, 0)
    if len(long) > MOST or extra > 2:
        return None
    for left_out in combinations(range(long.start, long.end), extra):
        kept = [place for place in range(long.start, long.end) if place not in left_out]
        slips = _exchanged(short, long, kept, count)
        added = None if slips is None else _added(long, left_out, count)
        if slips is not None and added is not None:
            return Edits(slips + added.slips, added.added)
    return None


def _exchanged(short: Stretch, long: Stretch, kept: Iterable[int], count: Counter) -> int | None:
    """Return how many words are misspelt, None when one is another word."""
    slips = 0
    for i, j in zip(range(short.start, short.end), kept, strict=True):
        one, other = short.told[i], long.told[j]
        if one == other:
            continue
        if is_han(one) and is_han(other):
            same = misspelt_han(short.told, i, long.told, j, count)
        else:
            same = misspelt(one, other, count)
        if not same:
            return None
        slips += 1
    return slips


def _added(long: Stretch, places: Sequence[int], count: Counter) -> Edits | None:
    """Return what the words at these places come to, None when one of them asks for another thing."""
    slips, added = 0, 0.0
    for place in places:
        word = long.told[place]
        if (
            stuttered(long.told, place)
            or misspelt_small_word(word, count)
            or (word in OPPOSITES_HAN and omitted_han(long.told, place, count))
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


def _length(told: Sequence[str]) -> float:
    """Return the number of words; two Chinese characters are one."""
    return len(told) - sum(map(is_han, told)) / 2 if holds_han(told) else len(told)
