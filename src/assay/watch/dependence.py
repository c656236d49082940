"""The correlation of a model's days, and the rate of false alarms that the sequential test has under it.

The test promises its rate of false alarms for exchangeable days. Where one day resembles the day before, more
alarms come: the table below says how many, by simulation. docs/methodology/sequential.md explains both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.watch.day_score import day_scores, membership
from assay.watch.sequential import FALSE_ALARMS, graded_patterns
from assay.watch.weights import Moments

LEAST_PAIRS = 20
"""Pairs of consecutive days, over all models, below which nothing is said of the rate."""

OWN_PAIRS = 60
"""Pairs of consecutive days from which a model's own history is used alone."""

LEAST_DAYS = 10
"""Days that a model's history must have to be pooled with others."""

NORMAL_975 = 1.959964

CORRELATIONS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
QUICK = (0.014, 0.028, 0.06, 0.094, 0.151, 0.206, 0.312, 0.638, 1.113, 1.796, 2.8, 4.074, 6.299)
SLOW = (0.021, 0.08, 0.225, 0.443, 0.714, 1.025, 1.322, 1.991, 2.7, 3.442, 4.166, 4.997, 6.299)
"""False alarms a model-year of the test at 0.05, by the lag-1 correlation of the day score: where that score
is AR(1), and where it is a swing with correlation 0.9 under independent noise (`benchmarks/fleet.py`)."""

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Correlation:
    """Lag-1 correlation of day scores, corrected for the length of the history, with its 95 % interval.

    It is estimated from `pairs` of consecutive days of `models` models.
    """

    value: float
    low: float
    high: float
    pairs: int
    models: int


@dataclass(frozen=True, slots=True)
class Promise:
    """The sequential test's rate of false alarms a model-year, with the condition that it holds under.

    `false_alarms` holds while days are exchangeable. `expected`, between `low` and `high`, is what the
    measured correlation of days leads to; None where it could not be measured, and `reason` says why.
    """

    false_alarms: float
    correlation: Correlation | None
    expected: float | None
    low: float | None
    high: float | None
    reason: str | None

    @property
    def explanation(self) -> str:
        """Say the rate with its condition, and what the measured correlation of days makes of it."""
        stated = f"at most {self.false_alarms:g} false alarms a model-year while days are independent"
        if self.correlation is None or self.expected is None:
            return f"{stated}; whether they are is not known yet: {self.reason}"
        assert self.low is not None and self.high is not None
        found = self.correlation
        models = "" if found.models == 1 else f" of {found.models} models"
        measured = (
            f"the correlation of one day with the next is {found.value:.2f} ({found.low:.2f} to "
            f"{found.high:.2f}, {found.pairs} pairs of days{models})"
        )
        if self.high <= self.false_alarms:
            return f"{stated}, and they are: {measured}"
        shown = "they are not" if found.low > 0.0 else "it cannot be excluded that they are not"
        expected = f"{self.expected:.2g} ({self.low:.2g} to {self.high:.2g})"
        return f"{stated}; {shown}: {measured}, so expect {expected}"


def promises(
    scores: npt.ArrayLike,
    use_cases: npt.ArrayLike,
    calm: npt.ArrayLike,
    *,
    false_alarms: float = FALSE_ALARMS,
) -> tuple[Promise, ...]:
    """Return each model's promise from base samples (models, cases, days), 0-1, NaN where not scored.

    `calm` (models, days) marks the days on which the model had not fallen; only these are used.
    """
    series = day_series(scores, use_cases, calm)
    pooled = pooled_correlation(series)
    promised = []
    for own in series:
        alone = pooled_correlation([own])
        found = alone if alone is not None and alone.pairs >= OWN_PAIRS else pooled
        promised.append(promise(found, false_alarms))
    return tuple(promised)


def promise(found: Correlation | None, false_alarms: float = FALSE_ALARMS) -> Promise:
    """Return the promise under a measured correlation; withheld below `LEAST_PAIRS` pairs of days."""
    if found is None or found.pairs < LEAST_PAIRS:
        pairs = 0 if found is None else found.pairs
        reason = f"{pairs} pairs of consecutive days are too few to measure their correlation ({LEAST_PAIRS})"
        return Promise(false_alarms, found, None, None, None, reason)
    return Promise(
        false_alarms,
        found,
        _rate(found.value, QUICK, false_alarms),
        _rate(found.low, QUICK, false_alarms),
        _rate(found.high, SLOW, false_alarms),
        None,
    )


