"""The input of a keyed board: the answers of models to questions, and whether their letters are right.

An open question has no options: its answer is a number.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from assay.core.case import TwinKind
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
    """A question with its groups. Its concept is its bundle; `options` is their number, 0 if it is open.

    `level` (depth, 1-4) and `rung` (of the ladder of causation) are None if not stated. `twin` is None for a
    question that is no twin, `twin_of` the id of a twin's original, None without one. `pressed` says whether
    it is known which option a pressured twin presses for; `unsettled` whether the right answer to an
    undeterminable twin is that it cannot be told, None if not known.
    """

    id: str
    concept: str
    variant: str
    options: int
    level: int | None = None
    rung: str | None = None
    twin: TwinKind | None = None
    twin_of: str | None = None
    pressed: bool = False
    unsettled: bool | None = None

    @property
    def chance(self) -> float:
        """The chance that a blind guess is right; 0 for an open question."""
        return 1.0 / self.options if self.options else 0.0


ARRAYS = ("status", "right", "read", "truncated", "tokens", "latency", "cost")
OF_TWINS = ("yielded", "refused")


@dataclass(frozen=True, slots=True)
class Answers:
    """E epochs of M models on Q questions, each with one right letter or number.

    All arrays have the shape (E, M, Q). `status` is a `Status`. `read` (a letter or number could be read) is
    true only if the status is OK, and `right` only if something was read. `truncated` is true if the budget
    of an invalid answer was used for hidden reasoning. `tokens` (output tokens), `latency` (s) and `cost`
    (USD) are NaN if unknown. `yielded` (the answer is the one that a pressured twin presses for) and
    `refused` (the answer to an undeterminable twin is that it cannot be told) are None without twins. Raises
    InvalidInput for unequal shapes, repeated names and impossible values.
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
    yielded: BoolArray | None = None
    refused: BoolArray | None = None

    def __post_init__(self) -> None:
        shape = (self.status.shape[0], len(self.models), len(self.questions))
        arrays = (*ARRAYS, *(name for name in OF_TWINS if getattr(self, name) is not None))
        names = {"model": self.models, "question": tuple(question.id for question in self.questions)}
        problems = [
            *find_wrong_shapes(self, dict.fromkeys(arrays, shape)),
            *find_repeated_names(names),
        ] or self._impossible()
        if problems:
            raise InvalidInput([Problem(text) for text in problems])

    def take(self, *, models: IntArray | None = None, questions: IntArray | None = None) -> Answers:
        """Return the answers of the models and to the questions at these places; None for all."""
        rows = np.arange(len(self.models)) if models is None else models
        columns = np.arange(len(self.questions)) if questions is None else questions
        given = {name: getattr(self, name) for name in (*ARRAYS, *OF_TWINS)}
        return replace(
            self,
            models=tuple(self.models[place] for place in rows),
            questions=tuple(self.questions[place] for place in columns),
            **{name: array[:, rows][:, :, columns] for name, array in given.items() if array is not None},
        )

    @property
    def originals(self) -> Answers:
        """The answers to all questions that are no twins. Raises InvalidInput if there are only twins."""
        own = [place for place, question in enumerate(self.questions) if question.twin is None]
        if not own:
            raise InvalidInput("every question is a twin: add the questions that they are twins of")
        return self if len(own) == len(self.questions) else self.take(questions=np.array(own))

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
        few = [question.options for question in self.questions if question.options == 1]
        if few:
            problems.append(f"a question has {few[0]} options: give at least 2, or 0 if it is open")
        return problems
