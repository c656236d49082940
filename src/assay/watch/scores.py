"""From samples to cases, and from cases to the daily score of a use case."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from assay.core.suite import Thresholds
from assay.watch.conditions import Bases, bases
from assay.watch.gaps import HAIR, Gaps, gaps, share_exceeds
from assay.watch.history import BoolArray, DayRun, FloatArray, History, IntArray


class JudgeBar(Enum):
    """Why a day's marks must not change a state."""

    MOVED = "moved"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Daily:
    """The scores of each day, the runs of a day pooled by sample once broken runs are left out.

    Shapes: (models, cases, days) for `case_scores` (0-1, NaN without a scored sample) and the counts
    `ok`, `invalid`, `error`, `ungraded`; (models, use cases, days) for `scores` (over the cases that the day
    has, 0-100, NaN without one),
    `unmarked` (so much was ungraded that the day has no score), `barred` (the judge had moved) and `fit`
    (the score measures the model: an unmoved judge marked it). `elsewhere` (models, cases, days) counts the
    answers that another provider than the pin gave: they are left out of everything else. `bases` say under
    which parameters and judge each day was scored.
    """

    case_scores: FloatArray
    ok: IntArray
    invalid: IntArray
    error: IntArray
    ungraded: IntArray
    scores: FloatArray
    unmarked: BoolArray
    barred: BoolArray
    elsewhere: IntArray
    fit: BoolArray
    gaps: Gaps
    bases: Bases


def pool(history: History, thresholds: Thresholds) -> Daily:
    """Average samples by case and cases by use case, for every model and day.

    A use case of which more than the gap share of the answered samples is ungraded has no score that
    day; below that, what is ungraded or errored is left out and counted.
    """
    left = gaps(history, thresholds.gap_share)
    rows = history.rows
    models, cases, days = len(history.subjects), len(history.cases), history.days
    day = np.array([run.day for run in history.runs], dtype=np.int64)
    cell = (rows.model.astype(np.int64) * cases + rows.case) * days + day[rows.run]
    kept = left.kept
    whole = bool(kept.all())
    if not whole:
        cell = cell[kept]

    def summed(column: IntArray | FloatArray) -> FloatArray:
        weights = column if whole else column[kept]
        filled = np.flatnonzero(weights)
        flat: FloatArray = np.zeros(models * cases * days)
        if filled.size:
            flat += np.bincount(cell[filled], weights=weights[filled], minlength=flat.size)
        return flat.reshape(models, cases, days)

    counts = {
        name: summed(getattr(rows, name)) for name in ("ok", "invalid", "error", "ungraded", "elsewhere")
    }
    answered = counts["ok"] + counts["invalid"]
    case_scores = _ratio(summed(rows.total) / 100.0, answered)
    under = bases(history, kept, thresholds)
    for (model, use_case), values in under.scores.items():
        case_scores[model, history.starts[use_case] : history.starts[use_case + 1]] = values
    starts = list(history.starts[:-1])
    there = ~np.isnan(case_scores)
    scored_cases = np.add.reduceat(there, starts, axis=1, dtype=np.int64)
    scores = 100.0 * _ratio(np.add.reduceat(np.where(there, case_scores, 0.0), starts, axis=1), scored_cases)
    ungraded = np.add.reduceat(counts["ungraded"], starts, axis=1)
    marked = np.add.reduceat(answered, starts, axis=1)
    unmarked = share_exceeds(ungraded, ungraded + marked, thresholds.gap_share)
    scores[unmarked] = np.nan
    barred = _barred_days(history, left, thresholds)
    small = {name: value.astype(np.int32) for name, value in counts.items()}
    return Daily(
        case_scores=case_scores,
        ok=small["ok"],
        invalid=small["invalid"],
        error=small["error"],
        ungraded=small["ungraded"],
        scores=scores,
        unmarked=unmarked,
        barred=barred,
        elsewhere=small["elsewhere"],
        fit=~np.isnan(scores) & ~barred,
        gaps=left,
        bases=under,
    )


def _ratio(part: FloatArray, whole: FloatArray | IntArray) -> FloatArray:
    ratio: FloatArray = np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole > 0)
    return ratio


def _barred_days(history: History, left: Gaps, thresholds: Thresholds) -> BoolArray:
    """Return where a surviving run's judge must not be relied on: (models, use cases, days)."""
    barred = np.zeros((len(history.subjects), len(history.use_cases), history.days), dtype=bool)
    rows = history.rows
    day = np.array([run.day for run in history.runs], dtype=np.int64)
    for use_case in np.flatnonzero(history.judged):
        bars = np.array([judge_bar(run, int(use_case), thresholds) is not None for run in history.runs])
        if bars.any():
            chosen = np.nonzero(bars[rows.run] & left.kept)[0]
            barred[rows.model[chosen], use_case, day[rows.run[chosen]]] = True
    return barred


def judge_bar(run: DayRun, use_case: int, thresholds: Thresholds) -> JudgeBar | None:
    """Return why a run's judge must not change the state of a use case; None where it may."""
    check = run.check(use_case)
    if check.unreadable:
        return JudgeBar.UNREADABLE
    moved = check.shift is not None and abs(check.shift) > thresholds.judge_shift + HAIR
    return JudgeBar.MOVED if moved else None
