"""Exam results: S, R and ranks in official series, and comparisons of prompting and draw sizes.

S is on 0-100, R in per cent of the reference's S, subjects on 0-10. Intervals are at 95 %.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from assay.core.exam import Prompting
from assay.results.exam_sitting import (
    ENDS,
    S_BOUNDS,
    ReferenceBasis,
    SittingResult,
    bounds,
    number_column,
    two_digits,
)
from assay.results.figure import Figure, Flat, Hidden, Listed, Timestamp
from assay.results.ranking import RankRange
from assay.results.table import Column, Table, legend_of
from assay.stats.intervals import Interval

RULES: Final = (
    *("series", "n", "allocation", "prompting"),
    *("sittings", "draw_name", "screened", "revision"),
)
OF_RESULTS: Final = ("judge", "judge_simulated", "judges", "example_questions")


@dataclass(frozen=True, slots=True, order=True)
class Identity:
    """The name of a model in results, with its organisation."""

    organisation: Annotated[str, Figure("organisation")]
    model: Annotated[str, Figure("model")]

    def __str__(self) -> str:
        """Return ORGANISATION/MODEL."""
        return f"{self.organisation}/{self.model}"


@dataclass(frozen=True, slots=True)
class OfficialSeries:
    """One official series. `draw` is None if each sitting has fresh questions."""

    id: Annotated[int, Hidden()]
    name: Annotated[str, Figure("series", name="series")]
    n: Annotated[int, Figure("questions", meaning="questions of each sitting", least=1)]
    allocation: Annotated[
        Mapping[str, int],
        Listed("subject", "n"),
        Figure("allocation", meaning="questions that a draw takes from each subject"),
    ]
    prompting: Annotated[Prompting, Figure("prompting")]
    sittings: Annotated[int, Figure("sittings", meaning="sittings of each model", least=1)]
    draw: Annotated[int | None, Hidden()]
    draw_name: Annotated[str | None, Figure("draw", meaning="the named draw of all sittings")]
    screened: Annotated[
        bool, Figure("screened", meaning="whether screened questions that no reviewer has read are drawn too")
    ]
    revision: Annotated[int, Figure("revision", meaning="the bank's revision when the series was made")]
    session_seconds: Annotated[float, Hidden()]
    question_seconds: Annotated[float, Hidden()]
    reference: Annotated[Identity, Figure("reference", meaning="the model that R compares with")]
    made_at: Annotated[Timestamp, Figure("made")]
    made_by: Annotated[str, Figure("by")]

    @property
    def hours(self) -> Annotated[float, Figure("hours", unit="hours", meaning="time for each session")]:
        """The time for each session, in hours."""
        return self.session_seconds / 3600

    @property
    def question_minutes(
        self,
    ) -> Annotated[float, Figure("question minutes", unit="minutes", meaning="time for each question")]:
        """The time for each question, in minutes."""
        return self.question_seconds / 60


@dataclass(frozen=True, slots=True)
class ListedSeries:
    """An official series with the models that are registered for it."""

    series: Annotated[OfficialSeries, Flat()]
    models: Annotated[tuple[Identity, ...], Figure("registered")]


@dataclass(frozen=True, slots=True)
class SubjectMean:
    """A subject's mean score over the sittings that count and have the subject."""

    code: Annotated[str, Figure("subject", name="subject")]
    score: Annotated[float, Figure("score", digits=2, least=0, most=10)]
    sittings: Annotated[int, Figure("sittings")]


@dataclass(frozen=True, slots=True)
class Spread:
    """The mean of `n` values and their range; `interval` comes from the statistical model of all marks."""

    n: Annotated[int, Figure("sittings", name="sittings", meaning="sittings that count")]
    mean: Annotated[
        float,
        Figure(
            "S", digits=2, meaning="mean score of the sittings that count, as a share of all stars, 0-100"
        ),
    ]
    sd: Annotated[
        float | None,
        Figure(
            "sd",
            digits=2,
            meaning="standard deviation of S over the sittings, with divisor n - 1; none for one sitting",
        ),
    ]
    least: Annotated[float, Figure("least")]
    most: Annotated[float, Figure("most")]
    interval: Annotated[Interval, Flat(only=ENDS), Figure("S 95 %", meaning="95 % interval of the mean")]


@dataclass(frozen=True, slots=True)
class ModelRatio:
    """R of a model; the reference itself has 100 and no interval."""

    value: Annotated[float, Figure("R", digits=2, meaning="S in per cent of the reference's S")]
    interval: Annotated[
        Interval | None, Flat(only=ENDS), Figure("R 95 %", meaning="none for the reference itself")
    ]


@dataclass(frozen=True, slots=True)
class Rank:
    """A model's rank by S (1 is the best), and the best and worst rank that it could have (95 %)."""

    place: Annotated[int, Figure("rank", meaning="by S; 1 is the best", least=1)]
    ranks: Annotated[RankRange, Flat()]


