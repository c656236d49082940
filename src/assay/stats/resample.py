"""The bootstrap over items: how often each is drawn, and percentile intervals of what comes out."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from assay.stats.intervals import Interval

FloatArray = npt.NDArray[np.float64]
LEAST_SHARE = 0.5
"""An interval needs a value in at least this share of the replicates."""


def drawn(rng: np.random.Generator, items: int, replicates: int) -> FloatArray:
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
    there = given[~np.isnan(given)]
    if not there.size or there.size < LEAST_SHARE * given.size:
        return None
    tail = (1.0 - level) / 2.0
    low, high = np.quantile(there, [tail, 1.0 - tail])
    return Interval(float(low), float(high), level)


def by_cluster(columns: FloatArray, clusters: npt.ArrayLike | None) -> FloatArray:
    """Add the rows of `columns` (items, k) up within each cluster; without clusters each item is its own.

    `clusters` has one label an item, such as the prompt that an answer belongs to: what is drawn
    together in a bootstrap.
    """
    if clusters is None:
        return columns
    labels, place = np.unique(np.asarray(clusters), return_inverse=True)
    totals = np.zeros((len(labels), columns.shape[1]))
    np.add.at(totals, place.reshape(-1), columns)
    return totals
