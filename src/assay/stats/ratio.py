"""Ratios of sums over items, and their bootstrap intervals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.stats.intervals import Interval
from assay.stats.resample import by_cluster, drawn, percentile

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure from `n` items; None when there are none. `interval` is a percentile bootstrap interval."""

    value: float | None
    n: int
    interval: Interval | None = None


@dataclass(frozen=True, slots=True)
class Draws:
    """How to bootstrap: a seeded generator, how many replicates, the level, and what is drawn together.

    `clusters` has one label an item (such as its prompt); None when each item stands for itself.
    """

    rng: np.random.Generator
    replicates: int = 2000
    level: float = 0.95
    clusters: npt.ArrayLike | None = None


def mean_of(values: npt.ArrayLike, draws: Draws | None = None) -> Estimate:
    """Return the mean of values (items,), NaN left out, with its interval when `draws` says how."""
    given = np.asarray(values, dtype=np.float64)
    there = ~np.isnan(given)
    columns = np.column_stack([np.where(there, given, 0.0), there.astype(np.float64)])
    return ratios(columns, [(0, 1, 1.0)], int(there.sum()), draws)


def ratios(columns: FloatArray, terms: list[tuple[int, int, float]], n: int, draws: Draws | None) -> Estimate:
    """Return the sum over terms (a, b, sign) of sign * sum(column a)/sum(column b); columns (items, k)."""
    value = _terms(columns.sum(axis=0, keepdims=True), terms)[0]
    if np.isnan(value):
        return Estimate(None, n)
    interval = None
    if draws is not None:
        totals = by_cluster(columns, draws.clusters)
        weights = drawn(draws.rng, len(totals), draws.replicates)
        interval = percentile(_terms(weights @ totals, terms), draws.level)
    return Estimate(float(value), n, interval)


def _terms(sums: FloatArray, terms: list[tuple[int, int, float]]) -> FloatArray:
    total = np.zeros(len(sums))
    for top, bottom, sign in terms:
        below = sums[:, bottom]
        total += sign * np.divide(sums[:, top], below, out=np.full(len(sums), np.nan), where=below > 0)
    return total