@dataclass(frozen=True, slots=True)
class ModelResult:
    """One model of one organisation, in a series or, with `series` None, in unofficial sittings.

    `relative` and `rank` are for published models only.
    """

    identity: Annotated[Identity, Flat()]
    organisation_id: Annotated[int, Hidden()]
    series: Annotated[str | None, Figure("series", meaning="none for unofficial sittings")]
    prompting: Annotated[Prompting, Figure("prompting")]
    simulated: Annotated[bool, Figure("simulated")]
    sittings: tuple[SittingResult, ...]
    score: Annotated[
        Spread | None, Figure("S", meaning="over the sittings that count; none if no sitting counts")
    ]
    relative: Annotated[ModelRatio | None, Figure("R")]
    rank: Annotated[Rank | None, Figure("rank", meaning="none unless published")]
    bases: Annotated[
        Mapping[ReferenceBasis, int],
        Listed("basis", "sittings"),
        Figure("bases", meaning="sittings by the questions that their R is based on"),
    ]
    reference: Annotated[Identity | None, Figure("reference")]
    subjects: tuple[SubjectMean, ...]
    missing: Annotated[
        tuple[str, ...], Figure("missing", meaning="conditions of publication that it does not meet")
    ]
    abandoned: Annotated[
        int, Figure("abandoned", meaning="sittings that ended before all questions were answered")
    ]
    void: Annotated[int, Figure("void", meaning="sittings that the operator declared void")]
    draws: Annotated[int, Figure("draws", meaning="question sets behind the mean")]
    kin: Annotated[
        str | None,
        Figure(
            "kin",
            name="judge_is_kin",
            meaning="why the judge may favour the model: both are of one family",
        ),
    ]

    @property
    def published(
        self,
    ) -> Annotated[
        bool, Figure("published", meaning="whether it belongs to a series and meets every condition")
    ]:
        """Whether it is in the ranking of its series."""
        return self.series is not None and not self.missing


@dataclass(frozen=True, slots=True)
class ScoreDifference:
    """The difference in S between two published models of a series."""

    first: Annotated[Identity, Figure("first")]
    second: Annotated[Identity, Figure("second")]
    difference: Annotated[float, Figure("S, first minus second")]
    low: Annotated[float, Figure("low", meaning="lower end of the 95 % interval")]
    high: Annotated[float, Figure("high", meaning="upper end of the 95 % interval")]
    p: Annotated[float, Figure("p", meaning="two-sided p of the difference", least=0, most=1)]
    p_holm: Annotated[
        float, Figure("p (Holm)", meaning="corrected over all pairs of the series", least=0, most=1)
    ]


@dataclass(frozen=True, slots=True)
class SeriesResult:
    """One official series: its models, published ones first by S, and the differences between those."""

    series: Annotated[OfficialSeries, Flat(only=RULES)]
    reference: Annotated[
        Identity,
        Figure(
            "reference", meaning="the model that R compares with: the pinned one unless another was named"
        ),
    ]
    models: tuple[ModelResult, ...]
    pairs: tuple[ScoreDifference, ...]
    sitting_sd: Annotated[
        float | None,
        Figure(
            "sitting sd",
            unit="points",
            meaning="standard deviation between sittings of a model at S = 50, without the effect of its "
            "questions; none if no model has two sittings",
        ),
    ]

    @property
    def pinned_reference(self) -> Annotated[Identity, Figure("pinned reference")]:
        """The reference that the series was made with."""
        return self.series.reference

    @property
    def ranked(self) -> Annotated[int, Figure("ranked", meaning="models that are published")]:
        """The number of published models."""
        return sum(model.published for model in self.models)


@dataclass(frozen=True, slots=True)
class ExamResults:
    """All results under one judge. Unofficial sittings belong to no series and are not ranked."""

    judge: Annotated[str, Figure("judge")]
    judge_simulated: Annotated[bool, Figure("judge simulated")]
    series: tuple[SeriesResult, ...]
    unofficial: tuple[ModelResult, ...]
    judges: Annotated[
        Mapping[str, int], Listed("judge", "marks"), Figure("judges", meaning="number of marks of each judge")
    ]
    example_questions: Annotated[
        int,
        Figure(
            "example questions",
            meaning="questions of these sittings that come from the public example bank; no score may be "
            "published unless this is 0",
        ),
    ]

    @property
    def models(self) -> tuple[ModelResult, ...]:
        """All models: those of the series, then the unofficial ones."""
        return (*(model for series in self.series for model in series.models), *self.unofficial)


@dataclass(frozen=True, slots=True)
class PromptingRow:
    """A model's S for each prompting (seed 003, tables 2 and 8); None without a sitting that counts."""

    model: Annotated[str, Figure("model")]
    organisation: Annotated[str, Figure("organisation")]
    simulated: Annotated[bool, Figure("simulated")]
    scores: Annotated[
        Mapping[Prompting, float | None], Listed("prompting", "score"), Figure("scores", meaning="S")
    ]
    mean: Annotated[
        float | None, Figure("mean", digits=2, meaning="mean of the three scores; none if one is missing")
    ]
    variance: Annotated[
        float | None, Figure("variance", digits=2, meaning="variance of the scores, with divisor n")
    ]
    draws: Annotated[int, Figure("draws", meaning="question sets behind the figures")]


