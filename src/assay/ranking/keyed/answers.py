"""What a keyed board is made from: which questions models answered, and whether with the right letter."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.core.errors import InvalidInput, Problem
from assay.ranking.measured import BoolArray, FloatArray, IntArray, Status

Names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """Where a question belongs: its concept is its bundle. `options` is how many there are to choose from."""

    id: str
    concept: str
    variant: str
    options: int


@dataclass(frozen=True, slots=True)
class Answers:
    """E epochs of M models on Q questions, each with one right letter.

    All arrays have the shape (E, M, Q). `status` of `Status`; `right` and `read` (a letter could be read)
    only where it is OK, and right only where read; `truncated` where an invalid answer's budget went into
    hidden reasoning; `tokens` (output tokens), `latency` (s), `cost` (USD) NaN where unknown. InvalidInput
    when shapes disagree, a name stands twice, or these hold what cannot be.
    """

    models: Names
    questions: tuple[Question, ...]
    status: IntArray
    right: BoolArray
    read: BoolArray
    truncated: BoolArray
    tokens: FloatArray
    latency: FloatArray
    cost: FloatArray

    def __post_init__(self) -> None:
        problems = [*self._misshapen(), *self._repeated()] or self._impossible()
        if problems:
            raise InvalidInput([Problem(text) for text in problems])

    @property
    def epochs(self) -> int:
        """How often each question was asked at most."""
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
        """Where the model itself is to be held to what came: a visible answer, or none for all its tokens."""
        there: BoolArray = (self.status == Status.OK) | (self.status == Status.INVALID)
        return there

    def _misshapen(self) -> list[str]:
        wanted = (self.status.shape[0], len(self.models), len(self.questions))
        return [
            f"{name} has shape {getattr(self, name).shape!r}: give {wanted!r}"
            for name in ("status", "right", "read", "truncated", "tokens", "latency", "cost")
            if getattr(self, name).shape != wanted
        ]

    def _repeated(self) -> list[str]:
        named = {"model": self.models, "question": tuple(question.id for question in self.questions)}
        return [
            f"{kind} {name!r} stands {names.count(name)} times: give each once"
            for kind, names in named.items()
            for name in sorted({each for each in names if names.count(each) > 1})
        ]

    def _impossible(self) -> list[str]:
        told = []
        if not self.models or not self.questions or not self.epochs:
            told.append("no model, question or epoch: a board needs at least one of each")
        if bool((self.right & ~self.read).any()):
            told.append("an answer is right without a letter: mark right ones as read")
        if bool((self.read & (self.status != Status.OK)).any()):
            told.append(
                "a letter was read where there is no visible answer: keep `read` to those that are OK"
            )
        few = [question.options for question in self.questions if question.options < 2]
        if few:
            told.append(f"a question has {few[0]} options: give at least 2")
        return told
