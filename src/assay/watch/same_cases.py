"""A day's score and its baseline on the same cases, so that a missing case moves neither."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np

from assay.core.suite import Thresholds
from assay.stats.window import Window, over
from assay.watch.baseline import Baseline, floored, golden, golden_days, rolling
from assay.watch.conditions import Bases
from assay.watch.gaps import HAIR
from assay.watch.history import BoolArray, FloatArray, IntArray

CELLS = 2_000_000
"""Numbers of (day, case, window day) that are compared at a time, to bound the memory."""


@dataclass(frozen=True, slots=True)
class CaseTable:
    """The case scores that days are compared by.

    `cases` has shape (models, cases, days), 0-1, NaN without a scored sample; `scores` (models, use cases,
    days), 0-100, are each day's means over the cases it has, NaN on a day that has no score; `fit` marks
    the days that may enter a baseline. Use case u has the cases from `starts[u]` to `starts[u + 1]`.
    `uneven` (models, use cases) marks where some case was scored on some of the scored days only. Days are
    compared with window days under the basis that `bases` names.
    """

    cases: FloatArray
    scores: FloatArray
    fit: BoolArray
    starts: tuple[int, ...]
    uneven: BoolArray
    bases: Bases | None = None

    @classmethod
    def of(
        cls,
        cases: FloatArray,
        scores: FloatArray,
        fit: BoolArray,
        starts: tuple[int, ...],
        bases: Bases | None = None,
    ) -> Self:
        """Return the table of case scores and their day's means."""
        firsts = list(starts[:-1])
        there, scored = ~np.isnan(cases), ~np.isnan(scores)
        everywhere = bool(scored.all())
        of_case = np.repeat(np.arange(len(firsts)), np.diff(starts))
        times = (there if everywhere else there & scored[:, of_case]).sum(axis=2)
        days = scored.sum(axis=2)[:, of_case]
        partly = (times > 0) & (times < days)
        uneven = np.logical_or.reduceat(partly, firsts, axis=1) if partly.size else partly[:, : len(firsts)]
        return cls(cases, scores, fit, starts, uneven if bases is None else uneven | bases.mixed, bases)

    def counts(self) -> IntArray:
        """Return how many cases each day has, shape (models, use cases, days)."""
        there = ~np.isnan(self.cases)
        counts = np.add.reduceat(there, list(self.starts[:-1]), axis=1, dtype=np.int64)
        return np.where(np.isnan(self.scores), 0, counts)

    @property
    def entering(self) -> FloatArray:
        """The scores that enter baselines, NaN elsewhere."""
        return np.where(self.fit, self.scores, np.nan)

    def today(self, use_case: int, models: IntArray, days: IntArray) -> FloatArray:
        """Return the case scores of some (model, day) cells, shape (cells, cases)."""
        values = self.cases[models, self.starts[use_case] : self.starts[use_case + 1], days]
        scored = ~np.isnan(self.scores[models, use_case, days])
        return np.where(scored[:, np.newaxis], values, np.nan)

    def past(self, use_case: int, models: IntArray, days: IntArray, window: IntArray) -> FloatArray:
        """Return the case scores that `days` (cells,) may be compared with on their `window` (cells, lags).

        Those are scores of days fit for it, under the basis that the day is compared under.

        Shape (cells, cases, lags); positions below 0 are no days.
        """
        at = np.maximum(window, 0)
        there = (window >= 0) & self.fit[models[:, np.newaxis], use_case, at]
        if self.bases is not None and self.bases.mixed[models, use_case].any():
            basis = self.bases.own[models[:, np.newaxis], use_case, at]
            there &= basis == self.bases.against[models, use_case, days][:, np.newaxis]
        part = self.cases[:, self.starts[use_case] : self.starts[use_case + 1]]
        values = part[models[:, np.newaxis], :, at].transpose(0, 2, 1)
        return np.where(there[:, np.newaxis, :], values, np.nan)


