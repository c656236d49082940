"""Published rankings of models by their scores on items: `assay rank absolute` and `assay rank relative`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final

from assay.results.exam_sitting import Relative
from assay.results.figure import Figure, Flat
from assay.results.ranking import ENDS, RankRange
from assay.results.table import Column, Table
from assay.stats.intervals import Interval


@dataclass(frozen=True, slots=True)
class RankSource:
    """What a ranking was made from."""

    source: Annotated[str, Figure("source", meaning="file, run, board or exam, as given to the command")]
    simulated: Annotated[bool, Figure("simulated", meaning="whether some models are simulated")]
    models: Annotated[int, Figure("models", meaning="models that are compared")]
    items: Annotated[int, Figure("items", meaning="prompts or questions with a score of some model")]
    notes: Annotated[tuple[str, ...], Figure("notes", meaning="what was left out, one line each")]


class EquatingModel(StrEnum):
    """The item response models that can equate scores on different items."""

    RASCH = "rasch"
    TWO_PARAMETER = "2pl"


@dataclass(frozen=True, slots=True)
class EquatedScore:
    """A model's expected score on all items of the bank, which does not depend on the items that it sat."""

    equated: Annotated[
        float,
        Figure("equated", meaning="expected score over the whole bank by `equating`, 0-100", digits=2),
    ]
    equated_interval: Annotated[Interval, Flat("equated", ENDS)]
    equating: Annotated[
        EquatingModel, Figure("equating", meaning="item response model: Rasch or two-parameter")
    ]


@dataclass(frozen=True, slots=True)
class ScoredModel:
    """One model's absolute score S and relative score R, with its rank."""

    rank: Annotated[int, Figure("rank", meaning="1 + the models with a higher S", least=1)]
    ranks: Annotated[RankRange | None, Flat("ranks")]
    model: Annotated[str, Figure("model")]
    n: Annotated[int, Figure("n", meaning="items on which the model has a score")]
    score: Annotated[
        float, Figure("S", meaning="absolute score: mean over items, 0-100 (equation 1)", digits=2)
    ]
    score_interval: Annotated[Interval, Flat("score", ENDS)]
    relative: Annotated[Relative | None, Flat("relative")]
    equated: Annotated[EquatedScore | None, Flat()]


@dataclass(frozen=True, slots=True)
class ScoreRanking:
    """Models ranked by their scores."""

    source: Annotated[RankSource, Flat()]
    reference: Annotated[str, Figure("reference", meaning="the model that R is relative to")]
    models: Annotated[tuple[ScoredModel, ...], Figure("models", name="ranking")]


def between(low: float | None, high: float | None, digits: int = 2) -> str:
    """Return an interval as tables show it, `90.12 to 92.40`; nothing if it is unknown."""
    return "" if low is None or high is None else f"{low:.{digits}f} to {high:.{digits}f}"


def _relative(row: ScoredModel) -> str:
    return "-" if row.relative is None else f"{row.relative.value:.2f}"


def _relative_ends(row: ScoredModel) -> str:
    ends = None if row.relative is None else row.relative.interval
    return "" if ends is None else between(ends.low, ends.high)


def _equated(row: ScoredModel) -> str:
    return "" if row.equated is None else f"{row.equated.equated:.2f}"


def _equated_ends(row: ScoredModel) -> str:
    ends = None if row.equated is None else row.equated.equated_interval
    return "" if ends is None else between(ends.low, ends.high)


RANKS: Final = Column("ranks", lambda row: row.ranks or "-")
_ABSOLUTE: Final = (
    *("rank", RANKS, "model", "n", "score"),
    Column("95 %", lambda row: between(row.score_interval.low, row.score_interval.high)),
)
_RELATIVE: Final = (
    *("rank", RANKS, "model"),
    Column("R", _relative, right=True, legend="S in per cent of the reference's S"),
    Column("95 %", _relative_ends),
    Column("on", lambda row: "" if row.relative is None else row.relative.basis.value),
    *("score", "n"),
)
_EQUATED: Final = (
    Column("equated", _equated, right=True, legend="expected score over the whole bank"),
    Column("95 %", _equated_ends),
)


def ranking_table(models: Sequence[ScoredModel], *, relative: bool) -> Table:
    """Return the columns of a ranking by R or by S; with equated scores if models have them."""
    columns = _RELATIVE if relative else _ABSOLUTE
    equated = any(model.equated is not None for model in models)
    return Table(ScoredModel, (*columns, *_EQUATED) if equated else columns, name="ranking")


SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "rank-scores": (ScoreRanking, "assay rank absolute --json and assay rank relative --json"),
}
