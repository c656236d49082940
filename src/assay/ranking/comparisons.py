"""Paired comparisons of models on items: what Bradley-Terry strengths and Elo ratings are computed from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput
from assay.core.wording import counted
from assay.ranking.score_table import ScoreTable
from assay.results.rank import RankSource
from assay.results.rank_comparisons import Covariate
from assay.stats.comparison_model import ComparedRows

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class CovariateColumn:
    """One covariate of N comparisons: of all judges, or of one, with the unit that its effect is per."""

    covariate: Covariate
    judge: str | None
    unit: str
    values: FloatArray


@dataclass(frozen=True, slots=True)
class PairedComparisons:
    """N comparisons of models on items. Models, items and judges are numbered (judges -1
    where unknown).

    `points` are 1 where the first model won, 0 where the second, 0.5 for a tie, or shares of a win between.
    `shown` is 1 where the answer of the first model was shown first, -1 where second, NaN where unknown.
    `lengths` (N, 2) of both answers are NaN where unknown. Both are None without any. Raises InvalidInput for
    fewer than two models or no comparisons.
    """

    models: tuple[str, ...]
    items: tuple[str, ...]
    judges: tuple[str, ...]
    first: IntArray
    second: IntArray
    item: IntArray
    judge: IntArray
    points: FloatArray
    shown: FloatArray | None = None
    lengths: FloatArray | None = None

    def __post_init__(self) -> None:
        if len(self.models) < 2 or not len(self.points):
            models, pairs = counted(len(self.models), "model"), counted(len(self.points), "comparison")
            raise InvalidInput(f"{models} with {pairs}: a ranking needs two models on a common item")

    def rows(self, covariates: tuple[CovariateColumn, ...] = ()) -> ComparedRows:
        """Return the comparisons for a fit; those of one item depend on each other."""
        columns = [column.values for column in covariates]
        table = np.stack(columns, axis=1) if columns else np.zeros((len(self.points), 0))
        return ComparedRows(self.first, self.second, self.points, table, self.item, len(self.models))

    def covariates(self, wanted: frozenset[Covariate]) -> tuple[CovariateColumn, ...]:
        """Return the wanted covariates. With `judge` each judge has its own effects of the others.

        The length is (first - second)/(first + second), divided by its root mean square. Raises InvalidInput
        where an order or a length is unknown, and for a judge alone, which moves no comparison.
        """
        columns = []
        if Covariate.LENGTH in wanted:
            relative = self._relative_lengths()
            size = float(np.sqrt(np.mean(relative**2)))
            columns.append(
                (Covariate.LENGTH, f"longer by {size:.2f} of both lengths together", relative / (size or 1))
            )
        if Covariate.POSITION in wanted:
            columns.append((Covariate.POSITION, "shown first", self._positions()))
        if Covariate.JUDGE not in wanted:
            return tuple(CovariateColumn(kind, None, unit, values) for kind, unit, values in columns)
        if not columns:
            raise InvalidInput(
                "covariate 'judge' gives each judge its own effect of length or position: add one of them by "
                "--covariate, or compare judges by ranking with --judge"
            )
        _refuse_unknown(self.judge < 0, "judge", "a column 'judge'")
        return tuple(
            CovariateColumn(kind, name, unit, np.where(self.judge == place, values, 0.0))
            for kind, unit, values in columns
            for place, name in enumerate(self.judges)
        )

    def _relative_lengths(self) -> FloatArray:
        lengths = np.full((len(self.points), 2), np.nan) if self.lengths is None else self.lengths
        _refuse_unknown(np.isnan(lengths.sum(axis=1)), "lengths", "columns 'length_a' and 'length_b'")
        total = lengths.sum(axis=1)
        difference = lengths[:, 0] - lengths[:, 1]
        relative = np.zeros(len(total))
        np.divide(difference, total, out=relative, where=total > 0.0)
        return relative

    def _positions(self) -> FloatArray:
        shown = np.full(len(self.points), np.nan) if self.shown is None else self.shown
        _refuse_unknown(np.isnan(shown), "order", "a column 'order' (AB or BA)")
        return shown


def _refuse_unknown(unknown: npt.NDArray[np.bool_], what: str, column: str) -> None:
    if unknown.any():
        few = f"{int(unknown.sum()):,} of {len(unknown):,} comparisons"
        raise InvalidInput(f"{few} have no {what}: fill in {column}, or leave these rows out by --where")


@dataclass(frozen=True, slots=True)
class ComparisonSource:
    """The comparisons that were read, and what is known about their source.

    `by_order` has each verdict of a judge as a comparison of its own, with the position in which the answers
    were shown, where `comparisons` has one for both orders together.
    """

    comparisons: PairedComparisons
    about: RankSource
    by_order: PairedComparisons | None = None


def compare_scores(table: ScoreTable) -> PairedComparisons:
    """Return the comparisons that scores imply: of two models on an item the one with the higher score wins.

    Equal scores tie. Each pair of models has one comparison on each item that both have.
    """
    firsts, seconds = np.triu_indices(len(table.models), 1)
    items, pairs, points = [], [], []
    for item in range(len(table.items)):
        one, other = table.scores[firsts, item], table.scores[seconds, item]
        both = np.flatnonzero(~np.isnan(one) & ~np.isnan(other))
        pairs.append(both)
        items.append(np.full(len(both), item))
        points.append(0.5 + 0.5 * np.sign(np.round(one[both] - other[both], 9)))
    pair = np.concatenate(pairs)
    return PairedComparisons(
        table.models,
        table.items,
        (),
        firsts[pair],
        seconds[pair],
        np.concatenate(items),
        np.full(len(pair), -1),
        np.concatenate(points),
    )
