"""When a fall is over, judged against the baseline from before it; shown beside the seed's verdict."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.core.suite import Thresholds
from assay.core.verdict import UseCaseState as State
from assay.watch.baseline import Baseline
from assay.watch.history import BoolArray, FloatArray, IntArray
from assay.watch.same_cases import CaseTable, Matched, compare
from assay.watch.verdict import TOLERANCE, Bars, Readings, StateArray, carried, falls


@dataclass(frozen=True, slots=True)
class Recovery:
    """For each (model, use case, day), whether a fall that the seed's rule called COOKED is over.

    `down` holds from the COOKED day until the third (`recovery_days`) scored day in a row within the band
    of `mean` and `spread`, the baseline from before the fall; on that day it ends. `since` is the
    position of the fall's first day, `within` how many days in a row have been within the band, and
    `recovered` the position of the day on which the last fall ended; -1 where there is none.
    """

    down: BoolArray
    since: IntArray
    within: IntArray
    recovered: IntArray
    mean: FloatArray
    spread: FloatArray


def recovery(
    matched: Matched, readings: Readings, bars: Bars, thresholds: Thresholds, table: CaseTable
) -> Recovery:
    """Follow each use case through its falls.

    The fall begins on the first day of the unbroken run of suspicious or worse days that ends in the
    COOKED one; its baseline is that day's. Within the band means short of suspicious against it, on the
    cases that the day has in common with that baseline. Days that the verdict leaves uncounted, and gaps,
    neither count nor break.
    """
    baseline, counted = matched.baseline, readings.counted
    shape, days = counted.shape, counted.shape[-1]
    low = counted & (readings.reading >= State.SUSPICIOUS)
    begins = low & ~carried(low, counted, False)
    start = np.maximum.accumulate(np.where(begins, np.arange(days), -1), axis=-1)
    cooked = counted & (readings.reading == State.COOKED)
    down, within = np.zeros(shape, dtype=bool), np.zeros(shape, dtype=np.int64)
    since, recovered = np.full(shape, -1), np.full(shape, -1)
    cells = shape[:-1]
    is_down, run = np.zeros(cells, dtype=bool), np.zeros(cells, dtype=np.int64)
    fell, ended = np.full(cells, -1), np.full(cells, -1)
    for day in range(days):
        score, mean, spread = _before_fall(table, baseline, fell, day, bars, thresholds)
        inside = _inside(score, mean, spread, bars)
        judged = counted[..., day] & ~(is_down & np.isnan(score))
        run = np.where(judged, np.where(inside & is_down, run + 1, 0), run)
        over = is_down & (run >= thresholds.recovery_days)
        struck = ~is_down & cooked[..., day]
        ended = np.where(over, day, ended)
        fell = np.where(struck, start[..., day], np.where(over, -1, fell))
        is_down = (is_down | struck) & ~over
        down[..., day], within[..., day] = is_down, np.where(is_down, run, 0)
        since[..., day], recovered[..., day] = fell, ended
    there = np.maximum(since, 0)
    return Recovery(
        down=down,
        since=since,
        within=within,
        recovered=recovered,
        mean=np.where(since >= 0, np.take_along_axis(baseline.mean, there, axis=-1), np.nan),
        spread=np.where(since >= 0, np.take_along_axis(baseline.spread, there, axis=-1), np.nan),
    )


def _before_fall(
    table: CaseTable, baseline: Baseline, fell: IntArray, day: int, bars: Bars, thresholds: Thresholds
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the day's scores with the mean and spread from before each fall, on common cases.

    Arrays of shape (models, use cases); NaN for the score where too few cases are common.
    """
    score = table.scores[..., day].copy()
    mean, spread = _at(baseline.mean, fell), _at(baseline.spread, fell)
    lags = np.arange(thresholds.window_days, 0, -1)
    for use_case in np.flatnonzero((table.uneven & (fell >= 0)).any(axis=0)).tolist():
        models = np.flatnonzero(table.uneven[:, use_case] & (fell[:, use_case] >= 0))
        today = table.today(use_case, models, np.full(len(models), day))
        days = np.full(len(models), day)
        past = table.past(use_case, models, days, fell[models, use_case][:, np.newaxis] - lags)
        found = compare(today, past, thresholds)
        cell = (models, use_case)
        usable = ~found.sparse(thresholds) & (found.days >= thresholds.least_days)
        score[cell] = np.where(usable, found.score, np.nan)
        mean[cell] = found.mean
        spread[cell] = np.maximum(found.deviation, bars.floor[use_case, 0])
    return score, mean, spread


def _at(values: FloatArray, day: IntArray) -> FloatArray:
    """Return each cell's value on its own day, NaN where that is -1."""
    found = np.take_along_axis(values, np.maximum(day, 0)[..., np.newaxis], axis=-1)[..., 0]
    return np.where(day >= 0, found, np.nan)


def _inside(score: FloatArray, mean: FloatArray, spread: FloatArray, bars: Bars) -> BoolArray:
    """Return where one day's scores, shape (models, use cases), are short of suspicious."""
    low = (score - mean) / spread <= bars.suspicious_z[:, 0] + TOLERANCE
    far = falls(score, mean) >= bars.suspicious_drop[:, 0] - TOLERANCE
    return np.logical_not(low | far)


def model_down(states: StateArray, down: BoolArray) -> BoolArray:
    """Return from which day a COOKED model is down until no use case of it is, shape (models, days)."""
    any_down: BoolArray = np.logical_or.reduce(down, axis=1)
    lasting = np.zeros(states.shape, dtype=bool)
    still = np.zeros(len(states), dtype=bool)
    for day in range(states.shape[-1]):
        still = (still | (states[:, day] == State.COOKED)) & any_down[:, day]
        lasting[:, day] = still
    return lasting
