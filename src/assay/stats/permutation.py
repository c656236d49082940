"""Exact permutation tests on paired cases."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
GRID = 840
"""Values are rounded to 1/840 (exact for fractions with denominators 1 to 8) before the exact count."""


def lower_tail(choices: Sequence[npt.ArrayLike], observed: float) -> float:
    """Return P(sum of Y <= observed), each Y drawn evenly and independently from its own choices.

    Exact for the values rounded to 1/840; rounding moves the statistic, not the test's level. The
    distribution is built case by case on a lattice: for n cases of m choices it takes n * m shifts.
    """
    rounded = [np.rint(np.asarray(each, dtype=np.float64) * GRID).astype(np.int64) for each in choices]
    room = round(observed * GRID) - sum(int(each.min()) for each in rounded)
    if room < 0:
        return 0.0
    varied = [each - each.min() for each in rounded if each.min() < each.max()]
    step = int(np.gcd.reduce(np.concatenate(varied))) if varied else 1
    cells = min(room // step, sum(int(each.max()) for each in varied) // step) + 1
    chances = np.zeros(cells)
    chances[0] = 1.0
    for each in varied:
        moved = np.zeros(cells)
        for place, count in Counter((each // step).tolist()).items():
            if place < cells:
                moved[place:] += chances[: cells - place] * (count / len(each))
        chances = moved
    return min(1.0, float(chances.sum()))


def relabelled(today: Sequence[float], before: Sequence[npt.ArrayLike]) -> float:
    """Return the chance of a total as low as today's if today were any other day.

    Case c has one value today and several before. Under the null hypothesis its days are
    exchangeable and cases are independent, so today's value is an even draw from all of the case's values;
    the statistic is the total of today's values. One-sided: small for a fall. Exact, whatever the shape
    of the values.
    """
    pools = [
        np.append(np.asarray(past, dtype=np.float64), value)
        for value, past in zip(today, before, strict=True)
    ]
    return lower_tail(pools, _rounded_total(today))


def least_relabelled(before: Sequence[npt.ArrayLike]) -> float:
    """Return the smallest p that `relabelled` can reach on these days: today is 0 on every case."""
    return math.prod(
        (1 + int(np.count_nonzero(np.rint(np.asarray(past, dtype=np.float64) * GRID) == 0)))
        / (1 + np.size(past))
        for past in before
    )


def sign_flip(differences: Sequence[float]) -> float:
    """Return the one-sided p of the sign-flip test that paired differences fall below 0.

    Exact when each difference is as likely to have either sign under the null hypothesis: two
    models, or two days, on the same cases. It is not so for a day against the mean of a window, where
    `relabelled` holds. The smallest p on n cases is 2**-n: 1/32 for five.
    """
    return lower_tail([(value, -value) for value in differences], _rounded_total(differences))


def mcnemar(fell: int, rose: int) -> float:
    """Return the exact one-sided p of McNemar's test that more cases fell than rose.

    P(X >= fell), X binomial with fell + rose trials of 1/2. 1 when no case changed.
    """
    changed = fell + rose
    ways = sum(math.comb(changed, count) for count in range(fell, changed + 1))
    return float(ways / 2**changed)


def _rounded_total(values: Sequence[float]) -> float:
    return float(np.rint(np.asarray(values, dtype=np.float64) * GRID).sum()) / GRID
