"""Significant differences on a board: the ranges of ranks, and all pairs as a table of cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from assay.core.wording import counted
from assay.ranking.board.judged import Board
from assay.ranking.board.keyed import KeyedBoard
from assay.report.board.figures import hundredfold, interval_text, labels, signed_to
from assay.report.numerals import points, probability, signed
from assay.results.ranking import Comparison, RankRange
from assay.stats.intervals import Interval

MOST = 40
"""The largest number of models in the table of pairs."""

PairKind = Literal["better", "worse", "same", "none", "self"]


@dataclass(frozen=True, slots=True)
class PairCell:
    """One cell of the table of pairs: row minus column in whole points, its kind, and its tooltip."""

    text: str
    kind: PairKind
    tooltip: str


@dataclass(frozen=True, slots=True)
class Differences:
    """The significant differences between a board's models.

    `pairs` is the number of pairs that were compared, and `significant` the number that differ at the board's
    alpha. No model is significantly better than the `leading` ones. `ranked` is the number of models with a
    rank. `matrix` has a row for each of `names`, the first ranked models.
    """

    pairs: int
    significant: int
    leading: tuple[str, ...]
    ranked: int
    names: tuple[str, ...]
    matrix: tuple[tuple[PairCell, ...], ...]

    @property
    def incomparable(self) -> bool:
        """Whether the matrix has two models that cannot be compared."""
        return any(cell.kind == "none" for line in self.matrix for cell in line)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A model with its range of ranks, the figure (0-1) that ranks it, and that figure's interval."""

    model: str
    ranks: RankRange
    value: float | None
    interval: Interval | None


def ranked_models(board: Board | KeyedBoard) -> list[Ranked]:
    """Return the models with a rank, best first."""
    if isinstance(board, KeyedBoard):
        return [
            Ranked(standing.model, standing.ranks, standing.score, None)
            for standing in board.standings
            if standing.ranks is not None
        ]
    return [
        Ranked(standing.model, standing.ranks, standing.score.composite, standing.interval)
        for standing in board.standings
        if standing.ranks is not None
    ]


def measure(board: Board | KeyedBoard) -> str:
    """Return the name of the figure by which models are ranked."""
    return "score" if isinstance(board, KeyedBoard) else "composite"


def differences(board: Board | KeyedBoard) -> Differences:
    """Return the significant differences of a board."""
    comparable = np.triu(~np.isnan(board.comparisons.difference), 1)
    significant = np.triu(board.comparisons.significant(board.alpha), 1)
    ranked = ranked_models(board)
    names = tuple(model.model for model in ranked[:MOST])
    matrix = tuple(tuple(_cell(board, row, column) for column in names) for row in names)
    return Differences(
        pairs=int(comparable.sum()),
        significant=int(significant.sum()),
        leading=tuple(model.model for model in ranked if model.ranks.low == 1),
        ranked=len(ranked),
        names=names,
        matrix=matrix if len(names) > 1 else (),
    )


def rank_rows(board: Board | KeyedBoard) -> list[dict[str, Any]]:
    """Return the rows of the chart of rank ranges: place, range and tooltip of each ranked model."""
    ranked, by = ranked_models(board), measure(board)
    short = labels([model.model for model in ranked])
    return [
        {
            "label": short[model.model],
            "place": place,
            "low": model.ranks.low,
            "high": model.ranks.high,
            "leads": model.ranks.low == 1,
            "text": _rank_tooltip(model, by, place, len(ranked)),
        }
        for place, model in enumerate(ranked, start=1)
    ]


def _rank_tooltip(model: Ranked, by: str, place: int, models: int) -> str:
    low, high = model.ranks.low, model.ranks.high
    return "\n".join(
        (
            model.model,
            f"rank {low}" if low == high else f"rank {low} to {high}",
            f"{by} {points(hundredfold(model.value))}, place {place}{interval_text(model.interval)}",
            f"significantly better: {counted(low - 1, 'model')}, "
            f"significantly worse: {counted(models - high, 'model')}",
        )
    )


def _cell(board: Board | KeyedBoard, row: str, column: str) -> PairCell:
    if row == column:
        return PairCell("", "self", "")
    pair = board.comparisons.between(row, column)
    if pair.difference is None:
        return PairCell("×", "none", f"{row}\n{column}\nnot comparable")
    kind: PairKind = "same"
    if pair.p_holm <= board.alpha:
        kind = "better" if pair.difference > 0 else "worse"
    return PairCell(signed_to(100.0 * pair.difference, 0), kind, _pair_tooltip(pair, kind))


def _pair_tooltip(pair: Comparison, kind: PairKind) -> str:
    verdict = {"better": "is better than", "worse": "is worse than"}.get(
        kind, "does not differ significantly from"
    )
    low, high = hundredfold(pair.low), hundredfold(pair.high)
    return "\n".join(
        (
            f"{pair.first} {verdict}",
            pair.second,
            f"{signed(hundredfold(pair.difference))} points, 95 % {signed(low)} to {signed(high)}",
            f"p {probability(pair.p)}, corrected {probability(pair.p_holm)}",
        )
    )
