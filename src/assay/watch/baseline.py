"""The recent history that a day's score is compared with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.core.suite import Thresholds
from assay.stats.window import Window, summarise, trailing
from assay.watch.history import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Baseline:
    """Mean and spread of earlier scores, for each (model, use case, day) or shapes that broadcast to it.

    Scores are 0-100. `mean`, `deviation` (the sample standard deviation) and `spread` (the same, but at least
    the floor) are NaN if there are fewer than the least days; `days` is the number of days in any case.
    """

    mean: FloatArray
    deviation: FloatArray
    spread: FloatArray
    days: IntArray

    @property
    def exists(self) -> BoolArray:
        """A mask of the days with a baseline; on other days the use case calibrates."""
        return ~np.isnan(self.mean)


def rolling(scores: FloatArray, floors: FloatArray, thresholds: Thresholds) -> Baseline:
    """Return the baseline of the calendar days before each day.

    `scores` (models, use cases, days) are NaN for days that must not enter; `floors` (use cases,) are the
    least spreads.
    """
    return floored(trailing(scores, thresholds.window_days), floors, thresholds.least_days)


def golden(scores: FloatArray, floors: FloatArray, thresholds: Thresholds) -> Baseline:
    """Return the baseline of the first full window, which never moves and so shows slow drift.

    The window is the first `window_days` scored days of each (model, use case). The golden baseline exists
    only after those days.
    """
    scored = ~np.isnan(scores)
    window = summarise(scores, golden_days(scores, thresholds))
    after = (np.cumsum(scored, axis=-1) - scored) >= thresholds.window_days
    all_days = Window(
        np.where(after, window.mean, np.nan),
        np.where(after, window.deviation, np.nan),
        np.broadcast_to(window.count, scores.shape),
    )
    return floored(all_days, floors, thresholds.least_days)


def golden_days(scores: FloatArray, thresholds: Thresholds) -> BoolArray:
    """Return the days of the first full window: the first `window_days` with a score."""
    scored = ~np.isnan(scores)
    first: BoolArray = scored & (np.cumsum(scored, axis=-1) <= thresholds.window_days)
    return first


def floored(window: Window, floors: FloatArray, least: int) -> Baseline:
    """Return the baselines of windows with at least `least` days. The spread is at least the floor."""
    enough = window.count >= least
    deviation = np.where(enough, window.deviation, np.nan)
    return Baseline(
        mean=np.where(enough, window.mean, np.nan),
        deviation=deviation,
        spread=np.maximum(deviation, floors[:, np.newaxis]),
        days=window.count,
    )
