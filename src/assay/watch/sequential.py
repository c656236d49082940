"""A sequential test with a stated false-alarm rate: did this model fall, judged anew every day, for years?

Every day of a model is one observation: its case scores, made into one number by likelihood ratios that
depend only on the *set* of days so far, so that, while days are exchangeable, today's rank among them is
uniform and independent of all earlier ranks (Vovk, Nouretdinov and Gammerman 2003). Money is bet against
that, from every day on as the possible first day of a fall, and summed (Shiryaev-Roberts; Shin,
Ramdas and Rinaldo 2022). The sum gains at most 1 a day on average, hence at a level of 365 / f it is
reached at most f times in 365 scored days, whatever the distribution of scores and however cases
hang together within a day. docs/methodology/sequential.md has the proof and where it ends.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from assay.watch.bets import FALLS, payoffs, rank_cells, share_rows
from assay.watch.day_score import day_scores, membership
from assay.watch.weights import Moments

YEAR = 365
FALSE_ALARMS = 0.05
"""False alarms a model-year (365 scored days) that the level is set for, unless told otherwise."""

LEAST_DAYS = 7
"""Scored days before the first bet."""

LONGEST_FALL = 180
"""Calendar days for which a possible first day of a fall stays in the sum."""

GAP = -1

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that the test remembers, for several models at once: days so far and the money on each start.

    `scores` has shape (models, cases, days), NaN where a case was not scored. `patterns` (models, days)
    says which use cases were graded; -1 is a gap. Ranks are taken among days of one pattern.
    `stakes` (models, starts, falls) is the money on each of the last days as the first of a fall,
    newest last. `alarm` (models,) is whether today raised an alarm, which empties the stakes; `since` the
    position of the likeliest first day of that fall, -1 without an alarm. `level` (models,) is the money
    before it was emptied, as a share of what raises an alarm.
    """

    scores: FloatArray
    patterns: IntArray
    moments: Moments
    stakes: FloatArray
    level: FloatArray
    alarm: BoolArray
    since: IntArray


@dataclass(frozen=True, slots=True)
class Course:
    """The test day by day: `level`, `alarm` and `since` as in `Evidence`, each of shape (models, days)."""

    level: FloatArray
    alarm: BoolArray
    since: IntArray


def begin(models: int, cases: int) -> Evidence:
    """Return the evidence before the first day."""
    return Evidence(
        scores=np.empty((models, cases, 0)),
        patterns=np.empty((models, 0), dtype=np.int64),
        moments=Moments.none(models, cases),
        stakes=np.empty((models, 0, len(FALLS))),
        level=np.zeros(models),
        alarm=np.zeros(models, dtype=bool),
        since=np.full(models, -1),
    )


def step(
    evidence: Evidence,
    scores: npt.ArrayLike,
    use_cases: npt.ArrayLike,
    ties: npt.ArrayLike,
    *,
    false_alarms: float = FALSE_ALARMS,
) -> Evidence:
    """Return the evidence after one more day.

    `scores` (models, cases) are means of the base samples, 0-1, NaN where a case was not scored; a row
    of NaN is a gap and changes nothing. `use_cases` (cases,) numbers each case's use case. `ties`
    (models,) are fresh uniform numbers in (0, 1] that place today among equal days; 1 counts every tie
    against the alarm, which keeps the promise without chance and costs speed where ties are common.
    Use only base samples: a day topped up because it looked bad is not exchangeable with the others.
    """
    today = np.asarray(scores, dtype=np.float64)
    days = np.concatenate([evidence.scores, today[:, :, None]], axis=2)
    members = membership(np.asarray(use_cases))
    pattern = graded_patterns(today[:, :, None], members)
    grown = replace(
        evidence,
        scores=days,
        patterns=np.concatenate([evidence.patterns, pattern], axis=1),
        moments=evidence.moments.add(today),
    )
    known = ~np.isnan(days)
    filled = np.where(known, days, 0.0)
    past = None if known.all() else known
    return _advance(grown, filled, past, members, np.asarray(ties), false_alarms)


