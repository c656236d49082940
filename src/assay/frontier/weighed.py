"""Bootstrap replicates of the prompts, from which the intervals of all figures of a frontier are computed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.results.frontier import Estimate
from assay.results.frontier_report import Gain
from assay.stats.intervals import Interval
from assay.stats.resample import LEAST_SHARE, draw_counts

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PromptReplicates:
    """R bootstrap replicates of the prompts: `weights` (R, N), whose rows sum to 1. R may be 0."""

    weights: FloatArray
    level: float

    def means(self, table: FloatArray) -> FloatArray:
        """Return each replicate's means of a table (N, K) without NaN: shape (R, K)."""
        known = ~np.isnan(table)
        if known.all():
            return np.asarray(self.weights @ table, dtype=np.float64)
        count = self.weights @ known.astype(np.float64)
        total = self.weights @ np.where(known, table, 0.0)
        means = np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0.0)
        return np.asarray(means, dtype=np.float64)

    def estimates(
        self, values: FloatArray, replicates: FloatArray, draws: FloatArray | None
    ) -> list[Estimate]:
        """Return estimates of values (K,) with intervals from replicates (R, K) and draws (S, K)."""
        over = intervals(replicates, self.level)
        these = intervals(draws, self.level) if draws is not None else [None] * len(values)
        return [
            Estimate(known(value), over_prompts, these_prompts)
            for value, over_prompts, these_prompts in zip(values, over, these, strict=True)
        ]

    def gain(
        self, value: float, replicates: FloatArray, draws: FloatArray | None, reason: str | None
    ) -> Gain:
        """Return a figure with its intervals, or the reason why it has no value."""
        if np.isnan(value):
            return Gain(Estimate(None), reason)
        drawn_values = None if draws is None else draws[:, None]
        estimate = self.estimates(np.array([value]), replicates[:, None], drawn_values)[0]
        defined = float(np.mean(~np.isnan(replicates))) if replicates.size else None
        return Gain(estimate, None, defined)


def weigh(prompts: int, replicates: int, level: float, rng: np.random.Generator) -> PromptReplicates:
    """Return the replicates of a bootstrap over prompts."""
    if not replicates:
        return PromptReplicates(np.zeros((0, prompts)), level)
    return PromptReplicates(draw_counts(rng, prompts, replicates) / prompts, level)


def intervals(replicates: FloatArray, level: float) -> list[Interval | None]:
    """Return the percentile interval of each column of replicates (R, K) without NaN.

    None for a column of which fewer than half of the replicates have a value.
    """
    rows, columns = replicates.shape
    if not rows:
        return [None] * columns
    tail = (1.0 - level) / 2.0
    known = ~np.isnan(replicates)
    enough = known.mean(axis=0) >= LEAST_SHARE
    by_column: list[Interval | None] = [None] * columns
    complete = np.flatnonzero(known.all(axis=0))
    low, high = np.quantile(replicates[:, complete], [tail, 1.0 - tail], axis=0)
    for place, column in enumerate(complete):
        by_column[column] = Interval(float(low[place]), float(high[place]), level)
    for column in np.flatnonzero(enough & ~known.all(axis=0)):
        ends = np.quantile(replicates[known[:, column], column], [tail, 1.0 - tail])
        by_column[column] = Interval(float(ends[0]), float(ends[1]), level)
    return by_column


def known(value: float) -> float | None:
    """Return the number, or None for NaN."""
    return None if np.isnan(value) else float(value)
