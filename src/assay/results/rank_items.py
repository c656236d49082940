"""Published item statistics and rank fragility: `assay rank items` and `assay rank fragility`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from assay.results.figure import Figure, Flat
from assay.results.rank import RankSource
from assay.results.table import Column, Table


@dataclass(frozen=True, slots=True)
class ItemStatistics:
    """One item: how hard it is, how well it separates models, and whether it fits the others."""

    item: Annotated[str, Figure("item")]
    group: Annotated[str, Figure("group", meaning="its category, discipline or concept")]
    n: Annotated[int, Figure("n", meaning="models with a score on the item")]
    mean: Annotated[
        float | None,
        Figure("mean", meaning="mean score of the models, 0-1", of="n", digits=2, least=0, most=1),
    ]
    spread: Annotated[
        float | None, Figure("range", meaning="best less worst score, 0-1", digits=2, least=0, most=1)
    ]
    difficulty: Annotated[
        float,
        Figure("difficulty", unit="logits", meaning="Rasch difficulty, 0 for the average item", digits=2),
    ]
    difficulty_sd: Annotated[
        float, Figure("sd", unit="logits", meaning="posterior standard deviation of the difficulty", digits=2)
    ]
    discrimination: Annotated[
        float | None,
        Figure(
            "discr.",
            meaning="correlation with the models' mean on the other items; unknown if constant",
            digits=2,
        ),
    ]
    infit: Annotated[
        float | None, Figure("infit", meaning="information-weighted mean square, 1 expected", digits=2)
    ]
    outfit: Annotated[float | None, Figure("outfit", meaning="plain mean square, 1 expected", digits=2)]
    misfit: Annotated[bool, Figure("misfit", meaning="whether infit is 2 or more")]
    ceiling: Annotated[bool, Figure("ceiling", meaning="whether every leading model has 0.95 or more")]
    constant: Annotated[bool, Figure("constant", meaning="whether all models have the same score")]

    @property
    def remarks(self) -> str:
        """What is remarkable about the item, in words."""
        remarks = []
        if self.constant:
            remarks.append("same score for all models")
        elif self.ceiling:
            remarks.append("all leaders at the ceiling")
        if self.misfit:
            remarks.append("misfit")
        if self.discrimination is not None and self.discrimination < 0.0:
            remarks.append("better models do worse")
        return "; ".join(remarks)


@dataclass(frozen=True, slots=True)
class ItemReport:
    """The statistics of all items of a source, and how many separate no models."""

    source: Annotated[RankSource, Flat()]
    leaders: Annotated[int, Figure("leaders", meaning="best models whose ceiling is looked at")]
    ceiling: Annotated[int, Figure("items at the ceiling of all leaders", of="items")]
    constant: Annotated[int, Figure("items with one score for all models", of="items")]
    misfit: Annotated[int, Figure("items that fit badly", of="items")]
    statistics: tuple[ItemStatistics, ...]


@dataclass(frozen=True, slots=True)
class Rival:
    """A model behind the first one, and the fewest items whose removal would put it above the first."""

    model: Annotated[str, Figure("model")]
    n: Annotated[int, Figure("n", meaning="items that both models have")]
    lead: Annotated[
        float | None, Figure("lead", unit="points", meaning="mean lead of the first model on them", digits=2)
    ]
    removals: Annotated[
        int | None,
        Figure("items to leave out", meaning="fewest items without which it is above the first", of="n"),
    ]
    items: Annotated[tuple[str, ...], Figure("which", meaning="these items")]

    @property
    def share(
        self,
    ) -> Annotated[float | None, Figure("share", meaning="share of the items", of="n", share=True, digits=1)]:
        """The share of items to leave out; None without common items."""
        return None if self.removals is None or not self.n else self.removals / self.n


@dataclass(frozen=True, slots=True)
class Fragility:
    """How easily first place would change."""

    source: Annotated[RankSource, Flat()]
    first: Annotated[str, Figure("first", meaning="model with the highest mean")]
    removals: Annotated[
        int | None,
        Figure("removals", meaning="fewest items without which another model is first", of="items"),
    ]
    rivals: tuple[Rival, ...]


MOST_NAMED: Final = 6


def _which(rival: Rival) -> str:
    more = len(rival.items) - MOST_NAMED
    return ", ".join(rival.items[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


ITEMS: Final = Table(
    ItemStatistics,
    (
        *("item", "group", "n", "mean", "spread", "difficulty", "difficulty_sd", "discrimination", "infit"),
        Column("remarks", lambda row: row.remarks),
    ),
    name="statistics",
)
RIVALS: Final = Table(
    Rival, ("model", "n", "lead", "removals", "share", Column("which", _which)), name="rivals"
)
SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "rank-items": (ItemReport, "assay rank items --json"),
    "rank-fragility": (Fragility, "assay rank fragility --json"),
}
