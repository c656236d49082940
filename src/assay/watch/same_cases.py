"""Comparison of a day's score with its baseline on the same cases, so that a missing case changes neither."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from assay.core.suite import Thresholds
from assay.stats.window import Window, summarise
from assay.watch.baseline import Baseline, floored, golden, golden_days, rolling
from assay.watch.conditions import Bases
from assay.watch.gaps import HAIR
from assay.watch.history import BoolArray, FloatArray, IntArray

CELLS = 50_000
"""The number of (model, case, day) compared at a time, which fit into a processor's cache."""

NO_DAY = -1
"""Stands for no day, and for the basis of a day without a score."""


@dataclass(frozen=True, slots=True)
class CaseTable:
    """The case scores by which days are compared.

    `cases` has shape (models, cases, days), 0-1, NaN without a scored sample; `scores` (models, use cases,
    days), 0-100, are each day's means over its cases, NaN without a score; `fit` marks the days that may
    enter a baseline. Use case u has the cases from `starts[u]` to `starts[u + 1]`. `uneven` (models, use
    cases) is true if some case was scored on only a part of the scored days. Days are compared with the
    window days of the same basis, given by `bases`.
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
        """Return the table of case scores and the means of their days."""
        firsts = list(starts[:-1])
        present, scored = ~np.isnan(cases), ~np.isnan(scores)
        complete = bool(scored.all())
        of_case = np.repeat(np.arange(len(firsts)), np.diff(starts))
        times = (present if complete else present & scored[:, of_case]).sum(axis=2)
        days = scored.sum(axis=2)[:, of_case]
        partly = (times > 0) & (times < days)
        uneven = np.logical_or.reduceat(partly, firsts, axis=1) if partly.size else partly[:, : len(firsts)]
        return cls(cases, scores, fit, starts, uneven if bases is None else uneven | bases.mixed, bases)

    def counts(self) -> IntArray:
        """Return the number of cases of each day, shape (models, use cases, days)."""
        present = ~np.isnan(self.cases)
        counts = np.add.reduceat(present, list(self.starts[:-1]), axis=1, dtype=np.int64)
        return np.where(np.isnan(self.scores), 0, counts)

    @property
    def entering(self) -> FloatArray:
        """The scores that enter baselines; the others are NaN."""
        return np.where(self.fit, self.scores, np.nan)

    def today(self, use_case: int | IntArray, models: IntArray, days: IntArray) -> FloatArray:
        """Return the case scores of (model, use case, day) cells, shape (cells, cases).

        Cells of a use case with fewer cases than the largest are filled with NaN.
        """
        columns, own = self._columns(use_case)
        values = self.cases[models[:, np.newaxis], columns, days[:, np.newaxis]]
        scored = ~np.isnan(self.scores[models, use_case, days])
        return np.where(scored[:, np.newaxis] & own, values, np.nan)

    def past(
        self, use_case: int | IntArray, models: IntArray, days: IntArray, window: IntArray
    ) -> FloatArray:
        """Return the case scores of the `window` (cells, lags) of days, shape (cells, cases, lags).

        They are NaN on days that may not enter the baseline or have another basis than the day is compared
        under. Positions below 0 stand for no day.
        """
        at, rows = np.maximum(window, 0), models[:, np.newaxis]
        of = np.broadcast_to(use_case, models.shape)[:, np.newaxis]
        usable = (window >= 0) & self.fit[rows, of, at]
        if self.bases is not None and self.bases.mixed[models, use_case].any():
            usable &= (
                self.bases.own[rows, of, at] == self.bases.against[models, use_case, days][:, np.newaxis]
            )
        columns, own = self._columns(use_case)
        values = self.cases[rows[:, :, np.newaxis], columns[:, :, np.newaxis], at[:, np.newaxis]]
        return np.where(usable[:, np.newaxis] & own[:, :, np.newaxis], values, np.nan)

    def _columns(self, use_case: int | IntArray) -> tuple[IntArray, BoolArray]:
        """Return the positions of the cases of each cell's use case, and a mask of its own ones."""
        chosen = np.atleast_1d(use_case)
        starts = np.array(self.starts)
        widths = np.diff(starts)[chosen][:, np.newaxis]
        places = np.arange(widths.max(initial=0))
        own = places < widths
        return np.where(own, starts[chosen][:, np.newaxis] + places, 0), own

    def span(self, use_case: int, models: IntArray, days: int) -> Iterator[WindowDay]:
        """Yield the days up to `days` before each day of some models, the earliest first.

        The values are those of `past` for such windows, without copies; shape (models, cases, days).
        """
        size = self.cases.shape[2]
        fit = self.fit[models, use_case]
        part = self.cases[models, self.starts[use_case] : self.starts[use_case + 1]]
        present = np.zeros((*part.shape[:2], days + size), dtype=bool)
        present[..., days:] = ~np.isnan(part) & fit[:, np.newaxis]
        filled = np.zeros(present.shape)
        filled[..., days:] = np.where(present[..., days:], part, 0.0)
        mixed = self.bases is not None and bool(self.bases.mixed[models, use_case].any())
        for start in range(days):
            scores, scored = filled[..., start : start + size], present[..., start : start + size]
            if mixed and self.bases is not None:
                basis = np.full((len(models), days + size), NO_DAY)
                basis[:, days:] = self.bases.own[models, use_case]
                alike = basis[:, start : start + size] == self.bases.against[models, use_case]
                scored = scored & alike[:, np.newaxis]
                scores = np.where(scored, scores, 0.0)
            yield scores, scored


