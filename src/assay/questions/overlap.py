"""N-grams that questions share with texts: questions are indexed once, then texts of any size stream past.

Memory depends on the questions alone: about 110 bytes for each of their n-grams while they are sorted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from assay.questions.text_tokens import Hashes, Positions, TextTokens, ngram_hashes, text_tokens

WORDS: Final = 8
"""Words of an n-gram of a question in a language with spaces."""
CHARACTERS: Final = 13
"""Characters of an n-gram of a Chinese or Japanese question."""
COMMON: Final = 100
"""An n-gram that occurs more often in the questions is an examination phrase and is left out."""
KEPT: Final = 1000
"""Words kept of the text before a block, so that a span across blocks is measured whole."""
BLOCK: Final = 1 << 17
"""Characters of text that are handled together; larger blocks are slower, as they leave the cache."""
MOST: Final = 2_000_000
"""Matches of a block that are handled together."""
_BITS: Final = 16
"""Bits of the filter for each n-gram; about one n-gram in sixteen of other texts passes."""


@dataclass(frozen=True, slots=True)
class QuestionText:
    """A question's identifier and its texts (stem, then options). N-grams do not cross from one to another.

    Questions of one `family` (empty: none) or one `passage` are not duplicates of each other; `material` is
    the passage's text.
    """

    id: str
    parts: tuple[str, ...]
    family: str = ""
    passage: int | None = None
    material: str = ""


class LongestSpan(NamedTuple):
    """The longest run of words that a question shares with a text.

    `start` is its first word in the question, `length` the number of words; `file` and `line` (from 1) are
    where the text has it.
    """

    length: int
    start: int
    file: int
    line: int


class MeasuredOverlap(NamedTuple):
    """The overlap of one question: its n-grams, those that were seen in the texts, and the longest span."""

    question: int
    characters: bool
    ngrams: int
    seen: int
    longest: LongestSpan


class OverlapIndex:
    """The n-grams of many questions. First `add` them all, then `read` texts, then ask for `overlaps`."""

    def __init__(self, words: int = WORDS, characters: int = CHARACTERS) -> None:
        self._kinds = (_Ngrams(words), _Ngrams(characters, characters=True))
        self._pending: list[QuestionText] = []
        self._size = 0
        self._kept: tuple[int, Hashes, Positions] | None = None
        self.questions = 0

    def add(self, question: QuestionText) -> None:
        """Add a question. Its number is the count of those before it."""
        self._pending.append(question)
        self._size += sum(map(len, question.parts))
        self.questions += 1
        if self._size > BLOCK:
            self._index()

    def close(self) -> None:
        """End the adding of questions. Texts can be read from now on."""
        self._index()
        for kind in self._kinds:
            kind.close(self.questions)

    def read(self, block: str, file: int, line: int) -> None:
        """Look up a block of a file's text, whose first line has the number `line`.

        Blocks of one file come in their order; a block ends at the end of a word.
        """
        tokens = text_tokens(block)
        hashes, lines = tokens.hashes, tokens.lines + line
        if self._kept is not None and self._kept[0] == file:
            hashes = np.concatenate([self._kept[1], hashes])
            lines = np.concatenate([self._kept[2], lines])
        self._kept = file, hashes[-KEPT:], lines[-KEPT:]
        for kind in self._kinds:
            kind.match(hashes, lines, file)

    def overlaps(self) -> Iterator[MeasuredOverlap]:
        """Yield the overlap of each question that has an n-gram in the texts, in their order."""
        found = [(row.question, row) for kind in self._kinds for row in kind.overlaps()]
        yield from (row for _, row in sorted(found, key=lambda pair: pair[0]))

    @property
    def tested(self) -> int:
        """The number of questions with at least one n-gram."""
        return sum(kind.tested for kind in self._kinds)

    @property
    def phrases(self) -> int:
        """The number of different n-grams that were left out as examination phrases."""
        return sum(kind.phrases for kind in self._kinds)

    def _index(self) -> None:
        if not self._pending:
            return
        first = self.questions - len(self._pending)
        owners = [number for number, text in enumerate(self._pending) for _ in text.parts]
        tokens = text_tokens(joined_parts(part for text in self._pending for part in text.parts))
        if len(tokens):
            owner = np.array(owners, np.int64)[tokens.lines]
            alone = np.bincount(owner, tokens.characters, len(self._pending))
            chinese = 2 * alone > np.bincount(owner, minlength=len(self._pending))
            for kind, chosen in zip(self._kinds, (~chinese, chinese), strict=True):
                kind.add(tokens, owner, chosen, first)
        self._pending, self._size = [], 0


def joined_parts(parts: Iterator[str] | Sequence[str]) -> str:
    """Return texts as lines, one each."""
    return "\n".join(" ".join(part.split()) for part in parts)


def shared_text(question: QuestionText, span: LongestSpan) -> str:
    """Return the words of a question that a span covers, as the question has them."""
    tokens = text_tokens(joined_parts(question.parts))
    last = span.start + span.length - 1
    return tokens.text[int(tokens.starts[span.start]) : int(tokens.ends[last])]


class _Ngrams:
    """The n-grams of the questions of one kind of script."""

    def __init__(self, n: int, *, characters: bool = False) -> None:
        self.n = n
        self._characters = characters
        self.phrases = self.tested = 0
        self._parts: list[tuple[Hashes, npt.NDArray[np.uint32], npt.NDArray[np.uint32]]] = []
        self._hashes = np.empty(0, np.uint64)
        self._first = np.zeros(1, np.int64)
        self._question = self._position = np.empty(0, np.uint32)
        self._seen = np.empty(0, np.bool_)
        self._filter = np.zeros(1, np.uint8)
        self._shift = np.uint64(61)
        self._longest = np.empty((0, 4), np.int64)

    def add(self, tokens: TextTokens, owner: Positions, chosen: npt.NDArray[np.bool_], first: int) -> None:
        """Add the n-grams of the chosen questions; `owner` is the question of each word, from 0."""
        grams = ngram_hashes(tokens.hashes, self.n)
        if not len(grams):
            return
        begins = np.searchsorted(owner, np.arange(len(chosen)))
        whole = tokens.lines[: len(grams)] == tokens.lines[self.n - 1 :]
        places = np.flatnonzero(whole & chosen[owner[: len(grams)]])
        question = owner[places]
        position = (places - begins[question]).astype(np.uint32)
        self._parts.append((grams[places], (question + first).astype(np.uint32), position))

    def close(self, questions: int) -> None:
        """Sort the n-grams and leave out those of more than `COMMON` places."""
        self._longest = np.zeros((questions, 4), np.int64)
        if not any(len(part[0]) for part in self._parts):
            return
        hashes, question, position = (np.concatenate(column) for column in zip(*self._parts, strict=True))
        self._parts = []
        order = np.argsort(hashes, kind="stable")
        hashes = hashes[order]
        fresh = np.flatnonzero(np.concatenate([[True], hashes[1:] != hashes[:-1]]))
        counts = np.diff(np.append(fresh, len(hashes)))
        rare = counts <= COMMON
        self.phrases = int((~rare).sum())
        order = order[np.repeat(rare, counts)]
        self._hashes = hashes[fresh[rare]]
        self._first = np.concatenate([[0], np.cumsum(counts[rare])])
        self._question, self._position = question[order], position[order]
        self._seen = np.zeros(len(order), np.bool_)
        self.tested = len(np.unique(self._question))
        self._fill_filter()

    def _fill_filter(self) -> None:
        bits = max(10, min(34, (_BITS * max(1, len(self._hashes)) - 1).bit_length()))
        self._shift = np.uint64(64 - bits)
        self._filter = np.zeros(1 << (bits - 3), np.uint8)
        places = self._hashes >> self._shift
        np.bitwise_or.at(self._filter, (places >> np.uint64(3)).astype(np.int64), _bit(places))

    def match(self, hashes: Hashes, lines: Positions, file: int) -> None:
        """Mark the n-grams of a text and note the longest spans."""
        if not len(self._hashes):
            return
        grams = ngram_hashes(hashes, self.n)
        places = grams >> self._shift
        near = np.flatnonzero(self._filter[(places >> np.uint64(3)).astype(np.int64)] & _bit(places))
        at = np.searchsorted(self._hashes, grams[near])
        at[at == len(self._hashes)] = 0
        same = self._hashes[at] == grams[near]
        self._note(near[same], at[same], lines, file)

    def _note(self, word: Positions, gram: Positions, lines: Positions, file: int) -> None:
        """Note matches: `word` is the place of an n-gram in the text, `gram` its number."""
        counts = self._first[gram + 1] - self._first[gram]
        total = int(counts.sum())
        if not total:
            return
        if total > MOST and len(word) > 1:
            half = len(word) // 2
            self._note(word[:half], gram[:half], lines, file)
            self._note(word[half:], gram[half:], lines, file)
            return
        within = np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)
        posting = np.repeat(self._first[gram], counts) + within
        self._seen[posting] = True
        question = self._question[posting].astype(np.int64)
        position = self._position[posting].astype(np.int64)
        self._note_spans(np.repeat(word, counts), question, position, lines, file)

    def _note_spans(
        self, word: Positions, question: Positions, position: Positions, lines: Positions, file: int
    ) -> None:
        """Join matches that follow each other in the text and in the question, and keep the longest."""
        offset = word - position
        order = np.lexsort((word, offset, question))
        word, question, offset = word[order], question[order], offset[order]
        breaks = (question[1:] != question[:-1]) | (offset[1:] != offset[:-1]) | (word[1:] != word[:-1] + 1)
        starts = np.flatnonzero(np.concatenate([[True], breaks]))
        lengths = np.diff(np.append(starts, len(word))) + self.n - 1
        owners = question[starts]
        best = np.lexsort((word[starts], -lengths, owners))
        best = best[np.concatenate([[True], owners[best][1:] != owners[best][:-1]])]
        best = best[lengths[best] > self._longest[owners[best], 0]]
        run = starts[best]
        self._longest[owners[best]] = np.stack(
            [lengths[best], word[run] - offset[run], np.full(len(run), file), lines[word[run]]], axis=1
        )

    def overlaps(self) -> Iterator[MeasuredOverlap]:
        """Yield the overlap of each question with an n-gram in the texts."""
        size = len(self._longest)
        ngrams = np.bincount(self._question, minlength=size)
        seen = np.bincount(self._question[self._seen], minlength=size)
        for number in np.flatnonzero(seen).tolist():
            span = LongestSpan(*self._longest[number].tolist())
            yield MeasuredOverlap(number, self._characters, int(ngrams[number]), int(seen[number]), span)


def _bit(places: Hashes) -> npt.NDArray[np.uint8]:
    """Return a byte with the bit that a place has in the filter."""
    return np.left_shift(np.uint8(1), (places & np.uint64(7)).astype(np.uint8))
