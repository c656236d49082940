"""Bets on the sign of a mean: evidence that can be looked at after every value, with a guaranteed error rate.

For values in [-1, 1] whose mean is at most 0, the product of 1 + c v over the values seen so far has the
expectation of at most 1 for every share c of the money in [0, 1). By Ville's inequality it ever reaches 1/a
with a probability of at most a, however often it is looked at. The evidence is the mean of these products
over a few shares. Source: I. Waudby-Smith and A. Ramdas, "Estimating means of bounded random variables by
betting", Journal of the Royal Statistical Society B 86 (2024) 1-27.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy

from assay.stats.intervals import Interval

FloatArray = npt.NDArray[np.float64]
SHARES: FloatArray = np.array([0.05, 0.15, 0.35, 0.65, 0.95])
"""The shares of the money that are bet on every value. The best one is about mean / variance."""
SHARES.setflags(write=False)
HALVINGS = 60
"""An end of an interval is searched by halving its bracket this often."""


def log_gains(values: FloatArray) -> FloatArray:
    """Return the log of each share's gain from some values in [-1, 1]: shape (shares, ...) for (..., n).

    NaN is a missing value, on which nothing is bet.
    """
    known = np.nan_to_num(values, nan=0.0)
    return np.stack([np.log1p(share * known).sum(axis=-1) for share in SHARES])


def log_evidence(gains: FloatArray) -> FloatArray:
    """Return the log of the evidence for a mean above 0 from the summed log gains (shares, ...)."""
    evidence: FloatArray = np.asarray(scipy.special.logsumexp(gains, axis=0)) - np.log(len(SHARES))
    return evidence


def mean_sequence(values: npt.ArrayLike, level: float = 0.95) -> Interval:
    """Return the interval of a confidence sequence for the mean of independent values in [-1, 1].

    The probability that the intervals of *all* numbers of values contain the mean is at least `level`, so
    the number of values may depend on what was seen. The interval contains the running mean. Without values
    it is [-1, 1]. Raises ValueError for values outside [-1, 1].
    """
    known = np.asarray(values, dtype=np.float64)
    known = known[~np.isnan(known)]
    if known.size and max(-float(known.min()), float(known.max())) > 1.0:
        raise ValueError(f"values from {known.min()!r} to {known.max()!r}: give values from -1 to 1")
    if not known.size:
        return Interval(-1.0, 1.0, level)
    limit = float(np.log(2.0 / (1.0 - level)))
    return Interval(_lower_end(known, limit), -_lower_end(-known, limit), level)


def _lower_end(values: FloatArray, limit: float) -> float:
    """Return the smallest mean for which the log evidence of a greater one is below `limit`.

    Against the mean m the gain of a value v is 1 - c + c (1 + v) / (1 + m), which falls as m grows.
    """
    low, high = -1.0, float(values.mean())
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if middle <= -1.0:
            break
        ratios = (1.0 + values) / (1.0 + middle)
        gains = np.array([np.log1p(share * (ratios - 1.0)).sum() for share in SHARES])
        if float(log_evidence(gains)) >= limit:
            low = middle
        else:
            high = middle
    return low
