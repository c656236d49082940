"""A contamination study: the number of questions whose hidden piece each model restores verbatim."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from assay.core.errors import AssayError
from assay.results.figure import Figure, Flat, Hidden
from assay.results.ranking import ENDS
from assay.results.runs import Spend
from assay.results.table import Column, Table
from assay.stats.intervals import Interval

SourceName = Literal["bank", "suite", "file", "control"]
PUBLIC: Final = ("suite", "file")
"""The kinds of sources that count as public."""
_ABOVE: Final = Figure("above control", meaning="share minus the same model's share of the control")


@dataclass(frozen=True, slots=True)
class ControlDifference:
    """A model's share of a source minus its share of the control, with the interval."""

    value: Annotated[float, Figure("above control", name="control")]
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class SourceRecall:
    """A model's recall of a source's questions. `above` is None for the control itself."""

    model: Annotated[str, Figure("model")]
    source: Annotated[str, Figure("source")]
    kind: Annotated[SourceName, Figure("kind")]
    n: Annotated[int, Figure("n", meaning="questions with enough attempts to decide")]
    recalled: Annotated[int, Figure("recalled", of="n")]
    undecided: Annotated[
        int, Figure("undecided", meaning="questions whose missing attempts could still decide them")
    ]
    invalid: Annotated[
        int,
        Figure(
            "invalid",
            name="invalid_attempts",
            meaning="attempts without a visible answer; they count as failed",
        ),
    ]
    interval: Annotated[Interval, Flat()]
    above: Annotated[ControlDifference | None, Flat("above"), _ABOVE] = None

    @property
    def share(self) -> Annotated[float | None, Figure("share", meaning="share that is recalled", share=True)]:
        """The share that is recalled; None if no question is decided."""
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
class LeakTest:
    """A model's recall of a public source compared with its recall of the private bank."""

    model: Annotated[str, Figure("model")]
    source: Annotated[str, Figure("public source")]
    private: Annotated[str, Figure("private source")]
    difference: Annotated[
        float | None,
        Figure("difference", meaning="share of the public source minus share of the private one"),
    ]
    interval: Annotated[Interval | None, Flat("difference", ENDS)]
    p: Annotated[
        float | None,
        Figure("p", digits=4, meaning="two-sided, by Fisher's exact test; none without decided questions"),
    ]
    adjusted: Annotated[
        float | None,
        Figure("adjusted p", digits=4, meaning="after Holm's correction for all models and public sources"),
    ]

    @property
    def significant(self) -> Annotated[bool, Figure("significant", meaning="adjusted p of at most 0.05")]:
        """Whether the difference is significant after Holm's correction."""
        return self.adjusted is not None and self.adjusted <= 0.05


def _p(value: float | None) -> str:
    return "-" if value is None else f"{value:.2g}"


LEAKS: Final = Table(
    LeakTest,
    (
        "model",
        "source",
        Column(
            "per 1,000",
            lambda row: "-" if row.difference is None else f"{1000 * row.difference:+.0f}",
            right=True,
        ),
        Column(
            "95 % interval",
            lambda row: (
                "-" if row.interval is None else _thousandths(row.interval.low, row.interval.high, "+")
            ),
        ),
        Column("p", lambda row: _p(row.p), right=True, legend="Fisher's exact test, two-sided"),
        Column("adjusted p", lambda row: _p(row.adjusted), right=True),
        "significant",
    ),
    name="public_against_private",
)


@dataclass(frozen=True, slots=True)
class RecallReport:
    """Counts of recalled questions from a table, with the tests between public and private sources."""

    source: Annotated[str, Figure("source", meaning="the table")]
    rows: tuple[SourceRecall, ...]
    tests: Annotated[tuple[LeakTest, ...], Figure("tests", name="public_against_private")]


@dataclass(frozen=True, slots=True)
class ReplayedSource:
    """A source of the replayed questions."""

    source: Annotated[str, Figure("source")]
    kind: Annotated[SourceName, Figure("kind")]
    questions: Annotated[int, Figure("questions")]
    too_short: Annotated[
        int, Figure("too short", meaning="questions left out, because too little text would stay visible")
    ]


@dataclass(frozen=True, slots=True)
class Contamination:
    """The result of a study, with a row for each model and source, the control last. It holds no question."""

    run: Annotated[int, Figure("run", least=1)]
    status: Annotated[Literal["finished", "stopped"], Figure("status")]
    reason: Annotated[str | None, Figure("reason", meaning="why it stopped")]
    error: Annotated[AssayError | None, Hidden()]
    attempts: Annotated[int, Figure("attempts", meaning="attempts at each question")]
    needed: Annotated[int, Figure("needed", meaning="right attempts for a question to count as recalled")]
    sources: tuple[ReplayedSource, ...]
    rows: tuple[SourceRecall, ...]
    tests: Annotated[tuple[LeakTest, ...], Figure("tests", name="public_against_private")]
    retired: Annotated[
        int,
        Figure("retired", meaning="questions of the bank that the study retires, with their families"),
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
        "assay study contamination --json: numbers of questions whose hidden piece a model restores verbatim",
    ),
    "study-recalls": (RecallReport, "assay study recalls --json: counts of recalled questions from a table"),
}
