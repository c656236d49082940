"""Log likelihood ratios of a fall for each case, and their sum for a day.

For a case with mean m and variance v, the likelihood ratio between m(1 - fall) and m is that of the
quasi-binomial family with dispersion v / (m(1 - m)): exact for a case that passes or fails, close to the
normal ratio for a graded case. It is linear in the score: steep for a case that never fails, flat for a case
that flips from day to day.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

PSEUDO_DAYS = 0.1
"""Pseudo-observations of a full and of an empty score with which every case starts."""

WORST_DAYS = 3
"""The number of a case's worst days that are left out of its mean and variance."""

FloatArray = npt.NDArray[np.float64]
FALL = 0.025
"""The fall of the whole suite that day scores detect best, as a share of its expected score."""
USE_CASE_FALL = 0.30
"""The fall of a single use case that day scores detect best."""
DECIMALS = 6
"""Decimals of day scores, so that the order of additions cannot break a tie."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """Log likelihood ratios of a fall: `slope * score + offset` for each case, shape (models, cases)."""

    slope: FloatArray
    offset: FloatArray


@dataclass(frozen=True, slots=True)
class Moments:
    """Sums over a case's scored days; arrays have shape (models, cases).

    `lowest` (models, cases, WORST_DAYS) holds the least scores, infinite if there are fewer: the first
    failures of a case are compared with the days without them.
    """

    count: FloatArray
    total: FloatArray
    squares: FloatArray
    lowest: FloatArray

    @classmethod
    def none(cls, models: int, cases: int) -> Moments:
        """Return the moments of no days."""
        zeros = np.zeros((models, cases))
        return cls(zeros, zeros, zeros, np.full((models, cases, WORST_DAYS), np.inf))

    @classmethod
    def of(cls, scores: FloatArray) -> Moments:
        """Return the moments of scores of shape (models, days, cases), NaN for cases not scored."""
        known = ~np.isnan(scores)
        filled = np.where(known, scores, 0.0)
        rest = np.full((scores.shape[0], WORST_DAYS, scores.shape[2]), np.inf)
        ordered = np.sort(np.concatenate([np.where(known, scores, np.inf), rest], axis=1), axis=1)
        lowest = ordered[:, :WORST_DAYS].transpose(0, 2, 1)
        return cls(known.sum(axis=1).astype(np.float64), filled.sum(axis=1), (filled**2).sum(axis=1), lowest)

    def add(self, scores: FloatArray) -> Moments:
        """Return the moments with one more day of shape (models, cases), NaN for cases not scored."""
        known = ~np.isnan(scores)
        filled = np.where(known, scores, 0.0)
        rivals = np.concatenate([self.lowest, np.where(known, scores, np.inf)[:, :, None]], axis=2)
        return Moments(
            self.count + known,
            self.total + filled,
            self.squares + filled**2,
            np.sort(rivals, axis=2)[:, :, :WORST_DAYS],
        )

    @property
    def mean(self) -> FloatArray:
        """The mean of each case over all its days; 0 for a case that was never scored."""
        return self.total / np.maximum(self.count, 1.0)

    @property
    def variance(self) -> FloatArray:
        """The variance of each case from day to day, above 0 also for a case that never changed."""
        return self._trimmed()[1]

    def ratio(self, fall: float) -> Ratio:
        """Return the log likelihood ratio of a fall by a share of each case's expected score.

        It is 0 for a case with at most `WORST_DAYS` scored days.
        """
        mean, variance = self._trimmed()
        fallen = mean * (1.0 - fall)
        offset = np.log((1.0 - fallen) / (1.0 - mean))
        scale = np.where(self.count > WORST_DAYS, mean * (1.0 - mean) / variance, 0.0)
        return Ratio((np.log(1.0 - fall) - offset) * scale, offset * scale)

    def _trimmed(self) -> tuple[FloatArray, FloatArray]:
        """Return mean and variance without each case's worst days, with the pseudo-observations."""
        lowest = np.where(np.isfinite(self.lowest), self.lowest, 0.0)
        days = np.maximum(self.count - WORST_DAYS, 0.0) + 2.0 * PSEUDO_DAYS
        mean = (np.maximum(self.total - lowest.sum(axis=2), 0.0) + PSEUDO_DAYS) / days
        square = (np.maximum(self.squares - (lowest**2).sum(axis=2), 0.0) + PSEUDO_DAYS) / days
        return mean, np.maximum(square - mean**2, 1e-9)


BoolArray = npt.NDArray[np.bool_]


def membership(use_cases: npt.NDArray[Any]) -> FloatArray:
    """Return the membership of cases in use cases, 0 or 1, shape (use cases, cases)."""
    belongs: BoolArray = np.unique(use_cases)[:, None] == use_cases[None, :]
    return belongs.astype(np.float64)


def day_scores(
    moments: Moments, filled: FloatArray, known: BoolArray | None, members: FloatArray
) -> FloatArray:
    """Return the log likelihood ratio of a fall for every day, shape (models, days); higher is worse.

    It is the larger of two ratios: all cases fell by `FALL`, or the worst use case fell by `USE_CASE_FALL`.
    """
    return np.asarray(np.round(fall_ratios(moments, filled, known, members).max(axis=1), DECIMALS))


def fall_ratios(
    moments: Moments, filled: FloatArray, known: BoolArray | None, members: FloatArray
) -> FloatArray:
    """Return the log likelihood ratios of each kind of fall, shape (models, 1 + use cases, days).

    The first is for a fall of all cases by `FALL`, the others for a fall of one use case by `USE_CASE_FALL`.
    `moments` are those of all days; `filled` (models, cases, days) holds the scores, with 0 for scores not in
    `known` (None if none is missing). A missing case counts as its own mean.
    """
    whole, part = moments.ratio(FALL), moments.ratio(USE_CASE_FALL)
    slopes = np.concatenate([whole.slope[:, None, :], part.slope[:, None, :] * members], axis=1)
    offsets = np.concatenate([whole.offset.sum(axis=1, keepdims=True), part.offset @ members.T], axis=1)
    totals = np.matmul(slopes, filled)
    if known is not None:
        totals += np.matmul(slopes * moments.mean[:, None, :], (~known).astype(np.float64))
    totals += offsets[:, :, None]
    return np.asarray(totals)
