"""Confidence intervals for means of bounded values, sound for a handful of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
HALVINGS = 50


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval at `level`."""

    low: float
    high: float
    level: float = 0.95


def bounded_mean(values: Sequence[float], *, level: float = 0.95) -> Interval:
    """Return Gaffke's interval for the mean of a population on 0-1 from independent draws of it.

    The lower bound is the (1 - level)/2 quantile of sum(w_i x_i), w uniform on the simplex of n + 1
    weights whose last one falls on 0; the upper bound mirrors it at 1. For values that are all 0 or 1
    this is the Clopper-Pearson interval. No value at all gives (0, 1). ValueError for values outside
    0-1. Source: N. Gaffke, "Three test statistics for a nonparametric one-sided hypothesis on the mean of
    a nonnegative variable", Mathematical Methods of Statistics 14 (2005) 451-467.
    """
    points = tuple(sorted(float(value) for value in values))
    if points and not (points[0] >= 0.0 and points[-1] <= 1.0):
        raise ValueError(f"values from {points[0]!r} to {points[-1]!r}: give values from 0 to 1")
    tail = (1.0 - level) / 2.0
    return Interval(_lower(points, tail), 1.0 - _lower(tuple(1.0 - x for x in reversed(points)), tail), level)


@lru_cache(maxsize=65_536)
def _lower(points: tuple[float, ...], tail: float) -> float:
    """Return the `tail` quantile of the random mean of sorted `points` and one more point at 0."""
    knots = np.array([0.0, *points])
    low, high = 0.0, float(knots[-1])
    if high == 0.0:
        return 0.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2.0
        if 1.0 - beyond(knots, middle) < tail:
            low = middle
        else:
            high = middle
    return low


def beyond(knots: FloatArray, point: float) -> float:
    """Return P(sum(w_i a_i) > point) for sorted `knots` a and w uniform on the simplex.

    The density of that sum is the B-spline with those knots (Curry and Schoenberg 1966), so the tail is
    the divided difference of (a - point)_+^n, built up by de Boor's recursion: convex combinations
    only, hence stable, ties included.
    """
    tails = (knots > point).astype(np.float64)
    for order in range(1, len(knots)):
        left, right = knots[:-order], knots[order:]
        span = right - left
        share = np.divide(right - point, span, out=np.zeros(len(span)), where=span > 0)
        mixed = share * tails[1:] + (1.0 - share) * tails[:-1]
        tails = np.where(left > point, 1.0, np.where(right <= point, 0.0, mixed))
    return float(tails[0])
