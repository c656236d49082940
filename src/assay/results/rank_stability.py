"""Published stability of rankings: `assay rank stability`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Annotated, Final

from assay.results.figure import Figure, Flat
from assay.results.rank import RankSource
from assay.results.table import Column, Table


class RankingMethod(StrEnum):
    """A way to rank models."""

    RELATIVE = "relative"
    ABSOLUTE = "absolute"
    ELO = "elo"
    BRADLEY_TERRY = "bradley-terry"


@dataclass(frozen=True, slots=True)
class OrderStability:
    """How well the order of models holds by one method with a number of drawn items."""

    method: Annotated[RankingMethod, Figure("method")]
    n: Annotated[int, Figure("n", meaning="items drawn")]
    resamples: Annotated[int, Figure("resamples", meaning="draws in which every model has a rating")]
    rho: Annotated[
        float | None,
        Figure("rho", meaning="mean of Spearman's rho with the order of the scores on all items", digits=3),
    ]
    rho_low: Annotated[float | None, Figure("5 %", meaning="5 % quantile of rho over the draws", digits=3)]
    same_order: Annotated[
        float | None,
        Figure("same order", meaning="share of draws with exactly that order", of="resamples", share=True),
    ]
    same_first: Annotated[
        float | None,
        Figure("same first", meaning="share of draws with the same first model", of="resamples", share=True),
    ]


@dataclass(frozen=True, slots=True)
class ModelStability:
    """How much one model's rating varies between draws: R and S, Elo points, or strengths in logits."""

    model: Annotated[str, Figure("model")]
    method: Annotated[RankingMethod, Figure("method")]
    n: Annotated[int, Figure("n", meaning="items drawn")]
    mean: Annotated[float | None, Figure("mean", meaning="mean rating over the draws", digits=2)]
    variance_population: Annotated[
        float | None,
        Figure("variance (n)", meaning="variance over the draws with denominator n, as in table 8", digits=3),
    ]
    variance_sample: Annotated[
        float | None,
        Figure("variance (n-1)", meaning="variance with denominator n - 1, as in table 9", digits=3),
    ]


@dataclass(frozen=True, slots=True)
class RequiredItems:
    """The smallest number of items at which the order of all models holds in 95 % of draws.

    None if the two neighbours that are closest have the same score.
    """

    items: Annotated[
        int | None,
        Figure("items needed", meaning="items at which the observed order holds in 95 % of draws"),
    ]
    closest_first: Annotated[str, Figure("closest pair", meaning="better model of the closest neighbours")]
    closest_second: Annotated[str, Figure("and", meaning="worse model of the closest neighbours")]
    closest_gap: Annotated[
        float, Figure("gap", unit="points", meaning="difference of the closest neighbours in S", digits=3)
    ]

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        pair = f"{self.closest_first} and {self.closest_second}"
        if self.items is None:
            return f"No number of items gives a stable order: {pair} have the same score."
        return (
            f"The order of all models holds in 95 % of draws from {self.items:,} items on, if the observed "
            f"scores are true; the closest pair is {pair}, {self.closest_gap:.2f} points apart."
        )


@dataclass(frozen=True, slots=True)
class StabilityResult:
    """The stability of a source's ranking."""

    source: Annotated[RankSource, Flat()]
    reference: Annotated[str, Figure("reference", meaning="the model that R is relative to")]
    seed: Annotated[int, Figure("seed", meaning="seed of the draws")]
    required: RequiredItems
    orders: tuple[OrderStability, ...]
    ratings: tuple[ModelStability, ...]


ORDERS: Final = Table(OrderStability, name="orders")
RATINGS: Final = Table(ModelStability, name="ratings")


def relative_table(sizes: tuple[int, ...]) -> Table:
    """Return the table of seed 003's table 9: R of each model by number of items, with both variances."""
    last = sizes[-1]
    return Table(
        ModelRatings,
        (
            "model",
            *(Column(f"{size:,}", partial(_mean, size), right=True) for size in sizes),
            Column("variance (n)", partial(_variance, "variance_population", last), right=True),
            Column("variance (n-1)", partial(_variance, "variance_sample", last), right=True),
        ),
    )


@dataclass(frozen=True, slots=True)
class ModelRatings:
    """One model's ratings by one method for several numbers of items."""

    model: Annotated[str, Figure("model")]
    ratings: tuple[ModelStability, ...]

    def at(self, n: int) -> ModelStability:
        """Return the rating for a number of items."""
        return next(rating for rating in self.ratings if rating.n == n)


def ratings_of(result: StabilityResult, method: RankingMethod) -> list[ModelRatings]:
    """Return the ratings of each model by one method, the best model on all drawn items first."""
    rows: dict[str, list[ModelStability]] = {}
    for rating in result.ratings:
        if rating.method is method:
            rows.setdefault(rating.model, []).append(rating)
    ranked = [ModelRatings(model, tuple(ratings)) for model, ratings in rows.items()]
    return sorted(ranked, key=lambda row: (-(row.ratings[-1].mean or 0.0), row.model))


def _mean(size: int, row: ModelRatings) -> str:
    mean = row.at(size).mean
    return "-" if mean is None else f"{mean:.2f}"


def _variance(name: str, size: int, row: ModelRatings) -> str:
    value = getattr(row.at(size), name)
    return "-" if value is None else f"{value:.2f}"


SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "rank-stability": (StabilityResult, "assay rank stability --json"),
}
