"""Judges: the list, and the calibrations that show whether a judge has drifted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Final, Literal

from assay.results.figure import Day, Figure, Flat
from assay.results.table import Column, Table
from assay.stats.intervals import Interval

JudgeRole = Literal["judge", "panel", "geval", "substitute"]


@dataclass(frozen=True, slots=True)
class ListedJudge:
    """One judge of one suite."""

    judge: Annotated[str, Figure("judge")]
    suite: Annotated[str, Figure("suite")]
    role: Annotated[JudgeRole, Figure("role")]
    absent: Annotated[str | None, Figure("absent", meaning="why it cannot mark; none when it can")]
    family: Annotated[str | None, Figure("family", missing="unknown")]
    marks: Annotated[int, Figure("marks", meaning="marks that it has given in this workspace")]
    calibrated: Annotated[
        Day | None,
        Figure("calibrated", meaning="day of its last calibration on the suite", missing="never"),
    ]
    moved: Annotated[
        tuple[str, ...],
        Figure("moved in", meaning="use cases in which it had moved on that day", missing=""),
    ]


@dataclass(frozen=True, slots=True)
class Shift:
    """The movement of a judge on one use case, in marks of the 1-5 scale.

    Means, shift and interval are None if too few exemplars could be marked.
    """

    use_case: Annotated[str, Figure("use case")]
    n: Annotated[int, Figure("n", meaning="exemplars with a frozen mark and a mark of today")]
    missing: Annotated[int, Figure("missing", meaning="exemplars that lack one of the two")]
    frozen_mean: Annotated[
        float | None, Figure("frozen", meaning="mean frozen mark of the n", digits=2, least=1, most=5)
    ]
    mean: Annotated[
        float | None, Figure("now", meaning="mean mark of today of the n", digits=2, least=1, most=5)
    ]
    shift: Annotated[
        float | None,
        Figure("shift", meaning="absolute difference of the two means", digits=2, least=0, most=4),
    ]
    interval: Annotated[
        Interval | None,
        Flat(only=("low", "high")),
        Figure("95 % interval", meaning="95 % interval of the signed difference", least=-4, most=4),
    ]
    moved: Annotated[
        bool,
        Figure(
            "moved",
            meaning="beyond the suite's limit, or not measured: its verdicts are frozen that day",
        ),
    ]
    sure: Annotated[
        bool, Figure("sure", meaning="whether the whole interval is on the same side of the limit")
    ]
    experts: Annotated[
        float | None,
        Figure(
            "from experts",
            name="from_experts",
            meaning="mean absolute difference from the experts' marks",
            digits=2,
            least=0,
            most=4,
        ),
    ]

    @property
    def bounds(self) -> str:
        """The text of the interval; `-` without one."""
        return "-" if self.interval is None else f"{self.interval.low:+.2f} to {self.interval.high:+.2f}"


@dataclass(frozen=True, slots=True)
class Calibration:
    """One calibration of a judge: its marks on the frozen exemplars, compared with the frozen marks."""

    run: Annotated[int, Figure("run")]
    judge: Annotated[str, Figure("judge")]
    suite: Annotated[str, Figure("suite")]
    day: Annotated[date, Figure("day")]
    reference: Annotated[
        int | None,
        Figure(
            "reference",
            meaning="the run whose marks are frozen: this run if it is the first; none while too few "
            "exemplars were marked",
        ),
    ]
    shifts: Annotated[tuple[Shift, ...], Figure("use cases", name="use_cases")]
    missing: Annotated[int, Figure("missing", meaning="exemplars that could not be marked")]
    reasons: Annotated[
        tuple[str, ...], Figure("reasons", meaning="reasons of missing marks, the most frequent first")
    ]
    cost: Annotated[float, Figure("cost", unit="USD", meaning="the known part")]
    unknown_costs: Annotated[int, Figure("unknown costs", meaning="calls whose cost is unknown")]
    simulated: Annotated[bool, Figure("simulated")]

    @property
    def moved(self) -> tuple[str, ...]:
        """The use cases in which the judge has moved."""
        return tuple(shift.use_case for shift in self.shifts if shift.moved)

    @property
    def may_flip(
        self,
    ) -> Annotated[bool, Figure("may flip", meaning="whether it has not moved in any use case")]:
        """Whether no verdict of any use case is frozen."""
        return not self.moved

    @property
    def remarks(self) -> tuple[str, ...]:
        """The remarks for a watch; none if the judge has certainly not moved."""
        return tuple(self._remarks())

    def _remarks(self) -> Iterator[str]:
        judge = f"judge {self.judge}"
        if self.missing:
            why = f": {self.reasons[0]}" if self.reasons else ""
            yield f"{judge}: {self.missing} calibration exemplars have no mark{why}"
        for shift in self.shifts:
            name = shift.use_case
            bounds = f"95 % interval of the difference {shift.bounds}, n = {shift.n}"
            if shift.shift is None:
                yield f"{judge} marked too few exemplars of {name}: its verdicts are frozen today"
            elif shift.moved:
                unsure = "" if shift.sure else "; with so few exemplars this may be chance"
                yield (
                    f"{judge} moved by {shift.shift:.2f} marks in {name} ({bounds}): "
                    f"its verdicts are frozen today{unsure}"
                )
            elif not shift.sure:
                yield (
                    f"{judge} passed in {name} with a shift of {shift.shift:.2f} ({bounds}): "
                    "the set is too small to be sure"
                )


JUDGES: Final = Table(
    ListedJudge,
    (
        "judge",
        "suite",
        "role",
        Column("ready", lambda listed: "yes" if listed.absent is None else f"no: {listed.absent}"),
        "family",
        "marks",
        "calibrated",
        "moved",
    ),
    name="judges",
)
SHIFTS: Final = Table(
    Shift,
    (
        "use_case",
        "n",
        "frozen_mean",
        "mean",
        "shift",
        Column("95 % interval", lambda shift: shift.bounds),
        Column(
            "verdicts may flip",
            lambda shift: ("no" if shift.moved else "yes") + ("" if shift.sure else ", unsure"),
        ),
        "from_experts",
    ),
)
SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "judge-calibrate": (
        Calibration,
        "assay judge calibrate --json: a judge's marks on the exemplars, compared with the frozen marks",
    ),
    "judge-list": (JUDGES, "assay judge list --json: the judges of each suite"),
}
