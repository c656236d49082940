"""Confidence intervals: for means of bounded values, for shares, and for shares of clustered answers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import scipy

FloatArray = npt.NDArray[np.float64]
SECTIONS, ROUNDS = 64, 6
"""A bound is searched by cutting its bracket into 64 sections, 6 times: to 1e-11."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval at `level`."""

    low: float
    high: float
    level: float = 0.95


def bounded_mean(values: Sequence[float], *, level: float = 0.95) -> Interval:
    """Return Gaffke's interval for the mean of a population on 0-1 from independent draws of it.

    The lower bound is the (1 - level)/2 quantile of sum(w_i x_i), w uniform on the simplex of n + 1
    weights, the last of which multiplies 0; the upper bound mirrors it at 1. For values that are all 0 or 1
    this is the Clopper-Pearson interval. No values give (0, 1). Raises ValueError for values outside
    0-1. Source: N. Gaffke, "Three test statistics for a nonparametric one-sided hypothesis on the mean of
    a nonnegative variable", Mathematical Methods of Statistics 14 (2005) 451-467.
    """
    points = tuple(sorted(round(float(value), 12) for value in values))
    if points and not (points[0] >= 0.0 and points[-1] <= 1.0):
        raise ValueError(f"values from {points[0]!r} to {points[-1]!r}: give values from 0 to 1")
    tail = (1.0 - level) / 2.0
    return Interval(
        _lower(points, tail), 1.0 - _lower(tuple(round(1.0 - x, 12) for x in reversed(points)), tail), level
    )


@lru_cache(maxsize=65_536)
def _lower(points: tuple[float, ...], tail: float) -> float:
    """Return the `tail` quantile of the random mean of sorted `points` and one more point at 0."""
    knots = np.array([0.0, *points])
    low, high = 0.0, float(knots[-1])
    if high == 0.0:
        return 0.0
    for _ in range(ROUNDS):
        cuts = np.linspace(low, high, SECTIONS + 1)
        below = int(np.count_nonzero(1.0 - _tail(knots, cuts[1:-1]) < tail))
        low, high = float(cuts[below]), float(cuts[below + 1])
    return low


def _tail(knots: FloatArray, points: FloatArray) -> FloatArray:
    """Return P(sum(w_i a_i) > point) for sorted `knots` a and w uniform on the simplex, for each point.

    The density of that sum is the B-spline with those knots (Curry and Schoenberg 1966), so the tail is
    the divided difference of (a - point)_+^n, built up by de Boor's recursion: convex combinations
    only, hence stable, ties included.
    """
    distance = knots - points[:, np.newaxis]
    above = distance > 0.0
    tails = above.astype(np.float64)
    for order in range(1, len(knots)):
        span = knots[order:] - knots[:-order]
        # Between equal knots there is no point, so any share will do.
        share = distance[:, order:] / np.where(span > 0.0, span, 1.0)
        tails = share * tails[:, 1:] + (1.0 - share) * tails[:, :-1]
        np.copyto(tails, 1.0, where=above[:, :-order])
    return tails[:, 0]


def clopper_pearson(successes: float, trials: float, *, level: float = 0.95) -> Interval:
    """Return the exact binomial interval of a share; (0, 1) without trials. Counts need not be whole.

    Source: C. Clopper and E. Pearson, Biometrika 26 (1934) 404-413.
    """
    tail = (1.0 - level) / 2.0
    low = float(scipy.special.betaincinv(successes, trials - successes + 1, tail)) if successes else 0.0
    failures = trials - successes
    high = float(scipy.special.betaincinv(successes + 1, failures, 1.0 - tail)) if failures else 1.0
    return Interval(low, high, level)


