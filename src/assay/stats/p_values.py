"""Exact tests on paired cases and on two shares, counts of independent events, and Holm's correction."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln

FloatArray = npt.NDArray[np.float64]
GRID = 840
"""Values are rounded to 1/840 (exact for fractions with denominators 1 to 8) before the exact count."""
TIED = 1e-7
"""Chances of tables that differ by less than this share count as equal."""


def lower_tail(choices: Sequence[npt.ArrayLike], observed: float) -> float:
    """Return P(sum of Y <= observed), each Y drawn evenly and independently from its own choices.

    Exact for the values rounded to 1/840; rounding moves the statistic, not the test's level. The
    distribution is built case by case on a lattice: for n cases of m choices it takes n * m shifts.
    """
    rounded = [np.rint(np.asarray(values, dtype=np.float64) * GRID).astype(np.int64) for values in choices]
    room = round(observed * GRID) - sum(int(values.min()) for values in rounded)
    if room < 0:
        return 0.0
    varied = [values - values.min() for values in rounded if values.min() < values.max()]
    step = int(np.gcd.reduce(np.concatenate(varied))) if varied else 1
    cells = min(room // step, sum(int(values.max()) for values in varied) // step) + 1
    chances = np.zeros(cells)
    chances[0] = 1.0
    for values in varied:
        shifted = np.zeros(cells)
        for shift, count in Counter((values // step).tolist()).items():
            if shift < cells:
                shifted[shift:] += chances[: cells - shift] * (count / len(values))
        chances = shifted
    return min(1.0, float(chances.sum()))


def relabelling_test(today: Sequence[float], before: Sequence[npt.ArrayLike]) -> float:
    """Return the one-sided p of the permutation test that today's total is not lower than usual.

    Each case has one value today and several before. Under the null hypothesis its days are exchangeable and
    cases are independent, so today's value is a uniform draw from all of the case's values; the statistic is
    the total of today's values. The p is small for a fall, and exact for any distribution of the values.
    """
    pools = [
        np.append(np.asarray(past, dtype=np.float64), value)
        for value, past in zip(today, before, strict=True)
    ]
    return lower_tail(pools, _rounded_total(today))


def least_relabelling_p(before: Sequence[npt.ArrayLike]) -> float:
    """Return the smallest p that `relabelling_test` can reach on these days: today is 0 on every case."""
    return math.prod(
        (1 + int(np.count_nonzero(np.rint(np.asarray(past, dtype=np.float64) * GRID) == 0)))
        / (1 + np.size(past))
        for past in before
    )


def sign_flip(differences: Sequence[float]) -> float:
    """Return the one-sided p of the sign-flip test that paired differences fall below 0.

    Exact if each difference is equally likely to have either sign under the null hypothesis: two models, or
    two days, on the same cases. A day against the mean of a window does not meet this condition: use
    `relabelling_test`. The smallest p on n cases is 2**-n: 1/32 for five.
    """
    return lower_tail([(value, -value) for value in differences], _rounded_total(differences))


def mcnemar(fell: int, rose: int) -> float:
    """Return the exact one-sided p of McNemar's test that more cases fell than rose.

    It is P(X >= fell), X binomial with fell + rose trials of 1/2, and 1 if no case changed.
    """
    changed = fell + rose
    ways = sum(math.comb(changed, count) for count in range(fell, changed + 1))
    return float(ways / 2**changed)


def fisher(successes: tuple[int, int], trials: tuple[int, int]) -> float:
    """Return the two-sided p of Fisher's exact test that two independent shares are equal.

    It is the chance, given the total of successes, of a table that is no more likely than the observed one;
    1 without trials on a side. Source: R. A. Fisher, Journal of the Royal Statistical Society 98 (1935)
    39-82.
    """
    (first, second), total = trials, sum(successes)
    counts = np.arange(max(0, total - second), min(total, first) + 1)
    ways = -gammaln(counts + 1) - gammaln(first - counts + 1)
    ways -= gammaln(total - counts + 1) + gammaln(second - total + counts + 1)
    chances = np.exp(ways - ways.max())
    observed = chances[successes[0] - counts[0]]
    return min(1.0, float(chances[chances <= observed * (1.0 + TIED)].sum() / chances.sum()))


def _rounded_total(values: Sequence[float]) -> float:
    return float(np.rint(np.asarray(values, dtype=np.float64) * GRID).sum()) / GRID


def holm(p: npt.ArrayLike) -> FloatArray:
    """Return the adjusted p values of a one-dimensional family of tests, in the given order.

    Rejecting the tests with an adjusted p of at most a keeps the chance of any false rejection at a or below,
    for any dependence between the tests. Source: S. Holm, Scandinavian Journal of Statistics 6
    (1979) 65-70.
    """
    given = np.asarray(p, dtype=np.float64)
    order = np.argsort(given, kind="stable")
    scaled = given[order] * np.arange(len(given), 0, -1)
    adjusted = np.empty_like(given)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(scaled))
    return adjusted


def at_least(count: int, chances: Sequence[float]) -> float:
    """Return the chance that `count` or more of independent events with these chances happen."""
    spread = np.zeros(len(chances) + 1)
    spread[0] = 1.0
    for chance in chances:
        spread[1:] = spread[1:] * (1.0 - chance) + spread[:-1] * chance
        spread[0] *= 1.0 - chance
    return min(1.0, float(spread[max(count, 0) :].sum()))
