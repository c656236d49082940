"""Published trends of scores over release dates: `assay study trend`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from assay.results.figure import Day, Figure, Flat
from assay.results.rank import between
from assay.results.ranking import ENDS
from assay.results.study import StudySource
from assay.results.table import Column, Table
from assay.stats.intervals import Interval


@dataclass(frozen=True, slots=True)
class DatedModel:
    """One model with its release date and score."""

    model: Annotated[str, Figure("model")]
    date: Annotated[Day, Figure("date", meaning="release date")]
    score: Annotated[float, Figure("score", digits=2)]
    open: Annotated[bool | None, Figure("open", meaning="whether its weights are open")]
    series: Annotated[str | None, Figure("series")]
    record: Annotated[bool, Figure("record", meaning="whether it scored more than every earlier model")]
    expected: Annotated[
        float | None, Figure("expected", meaning="score by the fitted curve at this date", digits=2)
    ]


DATED: Final = Table(
    DatedModel, ("model", "date", "score", "expected", "record", "open", "series"), name="models"
)


@dataclass(frozen=True, slots=True)
class GrowthCurve:
    """The growth of scores with the release date, and the level at which it ends, if the data show one."""

    asymptote: Annotated[
        float | None,
        Figure("asymptote", meaning="level of a - b exp(-c t); none if a line fits best", digits=2),
    ]
    asymptote_low: Annotated[
        float | None, Figure("at least", meaning="lower end of its 95 % interval; none: open", digits=2)
    ]
    asymptote_high: Annotated[
        float | None, Figure("at most", meaning="upper end of its 95 % interval; none: open", digits=2)
    ]
    line_p: Annotated[
        float,
        Figure("line p", meaning="p of the test that growth is a straight line, against the curve", digits=3),
    ]
    per_year: Annotated[
        float, Figure("per year", unit="points", meaning="slope of a straight line", digits=2)
    ]
    per_year_interval: Annotated[Interval, Flat("per_year", ENDS)]
    n: Annotated[int, Figure("n", meaning="models that the curve was fitted to")]
    records_only: Annotated[bool, Figure("records only", meaning="whether only records were fitted")]

    @property
    def sentence(self) -> str:
        """What the data say about a ceiling, in one or two sentences."""
        ends = between(self.per_year_interval.low, self.per_year_interval.high)
        pace = f"Scores grew by {self.per_year:.2f} points per year ({ends})."
        if self.asymptote is not None and self.asymptote_high is not None:
            low = "no lower end" if self.asymptote_low is None else f"{self.asymptote_low:.2f}"
            return (
                f"{pace} The growth levels off at {self.asymptote:.2f} "
                f"({low} to {self.asymptote_high:.2f}), if it follows the curve."
            )
        best = "" if self.asymptote is None else f" The best fit levels off at {self.asymptote:.2f}."
        return (
            f"{pace} The data cannot tell a ceiling from steady growth: a straight line fits as well "
            f"(p {self.line_p:.3f}), so the asymptote has no upper end.{best}"
        )


@dataclass(frozen=True, slots=True)
class OpenGap:
    """The gap between closed and open models; positive where closed models lead."""

    open_models: Annotated[int, Figure("open models")]
    closed_models: Annotated[int, Figure("closed models")]
    points: Annotated[
        float,
        Figure(
            "gap", unit="points", meaning="closed less open models of the same date, by regression", digits=2
        ),
    ]
    points_interval: Annotated[Interval | None, Flat("points", ENDS)]
    months: Annotated[
        float | None,
        Figure("gap", unit="months", meaning="gap in points over the growth per month", digits=1),
    ]
    months_interval: Annotated[Interval | None, Flat("months", ENDS)]
    best_points: Annotated[
        float,
        Figure("gap of the best", unit="points", meaning="best closed less best open model", digits=2),
    ]
    best_months: Annotated[
        float | None,
        Figure(
            "gap of the best",
            unit="months",
            meaning="from the first closed model with at least the best open model's score to that model; "
            "none if no closed model reached it",
            digits=1,
        ),
    ]

    @property
    def sentence(self) -> str:
        """The gap in one or two sentences."""
        ends = self.points_interval
        text = f"At equal dates closed models score {self.points:+.2f} points compared with open ones"
        text += "" if ends is None else f" ({between(ends.low, ends.high)})"
        if self.months is not None:
            text += f", or {self.months:.1f} months"
            span = self.months_interval
            text += "" if span is None else f" ({between(span.low, span.high, 1)})"
        side = "above" if self.best_points >= 0.0 else "below"
        best = f" The best closed model is {abs(self.best_points):.2f} points {side} the best open one"
        if self.best_months is None:
            return f"{text}.{best}; no closed model has reached it."
        when = "earlier" if self.best_months >= 0.0 else "later"
        months = f"{abs(self.best_months):.1f} months {when}"
        return f"{text}.{best}, whose score a closed model first reached {months}."


@dataclass(frozen=True, slots=True)
class TrendStudy:
    """Scores of models by release date."""

    source: Annotated[StudySource, Flat()]
    seed: Annotated[int, Figure("seed", meaning="seed of the bootstrap")]
    curve: GrowthCurve | None
    gap: OpenGap | None
    models: tuple[DatedModel, ...]
    remarks: Annotated[tuple[str, ...], Figure("remarks", meaning="what could not be computed, and why")]


GAPS: Final = Table(
    OpenGap,
    (
        *("open_models", "closed_models"),
        Column("points", lambda row: f"{row.points:+.2f}", right=True),
        Column("95 %", lambda row: _ends(row.points_interval, 2)),
        Column("months", lambda row: "-" if row.months is None else f"{row.months:.1f}", right=True),
        Column("95 %", lambda row: _ends(row.months_interval, 1)),
        Column("best, points", lambda row: f"{row.best_points:+.2f}", right=True),
        Column(
            "best, months",
            lambda row: "-" if row.best_months is None else f"{row.best_months:.1f}",
            right=True,
        ),
    ),
)


def _ends(interval: Interval | None, digits: int) -> str:
    return "" if interval is None else between(interval.low, interval.high, digits)


SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "study-trend": (TrendStudy, "assay study trend --json"),
}