def day_series(scores: npt.ArrayLike, use_cases: npt.ArrayLike, calm: npt.ArrayLike) -> list[FloatArray]:
    """Return each model's day scores as normal scores of their ranks, shape (days,), NaN where none counts.

    Ranks are what the test bets on; they keep one very bad day from hiding a correlation. Only days of the
    pattern of graded use cases that a model has most are compared.
    """
    values = np.asarray(scores, dtype=np.float64)
    members, counted = membership(np.asarray(use_cases)), np.asarray(calm, dtype=bool)
    patterns, known = graded_patterns(values, members), ~np.isnan(values)
    moments = Moments.of(np.ascontiguousarray(values.transpose(0, 2, 1)))
    worse = day_scores(moments, np.where(known, values, 0.0), known, members)
    series = []
    for model in range(len(values)):
        usual = patterns[model][counted[model] & (patterns[model] >= 0)]
        found = np.full(values.shape[2], np.nan)
        if usual.size:
            codes, times = np.unique(usual, return_counts=True)
            chosen = counted[model] & (patterns[model] == codes[times.argmax()])
            found[chosen] = _normal_scores(worse[model][chosen])
        series.append(found)
    return series


def pooled_correlation(series: Sequence[FloatArray]) -> Correlation | None:
    """Return the lag-1 correlation pooled over models; None where no history is long enough.

    A short history's correlation comes out too low by about (1 + 4 r)/n, which is added. Models that move
    together on the same days say less than as many independent ones: their common correlation widens the
    interval.
    """
    used = [each for each in series if _pairs(each).any() and _spread(each) > 0.0]
    used = [each for each in used if np.count_nonzero(~np.isnan(each)) >= LEAST_DAYS]
    if not used:
        return None
    pairs = np.array([int(_pairs(each).sum()) for each in used])
    weights, days = pairs / pairs.sum(), np.array([np.count_nonzero(~np.isnan(each)) for each in used])
    raw = np.array([_lag_one(each) for each in used])
    value = float(weights @ np.clip((raw + 1.0 / days) / (1.0 - 4.0 / days), -0.99, 0.99))
    shared = np.array([[_together(one, other) ** 2 for other in used] for one in used])
    variance = (1.0 - value**2) * float(weights @ (shared / np.sqrt(np.outer(pairs, pairs))) @ weights)
    half = NORMAL_975 * float(np.sqrt(variance)) / (1.0 - 4.0 / float(days.mean()))
    return Correlation(value, max(-1.0, value - half), min(1.0, value + half), int(pairs.sum()), len(used))


def _rate(correlation: float, table: Sequence[float], false_alarms: float) -> float:
    """Return the false alarms a model-year to be expected at a correlation, never less than is promised."""
    found = float(np.interp(correlation, CORRELATIONS, table))
    return max(found * false_alarms / FALSE_ALARMS, false_alarms)


def _normal_scores(values: FloatArray) -> FloatArray:
    from scipy.special import ndtri
    from scipy.stats import rankdata

    return np.asarray(ndtri((rankdata(values) - 0.5) / len(values)))


def _pairs(series: FloatArray) -> BoolArray:
    """Return after which days the next calendar day counts too."""
    return np.asarray(~np.isnan(series[:-1]) & ~np.isnan(series[1:]))


def _spread(series: FloatArray) -> float:
    return float(np.nanvar(series))


def _lag_one(series: FloatArray) -> float:
    pairs, centred = _pairs(series), series - np.nanmean(series)
    return float((centred[:-1][pairs] * centred[1:][pairs]).mean() / _spread(series))


def _together(one: FloatArray, other: FloatArray) -> float:
    """Return the correlation of two models on the days that both have, less what chance makes of few days."""
    if one is other:
        return 1.0
    both = ~np.isnan(one) & ~np.isnan(other)
    if both.sum() < LEAST_DAYS or one[both].std() == 0.0 or other[both].std() == 0.0:
        return 0.0
    found = float(np.corrcoef(one[both], other[both])[0, 1])
    return float(np.sqrt(max(found**2 - 1.0 / both.sum(), 0.0)))
