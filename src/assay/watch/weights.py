"""How much a point of each case's score says about a fall: the weights of the case-level day score.

For one case with mean m and variance v the weight is the slope, in the case's score, of the logarithm of
the likelihood ratio between m and m(1 - FALL), in the quasi-binomial family with dispersion
v / (m(1 - m)): exact for a case that passes or fails, close to m FALL / v for a graded one. A case that never
fails gets a large weight, a case that flips from day to day a small one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FALL = 0.025
"""The fall, as a share of a case's expected score, that the weights are best for."""

PSEUDO_DAYS = 0.1
"""Pseudo-observations of a full and of an empty score that every case starts from."""

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Moments:
    """Sums over a case's scored days, whatever their order; every array has shape (models, cases).

    `lowest` is kept because a case's worst day is left out of its weight: the first failure of a case
    that never failed is then measured against the days without it.
    """

    count: FloatArray
    total: FloatArray
    squares: FloatArray
    lowest: FloatArray

    @classmethod
    def none(cls, models: int, cases: int) -> Moments:
        """Return the moments of no days."""
        zeros = np.zeros((models, cases))
        return cls(zeros, zeros, zeros, np.full((models, cases), np.inf))

    @classmethod
    def of(cls, scores: FloatArray) -> Moments:
        """Return the moments of scores of shape (models, days, cases), NaN where a case was not scored."""
        known = ~np.isnan(scores)
        filled = np.where(known, scores, 0.0)
        lowest = np.where(known, scores, np.inf).min(axis=1, initial=np.inf)
        return cls(known.sum(axis=1).astype(np.float64), filled.sum(axis=1), (filled**2).sum(axis=1), lowest)

    def add(self, scores: FloatArray) -> Moments:
        """Return the moments with one more day of shape (models, cases), NaN where a case was not scored."""
        known = ~np.isnan(scores)
        filled = np.where(known, scores, 0.0)
        return Moments(
            self.count + known,
            self.total + filled,
            self.squares + filled**2,
            np.minimum(self.lowest, np.where(known, scores, np.inf)),
        )

    @property
    def mean(self) -> FloatArray:
        """The mean of each case; 0 where it was never scored."""
        return self.total / np.maximum(self.count, 1.0)

    def weights(self) -> FloatArray:
        """Return each case's weight, shape (models, cases); 0 for a case scored on fewer than 2 days."""
        mean, variance = self._trimmed()
        fallen = mean * (1.0 - FALL)
        slope = np.log(mean / fallen) - np.log((1.0 - mean) / (1.0 - fallen))
        return np.where(self.count >= 2.0, slope * mean * (1.0 - mean) / variance, 0.0)

    def variance(self) -> FloatArray:
        """Return the variance of each case from day to day, never 0: a case that never moved may move yet."""
        return self._trimmed()[1]

    def _trimmed(self) -> tuple[FloatArray, FloatArray]:
        """Return mean and variance without each case's worst day, with the pseudo-observations."""
        lowest = np.where(np.isfinite(self.lowest), self.lowest, 0.0)
        days = np.maximum(self.count - 1.0, 0.0) + 2.0 * PSEUDO_DAYS
        mean = (np.maximum(self.total - lowest, 0.0) + PSEUDO_DAYS) / days
        square = (np.maximum(self.squares - lowest**2, 0.0) + PSEUDO_DAYS) / days
        return mean, np.maximum(square - mean**2, 1e-9)