@dataclass(frozen=True, slots=True)
class Common:
    """Days compared with their windows on common cases; arrays of (cells,), masks of (cells, cases).

    A case is `steady` if it was scored on at least `case_share` of the window's days, and `now` if it was
    scored today; common cases are both. `score`, `mean` and `deviation` are over common cases, 0-100; `days`
    counts the window days with enough of them, `window_days` all scored ones. `equal` is true if every
    scored day of the window has the same cases as today.
    """

    steady: BoolArray
    now: BoolArray
    score: FloatArray
    mean: FloatArray
    deviation: FloatArray
    days: IntArray
    window_days: IntArray
    equal: BoolArray

    @property
    def common(self) -> IntArray:
        """The number of common cases."""
        common: IntArray = (self.steady & self.now).sum(axis=1)
        return common

    @property
    def known(self) -> IntArray:
        """The number of cases of today or the baseline."""
        known: IntArray = (self.steady | self.now).sum(axis=1)
        return known

    def sparse(self, thresholds: Thresholds) -> BoolArray:
        """Return a mask of cells that have a window, but too few common cases."""
        calibrated = self.window_days >= thresholds.least_days
        return calibrated & (self.common < thresholds.common_share * self.known - HAIR)


def compare(today: FloatArray, past: FloatArray, thresholds: Thresholds) -> Common:
    """Compare cells: `today` (cells, cases) with `past` (cells, cases, lags), 0-1.

    The score of a window day without some of the common cases is adjusted: it is the mean, over its common
    cases, of (score - window mean of the case), plus the mean of all common cases' window means. A window day
    with less than `common_share` of the common cases is left out.
    """
    present = ~np.isnan(past)
    filled = np.where(present, past, 0.0)
    window = [(filled[:, :, lag], present[:, :, lag]) for lag in range(past.shape[2])]
    return _compare_window(today, window, thresholds)


WindowDay = tuple[FloatArray, BoolArray]
"""One day of each cell's window: case scores (0 for missing ones), and a mask of the present ones."""


