"""Published results of `assay judge correct` and `assay judge plan`: means corrected by human marks."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final

from assay.results.figure import Figure, Flat, Listed
from assay.results.rank import RankSource, between
from assay.results.ranking import ENDS
from assay.results.table import Column, Table
from assay.stats.intervals import Interval


class Correction(StrEnum):
    """The ways of correcting a judge's marks by human marks."""

    PREDICTION_POWERED = "prediction-powered"
    ROGAN_GLADEN = "Rogan-Gladen"


@dataclass(frozen=True, slots=True)
class PointsEstimate:
    """A mean in points with its interval: 0 is the lowest mark of the scale, 100 the highest."""

    value: Annotated[float, Figure("value", unit="points", digits=2)]
    interval: Annotated[Interval, Flat(only=ENDS)]

    @classmethod
    def of(cls, value: float, interval: Interval) -> PointsEstimate:
        """Return an estimate of a mean on 0-1 in points."""
        return cls(100.0 * value, Interval(100.0 * interval.low, 100.0 * interval.high, interval.level))


@dataclass(frozen=True, slots=True)
class CorrectedMean:
    """One model's mean mark: by the judge, by people on some answers, and corrected.

    Figures are None where there are too few human marks.
    """

    model: Annotated[str, Figure("model")]
    answers: Annotated[int, Figure("answers", meaning="answers with a mark of the judge")]
    n: Annotated[int, Figure("n", meaning="answers with a human mark too", of="answers")]
    judge_only: Annotated[PointsEstimate, Figure("judge only", meaning="mean of the judge's marks")]
    human_only: Annotated[
        PointsEstimate | None, Figure("human only", meaning="mean of the human marks; needs a random sample")
    ]
    corrected: Annotated[
        PointsEstimate | None,
        Figure("corrected", meaning="prediction-powered, stratified by the judge's mark"),
    ]
    rogan_gladen: Annotated[
        PointsEstimate | None,
        Figure("Rogan-Gladen", meaning="if the judge errs alike on all models' answers"),
    ]
    better: Annotated[
        Correction | None,
        Figure("better", meaning="the narrower of the two whose assumptions are not rejected"),
    ]
    worth: Annotated[
        float | None,
        Figure("worth", digits=2, meaning="human marks alone that would give this interval, per human mark"),
    ]


@dataclass(frozen=True, slots=True)
class CorrectedDifference:
    """The difference of two models' means in points, by the judge and corrected."""

    first: Annotated[str, Figure("first")]
    second: Annotated[str, Figure("second")]
    judge_only: Annotated[float, Figure("judge only", unit="points", digits=2)]
    value: Annotated[float, Figure("corrected", unit="points", digits=2, meaning="first minus second")]
    interval: Annotated[Interval, Flat(only=ENDS)]
    p: Annotated[float, Figure("p", digits=4, meaning="two-sided, after Holm's correction")]


@dataclass(frozen=True, slots=True)
class CorrectedMarks:
    """The means of all models, corrected by human marks, highest first."""

    source: Annotated[RankSource, Flat()]
    reference: Annotated[str, Figure("reference", meaning="whose marks are taken for the truth")]
    judge: Annotated[str, Figure("judge", meaning="whose marks are corrected; several: their mean")]
    random_sample_p: Annotated[
        float | None,
        Figure("p of a random sample", meaning="that the answers with human marks are a random sample"),
    ]
    same_errors_p: Annotated[
        float | None,
        Figure("p of the same errors", meaning="that the judge errs alike on all models' answers"),
    ]
    models: tuple[CorrectedMean, ...]
    differences: tuple[CorrectedDifference, ...]
    remarks: Annotated[
        tuple[str, ...], Listed("text"), Figure("remarks", meaning="what these figures assume")
    ]


@dataclass(frozen=True, slots=True)
class PlannedModel:
    """The human marks that one model needs for the wanted half-width."""

    model: Annotated[str, Figure("model")]
    answers: Annotated[int, Figure("answers", meaning="answers with a mark of the judge")]
    marked: Annotated[int, Figure("marked", meaning="answers with a human mark already", of="answers")]
    half_width: Annotated[
        float,
        Figure("now", unit="points", digits=2, meaning="half-width of the interval with the marks so far"),
    ]
    wanted: Annotated[
        int | None,
        Figure("needed", meaning="human marks for the half-width; none if all answers do not suffice"),
    ]
    at_random: Annotated[
        int,
        Figure("without judge", meaning="human marks that a random sample without the judge's marks needs"),
    ]
    further: Annotated[int, Figure("further", meaning="answers to mark now")]
    least: Annotated[
        float, Figure("least", unit="points", digits=2, meaning="half-width if every answer had a human mark")
    ]


