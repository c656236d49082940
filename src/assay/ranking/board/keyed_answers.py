"""The input of a keyed board: the answers of models to questions, and whether their letters are right."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.core.errors import InvalidInput, Problem
from assay.ranking.board.measured import (
    BoolArray,
    FloatArray,
    IntArray,
    Status,
    find_repeated_names,
    find_wrong_shapes,
)

Names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KeyedQuestion:
    """A question with its groups. Its concept is its bundle; `options` is the number of options."""

    id: str
    concept: str
    variant: str
    options: int


@dataclass(frozen=True, slots=True)
class Answers:
    """E epochs of M models on Q questions, each with one right letter.

    All arrays have the shape (E, M, Q). `status` is a `Status`. `read` (a letter could be read) is true only
    if the status is OK, and `right` only if a letter was read. `truncated` is true if the budget of an
    invalid answer was used for hidden reasoning. `tokens` (output tokens), `latency` (s) and `cost` (USD) are
    NaN if unknown. Raises InvalidInput for unequal shapes, repeated names and impossible values.
    """

    models: Names
    questions: tuple[KeyedQuestion, ...]
    status: IntArray
    right: BoolArray
    read: BoolArray
    truncated: BoolArray
    tokens: FloatArray
    latency: FloatArray
    cost: FloatArray

    def __post_init__(self) -> None:
        shape = (self.status.shape[0], len(self.models), len(self.questions))
        arrays = ("status", "right", "read", "truncated", "tokens", "latency", "cost")
        names = {"model": self.models, "question": tuple(question.id for question in self.questions)}
        problems = [
            *find_wrong_shapes(self, dict.fromkeys(arrays, shape)),
            *find_repeated_names(names),
        ] or self._impossible()
        if problems:
            raise InvalidInput([Problem(text) for text in problems])

    @property
    def epochs(self) -> int:
        """The largest number of times that a question was asked."""
        return int(self.status.shape[0])

    @property
    def concepts(self) -> Names:
        """The concepts in the order of the questions."""
        return tuple(dict.fromkeys(question.concept for question in self.questions))

    @property
    def variants(self) -> Names:
        """The variants in the order of the questions."""
        return tuple(dict.fromkeys(question.variant for question in self.questions))

    @property
    def bundles(self) -> IntArray:
        """The number of each question's concept, (Q,), from 0."""
        numbers = {concept: number for number, concept in enumerate(self.concepts)}
        return np.array([numbers[question.concept] for question in self.questions], dtype=np.int64)

    @property
    def answered(self) -> BoolArray:
        """A mask of the answers that count for the model: visible ones, and invalid ones."""
        answered: BoolArray = (self.status == Status.OK) | (self.status == Status.INVALID)
        return answered

    def _impossible(self) -> list[str]:
        problems = []
        if not self.models or not self.questions or not self.epochs:
            problems.append("no model, question or epoch: give at least one of each")
        if bool((self.right & ~self.read).any()):
            problems.append("an answer is right, but no letter was read: set `read` for right answers")
        if bool((self.read & (self.status != Status.OK)).any()):
            problems.append("a letter was read from an answer that is not OK: set `read` for OK answers only")
        few = [question.options for question in self.questions if question.options < 2]
        if few:
            problems.append(f"a question has {few[0]} options: give at least 2")
        return problems