def _compare_window(today: FloatArray, window: Sequence[WindowDay], thresholds: Thresholds) -> Common:
    """Compare `today` (cells, cases, ...) with the days of a window, each of the same shape.

    The days are processed one by one, as whole windows of all cells would not fit into a cache.
    """
    small = np.min_scalar_type(max(len(window), today.shape[1]))
    times, total = np.zeros(today.shape, dtype=small), np.zeros(today.shape)
    window_days = np.zeros(today.shape[:1] + today.shape[2:], dtype=np.int64)
    for filled, present in window:
        times += present.view(np.uint8)
        total += filled
        window_days += present.any(axis=1)
    steady = (times > 0) & (times >= thresholds.case_share * window_days[:, np.newaxis] - HAIR)
    now = ~np.isnan(today)
    both = steady & now
    common = both.sum(axis=1)
    means = total / np.maximum(times, 1)
    shape = (len(window), *window_days.shape)
    shift, enough = np.zeros(shape), np.zeros(shape, dtype=bool)
    least = thresholds.common_share * common - HAIR
    for place, (filled, present) in enumerate(window):
        usable = present & both
        covered = usable.view(np.uint8).sum(axis=1, dtype=small)
        enough[place] = (covered > 0) & (covered >= least)
        above = np.where(usable, filled - means, 0.0).sum(axis=1)
        shift[place] = above / np.maximum(covered, 1)
    level = _mean(means, both)
    days = summarise(100.0 * np.moveaxis(level + shift, 0, -1), np.moveaxis(enough, 0, -1))
    return Common(
        steady=steady,
        now=now,
        score=100.0 * _mean(today, both),
        mean=days.mean[..., 0],
        deviation=days.deviation[..., 0],
        days=days.count[..., 0],
        window_days=window_days,
        equal=(times == np.where(now, window_days[:, np.newaxis], 0)).all(axis=1),
    )


def _mean(values: FloatArray, chosen: BoolArray) -> FloatArray:
    total = np.where(chosen, values, 0.0).sum(axis=1)
    count = chosen.sum(axis=1)
    mean: FloatArray = np.divide(total, count, out=np.full(count.shape, np.nan), where=count > 0)
    return mean


@dataclass(frozen=True, slots=True)
class MatchedHistory:
    """The score of every (model, use case, day) and its baseline, both on their common cases.

    `scores` are 0-100, NaN without a score or if too few cases are common (`sparse`); without a window to
    compare with, they are over all cases of the day. `common` and `known` count cases as in `Common`, and
    `window_days` counts the scored days of the window.
    """

    scores: FloatArray
    baseline: Baseline
    common: IntArray
    known: IntArray
    sparse: BoolArray
    window_days: IntArray


def match_window(table: CaseTable, floors: FloatArray, thresholds: Thresholds) -> MatchedHistory:
    """Compare every day with the calendar days before it; `floors` (use cases,) are the least spreads."""
    days = np.arange(table.scores.shape[2])

    def compare_days(use_case: int, models: IntArray) -> Common:
        today = table.today(use_case, np.repeat(models, len(days)), np.tile(days, len(models)))
        today = today.reshape(len(models), len(days), -1).transpose(0, 2, 1)
        span = tuple(table.span(use_case, models, thresholds.window_days))
        return _compare_window(np.ascontiguousarray(today), span, thresholds)

    return _match(table, rolling(table.entering, floors, thresholds), compare_days, floors, thresholds)


def match_golden(table: CaseTable, floors: FloatArray, thresholds: Thresholds) -> MatchedHistory:
    """Compare every day after the first full window with that window."""
    entering = table.entering
    first, count = golden_days(entering, thresholds), thresholds.window_days
    size = table.scores.shape[2]

    def compare_days(use_case: int, models: IntArray) -> Common:
        chosen = first[models, use_case]
        order = np.argsort(~chosen, axis=1, kind="stable")[:, :count]
        whole = chosen.sum(axis=1) == count
        over = whole[:, np.newaxis] & (np.arange(size) > order.max(axis=1, initial=0)[:, np.newaxis])
        places, days = np.repeat(np.arange(len(models)), size), np.tile(np.arange(size), len(models))
        today = table.today(use_case, models[places], days)
        against = None if table.bases is None else table.bases.against[models, use_case].ravel()
        alike, back = _group_alike(places, over.ravel(), against, ~np.isnan(today))
        window = np.where(over.ravel()[alike, np.newaxis], order[places[alike]], NO_DAY)
        past = table.past(use_case, models[places[alike]], days[alike], window)
        kinds = compare(today[alike], past, thresholds)
        shape = (len(models), size)
        steady = kinds.steady[back]
        return Common(
            steady=steady.reshape(*shape, -1).transpose(0, 2, 1),
            now=kinds.now[back].reshape(*shape, -1).transpose(0, 2, 1),
            score=100.0 * _mean(today, steady & ~np.isnan(today)).reshape(shape),
            mean=kinds.mean[back].reshape(shape),
            deviation=kinds.deviation[back].reshape(shape),
            days=kinds.days[back].reshape(shape),
            window_days=kinds.window_days[back].reshape(shape),
            equal=kinds.equal[back].reshape(shape),
        )

    return _match(table, golden(entering, floors, thresholds), compare_days, floors, thresholds)


