"""Which differences are significant: the rank ranges, and all pairs as a table of cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from assay.ranking.board import Board
from assay.ranking.keyed.board import KeyedBoard
from assay.ranking.pairs import Comparison
from assay.ranking.rank_range import RankRange
from assay.report.board_figures import hundredfold, labels, several, signed_to
from assay.report.numerals import points, probability, signed
from assay.stats.intervals import Interval

MOST = 40
"""More models than this are not shown against each other."""

Kind = Literal["better", "worse", "same", "none", "self"]


@dataclass(frozen=True, slots=True)
class PairCell:
    """One cell, row less column: the difference in whole points, what it means, and the same in words."""

    text: str
    kind: Kind
    told: str


@dataclass(frozen=True, slots=True)
class Apart:
    """Which models differ significantly.

    `pairs` were compared, of which `significant` differ at the board's level. `leading` are the models
    that no other is shown to be better than, None without any rank. `matrix` has a row for each of the first
    `names`; `ranked` is how many models have a rank.
    """

    pairs: int
    significant: int
    leading: tuple[str, ...]
    ranked: int
    names: tuple[str, ...]
    matrix: tuple[tuple[PairCell, ...], ...]

    @property
    def incomparable(self) -> bool:
        """Whether some cell of the matrix cannot be filled."""
        return any(cell.kind == "none" for line in self.matrix for cell in line)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A model with its range of ranks, and the figure (0-1) that it is ranked by, with its interval."""

    model: str
    ranks: RankRange
    value: float | None
    interval: Interval | None


def ranked_models(found: Board | KeyedBoard) -> list[Ranked]:
    """Return the models that have a rank, best first."""
    if isinstance(found, KeyedBoard):
        return [
            Ranked(each.model, each.ranks, each.score, None)
            for each in found.standings
            if each.ranks is not None
        ]
    return [
        Ranked(each.model, each.ranks, each.score.composite, each.interval)
        for each in found.standings
        if each.ranks is not None
    ]


def measure(found: Board | KeyedBoard) -> str:
    """Return what the figure that models are ranked by is called."""
    return "score" if isinstance(found, KeyedBoard) else "composite"


def apart(found: Board | KeyedBoard) -> Apart:
    """Return the view of a board's comparisons."""
    comparable = np.triu(~np.isnan(found.comparisons.difference), 1)
    significant = np.triu(found.comparisons.significant(found.alpha), 1)
    ranked = ranked_models(found)
    names = tuple(each.model for each in ranked[:MOST])
    matrix = tuple(tuple(_cell(found, row, column) for column in names) for row in names)
    return Apart(
        pairs=int(comparable.sum()),
        significant=int(significant.sum()),
        leading=tuple(each.model for each in ranked if each.ranks.low == 1),
        ranked=len(ranked),
        names=names,
        matrix=matrix if len(names) > 1 else (),
    )


def rank_rows(found: Board | KeyedBoard) -> list[dict[str, Any]]:
    """Return a row of the picture of rank ranges for each ranked model: place, range, and its words."""
    ranked, by = ranked_models(found), measure(found)
    named = labels([each.model for each in ranked])
    return [
        {
            "label": named[each.model],
            "place": place,
            "low": each.ranks.low,
            "high": each.ranks.high,
            "leads": each.ranks.low == 1,
            "text": _ranks_told(each, by, place, len(ranked)),
        }
        for place, each in enumerate(ranked, start=1)
    ]


def _ranks_told(standing: Ranked, by: str, place: int, models: int) -> str:
    low, high = standing.ranks.low, standing.ranks.high
    interval = standing.interval
    lines = [
        standing.model,
        f"rank {low}" if low == high else f"rank {low} to {high}",
        f"{by} {points(hundredfold(standing.value))}, place {place}"
        + (
            ""
            if interval is None
            else f", 95 % {points(100 * interval.low)} to {points(100 * interval.high)}"
        ),
        f"{several(low - 1, 'model')} shown to be better, {several(models - high, 'model')} to be worse",
    ]
    return "\n".join(lines)


def _cell(found: Board | KeyedBoard, row: str, column: str) -> PairCell:
    if row == column:
        return PairCell("", "self", "")
    pair = found.comparisons.between(row, column)
    if pair.difference is None:
        return PairCell("×", "none", f"{row}\n{column}\nnot comparable")
    kind: Kind = "same"
    if pair.p_holm <= found.alpha:
        kind = "better" if pair.difference > 0 else "worse"
    return PairCell(signed_to(100.0 * pair.difference, 0), kind, _pair_told(pair, kind))


def _pair_told(pair: Comparison, kind: Kind) -> str:
    verdict = {"better": "is better", "worse": "is worse"}.get(kind, "no significant difference")
    low, high = hundredfold(pair.low), hundredfold(pair.high)
    return "\n".join(
        (
            f"{pair.first}: {verdict}",
            f"than {pair.second}" if kind != "same" else f"to {pair.second}",
            f"{signed(hundredfold(pair.difference))} points, 95 % {signed(low)} to {signed(high)}",
            f"p {probability(pair.p)}, corrected {probability(pair.p_holm)}",
        )
    )
