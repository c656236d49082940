"""Published predictions of scores that were not measured: `assay rank predict`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from assay.results.figure import Figure, Flat
from assay.results.rank import RankSource, between
from assay.results.ranking import ENDS, RankRange
from assay.results.table import Column, Table
from assay.stats.intervals import Interval


@dataclass(frozen=True, slots=True)
class PredictedScore:
    """One score that was not measured."""

    model: Annotated[str, Figure("model")]
    item: Annotated[str, Figure("item")]
    score: Annotated[float, Figure("predicted", meaning="predicted score, 0-100", digits=1)]
    score_interval: Annotated[Interval, Flat("score", ENDS)]


@dataclass(frozen=True, slots=True)
class CompletedModel:
    """One model's mean with its missing scores predicted."""

    model: Annotated[str, Figure("model")]
    measured: Annotated[int, Figure("measured", meaning="items with a measured score", of="items")]
    measured_mean: Annotated[
        float, Figure("measured mean", meaning="mean of the measured scores, 0-100", of="measured", digits=2)
    ]
    completed: Annotated[
        float,
        Figure("completed", meaning="mean over all items, missing scores predicted, 0-100", digits=2),
    ]
    completed_interval: Annotated[Interval, Flat("completed", ENDS)]
    ranks: Annotated[RankRange | None, Flat("ranks")]
    reason: Annotated[str, Figure("not ranked because", meaning="empty for a ranked model")]


@dataclass(frozen=True, slots=True)
class Prediction:
    """The completed scores of a source, and how good such predictions are."""

    source: Annotated[RankSource, Flat()]
    factors: Annotated[int, Figure("factors", meaning="common factors, chosen by cross-validation")]
    error: Annotated[
        float,
        Figure("error", unit="points", meaning="mean absolute error of held-out measured scores", digits=2),
    ]
    coverage: Annotated[
        float,
        Figure("coverage", meaning="held-out scores within their 95 % interval", share=True, digits=1),
    ]
    models: Annotated[tuple[CompletedModel, ...], Figure("models", name="completed")]
    predictions: tuple[PredictedScore, ...]

    @property
    def summary(self) -> str:
        """How good the predictions are, in a sentence."""
        return (
            f"Held-out measured scores are predicted with a mean error of {self.error:.1f} points, and "
            f"{self.coverage:.0%} of them lie in their 95 % interval ({self.factors} common factors). This "
            "holds for scores that are missing at random."
        )


COMPLETED: Final = Table(
    CompletedModel,
    (
        Column("ranks", lambda row: row.ranks or "-"),
        *("model", "measured", "measured_mean", "completed"),
        Column("95 %", lambda row: between(row.completed_interval.low, row.completed_interval.high)),
        "reason",
    ),
    name="completed",
)
PREDICTED: Final = Table(
    PredictedScore,
    (
        *("model", "item", "score"),
        Column("95 %", lambda row: between(row.score_interval.low, row.score_interval.high, 1)),
    ),
    name="predictions",
)
SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "rank-predict": (Prediction, "assay rank predict --json"),
}
