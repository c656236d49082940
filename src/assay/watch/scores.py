"""Daily scores of use cases, from samples and cases."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.core.suite import Thresholds
from assay.core.verdict import StateReason
from assay.watch.conditions import Bases, bases
from assay.watch.gaps import HAIR, Gaps, gaps, share_exceeds
from assay.watch.history import BoolArray, DayRun, FloatArray, History, IntArray


@dataclass(frozen=True, slots=True)
class Daily:
    """The scores of each day, pooled over the samples of its runs without those left out by the gap rule.

    Shape (models, cases, days): `case_scores` (0-1, NaN without a scored sample), the counts `ok`, `invalid`,
    `error`, `ungraded`, and `elsewhere` (answers from another provider than the pin, in no other count).
    Shape (models, use cases, days): `scores` (0-100, mean over the day's cases, NaN without one), `unmarked`
    (too many ungraded answers for a score), `barred` (the judge had moved) and `fit` (the score may change a
    state: the judge had not moved). `bases` are the parameters and judge of each day's score.
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

    A use case has no score on a day on which more than the gap share of its answered samples is ungraded.
    Below that, ungraded and errored samples are left out and counted.
    """
    without_gaps = gaps(history, thresholds.gap_share)
    rows = history.rows
    models, cases, days = len(history.subjects), len(history.cases), history.days
    day = np.array([run.day for run in history.runs], dtype=np.int64)
    cell = (rows.model.astype(np.int64) * cases + rows.case) * days + day[rows.run]
    kept = without_gaps.kept
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
    day_bases = bases(history, kept, thresholds)
    for (model, use_case), values in day_bases.scores.items():
        case_scores[model, history.starts[use_case] : history.starts[use_case + 1]] = values
    starts = list(history.starts[:-1])
    scored = ~np.isnan(case_scores)
    scored_cases = np.add.reduceat(scored, starts, axis=1, dtype=np.int64)
    scores = 100.0 * _ratio(np.add.reduceat(np.where(scored, case_scores, 0.0), starts, axis=1), scored_cases)
    ungraded = np.add.reduceat(counts["ungraded"], starts, axis=1)
    marked = np.add.reduceat(answered, starts, axis=1)
    unmarked = share_exceeds(ungraded, ungraded + marked, thresholds.gap_share)
    scores[unmarked] = np.nan
    barred = _barred_days(history, without_gaps, thresholds)
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
        gaps=without_gaps,
        bases=day_bases,
    )


def _ratio(part: FloatArray, whole: FloatArray | IntArray) -> FloatArray:
    ratio: FloatArray = np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole > 0)
    return ratio


def _barred_days(history: History, without_gaps: Gaps, thresholds: Thresholds) -> BoolArray:
    """Return a mask of days with a run whose judge has a problem, shape (models, use cases, days)."""
    barred = np.zeros((len(history.subjects), len(history.use_cases), history.days), dtype=bool)
    rows = history.rows
    day = np.array([run.day for run in history.runs], dtype=np.int64)
    for use_case in np.flatnonzero(history.judged):
        problems = np.array(
            [judge_problem(run, int(use_case), thresholds) is not None for run in history.runs]
        )
        if problems.any():
            chosen = np.nonzero(problems[rows.run] & without_gaps.kept)[0]
            barred[rows.model[chosen], use_case, day[rows.run[chosen]]] = True
    return barred


def judge_problem(run: DayRun, use_case: int, thresholds: Thresholds) -> StateReason | None:
    """Return the reason why a run's judge may not change the state of a use case, or None."""
    check = run.check(use_case)
    if check.unreadable:
        return StateReason.JUDGE_UNREADABLE
    moved = check.shift is not None and abs(check.shift) > thresholds.judge_shift + HAIR
    return StateReason.JUDGE_MOVED if moved else None