def follow(
    scores: npt.ArrayLike,
    use_cases: npt.ArrayLike,
    ties: npt.ArrayLike,
    *,
    false_alarms: float = FALSE_ALARMS,
) -> Course:
    """Return the test's course over whole histories: `step`, day by day, on shape (models, cases, days).

    `ties` has shape (models, days). Raises ValueError when a score lies outside 0-1.
    """
    values = np.ascontiguousarray(scores, dtype=np.float64)
    if values.size and (np.nanmin(values, initial=0.0) < 0.0 or np.nanmax(values, initial=0.0) > 1.0):
        raise ValueError("case scores must lie between 0 and 1")
    models, cases, days = values.shape
    known = ~np.isnan(values)
    filled = np.where(known, values, 0.0)
    complete = bool(known.all())
    members = membership(np.asarray(use_cases))
    patterns, chance = graded_patterns(values, members), np.asarray(ties, dtype=np.float64)
    evidence = begin(models, cases)
    course = Course(np.zeros((models, days)), np.zeros((models, days), bool), np.full((models, days), -1))
    for day in range(days):
        grown = replace(
            evidence,
            scores=values[:, :, : day + 1],
            patterns=patterns[:, : day + 1],
            moments=evidence.moments.add(values[:, :, day]),
        )
        past = None if complete else known[:, :, : day + 1]
        evidence = _advance(grown, filled[:, :, : day + 1], past, members, chance[:, day], false_alarms)
        course.level[:, day], course.alarm[:, day] = evidence.level, evidence.alarm
        course.since[:, day] = evidence.since
    return course


def _advance(
    evidence: Evidence,
    filled: FloatArray,
    known: BoolArray | None,
    members: FloatArray,
    ties: FloatArray,
    false_alarms: float,
) -> Evidence:
    """Bet on the last day of the evidence. `known` is None when no score is missing."""
    patterns = evidence.patterns
    scored = patterns[:, -1] != GAP
    ready = scored & ((patterns != GAP).sum(axis=1) > LEAST_DAYS)
    same = (patterns == patterns[:, -1:]) & scored[:, None]
    ranks = np.ones(len(patterns))
    if ready.any():
        scores = day_scores(evidence.moments, filled, known, members)
        ranks = ranks_today(scores, same, ties)
    placed = wager(evidence.stakes, ranks, same, ready, false_alarms=false_alarms)
    return replace(evidence, stakes=placed.stakes, level=placed.level, alarm=placed.alarm, since=placed.since)


@dataclass(frozen=True, slots=True)
class Wager:
    """The money after one more day: `stakes`, `level`, `alarm` and `since` as in `Evidence`."""

    stakes: FloatArray
    level: FloatArray
    alarm: BoolArray
    since: IntArray


def wager(
    stakes: FloatArray, ranks: FloatArray, same: BoolArray, ready: BoolArray, *, false_alarms: float
) -> Wager:
    """Bet the stakes (models, starts, falls) on today's rank, with a new start for today.

    `ranks` (models,) lie in (0, 1], counted from the worst among the days of `same` (models, days). Where a
    model is not `ready` nothing is bet and today is no start.
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
    """Return, for each start, the row of the payoffs: the share of this pattern's days since then."""
    if same.all():
        shares = np.arange(starts, 0, -1) / same.shape[1]
        return np.broadcast_to(share_rows(shares), (len(same), starts))
    recent = np.cumsum(same[:, ::-1], axis=1)[:, ::-1]
    return share_rows(recent[:, -starts:] / np.maximum(recent[:, :1], 1))


def graded_patterns(scores: FloatArray, members: FloatArray) -> IntArray:
    """Return a number for which use cases were graded on each day, from (models, cases, days); -1 for none.

    The bits of the number are the use cases; ValueError for more than 62 of them.
    """
    if len(members) > 62:
        raise ValueError(f"{len(members)} use cases: the sequential test takes at most 62")
    graded = np.matmul(members, (~np.isnan(scores)).astype(np.float64)) > 0.0
    code = (graded.astype(np.int64) << np.arange(len(members))[:, None]).sum(axis=1)
    return np.where(code == 0, GAP, code)
