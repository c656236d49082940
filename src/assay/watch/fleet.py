"""The fleet-adjusted test: falls of a model beyond those of the other watched models on the same cases and
days.

A swing that all models share (the suite, the judge, this client's network, a router) moves their days
together. The other models, the controls, show it: their swing of a day is subtracted from the model's own
day score, as far as the two moved together so far, and the rest goes into the sequential test.
docs/methodology/fleet.md explains its guarantee and its limits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.watch.bets import FALLS
from assay.watch.sequential import FALSE_ALARMS, GAP, LEAST_DAYS, graded_patterns, ranks_today, wager
from assay.watch.weights import DECIMALS, Moments, fall_ratios, membership

TRIMMED = 0.25
"""The share of the controls left out at each end of their mean, but at least one of three or more."""

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class FleetCourse:
    """The test day by day, arrays of shape (models, days); `level`, `alarm`, `since` as in `sequential`.

    `controls` is the number of other models in the comparison of a day, and `days` the number of days so far
    that the model has in common with them.
    """

    level: FloatArray
    alarm: BoolArray
    since: IntArray
    controls: IntArray
    days: IntArray


def follow(
    scores: npt.ArrayLike,
    use_cases: npt.ArrayLike,
    ties: npt.ArrayLike,
    related: npt.ArrayLike,
    *,
    false_alarms: float = FALSE_ALARMS,
) -> FleetCourse:
    """Return the test's course over whole histories of base samples, as `sequential.follow` does.

    `scores` (models, cases, days) are in 0-1, NaN for cases not scored; `ties` (models, days) are fresh
    uniform numbers in (0, 1]. `related` (models, models) marks pairs that are not controls of each other,
    such as one model behind two providers.
    """
    values = np.asarray(scores, dtype=np.float64)
    models, cases, days = values.shape
    known = ~np.isnan(values)
    filled, complete = np.where(known, values, 0.0), bool(known.all())
    members = membership(np.asarray(use_cases))
    patterns, chance = graded_patterns(values, members), np.asarray(ties, dtype=np.float64)
    allowed = ~(np.asarray(related, dtype=bool) | np.eye(models, dtype=bool))
    moments, stakes = Moments.none(models, cases), np.empty((models, 0, len(FALLS)))
    shape = (models, days)
    course = FleetCourse(
        np.zeros(shape), np.zeros(shape, bool), np.full(shape, -1), np.zeros(shape, int), np.zeros(shape, int)
    )
    for day in range(days):
        moments = moments.add(values[:, :, day])
        so_far = slice(day + 1)
        ratios = fall_ratios(
            moments, filled[:, :, so_far], None if complete else known[:, :, so_far], members
        )
        today = [adjusted(ratios, patterns[:, so_far], allowed[model], model) for model in range(models)]
        same = np.stack([own.common for own in today])
        course.controls[:, day] = [own.controls for own in today]
        course.days[:, day] = same.sum(axis=1)
        ready = (course.controls[:, day] > 0) & (course.days[:, day] > LEAST_DAYS)
        ranks = ranks_today(np.stack([own.scores for own in today]), same, chance[:, day])
        bet = wager(stakes, ranks, same, ready, false_alarms=false_alarms)
        stakes = bet.stakes
        course.level[:, day], course.alarm[:, day] = bet.level, bet.alarm
        course.since[:, day] = bet.since
    return course


@dataclass(frozen=True, slots=True)
class FleetAdjusted:
    """A model's day scores without the common swing of its controls, and the days that count (days,)."""

    scores: FloatArray
    common: BoolArray
    controls: int


def adjusted(ratios: FloatArray, patterns: IntArray, allowed: BoolArray, model: int) -> FleetAdjusted:
    """Return a model's adjusted day scores up to today, from `ratios` (models, kinds of fall, days).

    A control was scored today in the same use cases, and on more than `LEAST_DAYS` days with the model. The
    result depends on the days so far as a set, so exchangeable days stay exchangeable.
    """
    pattern = patterns[model, -1]
    same = (patterns == pattern) & (pattern != GAP)
    shared = same & same[model]
    chosen = allowed & shared[:, -1] & (shared.sum(axis=1) > LEAST_DAYS)
    count = int(chosen.sum())
    if not count:
        return FleetAdjusted(np.zeros(patterns.shape[1]), np.zeros(patterns.shape[1], bool), 0)
    scored = shared[chosen]
    common = scored.any(axis=0)
    days = np.flatnonzero(common)
    index = _common_swing(ratios[chosen][:, :, days], scored[:, days])
    own = ratios[model][:, days]
    moved = index - index.mean(axis=1, keepdims=True)
    together = ((own - own.mean(axis=1, keepdims=True)) * moved).mean(axis=1)
    variance = (moved**2).mean(axis=1)
    slope = np.divide(together, variance, out=np.zeros_like(variance), where=variance > 1e-12)
    rest = own - np.maximum(slope, 0.0)[:, None] * moved
    scores = np.full(patterns.shape[1], np.inf)
    scores[days] = np.round(rest.max(axis=0), DECIMALS)
    return FleetAdjusted(scores, common, count)


def _common_swing(ratios: FloatArray, scored: BoolArray) -> FloatArray:
    """Return the controls' standardised swing, shape (kinds of fall, days), from (controls, kinds, days).

    The mean leaves out the extreme controls of each day, so a control that falls itself has little weight.
    """
    known = np.broadcast_to(scored[:, None, :], ratios.shape)
    number = scored.sum(axis=1)[:, None, None]
    mean = np.where(known, ratios, 0.0).sum(axis=2, keepdims=True) / number
    below = np.where(known, ratios - mean, 0.0)
    spread = np.sqrt((below**2).sum(axis=2, keepdims=True) / number)
    z = np.divide(below, spread, out=np.zeros_like(below), where=spread > 1e-9)
    if len(z) < 3:
        return np.asarray(z.sum(axis=0) / np.maximum(scored.sum(axis=0), 1))
    ordered = np.sort(np.where(known, z, np.nan), axis=0)
    present = scored.sum(axis=0)
    cut = np.where(present < 3, 0, np.maximum(1, np.floor(TRIMMED * present).astype(int)))
    place = np.arange(len(z))[:, None]
    inside = (place >= cut) & (place < present - cut)
    total = np.where(inside[:, None, :], ordered, 0.0).sum(axis=0)
    return np.asarray(total / inside.sum(axis=0))


def relative_change(
    scores: FloatArray, controls: BoolArray, model: int, day: int, *, window: int
) -> float | None:
    """Return a model's change beyond that of its controls on the same cases, in points of 0-100.

    A change is today's score of a case less its mean over the `window` days before. `scores` are base samples
    (models, cases, days), 0-1; `controls` (models,) is a mask. Returns None if no case is common.
    """
    past = scores[:, :, max(0, day - window) : day]
    known = ~np.isnan(past)
    count = known.sum(axis=2)
    mean = np.where(known, past, 0.0).sum(axis=2) / np.maximum(count, 1)
    change = np.where(count > 0, scores[:, :, day] - mean, np.nan)
    scored = ~np.isnan(change[controls])
    common = ~np.isnan(change[model]) & scored.any(axis=0)
    if not common.any():
        return None
    others = np.where(scored, change[controls], 0.0).sum(axis=0)[common] / scored.sum(axis=0)[common]
    return 100.0 * float((change[model][common] - others).mean())
