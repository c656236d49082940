"""What a trained attack sees of the options: one row of features for each option of each question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from assay.causal.lint.attack import Rule
from assay.causal.lint.catalogue import RULES
from assay.causal.lint.reading import Reading
from assay.causal.lint.words import STOP

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]
LEAST_QUESTIONS = 2
"""A word that stands in fewer questions teaches nothing about another question."""
Tokens = Callable[[Reading, int], Iterable[str]]


@dataclass(frozen=True, slots=True)
class Design:
    """Features of all options: row `question * width + option`; rows past a question's options are empty.

    `there` (questions, width) tells the options that exist.
    """

    matrix: csr_array
    there: BoolArray

    @property
    def questions(self) -> int:
        """How many questions there are."""
        return int(self.there.shape[0])

    @property
    def width(self) -> int:
        """The most options that a question has."""
        return int(self.there.shape[1])

    def take(self, rows: IntArray) -> Design:
        """Return the design of some of the questions."""
        wide = (rows[:, np.newaxis] * self.width + np.arange(self.width)).reshape(-1)
        return Design(self.matrix[wide], self.there[rows])


def keywords(questions: Sequence[Reading]) -> Design:
    """Which words an option has."""
    return _build(questions, lambda question, option: set(question.option_words[option]), ())


def option_only(questions: Sequence[Reading]) -> Design:
    """Words and pairs of words, and the options' ranks by every rule that does not look at the stem.

    Positions are left out: where keys are spread evenly over the letters, what half of a form teaches about
    letters is wrong on the other half.
    """
    rules = [rule for rule in RULES if not rule.about_stem and not rule.name.startswith("always")]
    return _build(questions, _phrases, rules)


def crossed(questions: Sequence[Reading]) -> Design:
    """Each word of an option together with whether it stands in the stem, and the ranks by all rules."""
    rules = [rule for rule in RULES if not rule.name.startswith("always")]
    return _build(questions, _beside_stem, rules)


def _phrases(question: Reading, option: int) -> Iterator[str]:
    tokens = [_plain(token) for token in question.option_words[option]]
    yield from set(question.option_words[option])
    yield from {f"{one} {other}" for one, other in pairwise(["^", *tokens, "$"])}


def _beside_stem(question: Reading, option: int) -> Iterator[str]:
    for token in set(question.option_words[option]):
        place = "stop" if token in STOP else "in" if token in question.stem_words else "out"
        yield f"{token}|{place}"
        if place != "stop":
            yield f"{_plain(token)[:1] if token[:1].isdigit() else ''}|{place}"


def _plain(token: str) -> str:
    return "#" if token[0].isdigit() else token


def _build(questions: Sequence[Reading], tokens: Tokens, rules: Sequence[Rule]) -> Design:
    width = max((question.size for question in questions), default=0)
    there = np.array(
        [[place < question.size for place in range(width)] for question in questions], dtype=bool
    )
    said = [
        (row * width + option, list(tokens(question, option)))
        for row, question in enumerate(questions)
        for option in range(question.size)
    ]
    places = _vocabulary(said, width)
    rows = np.array([row for row, words in said for word in words if word in places], dtype=np.int64)
    columns = np.array(
        [places[word] for _, words in said for word in words if word in places], dtype=np.int64
    )
    ranks = _ranks(questions, rules, width)
    at_rows, at_columns = np.nonzero(ranks)
    matrix = csr_array(
        (
            np.concatenate([np.ones(len(rows)), ranks[at_rows, at_columns]]),
            (np.concatenate([rows, at_rows]), np.concatenate([columns, at_columns + len(places)])),
        ),
        shape=(len(questions) * width, len(places) + len(rules)),
    )
    return Design(matrix, there.reshape(len(questions), width))


def _vocabulary(said: Sequence[tuple[int, list[str]]], width: int) -> dict[str, int]:
    """Return a column for each word that stands in enough questions, in the order of the alphabet."""
    within = {(row // width, word) for row, words in said for word in words}
    seen = Counter(word for _, word in within)
    return {
        word: place for place, word in enumerate(sorted(w for w, n in seen.items() if n >= LEAST_QUESTIONS))
    }


def _ranks(questions: Sequence[Reading], rules: Sequence[Rule], width: int) -> FloatArray:
    """Return each option's rank by each rule, from -1 (lowest) to 1; 0 where the rule says nothing."""
    ranks = np.zeros((len(questions) * width, len(rules)))
    for column, rule in enumerate(rules):
        for row, question in enumerate(questions):
            scores = rule.score(question)
            if scores is not None and min(scores) < max(scores):
                ranks[row * width : row * width + question.size, column] = _placed(scores)
    return ranks


def _placed(scores: Sequence[float]) -> list[float]:
    """Return (how many score lower - how many score higher)/(how many others) for each score."""
    others = len(scores) - 1
    return [sum((score > other) - (score < other) for other in scores) / others for score in scores]
