"""Rank correlations of two lists of scores: rho and tau-b, permutation tests, intervals, attenuation."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

import numpy as np
import numpy.typing as npt
import scipy

from assay.stats.intervals import Interval

FloatArray = npt.NDArray[np.float64]
MOST_EXACT = 9
"""Up to this number of models all orders are counted: 362,880 for nine."""
DRAWS = 9_999
LEAST = 3
TINY = 1e-9


@dataclass(frozen=True, slots=True)
class RankCorrelation:
    """The rank correlation of two lists of `n` scores.

    `rho` is Spearman's coefficient with mean ranks for ties, `tau` Kendall's tau-b. `rho_p` and `tau_p` are
    the two-sided p values of permutation tests, exact if `exact` (otherwise tau's is a normal approximation).
    `least` is the smallest rho that has a p of at most 0.05 in this test, None if no order reaches it. The
    intervals are None with too few models, or with a coefficient of 1 or -1.
    """

    n: int
    rho: float
    rho_interval: Interval | None
    rho_p: float
    tau: float
    tau_interval: Interval | None
    tau_p: float
    exact: bool
    least: float | None


def correlate_ranks(
    first: npt.ArrayLike, second: npt.ArrayLike, rng: np.random.Generator, *, level: float = 0.95
) -> RankCorrelation | None:
    """Return the rank correlation of two lists of scores of shape (models,); None if one has no order.

    The tests permute the second list: all n! orders for at most 9 models, else 9,999 random ones with the
    observed one counted in (for tau then the normal approximation). The intervals use the Fisher transform
    with the standard errors of D. Bonett and T. Wright, Psychometrika 65 (2000) 23-28:
    sqrt((1 + rho^2/2)/(n - 3)) and sqrt(0.437/(n - 4)).
    """
    x, y = (scipy.stats.rankdata(np.asarray(values, dtype=np.float64)) for values in (first, second))
    n = len(x)
    if n < LEAST or np.ptp(x) == 0.0 or np.ptp(y) == 0.0:
        return None
    exact = n <= MOST_EXACT
    orders = _every_order(n) if exact else rng.permuted(np.tile(np.arange(n), (DRAWS, 1)), axis=1)
    rho, rho_null = float(_rho(x, y[None])[0]), _rho(x, y[orders])
    kendall = scipy.stats.kendalltau(x, y, method="asymptotic")
    tau = float(kendall.statistic)
    return RankCorrelation(
        n,
        rho,
        rho_interval(rho, n, level),
        _two_sided(rho, rho_null, exact=exact),
        tau,
        _fisher(tau, n - 4, 0.437, level),
        _two_sided(tau, _tau(x, y[orders]), exact=True) if exact else float(kendall.pvalue),
        exact,
        _least(rho_null, exact=exact),
    )


@lru_cache(maxsize=2)
def _every_order(n: int) -> npt.NDArray[np.int64]:
    return np.array(list(permutations(range(n))), dtype=np.int64)


def _rho(x: FloatArray, orders: FloatArray) -> FloatArray:
    """Return Pearson's correlation of ranks x (n,) with each row of `orders` (B, n)."""
    own, other = x - x.mean(), orders - orders.mean(axis=1, keepdims=True)
    scale = np.sqrt((own @ own) * (other[0] @ other[0]))
    return np.asarray(np.clip(other @ own / scale, -1.0, 1.0))


def _tau(x: FloatArray, orders: FloatArray) -> FloatArray:
    """Return tau-b of ranks x (n,) with each row of `orders` (B, n)."""
    upper = np.triu_indices(len(x), 1)
    own = np.sign(x[upper[0]] - x[upper[1]])
    total = np.zeros(len(orders))
    for sign, left, right in zip(own, *upper, strict=True):
        if sign:
            total += sign * np.sign(orders[:, left] - orders[:, right])
    first = orders[0]
    untied = np.count_nonzero(first[upper[0]] != first[upper[1]])
    return np.asarray(total / math.sqrt(np.count_nonzero(own) * untied))


def _two_sided(value: float, null: FloatArray, *, exact: bool) -> float:
    extreme = int(np.count_nonzero(np.abs(null) >= abs(value) - TINY))
    return extreme / len(null) if exact else (extreme + 1) / (len(null) + 1)


def _least(null: FloatArray, *, exact: bool, alpha: float = 0.05) -> float | None:
    """Return the smallest coefficient whose two-sided p is at most `alpha`."""
    size = np.sort(np.abs(null))[::-1]
    most = int(alpha * len(size)) if exact else int(alpha * (len(size) + 1)) - 1
    if most < 1:
        return None
    above = size[size > size[min(most, len(size) - 1)] + TINY]
    return float(above.min()) if above.size else None


def rho_interval(rho: float, n: int, level: float = 0.95) -> Interval | None:
    """Return Bonett and Wright's interval of Spearman's rho for `n` models."""
    return _fisher(rho, n - 3, 1.0 + rho**2 / 2.0, level)


def _fisher(value: float, spare: int, factor: float, level: float) -> Interval | None:
    if spare < 1 or abs(value) >= 1.0 - TINY:
        return None
    reach = float(scipy.special.ndtri(0.5 + level / 2.0)) * math.sqrt(factor / spare)
    centre = math.atanh(value)
    return Interval(math.tanh(centre - reach), math.tanh(centre + reach), level)


def reliability(scores: npt.ArrayLike, errors: npt.ArrayLike) -> float | None:
    """Return the share of the variance of scores (models,) that is not error, given standard errors.

    1 - mean(error^2)/variance, with divisor n - 1; None if it is not above 0, because the scores then show no
    differences beyond their errors. Source: C. Spearman, American Journal of Psychology 15 (1904) 72-101.
    """
    values = np.asarray(scores, dtype=np.float64)
    spread = float(values.var(ddof=1)) if len(values) > 1 else 0.0
    if spread <= 0.0:
        return None
    share = 1.0 - float(np.mean(np.asarray(errors, dtype=np.float64) ** 2)) / spread
    return share if share > 0.0 else None
