"""A cumulative-sum (CUSUM) chart of the case-level day score with a simulated threshold.

Page's chart (1954) at several reference values: each scored day adds its distance below the calibration
days, in standard deviations, less the reference; the sum never falls below 0. The first `CALIBRATION_DAYS`
scored days fix weights, centre and spread. The threshold is found by simulation of one suite without falls
(`tuning.tune`) and is valid for that suite only. The chart is faster than the sequential test, but has no
guarantee.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from assay.watch.weights import Moments

CALIBRATION_DAYS = 28

REFERENCES = (0.5, 1.0, 2.0)
"""Reference values, in standard deviations of a day. Each is best for a fall of twice its size."""

THRESHOLD = 15.0
"""The height that raises an alarm, in units of log likelihood. `tuning.tune` finds it for a suite."""

FALL = 0.05
"""The fall for which the case weights are best, as a share of every case's expected score."""

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class CusumScale:
    """The scale set by calibration days: `weights`, `means`, `variances` (models, cases), `spread` (models,).

    `spread` is the standard deviation of a complete day's weighted score, and at least that of independent
    cases, smoothed, so it is not 0 after a perfect calibration.
    """

    weights: FloatArray
    means: FloatArray
    variances: FloatArray
    spread: FloatArray

    @classmethod
    def of(cls, calibration: FloatArray) -> CusumScale:
        """Return the scale of calibration days of shape (models, days, cases); NaN rows are ignored."""
        moments = Moments.of(calibration)
        weights, means, variances = -moments.ratio(FALL).slope, moments.mean, moments.variance
        rough = cls(weights, means, variances, np.sqrt((weights**2 * variances).sum(axis=1)))
        z = rough.standardise(calibration)
        scored = ~np.isnan(z)
        days = np.maximum(scored.sum(axis=1), 2)
        seen = np.sqrt((np.where(scored, z, 0.0) ** 2).sum(axis=1) / (days - 1))
        return replace(rough, spread=rough.spread * np.maximum(seen, 1.0))

    def standardise(self, scores: FloatArray) -> FloatArray:
        """Return the distance of each day below the calibration, in standard deviations.

        `scores` has shape (models, days, cases), the result (models, days), NaN if no case of the
        calibration was scored. A day with missing cases is compared with the spread of the others.
        """
        known = ~np.isnan(scores)
        below = np.where(known, self.means[:, None, :] - scores, 0.0)
        sums = np.matmul(below, self.weights[:, :, None])[:, :, 0]
        parts = self.weights**2 * self.variances
        share = np.matmul(known.astype(np.float64), parts[:, :, None])[:, :, 0]
        share /= np.maximum(parts.sum(axis=1, keepdims=True), 1e-300)
        with np.errstate(invalid="ignore", divide="ignore"):
            z = sums / (self.spread[:, None] * np.sqrt(share))
        return np.where(share > 0.0, z, np.nan)


@dataclass(frozen=True, slots=True)
class CusumCourse:
    """The chart day by day, arrays of shape (models, days).

    `alarm` is true on days that reached the threshold, which resets the heights to 0. `height` is the
    greatest height before the reset.
    """

    height: FloatArray
    alarm: BoolArray


def follow(scores: npt.ArrayLike, *, threshold: float = THRESHOLD) -> CusumCourse:
    """Return the chart's course over whole histories of shape (models, cases, days)."""
    return climb(distances(scores), threshold=threshold)


def distances(scores: npt.ArrayLike) -> FloatArray:
    """Return the distances of days below the calibration days, in standard deviations, shape (models, days).

    `scores` has shape (models, cases, days). Calibration days and gaps are NaN.
    """
    values = np.ascontiguousarray(np.asarray(scores, dtype=np.float64).transpose(0, 2, 1))
    scored = ~np.isnan(values).all(axis=2)
    calibrating = scored & (np.cumsum(scored, axis=1) <= CALIBRATION_DAYS)
    scale = CusumScale.of(np.where(calibrating[:, :, None], values, np.nan))
    return np.where(scored & ~calibrating, scale.standardise(values), np.nan)


def climb(z: FloatArray, *, threshold: float) -> CusumCourse:
    """Return the course of the chart over daily distances of shape (models, days), NaN for none."""
    models, days = z.shape
    references = np.asarray(REFERENCES)
    heights = np.zeros((models, len(REFERENCES)))
    course = CusumCourse(np.zeros((models, days)), np.zeros((models, days), dtype=bool))
    for day in range(days):
        known = ~np.isnan(z[:, day])
        raised = np.maximum(heights + z[:, day, None] - references, 0.0)
        heights = np.where(known[:, None], raised, heights)
        height = (2.0 * references * heights).max(axis=1)
        alarm = known & (height >= threshold)
        heights = np.where(alarm[:, None], 0.0, heights)
        course.height[:, day], course.alarm[:, day] = height, alarm
    return course
