"""A sequential test of falls that can be read every day, with a guaranteed false-alarm rate.

Each day of a model is one number, computed from its case scores by likelihood ratios that depend only on
the *set* of days so far. If days are exchangeable, today's rank among them is uniform and independent of all
earlier ranks (Vovk, Nouretdinov and Gammerman 2003). The test bets money against this, with every day as the
possible first day of a fall, and adds it up (Shiryaev-Roberts; Shin, Ramdas and Rinaldo 2022). The sum gains
at most 1 a day on average, so a level of 365 / f is reached at most f times in 365 scored days, for any
distribution of scores and any dependence of cases within a day. docs/methodology/sequential.md has the proof
and its limits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.watch.bets import FALLS, payoffs, rank_cells, share_rows
from assay.watch.weights import Moments, day_scores, membership

YEAR = 365
FALSE_ALARMS = 0.05
"""The default guaranteed number of false alarms a model-year (365 scored days)."""

LEAST_DAYS = 7
"""Scored days before the first bet."""

LONGEST_FALL = 180
"""The number of calendar days for which a possible first day of a fall stays in the sum."""

GAP = -1

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class SequentialCourse:
    """The test day by day, arrays of shape (models, days).

    `level` is the money as a share of the amount that raises an alarm. `alarm` is true on days with an alarm,
    which resets the stakes to 0; `since` is the position of the likeliest first day of that fall, -1 without
    an alarm.
    """

    level: FloatArray
    alarm: BoolArray
    since: IntArray


def follow(
    scores: npt.ArrayLike,
    use_cases: npt.ArrayLike,
    ties: npt.ArrayLike,
    *,
    false_alarms: float = FALSE_ALARMS,
) -> SequentialCourse:
    """Return the test's course over whole histories of shape (models, cases, days).

    `scores` are means of the base samples, 0-1, NaN for cases not scored; a day without scores is a gap and
    changes nothing. `use_cases` (cases,) is the number of each case's use case. `ties` (models, days) are
    fresh uniform numbers in (0, 1] that place a day among equal days; with 1 every tie counts against the
    alarm, which needs no random numbers, but is slower if ties are common. Use only base samples: a day with
    a top-up because it looked bad is not exchangeable with the others. Raises ValueError if a score is
    outside 0-1.
    """
    values = np.ascontiguousarray(scores, dtype=np.float64)
    if values.size and (np.nanmin(values, initial=0.0) < 0.0 or np.nanmax(values, initial=0.0) > 1.0):
        raise ValueError("case scores must lie between 0 and 1")
    models, cases, days = values.shape
    known = ~np.isnan(values)
    filled, complete = np.where(known, values, 0.0), bool(known.all())
    members = membership(np.asarray(use_cases))
    patterns, chance = graded_patterns(values, members), np.asarray(ties, dtype=np.float64)
    moments, stakes = Moments.none(models, cases), np.empty((models, 0, len(FALLS)))
    course = SequentialCourse(
        np.zeros((models, days)), np.zeros((models, days), bool), np.full((models, days), -1)
    )
    for day in range(days):
        moments = moments.add(values[:, :, day])
        so_far = slice(day + 1)
        scored = patterns[:, day] != GAP
        ready = scored & ((patterns[:, so_far] != GAP).sum(axis=1) > LEAST_DAYS)
        same = (patterns[:, so_far] == patterns[:, day, None]) & scored[:, None]
        ranks = np.ones(models)
        if ready.any():
            seen = None if complete else known[:, :, so_far]
            ranks = ranks_today(
                day_scores(moments, filled[:, :, so_far], seen, members), same, chance[:, day]
            )
        bet = wager(stakes, ranks, same, ready, false_alarms=false_alarms)
        stakes = bet.stakes
        course.level[:, day], course.alarm[:, day], course.since[:, day] = bet.level, bet.alarm, bet.since
    return course


@dataclass(frozen=True, slots=True)
class Wager:
    """The money after one more day; `level`, `alarm` and `since` (models,) as in `SequentialCourse`.

    `stakes` (models, starts, falls) is the money on each of the last days as the first day of a fall, newest
    last.
    """

    stakes: FloatArray
    level: FloatArray
    alarm: BoolArray
    since: IntArray


def wager(
    stakes: FloatArray, ranks: FloatArray, same: BoolArray, ready: BoolArray, *, false_alarms: float
) -> Wager:
    """Bet the stakes (models, starts, falls) on today's rank, with a new start for today.

    `ranks` (models,) are in (0, 1], counted from the worst among the days of `same` (models, days). For a
    model that is not `ready` nothing is bet, and today is not a start.
    """
    models, days = same.shape
    fresh = np.where(ready[:, None, None], 1.0 / len(FALLS), 0.0) * np.ones((models, 1, len(FALLS)))
    stakes = np.concatenate([stakes, fresh], axis=1)[:, -LONGEST_FALL:]
    if ready.any():
        cells, rows = rank_cells(ranks), _share_rows(same, stakes.shape[1])
        factors = payoffs()[rows, np.broadcast_to(cells[:, None], (models, rows.shape[1]))]
        stakes = np.where(ready[:, None, None], stakes * factors, stakes)
    level = stakes.sum(axis=(1, 2)) * false_alarms / YEAR
    alarm = ready & (level >= 1.0)
    since = np.full(models, -1)
    if alarm.any():
        since[alarm] = days - stakes.shape[1] + stakes[alarm].sum(axis=2).argmax(axis=1)
        stakes = np.where(alarm[:, None, None], 0.0, stakes)
    return Wager(stakes, level, alarm, since)


def ranks_today(scores: FloatArray, same: BoolArray, ties: FloatArray) -> FloatArray:
    """Return today's rank from the worst among the days of `same`, as a share in (0, 1].

    `scores` and `same` have shape (models, days), today last; a higher score is worse.
    """
    today = scores[:, -1:]
    worse = ((scores > today) & same).sum(axis=1)
    equal = ((scores == today) & same).sum(axis=1)
    return np.asarray((worse + ties * equal) / np.maximum(same.sum(axis=1), 1))


def _share_rows(same: BoolArray, starts: int) -> IntArray:
    """Return the row of the payoffs for each start, by the share of this pattern's days since then."""
    if same.all():
        shares = np.arange(starts, 0, -1) / same.shape[1]
        return np.broadcast_to(share_rows(shares), (len(same), starts))
    recent = np.cumsum(same[:, ::-1], axis=1)[:, ::-1]
    return share_rows(recent[:, -starts:] / np.maximum(recent[:, :1], 1))


def graded_patterns(scores: FloatArray, members: FloatArray) -> IntArray:
    """Return each day's graded use cases as the bits of a number, shape (models, days); -1 for none.

    `scores` has shape (models, cases, days). Raises ValueError for more than 62 use cases.
    """
    if len(members) > 62:
        raise ValueError(f"{len(members)} use cases are too many for the sequential test: use at most 62")
    graded = np.matmul(members, (~np.isnan(scores)).astype(np.float64)) > 0.0
    code = (graded.astype(np.int64) << np.arange(len(members))[:, None]).sum(axis=1)
    return np.where(code == 0, GAP, code)
