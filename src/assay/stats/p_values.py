"""Exact tests on paired cases and on two shares, counts of independent events, and Holm's correction."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise
from typing import Self

import numpy as np
import numpy.typing as npt
import scipy

FloatArray = npt.NDArray[np.float64]
GRID = 840
"""Values are rounded to 1/840 (exact for fractions with denominators 1 to 8) before the exact count."""
TIED = 1e-7
"""Chances of tables that differ by less than this share count as equal."""


@dataclass(frozen=True, slots=True)
class Draws:
    """One value for each case, drawn evenly and independently from the case's own choices.

    Values are in units of 1/840: `least` is each case's least choice, and `above` the number of its choices
    at each distance from it.
    """

    least: tuple[int, ...]
    above: tuple[Counter[int], ...]

    @classmethod
    def of(cls, units: Sequence[Sequence[int]]) -> Self:
        """Return the draws from these choices of each case, at least one."""
        least = tuple(map(min, units))
        above = (Counter([value - low for value in values]) for values, low in zip(units, least, strict=True))
        return cls(least, tuple(above))

    def lower_tail(self, total: int, cases: Iterable[int]) -> float:
        """Return the chance that the values of these cases add up to at most `total` units.

        The distribution is built case by case on a lattice: for n cases of m choices it takes n * m shifts.
        """
        chosen = list(cases)
        room = total - sum(self.least[case] for case in chosen)
        if room < 0:
            return 0.0
        varied = [self.above[case] for case in chosen if len(self.above[case]) > 1]
        step = math.gcd(*chain.from_iterable(varied)) or 1
        cells = min(room // step, sum(map(max, varied)) // step) + 1
        chances = np.zeros(cells)
        chances[0] = 1.0
        for counts in varied:
            shifted, size = np.zeros(cells), counts.total()
            for distance, count in counts.items():
                shift = distance // step
                if shift < cells:
                    shifted[shift:] += chances[: cells - shift] * (count / size)
            chances = shifted
        return min(1.0, float(chances.sum()))


def lower_tail(choices: Sequence[npt.ArrayLike], observed: float) -> float:
    """Return P(sum of Y <= observed), each Y drawn evenly and independently from its own choices.

    Exact for the values rounded to 1/840; rounding moves the statistic, not the test's level.
    """
    draws = Draws.of([_units(values) for values in choices])
    return draws.lower_tail(round(observed * GRID), range(len(choices)))


@dataclass(frozen=True, slots=True)
class Relabelling:
    """The one-sided permutation test that today's total is not lower than usual, for any of some cases.

    Each case has one value today and several before. Under the null hypothesis its days are exchangeable and
    cases are independent, so today's value is a uniform draw from all of the case's values; the statistic is
    the total of today's values. `today` is in units of 1/840, and `zeros` the chance of drawing a 0 if today
    is one, by case.
    """

    today: tuple[int, ...]
    draws: Draws
    zeros: tuple[float, ...]

    @classmethod
    def of(cls, today: npt.ArrayLike, before: Sequence[Sequence[float] | FloatArray]) -> Self:
        """Prepare the test of cases with these values."""
        now, past = _units(today), _units(np.concatenate([np.empty(0), *before]))
        ends = list(accumulate((np.size(values) for values in before), initial=0))
        pools = [past[start:end] for start, end in pairwise(ends)]
        return cls(
            tuple(now),
            Draws.of([[*pool, value] for pool, value in zip(pools, now, strict=True)]),
            tuple((1 + pool.count(0)) / (1 + len(pool)) for pool in pools),
        )

    def p(self, cases: Iterable[int]) -> float:
        """Return the p of some cases, small for a fall, and exact for any distribution of the values."""
        chosen = list(cases)
        return self.draws.lower_tail(sum(self.today[case] for case in chosen), chosen)

    def least_p(self, cases: Iterable[int]) -> float:
        """Return the smallest p that some cases can reach on these days: today is 0 on every one."""
        return math.prod(self.zeros[case] for case in cases)


def relabelling_test(today: npt.ArrayLike, before: Sequence[Sequence[float] | FloatArray]) -> float:
    """Return the p of the permutation test on all of some cases (`Relabelling`)."""
    return Relabelling.of(today, before).p(range(len(before)))


def _units(values: npt.ArrayLike) -> list[int]:
    units: list[int] = np.rint(np.asarray(values, dtype=np.float64) * GRID).astype(np.int64).tolist()
    return units


def sign_flip(differences: Sequence[float]) -> float:
    """Return the one-sided p of the sign-flip test that paired differences fall below 0.

    Exact if each difference is equally likely to have either sign under the null hypothesis: two models, or
    two days, on the same cases. A day against the mean of a window does not meet this condition: use
    `relabelling_test`. The smallest p on n cases is 2**-n: 1/32 for five.
    """
    return lower_tail([(value, -value) for value in differences], sum(_units(differences)) / GRID)


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
    ways = -scipy.special.gammaln(counts + 1) - scipy.special.gammaln(first - counts + 1)
    ways -= scipy.special.gammaln(total - counts + 1) + scipy.special.gammaln(second - total + counts + 1)
    chances = np.exp(ways - ways.max())
    observed = chances[successes[0] - counts[0]]
    return min(1.0, float(chances[chances <= observed * (1.0 + TIED)].sum() / chances.sum()))


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
