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
        today = adjusted(ratios, patterns[:, so_far], allowed)
        course.controls[:, day], course.days[:, day] = today.controls, today.common.sum(axis=1)
        ready = (today.controls > 0) & (course.days[:, day] > LEAST_DAYS)
        ranks = ranks_today(today.scores, today.common, chance[:, day])
        bet = wager(stakes, ranks, today.common, ready, false_alarms=false_alarms)
        stakes = bet.stakes
        course.level[:, day], course.alarm[:, day] = bet.level, bet.alarm
        course.since[:, day] = bet.since
    return course


@dataclass(frozen=True, slots=True)
class FleetAdjusted:
    """Day scores without the common swing of the controls, and the days that count, shape (models, days).

    `controls` (models,) is the number of each model's controls.
    """

    scores: FloatArray
    common: BoolArray
    controls: IntArray


def adjusted(ratios: FloatArray, patterns: IntArray, allowed: BoolArray) -> FleetAdjusted:
    """Return the models' adjusted day scores up to today, from `ratios` (models, kinds of fall, days).

    A control was scored today in the same use cases, and on more than `LEAST_DAYS` days with the model;
    `allowed` (models, models) marks the pairs of a model and a possible control. The result depends on the
    days so far as a set, so exchangeable days stay exchangeable.
    """
    models, _, days = ratios.shape
    result = FleetAdjusted(
        np.full((models, days), np.inf), np.zeros((models, days), bool), np.zeros(models, int)
    )
    by_day = np.ascontiguousarray(ratios.transpose(1, 2, 0))
    room = np.empty_like(by_day), np.empty_like(by_day)
    pattern = patterns[:, -1:]
    own = (patterns == pattern) & (pattern != GAP)
    alike: dict[tuple[int, bytes], list[int]] = {}
    for model, code in enumerate(pattern[:, 0].tolist()):
        alike.setdefault((code, own[model].tobytes()), []).append(model)
    for (code, _), members in alike.items():
        shared = (patterns == code) & own[members[0]]
        able = shared[:, -1] & (shared.sum(axis=1) > LEAST_DAYS)
        pools: dict[bytes, list[int]] = {}
        for model in members:
            controls = able & allowed[model]
            result.controls[model] = controls.sum()
            if controls.any():
                controls[model] = True
                pools.setdefault(controls.tobytes(), []).append(model)
        for pool, listed in pools.items():
            scored = shared & np.frombuffer(pool, dtype=bool)[:, None]
            scored[:, scored.sum(axis=0) < 2] = False
            common, of = np.flatnonzero(scored.any(axis=0)), np.array(listed)
            swings = _swings_of_others(by_day, scored.T, of, room)
            result.common[of[:, None], common] = True
            result.scores[of[:, None], common] = _without(swings[:, common], by_day[:, :, of][:, common]).T
    return result


def _without(swings: FloatArray, own: FloatArray) -> FloatArray:
    """Return day scores (days, models) from which the part that moves with the swing was subtracted.

    `swings` and `own`, the models' ratios, have shape (kinds of fall, days, models).
    """
    moved = swings - swings.mean(axis=1, keepdims=True)
    together = ((own - own.mean(axis=1, keepdims=True)) * moved).mean(axis=1, keepdims=True)
    variance = (moved**2).mean(axis=1, keepdims=True)
    slope = np.divide(together, variance, out=np.zeros_like(variance), where=variance > 1e-12)
    return np.asarray(np.round((own - np.maximum(slope, 0.0) * moved).max(axis=0), DECIMALS))


def _swings_of_others(
    ratios: FloatArray, scored: BoolArray, members: IntArray, room: tuple[FloatArray, FloatArray]
) -> FloatArray:
    """Return the mean standardised swing of the models beside each member, (kinds of fall, days, members).

    `ratios` have shape (kinds of fall, days, models), `scored` (days, models). The mean leaves out the
    extreme models of each day, so a model that falls itself has little weight. All models are sorted once:
    without the member, the sum of the middle is less by the member's own value, or by the value at the edge
    of the middle if the member lies outside. `room` is memory of the shape of `ratios` that is overwritten,
    as getting new memory would take longer than the sort.
    """
    z, ordered = room
    # Products with numbers, as np.where takes longer than the sort, too.
    present, number = scored.astype(np.float64), np.maximum(scored.sum(axis=0), 1)
    np.subtract(ratios, np.einsum("kdm,dm->km", ratios, present)[:, None, :] / number, out=z)
    np.multiply(z, present, out=z)
    spread = np.sqrt(np.einsum("kdm,kdm->km", z, z)[:, None, :] / number)
    np.multiply(z, np.divide(1.0, spread, out=np.zeros_like(spread), where=spread > 1e-9), out=z)
    np.add(z, (1.0 - present) * np.finfo(np.float64).max, out=ordered)
    ordered.sort(axis=2)
    others = np.maximum(scored.sum(axis=1) - 1, 1)
    first = np.where(others < 3, 0, np.maximum(1, np.floor(TRIMMED * others).astype(int)))
    last, day, place = others - first, np.arange(len(scored)), np.arange(scored.shape[1])
    inside = (place >= first[:, None]) & (place <= last[:, None])
    middle = np.einsum("kdm,dm->kd", ordered, inside.astype(np.float64))[:, :, None]
    low, high = ordered[:, day, first, None], ordered[:, day, last, None]
    return np.asarray((middle - np.clip(z[:, :, members], low, high)) / (last - first)[:, None])


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
