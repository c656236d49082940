"""A cumulative-sum chart of the case-level day score with a simulated threshold: faster, with less promised.

Page's chart (1954), run at several reference values at once: each scored day adds how far it lies below the
calibration days, in standard deviations, less the reference; the sum never falls below 0. The first
`CALIBRATION_DAYS` scored days set weights, centre and spread for good. The threshold comes from
simulating the null of one suite (`tuning.tune`) and holds for that null only.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from assay.watch.weights import Moments

CALIBRATION_DAYS = 28

REFERENCES = (0.5, 1.0, 2.0)
"""Reference values, in standard deviations of a day; each is best for a fall of twice its size."""

THRESHOLD = 15.0
"""The height that raises an alarm, in units of log likelihood; `tuning.tune` finds one for a suite."""

FALL = 0.05
"""The fall, as a share of every case's expected score, that the case weights are best for."""

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Scale:
    """What the calibration days set: `weights`, `means` and `variances` (models, cases), `spread` (models,).

    `spread` is the standard deviation of a complete day's weighted score; at least what independent
    cases would have, smoothed, so that a spotless calibration does not make it 0.
    """

    weights: FloatArray
    means: FloatArray
    variances: FloatArray
    spread: FloatArray

    @classmethod
    def of(cls, calibration: FloatArray) -> Scale:
        """Return the scale that calibration days of shape (models, days, cases) set; NaN rows are ignored."""
        moments = Moments.of(calibration)
        weights, means, variances = -moments.ratio(FALL).slope, moments.mean, moments.variance
        rough = cls(weights, means, variances, np.sqrt((weights**2 * variances).sum(axis=1)))
        z = rough.standardise(calibration)
        scored = ~np.isnan(z)
        days = np.maximum(scored.sum(axis=1), 2)
        seen = np.sqrt((np.where(scored, z, 0.0) ** 2).sum(axis=1) / (days - 1))
        return replace(rough, spread=rough.spread * np.maximum(seen, 1.0))

    def standardise(self, scores: FloatArray) -> FloatArray:
        """Return how far each day lies below the calibration, in standard deviations.

        `scores` has shape (models, days, cases), the result (models, days), NaN where nothing that the
        calibration knows was scored. A day that misses cases is measured by the spread of the others.
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
class Chart:
    """The chart's state for several models.

    `calibration` (models, days, cases) holds each model's calibration days so far, NaN beyond them, and
    `filled` (models,) counts them. `heights` has shape (models, references). `alarm` (models,) is
    whether today reached the threshold, which sets the heights back to 0; `height` what it was.
    """

    calibration: FloatArray
    filled: npt.NDArray[np.int64]
    scale: Scale
    heights: FloatArray
    height: FloatArray
    alarm: BoolArray


@dataclass(frozen=True, slots=True)
class Course:
    """The chart day by day: `height` before any reset, and `alarm`, each of shape (models, days)."""

    height: FloatArray
    alarm: BoolArray


def begin(models: int, cases: int) -> Chart:
    """Return the chart before the first day."""
    zeros = np.zeros((models, cases))
    return Chart(
        calibration=np.full((models, CALIBRATION_DAYS, cases), np.nan),
        filled=np.zeros(models, dtype=np.int64),
        scale=Scale(zeros, zeros, zeros, np.ones(models)),
        heights=np.zeros((models, len(REFERENCES))),
        height=np.zeros(models),
        alarm=np.zeros(models, dtype=bool),
    )


def step(chart: Chart, scores: npt.ArrayLike, *, threshold: float = THRESHOLD) -> Chart:
    """Return the chart after one more day of case scores (models, cases), 0-1, NaN where not scored.

    A row of NaN is a gap: it neither counts nor breaks.
    """
    today = np.asarray(scores, dtype=np.float64)
    scored = ~np.isnan(today).all(axis=1)
    learning = scored & (chart.filled < CALIBRATION_DAYS)
    calibration, filled = chart.calibration, chart.filled + learning
    if learning.any():
        calibration = calibration.copy()
        calibration[learning, chart.filled[learning]] = today[learning]
    scale = chart.scale
    if (learning & (filled == CALIBRATION_DAYS)).any():
        scale = Scale.of(calibration)
    z = scale.standardise(today[:, None, :])[:, 0]
    z = np.where(chart.filled == CALIBRATION_DAYS, z, np.nan)
    return _climb(replace(chart, calibration=calibration, filled=filled, scale=scale), z, threshold)


def follow(scores: npt.ArrayLike, *, threshold: float = THRESHOLD) -> Course:
    """Return the chart's course over whole histories of shape (models, cases, days): `step`, day by day."""
    return climb(distances(scores), threshold=threshold)


def distances(scores: npt.ArrayLike) -> FloatArray:
    """Return how far each day lies below the calibration days, from (models, cases, days) to (models, days).

    In standard deviations; NaN on calibration days and gaps.
    """
    values = np.ascontiguousarray(np.asarray(scores, dtype=np.float64).transpose(0, 2, 1))
    scored = ~np.isnan(values).all(axis=2)
    calibrating = scored & (np.cumsum(scored, axis=1) <= CALIBRATION_DAYS)
    scale = Scale.of(np.where(calibrating[:, :, None], values, np.nan))
    return np.where(scored & ~calibrating, scale.standardise(values), np.nan)


def climb(z: FloatArray, *, threshold: float) -> Course:
    """Return the course of the chart over daily distances of shape (models, days), NaN for none."""
    models, days = z.shape
    chart = begin(models, 1)
    course = Course(np.zeros((models, days)), np.zeros((models, days), dtype=bool))
    for day in range(days):
        chart = _climb(chart, z[:, day], threshold)
        course.height[:, day], course.alarm[:, day] = chart.height, chart.alarm
    return course


def _climb(chart: Chart, z: FloatArray, threshold: float) -> Chart:
    """Add a day, given by its distance below the calibration; NaN changes nothing."""
    references = np.asarray(REFERENCES)
    raised = np.maximum(chart.heights + z[:, None] - references, 0.0)
    heights = np.where(np.isnan(z)[:, None], chart.heights, raised)
    height = (2.0 * references * heights).max(axis=1)
    alarm = ~np.isnan(z) & (height >= threshold)
    return replace(chart, heights=np.where(alarm[:, None], 0.0, heights), height=height, alarm=alarm)
