"""A contamination study: of how many questions each model restores a hidden piece verbatim."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from assay.core.errors import AssayError
from assay.results.figure import Figure, Flat, Hidden
from assay.results.runs import Spend
from assay.results.table import Column, Table
from assay.stats.intervals import Interval

SourceName = Literal["bank", "suite", "file", "control"]
_ABOVE: Final = Figure("above control", meaning="share less the same model's share of the control")


@dataclass(frozen=True, slots=True)
class ControlDifference:
    """How far a model's share of a source is above its share of the control, with the interval."""

    value: Annotated[float, Figure("above control", name="control")]
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class SourceRecall:
    """How many questions of a source a model restores. `above` is None for the control itself."""

    model: Annotated[str, Figure("model")]
    source: Annotated[str, Figure("source")]
    kind: Annotated[SourceName, Figure("kind")]
    n: Annotated[int, Figure("n", meaning="questions that are decided")]
    recalled: Annotated[int, Figure("recalled", of="n")]
    undecided: Annotated[
        int, Figure("undecided", meaning="questions whose missing attempts could still decide them")
    ]
    invalid: Annotated[
        int,
        Figure(
            "invalid",
            name="invalid_attempts",
            meaning="attempts without a visible answer; they restore nothing",
        ),
    ]
    interval: Annotated[Interval, Flat()]
    above: Annotated[ControlDifference | None, Flat("above"), _ABOVE] = None

    @property
    def share(self) -> Annotated[float | None, Figure("share", meaning="share that is recalled", share=True)]:
        """The share recalled, None where nothing is decided."""
        return self.recalled / self.n if self.n else None


def _thousandths(low: float, high: float, sign: str = "") -> str:
    return f"{1000 * low:{sign}.0f} to {1000 * high:{sign}.0f}"


RECALLS: Final = Table(
    SourceRecall,
    (
        "model",
        "source",
        "n",
        "recalled",
        Column("per 1,000", lambda row: "-" if row.share is None else f"{1000 * row.share:.0f}", right=True),
        Column("95 % interval", lambda row: _thousandths(row.interval.low, row.interval.high)),
        Column(
            "above control",
            lambda row: "-" if row.above is None else f"{1000 * row.above.value:+.0f}",
            right=True,
        ),
        Column(
            "95 % interval",
            lambda row: "-" if row.above is None else _thousandths(row.above.low, row.above.high, "+"),
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class ReplayedSource:
    """Where questions that are replayed come from."""

    source: Annotated[str, Figure("source")]
    kind: Annotated[SourceName, Figure("kind")]
    questions: Annotated[int, Figure("questions")]
    too_short: Annotated[
        int, Figure("too short", meaning="questions passed over: too little would be left in view")
    ]


@dataclass(frozen=True, slots=True)
class Contamination:
    """What a study found: a row for each model and source, the control last. No question is in it."""

    run: Annotated[int, Figure("run", least=1)]
    status: Annotated[Literal["finished", "stopped"], Figure("status")]
    reason: Annotated[str | None, Figure("reason", meaning="why it stopped")]
    error: Annotated[AssayError | None, Hidden()]
    attempts: Annotated[int, Figure("attempts", meaning="attempts at each question")]
    needed: Annotated[int, Figure("needed", meaning="right attempts for a question to count as recalled")]
    sources: tuple[ReplayedSource, ...]
    rows: tuple[SourceRecall, ...]
    retired: Annotated[
        int, Figure("retired", meaning="the bank's questions that the study retires, siblings included")
    ]
    revision: Annotated[
        int | None,
        Figure(
            "revision", meaning="the bank's revision in which this call retired them; none if it retired none"
        ),
    ]
    spend: Annotated[Spend, Flat()]
    simulated: Annotated[bool, Figure("simulated", meaning="whether a model is simulated")]


SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "study-contamination": (
        Contamination,
        "assay study contamination --json: questions whose hidden piece a model restores verbatim",
    ),
}
