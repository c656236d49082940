"""The recent history that a day's score is compared with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.core.suite import Thresholds
from assay.stats.window import Window, over, trailing
from assay.watch.history import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Baseline:
    """Mean and spread of earlier scores, for each (model, use case, day) or shapes that broadcast to it.

    Scores are 0-100. `mean`, `deviation` (the sample standard deviation) and `spread` (the same, floored)
    are NaN while there are fewer than the least days; `days` counts the days used either way.
    """

    mean: FloatArray
    deviation: FloatArray
    spread: FloatArray
    days: IntArray

    @property
    def there(self) -> BoolArray:
        """Where there is a baseline; elsewhere the use case calibrates."""
        return ~np.isnan(self.mean)


def rolling(scores: FloatArray, floors: FloatArray, thresholds: Thresholds) -> Baseline:
    """Return the baseline of the calendar days before each day.

    `scores` has NaN wherever a day must not enter, shape (models, use cases, days); `floors` are the
    least spreads, shape (use cases,).
    """
    return floored(trailing(scores, thresholds.window_days), floors, thresholds.least_days)


def golden(scores: FloatArray, floors: FloatArray, thresholds: Thresholds) -> Baseline:
    """Return the baseline of the first full window, which never moves: slow drift shows against it.

    The window is the first `window_days` scored days of each (model, use case). There is no golden
    baseline on those days, nor before them.
    """
    there = ~np.isnan(scores)
    window = over(scores, golden_days(scores, thresholds))
    after = (np.cumsum(there, axis=-1) - there) >= thresholds.window_days
    everywhere = Window(
        np.where(after, window.mean, np.nan),
        np.where(after, window.deviation, np.nan),
        np.broadcast_to(window.count, scores.shape),
    )
    return floored(everywhere, floors, thresholds.least_days)


def golden_days(scores: FloatArray, thresholds: Thresholds) -> BoolArray:
    """Return the days of the first full window: the first `window_days` with a score."""
    there = ~np.isnan(scores)
    first: BoolArray = there & (np.cumsum(there, axis=-1) <= thresholds.window_days)
    return first


def floored(window: Window, floors: FloatArray, least: int) -> Baseline:
    """Return the baseline of windows: none below `least` days, the spread at least the floor."""
    enough = window.count >= least
    deviation = np.where(enough, window.deviation, np.nan)
    return Baseline(
        mean=np.where(enough, window.mean, np.nan),
        deviation=deviation,
        spread=np.maximum(deviation, floors[:, np.newaxis]),
        days=window.count,
    )
