"""Krippendorff's alpha: agreement of any number of raters, marks missing as they may."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from assay.stats.intervals import Interval
from assay.stats.resample import drawn, percentile

FloatArray = npt.NDArray[np.float64]
Scale = Literal["nominal", "ordinal", "interval"]


@dataclass(frozen=True, slots=True)
class Alpha:
    """Alpha with the observed and expected disagreement it is 1 - observed/expected of.

    `items` have at least two marks, `marks` of them in all; others take no part. `value` is None when there
    are none, or when all marks are the same: without variation nothing can be said about agreement.
    `interval` is a percentile bootstrap over items, None when none was asked for or it is undefined.
    """

    value: float | None
    observed: float | None
    expected: float | None
    items: int
    marks: int
    interval: Interval | None = None


def alpha(
    table: npt.ArrayLike,
    scale: Scale = "nominal",
    *,
    rng: np.random.Generator | None = None,
    replicates: int = 2000,
    level: float = 0.95,
) -> Alpha:
    """Return alpha of marks of shape (raters, items), NaN for none; for names give codes and 'nominal'.

    Distances: nominal 0 or 1; interval the squared difference; ordinal the squared number of marks between
    two values, half of those at each end included, which is the squared difference of their mid-ranks.
    Source: K. Krippendorff, Content Analysis (4th edition, 2018), chapter 12; A. Hayes and K. Krippendorff,
    Communication Methods and Measures 1 (2007) 77-89.
    """
    counts, values = _counted(table)
    observed, expected = _disagreement(counts, values, np.ones((1, len(counts))), scale)
    value = _alpha(observed, expected)[0]
    interval = None
    if rng is not None and len(counts):
        weights = drawn(rng, len(counts), replicates)
        interval = percentile(_alpha(*_disagreement(counts, values, weights, scale)), level)
    return Alpha(
        None if np.isnan(value) else float(value),
        None if np.isnan(observed[0]) else float(observed[0]),
        None if np.isnan(expected[0]) else float(expected[0]),
        len(counts),
        int(counts.sum()),
        interval,
    )


def _counted(table: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return how often each distinct value stands on each item with two marks or more, and the values."""
    marks = np.asarray(table, dtype=np.float64).T
    there = ~np.isnan(marks)
    paired = there.sum(axis=1) >= 2
    marks, there = marks[paired], there[paired]
    values, place = np.unique(marks[there], return_inverse=True)
    counts = np.zeros((len(marks), len(values)))
    np.add.at(counts, (np.nonzero(there)[0], place.reshape(-1)), 1.0)
    return counts, values


def _disagreement(
    counts: FloatArray, values: FloatArray, weights: FloatArray, scale: Scale
) -> tuple[FloatArray, FloatArray]:
    """Return observed and expected disagreement (B,) of items counted (N, K) under weights (B, N)."""
    each = counts.sum(axis=1)
    totals = weights @ counts
    marks = totals.sum(axis=1)
    if scale == "nominal":
        within = weights @ np.divide(each**2 - (counts**2).sum(axis=1), each - 1.0)
        between = marks**2 - (totals**2).sum(axis=1)
    else:
        middle = float(values.mean()) if values.size else 0.0
        place = (
            np.cumsum(totals, axis=1) - totals / 2.0
            if scale == "ordinal"
            else np.broadcast_to(values - middle, totals.shape)
        )
        squares = 2.0 * (each[:, None] * (counts @ (place**2).T) - (counts @ place.T) ** 2)
        within = (weights.T * squares / (each[:, None] - 1.0)).sum(axis=0)
        between = 2.0 * (marks * (totals * place**2).sum(axis=1) - (totals * place).sum(axis=1) ** 2)
    enough = marks > 1.0
    observed = np.divide(within, marks, out=np.full(len(marks), np.nan), where=enough)
    expected = np.divide(between, marks * (marks - 1.0), out=np.full(len(marks), np.nan), where=enough)
    several = (totals > 0).sum(axis=1) > 1
    return observed, np.where(enough & ~several, 0.0, expected)


def _alpha(observed: FloatArray, expected: FloatArray) -> FloatArray:
    share = np.divide(observed, expected, out=np.full(len(expected), np.nan), where=expected > 0)
    return np.asarray(1.0 - share, dtype=np.float64)