@dataclass(frozen=True, slots=True)
class PromptingComparison:
    """S of each model by prompting."""

    results: Annotated[ExamResults, Flat(only=OF_RESULTS)]
    models: tuple[PromptingRow, ...]
    variance: Annotated[Literal["population"], Figure("variance")] = "population"


@dataclass(frozen=True, slots=True)
class DrawSizeTrial:
    """One sitting of a comparison: the number of questions of its draw, and its R."""

    session: Annotated[str, Figure("session")]
    n: Annotated[int, Figure("questions")]
    relative: Annotated[float, Figure("R", digits=2)]
    basis: Annotated[ReferenceBasis, Figure("basis of R")]


@dataclass(frozen=True, slots=True)
class DrawSizeRow:
    """A model's R in each sitting, by the size of the draw (seed 003, table 9)."""

    model: Annotated[str, Figure("model")]
    organisation: Annotated[str, Figure("organisation")]
    prompting: Annotated[Prompting, Figure("prompting")]
    simulated: Annotated[bool, Figure("simulated")]
    trials: tuple[DrawSizeTrial, ...]
    mean: Annotated[float | None, Figure("mean", digits=2)]
    variance: Annotated[
        float | None, Figure("variance", digits=2, meaning="variance of R, with divisor n - 1")
    ]


@dataclass(frozen=True, slots=True)
class DrawSizeComparison:
    """R of each model by the number of questions."""

    results: Annotated[ExamResults, Flat(only=OF_RESULTS)]
    models: tuple[DrawSizeRow, ...]
    variance: Annotated[Literal["sample"], Figure("variance")] = "sample"


def _model_name(row: ModelResult | PromptingRow | DrawSizeRow) -> str:
    name = row.identity.model if isinstance(row, ModelResult) else row.model
    return f"{name}{' (simulated)' if row.simulated else ''}"


def _prompting_column(prompting: Prompting) -> Column:
    return number_column(prompting, lambda row: two_digits(row.scores[prompting]))


_MODEL: Final = Column("model", _model_name)
_S: Final = number_column(
    "S", lambda model: two_digits(model.score and model.score.mean), legend_of(Spread, "mean")
)
_SITTINGS: Final = number_column("sittings", lambda model: model.score.n if model.score else 0)
SERIES: Final = Table(ListedSeries, ("series", "sittings", "n", "prompting", "reference", "models"), "series")
RANKED: Final = Table(
    ModelResult,
    (
        number_column("rank", lambda model: model.rank.place if model.rank else "-"),
        number_column(
            "ranks", lambda model: f"{model.rank.ranks.low}-{model.rank.ranks.high}" if model.rank else "-"
        ),
        "organisation",
        _MODEL,
        number_column(
            "R",
            lambda model: two_digits(model.relative and model.relative.value),
            legend_of(ModelRatio, "value"),
        ),
        Column("R 95 %", lambda model: bounds(model.relative)),
        _S,
        S_BOUNDS,
        number_column(
            "sd",
            lambda model: two_digits(model.score and model.score.sd),
            legend_of(Spread, "sd"),
        ),
        _SITTINGS,
    ),
)
NOT_PUBLISHED: Final = Table(
    ModelResult,
    (
        "organisation",
        _MODEL,
        number_column("S so far", lambda model: two_digits(model.score and model.score.mean)),
        Column("missing", lambda model: "; ".join(model.missing)),
    ),
)
UNOFFICIAL: Final = Table(ModelResult, ("organisation", _MODEL, "prompting", _S, S_BOUNDS, _SITTINGS))
DIFFERENCES: Final = Table(
    ScoreDifference,
    (
        "first",
        "second",
        number_column("S, first minus second", lambda pair: f"{pair.difference:+.2f}"),
        Column("95 %", lambda pair: f"{pair.low:+.1f} to {pair.high:+.1f}"),
        number_column("p", lambda pair: f"{pair.p:.3g}", legend_of(ScoreDifference, "p")),
        number_column("p (Holm)", lambda pair: f"{pair.p_holm:.3g}"),
    ),
)
PROMPTINGS: Final = Table(
    PromptingRow,
    (
        "organisation",
        _MODEL,
        *map(_prompting_column, Prompting),
        *("mean", "variance", "draws"),
    ),
)
DRAW_SIZES: Final = Table(
    DrawSizeRow,
    (
        "organisation",
        _MODEL,
        "prompting",
        Column(
            "R of each sitting (questions)",
            lambda row: "  ".join(f"{trial.relative:.2f} ({trial.n})" for trial in row.trials) or "-",
        ),
        *("mean", "variance"),
    ),
)
SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "exam-results": (ExamResults, "assay exam results --json: official series and unofficial sittings"),
    "exam-results-draw-size": (DrawSizeComparison, "assay exam results --by draw-size --json"),
    "exam-results-prompting": (PromptingComparison, "assay exam results --by prompting --json"),
    "exam-series": (SERIES, "assay exam series list --json, assay exam series add --json"),
}