def clustered_share(right: npt.ArrayLike, n: npt.ArrayLike, *, level: float = 0.95) -> Interval:
    """Return Korn and Graubard's interval of sum(right)/sum(n), clusters being independent draws.

    `right` of `n` answers of each cluster are right, shape (clusters,); clusters without an answer are left
    out, and no answers give (0, 1). It is the Clopper-Pearson interval of the effective number of answers:
    p(1 - p)/v, with v the ratio estimator's variance between clusters, times (z/t)^2 with clusters - 1
    degrees of freedom, and at most the number of answers. If all answers are alike, v is not informative and
    a cluster counts as one answer. With one answer per cluster it is the plain Clopper-Pearson interval.
    Source: E. Korn and B. Graubard, Survey Methodology 24 (1998) 193-201; the rule for answers that are all
    alike is ours: docs/methodology/keyed-board.md shows its coverage.
    """
    answers = np.asarray(n, dtype=np.float64)
    asked = answers > 0
    answers, hits = answers[asked], np.asarray(right, dtype=np.float64)[asked]
    total = float(answers.sum())
    if total == 0.0:
        return Interval(0.0, 1.0, level)
    share = float(hits.sum()) / total
    effective = _effective(hits, answers, share, level)
    return clopper_pearson(share * effective, effective, level=level)


def _effective(
    right: npt.NDArray[np.float64], n: npt.NDArray[np.float64], share: float, level: float
) -> float:
    """Return the effective number of independent answers."""
    clusters, total = len(n), float(n.sum())
    if n.max() <= 1.0:
        return total
    if clusters < 2 or share in (0.0, 1.0):
        return float(clusters)
    residual = right - share * n
    variance = clusters / (clusters - 1) * float(residual @ residual) / total**2
    if variance <= share * (1.0 - share) / (1e6 * total):
        return total
    tail = 0.5 + level / 2.0
    narrower = float(scipy.special.ndtri(tail) / scipy.special.stdtrit(clusters - 1, tail)) ** 2
    return min(total, max(1.0, narrower * share * (1.0 - share) / variance))


def clustered_difference(sums: npt.ArrayLike, n: npt.ArrayLike, *, level: float = 0.95) -> Interval:
    """Return the interval of the mean of paired differences (-1 to 1), clusters being independent draws.

    `sums` are the sums of the `n` differences of each cluster, shape (clusters,); clusters without a pair are
    left out, and fewer than two give (-1, 1). Half a pair is added in each direction; the variance is the
    ratio estimator's between clusters, with t for clusters - 1 degrees of freedom. If all sums are 0, the
    variance is not informative and a cluster counts as one pair. Source: D. Bonett and R. Price, Journal of
    Educational and Behavioral Statistics 37 (2012) 479-488, who add a whole pair; half a pair and the rule
    for sums of 0 are ours: docs/methodology/keyed-board.md shows the coverage.
    """
    pairs = np.asarray(n, dtype=np.float64)
    asked = pairs > 0
    pairs, differences = pairs[asked], np.asarray(sums, dtype=np.float64)[asked]
    clusters = len(pairs)
    if clusters < 2:
        return Interval(-1.0, 1.0, level)
    if not differences.any():
        pairs = np.ones(clusters)
    total = float(pairs.sum()) + 1.0
    mean = float(differences.sum()) / total
    residual = differences - mean * pairs
    variance = clusters / (clusters - 1) * (float(residual @ residual) + 1.0) / total**2
    reach = float(scipy.special.stdtrit(clusters - 1, 0.5 + level / 2.0)) * math.sqrt(variance)
    return Interval(max(-1.0, mean - reach), min(1.0, mean + reach), level)


def share_difference(
    successes: tuple[int, int], trials: tuple[int, int], *, level: float = 0.95
) -> tuple[float, Interval]:
    """Return the difference of two independent shares, first minus second, and its interval.

    The interval combines the distances of both shares from their exact (Clopper-Pearson) limits, so it covers
    at least as often as with Wilson's limits. Raises ValueError without trials. Source: R. Newcombe,
    Statistics in Medicine 17 (1998) 873-890, method 10, with exact limits.
    """
    if not all(trials):
        raise ValueError(f"trials {trials!r}: a share needs at least one trial")
    one, other = (count / of for count, of in zip(successes, trials, strict=True))
    own, its = (clopper_pearson(count, of, level=level) for count, of in zip(successes, trials, strict=True))
    below = math.hypot(one - own.low, its.high - other)
    above = math.hypot(own.high - one, other - its.low)
    return one - other, Interval(one - other - below, one - other + above, level)
