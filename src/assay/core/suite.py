"""A versioned set of cases, grouped by use case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from assay.core.case import Case, Grading
from assay.core.judging import Panel


@dataclass(frozen=True, slots=True)
class Bounds:
    """The bounds of the verdict for one kind of grading: z (negative) and drop (fraction of the mean)."""

    suspicious_z: float
    suspicious_drop: float
    cooked_z: float
    cooked_drop: float
    collapse_drop: float
    floor: float


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The constants of the watch, from the suite manifest (seed 001; docs/methodology/verdict.md).

    A day and its baseline are compared on their common cases: `common_share` is the least share of the cases
    of either that must be common, `case_share` the least share of the baseline's days on which a case must
    have been scored.
    """

    deterministic: Bounds = Bounds(-2.0, 0.10, -3.0, 0.20, 0.35, 2.0)
    judged: Bounds = Bounds(-2.5, 0.15, -3.5, 0.25, 0.40, 4.0)
    window_days: int = 14
    least_days: int = 5
    sustained_days: int = 2
    gap_share: float = 0.20
    cooked_use_cases: int = 2
    suspicious_beside_cooked: int = 2
    recovery_days: int = 3
    judge_shift: float = 0.3
    common_share: float = 0.80
    case_share: float = 0.50

    def bounds(self, grading: Grading) -> Bounds:
        """Return the bounds for use cases with this kind of grading."""
        return self.judged if grading.judged else self.deterministic


@dataclass(frozen=True, slots=True)
class UseCase:
    """A named group of cases. `base` and `full` are epochs a day, normally and on suspicious days.

    `weights` are the shares of the mechanical checks and of the judge in a hybrid case's score.
    """

    name: str
    title: str
    grading: Grading
    base: int
    full: int
    cases: tuple[Case, ...]
    weights: tuple[float, float] = (0.5, 0.5)


@dataclass(frozen=True, slots=True)
class Suite:
    """A loaded suite, with the digest of everything that can change its scores.

    A `sealed` suite was read from an encrypted file: the database keeps it and its samples encrypted.
    `judge` is the pinned judge of a watch. `panel` are the judges of a board, which may change from run to
    run and do not enter the digest.
    """

    name: str
    version: str
    title: str
    visibility: Literal["public", "private"]
    use_cases: tuple[UseCase, ...]
    digest: str
    canary: str | None = None
    description: str = ""
    thresholds: Thresholds = Thresholds()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    judge: str | None = None
    panel: Panel = Panel()
    sealed: bool = False

    @property
    def cases(self) -> tuple[Case, ...]:
        """All cases in the order of the manifest. A case is identified by its position in it."""
        return tuple(case for use_case in self.use_cases for case in use_case.cases)

    def use_case(self, name: str) -> UseCase:
        """Return the use case of this name. Raises KeyError if there is none."""
        for use_case in self.use_cases:
            if use_case.name == name:
                return use_case
        raise KeyError(name)