@dataclass(frozen=True, slots=True)
class PlannedStratum:
    """The human marks wanted among one model's answers with one mark of the judge."""

    model: Annotated[str, Figure("model")]
    judge_mark: Annotated[str, Figure("judge's mark", meaning="a mark, or the range of a group of marks")]
    answers: Annotated[int, Figure("answers")]
    marked: Annotated[int, Figure("marked", meaning="with a human mark already", of="answers")]
    spread: Annotated[
        float,
        Figure(
            "spread", unit="points", digits=1, meaning="standard deviation of human marks, from all models"
        ),
    ]
    further: Annotated[int, Figure("further", meaning="answers to mark now")]


@dataclass(frozen=True, slots=True)
class AnswerToTake:
    """One answer to be marked: a row of the table that people fill in.

    It does not say what the judge gave, because that would influence the people who mark.
    """

    item: Annotated[str, Figure("item")]
    model: Annotated[str | None, Figure("model", missing="")]
    generation: Annotated[int, Figure("generation")]
    judge: Annotated[str, Figure("judge", meaning="who shall mark it")]
    mark: Annotated[str, Figure("mark", meaning="blank: to be filled in")]
    place: Annotated[str, Figure("place", meaning="session and position of an exam's answer")]


@dataclass(frozen=True, slots=True)
class MarksPlan:
    """How many human marks are needed, and which answers to mark."""

    source: Annotated[RankSource, Flat()]
    reference: Annotated[str, Figure("reference")]
    judge: Annotated[str, Figure("judge")]
    asked: Annotated[float, Figure("half-width", unit="points", name="half_width", meaning="wanted")]
    further: Annotated[int, Figure("further", meaning="answers to mark now, of all models")]
    models: tuple[PlannedModel, ...]
    strata: tuple[PlannedStratum, ...]
    take: Annotated[tuple[AnswerToTake, ...], Figure("take", meaning="the answers to mark")]
    remarks: Annotated[tuple[str, ...], Listed("text"), Figure("remarks")]


def _estimate(heading: str, name: str, legend: str = "") -> tuple[Column, Column]:
    """Return two columns for an estimate: its value and its interval."""

    def value(row: object) -> str:
        shown = getattr(row, name)
        return "-" if shown is None else f"{shown.value:.2f}"

    def ends(row: object) -> str:
        shown = getattr(row, name)
        return "" if shown is None else between(shown.interval.low, shown.interval.high, 1)

    return Column(heading, value, right=True, legend=legend), Column("95 %", ends)


def _better(row: CorrectedMean) -> str:
    if row.better is None:
        return "-"
    return "corrected" if row.better is Correction.PREDICTION_POWERED else row.better.value


CORRECTED: Final = Table(
    CorrectedMean,
    (
        "model",
        "answers",
        "n",
        *_estimate("judge only", "judge_only"),
        *_estimate("human only", "human_only"),
        *_estimate("corrected", "corrected"),
        *_estimate("Rogan-Gladen", "rogan_gladen"),
        Column("better", _better, legend="the narrower whose assumptions are not rejected"),
        "worth",
    ),
    name="models",
)
CORRECTED_DIFFERENCES: Final = Table(
    CorrectedDifference,
    (
        "first",
        "second",
        "judge_only",
        "value",
        Column("95 %", lambda row: between(row.interval.low, row.interval.high, 1)),
        Column("p", lambda row: f"{row.p:.2g}", right=True, legend="after Holm's correction"),
    ),
    name="differences",
)
PLANNED: Final = Table(
    PlannedModel,
    ("model", "answers", "marked", "half_width", "least", "wanted", "at_random", "further"),
    name="models",
)
STRATA: Final = Table(PlannedStratum, name="strata")
TAKE: Final = Table(AnswerToTake, name="take")
SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "judge-correct": (CorrectedMarks, "assay judge correct --json: means of human marks from judge marks"),
    "judge-plan": (MarksPlan, "assay judge plan --json: human marks that are needed"),
}
