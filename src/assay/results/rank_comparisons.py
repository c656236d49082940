"""Published ratings of models from paired comparisons: `assay rank bradley-terry` and `assay rank elo`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final

from assay.results.figure import Figure, Flat
from assay.results.rank import RANKS, RankSource, between
from assay.results.ranking import ENDS, RankRange
from assay.results.table import Column, Table
from assay.stats.intervals import Interval


class RatingScale(StrEnum):
    """The scale of ratings: natural log odds around 0, or Elo points around 1000."""

    STRENGTH = "strength"
    ELO = "elo"


class TieRule(StrEnum):
    """How ties count: as half a win of both models, or with a probability of their own (Davidson)."""

    HALF = "half"
    DAVIDSON = "davidson"


class Covariate(StrEnum):
    """What a rating can be adjusted for."""

    LENGTH = "length"
    POSITION = "position"
    JUDGE = "judge"


@dataclass(frozen=True, slots=True)
class SequentialElo:
    """A model's Elo after all comparisons one by one, over random orders."""

    value: Annotated[float, Figure("in turn", meaning="mean over random orders of Elo, updated in turn")]
    spread: Annotated[float, Figure("spread", meaning="standard deviation of that Elo over the orders")]


@dataclass(frozen=True, slots=True)
class RatedModel:
    """One model's rating, with its rank and its record."""

    rank: Annotated[int, Figure("rank", meaning="1 + the models with a higher rating", least=1)]
    ranks: Annotated[RankRange | None, Flat("ranks")]
    model: Annotated[str, Figure("model")]
    rating: Annotated[
        float, Figure("rating", meaning="strength in log odds, or Elo with 400 points for odds of 10 to 1")
    ]
    rating_interval: Annotated[Interval | None, Flat("rating", ENDS)]
    win_rate: Annotated[
        float, Figure("win rate", meaning="points: wins and half of the ties", of="n", share=True, digits=1)
    ]
    wins: Annotated[int, Figure("wins")]
    ties: Annotated[int, Figure("ties")]
    losses: Annotated[int, Figure("losses")]
    n: Annotated[int, Figure("n", meaning="comparisons with the ranked models")]
    sequential: Annotated[SequentialElo | None, Flat("sequential")] = None


@dataclass(frozen=True, slots=True)
class CovariateEffect:
    """How much one property of a comparison moves it, whichever models are compared."""

    covariate: Annotated[Covariate, Figure("covariate")]
    judge: Annotated[str | None, Figure("judge", meaning="the judge whose effect it is; none for all judges")]
    effect: Annotated[
        float, Figure("effect", unit="log odds", meaning="of being shown first, or per unit of length")
    ]
    effect_interval: Annotated[Interval | None, Flat("effect", ENDS)]
    chance: Annotated[
        float,
        Figure("wins at", meaning="chance to win against an equal model", share=True, digits=1),
    ]
    unit: Annotated[str, Figure("unit", meaning="what the effect is an effect of")]


@dataclass(frozen=True, slots=True)
class UnratedModel:
    """A model that has no finite rating, with the reason and what to do."""

    model: Annotated[str, Figure("model")]
    wins: Annotated[int, Figure("wins")]
    ties: Annotated[int, Figure("ties")]
    losses: Annotated[int, Figure("losses")]
    reason: Annotated[str, Figure("reason")]
    advice: Annotated[str, Figure("what to do")]


@dataclass(frozen=True, slots=True)
class ComparisonRatings:
    """The ratings of all models of the largest group in which each can be reached by a chain of wins."""

    scale: Annotated[RatingScale, Figure("scale")]
    tie_rule: Annotated[TieRule, Figure("ties count as", name="ties")]
    tie_parameter: Annotated[
        float | None,
        Figure("tie parameter", meaning="Davidson's nu: equal models tie with chance nu/(2 + nu)"),
    ]
    baseline: Annotated[str | None, Figure("baseline", meaning="the model at 0 or 1000; none: the mean")]
    comparisons: Annotated[int, Figure("comparisons", meaning="comparisons between ranked models")]
    groups: Annotated[int, Figure("clusters", meaning="items, or comparisons, that count as independent")]
    models: Annotated[tuple[RatedModel, ...], Figure("models", name="ranking")]
    effects: Annotated[tuple[CovariateEffect, ...], Figure("effects")]
    unrated: Annotated[tuple[UnratedModel, ...], Figure("models without a rating", name="not_ranked")]
    remarks: Annotated[tuple[str, ...], Figure("remarks", meaning="what to keep in mind, one line each")]


@dataclass(frozen=True, slots=True)
class ComparisonRanking:
    """Models ranked by paired comparisons."""

    source: Annotated[RankSource, Flat("", ("source", "simulated", "items", "notes"))]
    ratings: Annotated[ComparisonRatings, Flat()]


def _interval(row: RatedModel, digits: int) -> str:
    ends = row.rating_interval
    return "" if ends is None else between(ends.low, ends.high, digits)


def _effect_ends(row: CovariateEffect) -> str:
    ends = row.effect_interval
    return "" if ends is None else between(ends.low, ends.high)


_RECORD = ("win_rate", "wins", "ties", "losses", "n")
STRENGTHS: Final = Table(
    RatedModel,
    ("rank", RANKS, "model", "rating", Column("95 %", lambda row: _interval(row, 2)), *_RECORD),
    name="ranking",
)
ELOS: Final = Table(
    RatedModel,
    (
        "rank",
        RANKS,
        "model",
        Column("Elo", lambda row: f"{row.rating:.0f}", right=True, legend="400 points are odds of 10 to 1"),
        Column("95 %", lambda row: _interval(row, 0)),
        Column(
            "in turn",
            lambda row: "" if row.sequential is None else f"{row.sequential.value:.0f}",
            right=True,
        ),
        Column(
            "±",
            lambda row: "" if row.sequential is None else f"{row.sequential.spread:.0f}",
            right=True,
            legend="spread of the Elo in turn over random orders",
        ),
        *_RECORD,
    ),
    name="ranking",
)
EFFECTS: Final = Table(
    CovariateEffect,
    ("covariate", "judge", "effect", Column("95 %", _effect_ends), "chance", "unit"),
    name="effects",
)
UNRATED: Final = Table(UnratedModel, name="not_ranked")
SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "rank-comparisons": (ComparisonRanking, "assay rank bradley-terry --json and assay rank elo --json"),
}
