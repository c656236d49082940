"""The correlation of a model's days, and the rate of false alarms of the sequential test under it.

The test guarantees its rate of false alarms for exchangeable days. If a day resembles the day before, there
are more alarms; the tables below give their number by simulation. docs/methodology/sequential.md explains
both.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import scipy

from assay.results.watch import LagCorrelation, Promise
from assay.watch.sequential import FALSE_ALARMS, graded_patterns
from assay.watch.weights import Moments, day_scores, membership

LEAST_PAIRS = 20
"""The least number of pairs of consecutive days, over all models, for an estimate of the rate."""

OWN_PAIRS = 60
"""The least number of pairs of consecutive days for using a model's own history alone."""

LEAST_DAYS = 10
"""The least number of days of a model's history for pooling it with others."""

NORMAL_975 = 1.959964

CORRELATIONS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
QUICK = (0.014, 0.028, 0.06, 0.094, 0.151, 0.206, 0.312, 0.638, 1.113, 1.796, 2.8, 4.074, 6.299)
SLOW = (0.021, 0.08, 0.225, 0.443, 0.714, 1.025, 1.322, 1.991, 2.7, 3.442, 4.166, 4.997, 6.299)
"""False alarms a model-year of the test at 0.05, by the lag-1 correlation of the day score: for an AR(1)
score, and for a swing with correlation 0.9 under independent noise (`benchmarks/fleet.py`)."""

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


def promises(
    scores: npt.ArrayLike,
    use_cases: npt.ArrayLike,
    calm: npt.ArrayLike,
    *,
    false_alarms: float = FALSE_ALARMS,
) -> tuple[Promise, ...]:
    """Return each model's expected false alarms, from base samples (models, cases, days), 0-1, NaN for none.

    Only the days in `calm` (models, days) are used, on which the model had not fallen.
    """
    series = day_series(scores, use_cases, calm)
    pooled = pooled_correlation(series)
    result = []
    for own in series:
        alone = pooled_correlation([own])
        correlation = alone if alone is not None and alone.pairs >= OWN_PAIRS else pooled
        result.append(promise(correlation, false_alarms))
    return tuple(result)


def promise(correlation: LagCorrelation | None, false_alarms: float = FALSE_ALARMS) -> Promise:
    """Return the expected false alarms under a correlation; None below `LEAST_PAIRS` pairs of days."""
    if correlation is None or correlation.pairs < LEAST_PAIRS:
        pairs = 0 if correlation is None else correlation.pairs
        reason = f"{pairs} pairs of consecutive days are too few to measure their correlation ({LEAST_PAIRS})"
        return Promise(false_alarms, correlation, None, None, None, reason)
    return Promise(
        false_alarms,
        correlation,
        _rate(correlation.value, QUICK, false_alarms),
        _rate(correlation.low, QUICK, false_alarms),
        _rate(correlation.high, SLOW, false_alarms),
        None,
    )


def day_series(scores: npt.ArrayLike, use_cases: npt.ArrayLike, calm: npt.ArrayLike) -> list[FloatArray]:
    """Return each model's day scores as normal scores of their ranks, shape (days,), NaN for uncounted days.

    The test bets on ranks, and with ranks one very bad day cannot hide a correlation. Only days with the
    model's most frequent pattern of graded use cases are compared.
    """
    values = np.asarray(scores, dtype=np.float64)
    members, counted = membership(np.asarray(use_cases)), np.asarray(calm, dtype=bool)
    patterns, known = graded_patterns(values, members), ~np.isnan(values)
    moments = Moments.of(np.ascontiguousarray(values.transpose(0, 2, 1)))
    worse = day_scores(moments, np.where(known, values, 0.0), known, members)
    series = []
    for model in range(len(values)):
        usual = patterns[model][counted[model] & (patterns[model] >= 0)]
        normal_scores = np.full(values.shape[2], np.nan)
        if usual.size:
            codes, times = np.unique(usual, return_counts=True)
            chosen = counted[model] & (patterns[model] == codes[times.argmax()])
            normal_scores[chosen] = _normal_scores(worse[model][chosen])
        series.append(normal_scores)
    return series


def pooled_correlation(series: Sequence[FloatArray]) -> LagCorrelation | None:
    """Return the lag-1 correlation pooled over models, or None if no history is long enough.

    The correlation of a short history is too low by about (1 + 4 r)/n, which is added. Models that move
    together on the same days carry less information than independent ones: their correlation widens the
    interval.
    """
    used = [one for one in series if _pairs(one).any() and _variance(one) > 0.0]
    used = [one for one in used if np.count_nonzero(~np.isnan(one)) >= LEAST_DAYS]
    if not used:
        return None
    pairs = np.array([int(_pairs(one).sum()) for one in used])
    weights, days = pairs / pairs.sum(), np.array([np.count_nonzero(~np.isnan(one)) for one in used])
    raw = np.array([_lag_one(one) for one in used])
    value = float(weights @ np.clip((raw + 1.0 / days) / (1.0 - 4.0 / days), -0.99, 0.99))
    shared = np.array([[_correlation(one, other) ** 2 for other in used] for one in used])
    variance = (1.0 - value**2) * float(weights @ (shared / np.sqrt(np.outer(pairs, pairs))) @ weights)
    half = NORMAL_975 * float(np.sqrt(variance)) / (1.0 - 4.0 / float(days.mean()))
    return LagCorrelation(value, max(-1.0, value - half), min(1.0, value + half), int(pairs.sum()), len(used))


def _rate(correlation: float, table: Sequence[float], false_alarms: float) -> float:
    """Return the expected false alarms a model-year at a correlation, at least the guaranteed number."""
    rate = float(np.interp(correlation, CORRELATIONS, table))
    return max(rate * false_alarms / FALSE_ALARMS, false_alarms)


def _normal_scores(values: FloatArray) -> FloatArray:
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2.0)[places]
    return np.asarray(scipy.special.ndtri((ranks - 0.5) / len(values)))


def _pairs(series: FloatArray) -> BoolArray:
    """Return a mask of the days that count and whose next calendar day counts too."""
    return np.asarray(~np.isnan(series[:-1]) & ~np.isnan(series[1:]))


def _variance(series: FloatArray) -> float:
    return float(np.nanvar(series))


def _lag_one(series: FloatArray) -> float:
    pairs, centred = _pairs(series), series - np.nanmean(series)
    return float((centred[:-1][pairs] * centred[1:][pairs]).mean() / _variance(series))


def _correlation(one: FloatArray, other: FloatArray) -> float:
    """Return the correlation of two models on their common days, less its expectation by chance."""
    if one is other:
        return 1.0
    both = ~np.isnan(one) & ~np.isnan(other)
    if both.sum() < LEAST_DAYS or one[both].std() == 0.0 or other[both].std() == 0.0:
        return 0.0
    value = float(np.corrcoef(one[both], other[both])[0, 1])
    return float(np.sqrt(max(value**2 - 1.0 / both.sum(), 0.0)))