CompareDays = Callable[[int, IntArray], Common]
"""Compares a use case of some models on every day; arrays of (models, days), masks (models, cases, days)."""


def _group_alike(
    places: IntArray, over: BoolArray, against: IntArray | None, now: BoolArray
) -> tuple[IntArray, IntArray]:
    """Return one cell of each kind, and the kind of each cell as a position among them.

    Cells of a kind have the same model (`places`), window and basis, and the same cases today: `now`
    (cells, cases). Their baselines are equal, so one comparison is enough.
    """
    key = 2 * places + over
    parts = [] if against is None else [against]
    bits = np.packbits(now, axis=1)
    padded = np.zeros((len(bits), -(-bits.shape[1] // 8) * 8), dtype=np.uint8)
    padded[:, : bits.shape[1]] = bits
    words = padded.view(np.int64)
    kinds, back = key, key
    for part in (*parts, *(words[:, column] for column in range(words.shape[1]))):
        _, values = np.unique(part, return_inverse=True)
        kinds = kinds * (int(values.max(initial=0)) + 1) + values
        _, alike, back = np.unique(kinds, return_index=True, return_inverse=True)
        kinds = back
    return alike, back


def _match(
    table: CaseTable, whole: Baseline, compare_days: CompareDays, floors: FloatArray, thresholds: Thresholds
) -> MatchedHistory:
    """Return `whole`, with a new comparison of days whose window does not have equal cases."""
    counts, uneven = table.counts(), table.uneven
    scored = ~np.isnan(table.scores)
    scores, sparse = table.scores.copy(), np.zeros(scored.shape, dtype=bool)
    window_days = whole.days.copy()
    known = np.where(uneven[:, :, np.newaxis], 0, counts.max(axis=2, initial=0, keepdims=True))
    known = np.where(window_days > 0, known, counts)
    common = counts.copy()
    window = Window(whole.mean.copy(), whole.deviation.copy(), whole.days.astype(np.int64))
    for use_case, models in _blocks(table, uneven):
        cell = (models, use_case)
        compared = compare_days(use_case, models)
        common[cell], known[cell] = compared.common, compared.known
        window_days[cell] = compared.window_days
        sparse[cell] = compared.sparse(thresholds) & scored[cell]
        calibrated = compared.window_days >= thresholds.least_days
        anew = calibrated & ~compared.equal
        if table.bases is not None:
            anew |= table.bases.mixed[cell][:, np.newaxis]
        score = np.where(calibrated, compared.score, scores[cell])
        for values, new in (
            (scores, np.where(sparse[cell], np.nan, score)),
            (window.mean, compared.mean),
            (window.deviation, compared.deviation),
            (window.count, compared.days),
        ):
            values[cell] = np.where(anew, new, values[cell])
    baseline = floored(window, floors, thresholds.least_days)
    return MatchedHistory(scores, baseline, common, known, sparse, window_days)


def _blocks(table: CaseTable, uneven: BoolArray) -> Iterator[tuple[int, IntArray]]:
    """Yield the use cases with uneven days and their models, a bounded number at a time."""
    days = table.scores.shape[2]
    for use_case in range(uneven.shape[1]):
        models = np.flatnonzero(uneven[:, use_case])
        width = table.starts[use_case + 1] - table.starts[use_case]
        size = max(1, CELLS // (width * days))
        for start in range(0, len(models), size):
            yield use_case, models[start : start + size]
