"""The exact interval of a share."""

from __future__ import annotations

from scipy.special import betaincinv

from assay.stats.intervals import Interval


def clopper_pearson(successes: float, trials: float, *, level: float = 0.95) -> Interval:
    """Return the exact binomial interval of a share; (0, 1) without trials. Counts need not be whole.

    Source: C. Clopper and E. Pearson, Biometrika 26 (1934) 404-413.
    """
    tail = (1.0 - level) / 2.0
    low = float(betaincinv(successes, trials - successes + 1, tail)) if successes else 0.0
    failures = trials - successes
    high = float(betaincinv(successes + 1, failures, 1.0 - tail)) if failures else 1.0
    return Interval(low, high, level)
