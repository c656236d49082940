"""A case: one prompt with the graders that mark its answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from assay.core.ask import Message


class Grading(StrEnum):
    """How a use case is graded; it selects the floor and the thresholds of the watch."""

    DETERMINISTIC = "deterministic"
    HYBRID = "hybrid"
    JUDGE = "judge"

    @property
    def judged(self) -> bool:
        """Whether a judge has a say: hybrid counts as judged (DESIGN section 7)."""
        return self is not Grading.DETERMINISTIC


@dataclass(frozen=True, slots=True)
class GraderSpec:
    """One grader of a case: its registered name, its parameters, and its weight in the case's score.

    A weight of 0 is that of a check that only flags. `judged` tells whether the grader asks judges.
    """

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    weight: float = 1.0
    judged: bool = False


@dataclass(frozen=True, slots=True)
class Exemplar:
    """A hand-made answer to a case with the score it deserves (0-1).

    Exemplars test the graders, feed the simulated provider, and, where they carry `marks` (1-5, by
    an expert reading the rubric), calibrate the judge.
    """

    answer: str
    score: float
    marks: float | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """One prompt, its graders, and its exemplars. `max_tokens` leaves room for reasoning.

    `weights` are the shares of checks and judge where the case overrides its use case's, else None.
    """

    id: str
    use_case: str
    messages: tuple[Message, ...]
    graders: tuple[GraderSpec, ...]
    max_tokens: int = 4096
    exemplars: tuple[Exemplar, ...] = ()
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    weights: tuple[float, float] | None = None
