"""The bootstrap over items: draws, percentile intervals, and ratios of sums over items."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.stats.intervals import Interval

FloatArray = npt.NDArray[np.float64]
LEAST_SHARE = 0.5
"""An interval needs a value in at least this share of the replicates."""


def draw_counts(rng: np.random.Generator, items: int, replicates: int) -> FloatArray:
    """Return how often each item is drawn in each replicate: shape (replicates, items).

    Each replicate draws as many items as there are, with replacement and equal chances.
    """
    counts = rng.multinomial(items, np.full(items, 1.0 / items), size=replicates)
    return np.asarray(counts, dtype=np.float64)


def percentile(values: npt.ArrayLike, level: float = 0.95) -> Interval | None:
    """Return the percentile interval of one statistic's replicates, NaN (undefined there) left out.

    None when fewer than half of the replicates have a value. Source: B. Efron and R. Tibshirani, An
    Introduction to the Bootstrap (1993), chapter 13.
    """
    given = np.asarray(values, dtype=np.float64)
    defined = given[~np.isnan(given)]
    if not defined.size or defined.size < LEAST_SHARE * given.size:
        return None
    tail = (1.0 - level) / 2.0
    low, high = np.quantile(defined, [tail, 1.0 - tail])
    return Interval(float(low), float(high), level)


def by_cluster(columns: FloatArray, clusters: npt.ArrayLike | None) -> FloatArray:
    """Sum the rows of `columns` (items, k) within each cluster; without clusters return them unchanged.

    `clusters` has one label per item, such as the prompt that an answer belongs to. A bootstrap draws the
    items of a cluster together.
    """
    if clusters is None:
        return columns
    labels, index = np.unique(np.asarray(clusters), return_inverse=True)
    totals = np.zeros((len(labels), columns.shape[1]))
    np.add.at(totals, index.reshape(-1), columns)
    return totals


@dataclass(frozen=True, slots=True)
class RatioEstimate:
    """A figure from `n` items, None without items, with its percentile bootstrap interval."""

    value: float | None
    n: int
    interval: Interval | None = None


@dataclass(frozen=True, slots=True)
class BootstrapDraws:
    """Settings of a bootstrap: a seeded generator, the number of replicates, the level, and clusters.

    `clusters` has one label per item (such as its prompt); items with the same label are drawn together.
    None if items are drawn independently.
    """

    rng: np.random.Generator
    replicates: int = 2000
    level: float = 0.95
    clusters: npt.ArrayLike | None = None


def mean_of(values: npt.ArrayLike, draws: BootstrapDraws | None = None) -> RatioEstimate:
    """Return the mean of values (items,), NaN left out; with `draws` also its interval."""
    given = np.asarray(values, dtype=np.float64)
    present = ~np.isnan(given)
    columns = np.column_stack([np.where(present, given, 0.0), present.astype(np.float64)])
    return ratios(columns, [(0, 1, 1.0)], int(present.sum()), draws)


def ratios(
    columns: FloatArray, terms: list[tuple[int, int, float]], n: int, draws: BootstrapDraws | None
) -> RatioEstimate:
    """Return the sum over terms (a, b, sign) of sign * sum(column a)/sum(column b); columns (items, k)."""
    value = _terms(columns.sum(axis=0, keepdims=True), terms)[0]
    if np.isnan(value):
        return RatioEstimate(None, n)
    interval = None
    if draws is not None:
        totals = by_cluster(columns, draws.clusters)
        weights = draw_counts(draws.rng, len(totals), draws.replicates)
        interval = percentile(_terms(weights @ totals, terms), draws.level)
    return RatioEstimate(float(value), n, interval)


def _terms(sums: FloatArray, terms: list[tuple[int, int, float]]) -> FloatArray:
    total = np.zeros(len(sums))
    for top, bottom, sign in terms:
        denominator = sums[:, bottom]
        undefined = np.full(len(sums), np.nan)
        total += sign * np.divide(sums[:, top], denominator, out=undefined, where=denominator > 0)
    return total