@dataclass(frozen=True, slots=True)
class Common:
    """Days compared with their windows on common cases; arrays of (cells,) but for the masks (cells, cases).

    A case is `steady` when it was scored on at least `case_share` of the window's days, and `now` when it
    was scored today; common cases are both. `score`, `mean` and `deviation` are over common cases, 0-100;
    `days` counts the window days that have enough of them, `window_days` all scored ones.
    """

    steady: BoolArray
    now: BoolArray
    score: FloatArray
    mean: FloatArray
    deviation: FloatArray
    days: IntArray
    window_days: IntArray

    @property
    def common(self) -> IntArray:
        """The number of common cases."""
        common: IntArray = (self.steady & self.now).sum(axis=1)
        return common

    @property
    def known(self) -> IntArray:
        """The number of cases that today or the baseline has."""
        known: IntArray = (self.steady | self.now).sum(axis=1)
        return known

    def sparse(self, thresholds: Thresholds) -> BoolArray:
        """Return where there is a window to compare with, but too few cases are common."""
        calibrated = self.window_days >= thresholds.least_days
        return calibrated & (self.common < thresholds.common_share * self.known - HAIR)


def compare(today: FloatArray, past: FloatArray, thresholds: Thresholds) -> Common:
    """Compare cells of one use case: `today` (cells, cases) with `past` (cells, cases, lags), 0-1.

    A window day that lacks some common cases is adjusted: its score is the mean over the common cases it
    has of (score - that case's window mean), plus the mean of all common cases' window means. A window
    day with less than `common_share` of the common cases is left out.
    """
    there = ~np.isnan(past)
    scored = there.any(axis=1)
    window_days = scored.sum(axis=1)
    times = there.sum(axis=2)
    steady = (times > 0) & (times >= thresholds.case_share * window_days[:, np.newaxis] - HAIR)
    now = ~np.isnan(today)
    both = steady & now
    common = both.sum(axis=1)
    means = np.where(there, past, 0.0).sum(axis=2) / np.maximum(times, 1)
    present = there & both[:, :, np.newaxis]
    covered = present.sum(axis=1)
    enough = (covered > 0) & (covered >= thresholds.common_share * common[:, np.newaxis] - HAIR)
    shift = np.where(present, past - means[:, :, np.newaxis], 0.0).sum(axis=1) / np.maximum(covered, 1)
    level = _mean(means, both)
    window = over(100.0 * (level[:, np.newaxis] + shift), enough)
    return Common(
        steady=steady,
        now=now,
        score=100.0 * _mean(today, both),
        mean=window.mean[:, 0],
        deviation=window.deviation[:, 0],
        days=window.count[:, 0],
        window_days=window_days,
    )


def _mean(values: FloatArray, chosen: BoolArray) -> FloatArray:
    total = np.where(chosen, values, 0.0).sum(axis=1)
    count = chosen.sum(axis=1)
    mean: FloatArray = np.divide(total, count, out=np.full(count.shape, np.nan), where=count > 0)
    return mean


@dataclass(frozen=True, slots=True)
class Matched:
    """Every (model, use case, day) beside its baseline, both on their common cases.

    `scores` are 0-100, NaN on a day without a score and where too few cases are common (`sparse`); while
    there is no window to compare with, they are over all cases of the day. `common` and `known` count
    cases as in `Common`; `window_days` the scored days of the window.
    """

    scores: FloatArray
    baseline: Baseline
    common: IntArray
    known: IntArray
    sparse: BoolArray
    window_days: IntArray


def match_window(table: CaseTable, floors: FloatArray, thresholds: Thresholds) -> Matched:
    """Compare every day with the calendar days before it; `floors` (use cases,) are the least spreads."""
    lags = np.arange(thresholds.window_days, 0, -1)

    def windows(use_case: int, models: IntArray, days: IntArray) -> IntArray:
        window: IntArray = days[:, np.newaxis] - lags
        return window

    whole = rolling(table.entering, floors, thresholds)
    return _matched(table, whole, windows, floors, thresholds)


