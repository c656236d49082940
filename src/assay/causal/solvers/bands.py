"""How near to chance naive reasoners are kept in a form: bands around a variant's expected accuracy."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from assay.causal.item import Item, Variant
from assay.causal.solvers.solver import Solver


@dataclass(frozen=True, slots=True)
class Band:
    """Expected accuracies from `low` to `high`, both included."""

    low: float
    high: float

    def off(self, accuracy: float) -> float:
        """Return how far an accuracy lies outside; 0 inside."""
        return max(self.low - accuracy, accuracy - self.high, 0.0)


class Asked(Protocol):
    """A question with its solvers' chances to be right."""

    @property
    def item(self) -> Item: ...
    @property
    def odds(self) -> Mapping[Solver, float]: ...


NAIVE = (Solver.MARGINAL, Solver.ADJUSTING)
NEAR_CHANCE = Band(0.22, 0.28)
IN_TRAPS = Band(0.15, 0.25)
"""In a trap the obvious principle does not apply: naive solvers are not above chance there."""


def off(questions: Iterable[Asked]) -> float:
    """Return how far the questions of one variant lie outside its band, summed over the naive solvers.

    Open questions do not count: nobody guesses a number.
    """
    listed = _choices(questions)
    return sum(_band(listed[0]).off(_mean(listed, solver)) for solver in NAIVE) if listed else 0.0


def pulls_away(question: Asked, questions: Iterable[Asked]) -> bool:
    """Return whether a solver outside the band of these questions would be nearer to it without this one."""
    if not question.item.options:
        return False
    listed, band = _choices(questions), _band(question)
    for solver in NAIVE:
        mean, odds = _mean(listed, solver), question.odds[solver]
        if (mean > band.high and odds > mean) or (mean < band.low and odds < mean):
            return True
    return False


def _choices(questions: Iterable[Asked]) -> list[Asked]:
    return [question for question in questions if question.item.options]


def _band(question: Asked) -> Band:
    return IN_TRAPS if question.item.variant == Variant.TRAP else NEAR_CHANCE


def _mean(questions: Collection[Asked], solver: Solver) -> float:
    return sum(question.odds[solver] for question in questions) / len(questions)
