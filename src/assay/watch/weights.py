"""What each case's score says about a fall: the log likelihood ratios that make up a day's score.

For one case with mean m and variance v, the ratio between m(1 - fall) and m is that of the quasi-binomial
family with dispersion v / (m(1 - m)): exact for a case that passes or fails, close to the normal one for
a graded case. It is linear in the score. A case that never fails has a steep slope, a case
that flips from day to day a flat one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

PSEUDO_DAYS = 0.1
"""Pseudo-observations of a full and of an empty score that every case starts from."""

WORST_DAYS = 3
"""Days on which a case scored least that are left out of its mean and variance."""

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Ratio:
    """Log likelihood ratios of a fall: `slope * score + offset` for each case, shape (models, cases)."""

    slope: FloatArray
    offset: FloatArray


@dataclass(frozen=True, slots=True)
class Moments:
    """Sums over a case's scored days, whatever their order; arrays have shape (models, cases).

    `lowest` (models, cases, WORST_DAYS) holds the least scores, infinite while there are fewer: the first
    failures of a case that never failed are measured against the days without them.
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
        """Return the moments of scores of shape (models, days, cases), NaN where a case was not scored."""
        known = ~np.isnan(scores)
        filled = np.where(known, scores, 0.0)
        rest = np.full((scores.shape[0], WORST_DAYS, scores.shape[2]), np.inf)
        ordered = np.sort(np.concatenate([np.where(known, scores, np.inf), rest], axis=1), axis=1)
        lowest = ordered[:, :WORST_DAYS].transpose(0, 2, 1)
        return cls(known.sum(axis=1).astype(np.float64), filled.sum(axis=1), (filled**2).sum(axis=1), lowest)

    def add(self, scores: FloatArray) -> Moments:
        """Return the moments with one more day of shape (models, cases), NaN where a case was not scored."""
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
        """The mean of each case over all its days; 0 where it was never scored."""
        return self.total / np.maximum(self.count, 1.0)

    @property
    def variance(self) -> FloatArray:
        """The variance of each case from day to day, never 0: a case that never moved may move yet."""
        return self._trimmed()[1]

    def ratio(self, fall: float) -> Ratio:
        """Return the log likelihood ratio of a fall by a share of each case's expected score.

        It is 0 for a case with no more scored days than are left out.
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