def match_golden(table: CaseTable, floors: FloatArray, thresholds: Thresholds) -> Matched:
    """Compare every day after the first full window with that window."""
    entering = table.entering
    first, count = golden_days(entering, thresholds), thresholds.window_days

    def windows(use_case: int, models: IntArray, days: IntArray) -> IntArray:
        chosen = first[models, use_case]
        order = np.argsort(~chosen, axis=1, kind="stable")[:, :count]
        begun = np.take_along_axis(chosen, order, axis=1) & (order < days[:, np.newaxis])
        complete = begun.sum(axis=1, keepdims=True) == count
        return np.where(begun & complete, order, -1)

    return _matched(table, golden(entering, floors, thresholds), windows, floors, thresholds)


Windows = Callable[[int, IntArray, IntArray], IntArray]
"""The days, by position, that cells of a use case are compared with; below 0 for none."""


def _matched(
    table: CaseTable, whole: Baseline, windows: Windows, floors: FloatArray, thresholds: Thresholds
) -> Matched:
    """Return `whole`, compared anew wherever a day and its window do not have equal cases."""
    counts, uneven = table.counts(), table.uneven
    scored = ~np.isnan(table.scores)
    scores, sparse = table.scores.copy(), np.zeros(scored.shape, dtype=bool)
    window_days = whole.days.copy()
    known = np.where(uneven[:, :, np.newaxis], 0, counts.max(axis=2, initial=0, keepdims=True))
    known = np.where(window_days > 0, known, counts)
    common = counts.copy()
    window = Window(whole.mean.copy(), whole.deviation.copy(), whole.days.astype(np.int64))
    for use_case, models, days in _blocks(table, uneven, thresholds):
        cell = (models, use_case, days)
        today = table.today(use_case, models, days)
        past = table.past(use_case, models, days, windows(use_case, models, days))
        found = compare(today, past, thresholds)
        common[cell], known[cell], window_days[cell] = found.common, found.known, found.window_days
        sparse[cell] = found.sparse(thresholds) & scored[cell]
        calibrated = found.window_days >= thresholds.least_days
        anew = calibrated & ~_equal(today, past)
        if table.bases is not None:
            anew |= table.bases.mixed[models, use_case]
        score = np.where(calibrated, found.score, scores[cell])
        for mine, theirs in (
            (scores, np.where(sparse[cell], np.nan, score)),
            (window.mean, found.mean),
            (window.deviation, found.deviation),
            (window.count, found.days),
        ):
            mine[cell] = np.where(anew, theirs, mine[cell])
    baseline = floored(window, floors, thresholds.least_days)
    return Matched(scores, baseline, common, known, sparse, window_days)


def _blocks(
    table: CaseTable, uneven: BoolArray, thresholds: Thresholds
) -> Iterator[tuple[int, IntArray, IntArray]]:
    """Yield the cells (use case, models, days) of uneven days, a bounded number at a time."""
    days = table.scores.shape[2]
    for use_case in range(uneven.shape[1]):
        models = np.flatnonzero(uneven[:, use_case])
        width = table.starts[use_case + 1] - table.starts[use_case]
        size = max(1, CELLS // (width * thresholds.window_days * days))
        for start in range(0, len(models), size):
            chosen = models[start : start + size]
            yield use_case, np.repeat(chosen, days), np.tile(np.arange(days), len(chosen))


def _equal(today: FloatArray, past: FloatArray) -> BoolArray:
    """Return where every scored day of the window has the same cases as today."""
    there, now = ~np.isnan(past), ~np.isnan(today)
    same = (there == now[:, :, np.newaxis]).all(axis=1)
    equal: BoolArray = (same | ~there.any(axis=1)).all(axis=1)
    return equal
