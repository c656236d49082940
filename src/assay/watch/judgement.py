"""Judging a history: the states of every day, falls and recoveries, re-runs, falls behind one provider."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from assay.core.suite import Thresholds
from assay.core.verdict import ModelState, UseCaseState
from assay.core.verdict import UseCaseState as State
from assay.stats.p_values import at_least
from assay.watch.baseline import Baseline
from assay.watch.conditions import Seen, changes
from assay.watch.gaps import HAIR
from assay.watch.history import BoolArray, FloatArray, History, IntArray
from assay.watch.same_cases import CaseTable, MatchedHistory, compare, match_golden, match_window
from assay.watch.scores import Daily, pool
from assay.watch.verdict import (
    TOLERANCE,
    BoundColumns,
    StateArray,
    StateEvidence,
    carried,
    evaluate,
    falls,
    roll_up,
)

NOTED_CHANCE = 0.01
"""The largest probability of so many falls on one day, by chance, for which a note is given."""
LEAST_MODELS = 2


@dataclass(frozen=True, slots=True)
class Judgement:
    """The judged states of every (model, use case, day), as arrays. `wording` describes a day in words.

    `matched` holds the judged scores and their baselines, on common cases. `sparse` (models, days) marks
    the days that are gaps because too few of all cases are common, over the use cases that have a baseline
    and that the judge did not leave ungraded (`counted_cases`). `states` (models, days) are the models'
    states as `UseCaseState` integers, and `evidence.state` those of the use cases. `golden_evidence` comes
    from the same rule against the golden baseline, without the condition of full-power evidence; it is shown
    beside the verdict.
    """

    history: History
    thresholds: Thresholds
    daily: Daily
    table: CaseTable
    powered: BoolArray
    matched: MatchedHistory
    evidence: StateEvidence
    golden: MatchedHistory
    golden_evidence: StateEvidence
    counted_cases: BoolArray
    sparse: BoolArray
    states: StateArray
    recovery: Recovery
    down: BoolArray
    provider_notes: tuple[ProviderNote, ...]
    changes: Seen

    @property
    def baseline(self) -> Baseline:
        """The rolling baselines, each on the common cases of its day."""
        return self.matched.baseline

    def state(self, model: int, day: int) -> ModelState:
        """Return the state of a model on a day, both by position."""
        return ModelState[UseCaseState(self.states[model, day]).name]

    def reruns(self, when: date) -> tuple[Rerun, ...]:
        """Return the (model, use case) pairs to re-run at full count before the verdict of a date counts."""
        return reruns(self.evidence, self.history.day_of(when))


def judge(history: History, thresholds: Thresholds) -> Judgement:
    """Judge a history by the seed's rules, with the golden baseline, recovery and provider notes.

    The result depends on the rows only, so the daily watch and `verdict --history` give the same states.
    Raises InvalidInput if the rows do not fit the history.
    """
    history.check()
    daily = pool(history, thresholds)
    bounds = BoundColumns.of(thresholds, history.judged)
    fit, able = daily.fit, daily.fit & ~daily.bases.frozen
    enough = powered(history, daily, thresholds.gap_share)
    table = CaseTable.of(daily.case_scores, daily.scores, fit, history.starts, daily.bases)
    floors = bounds.floor[:, 0]
    matched = match_window(table, floors, thresholds)
    baseline = matched.baseline
    evidence = evaluate(matched.scores, baseline, bounds, thresholds, fit=able, powered=enough)
    fixed = match_golden(table, floors, thresholds)
    every = np.ones_like(enough)
    golden_evidence = evaluate(fixed.scores, fixed.baseline, bounds, thresholds, fit=able, powered=every)
    counted = (matched.window_days >= thresholds.least_days) & ~daily.unmarked
    sparse = _sparse(daily, matched, counted, thresholds)
    states = roll_up(evidence.state, baseline.exists, daily.gaps.gap | sparse, thresholds)
    fall = recovery(matched, evidence, bounds, thresholds, table)
    fell, at_risk = fresh_falls(states, np.logical_or.reduce(evidence.counted, axis=1))
    return Judgement(
        history=history,
        thresholds=thresholds,
        daily=daily,
        table=table,
        powered=enough,
        matched=matched,
        evidence=evidence,
        golden=fixed,
        golden_evidence=golden_evidence,
        counted_cases=counted,
        sparse=sparse,
        states=states,
        recovery=fall,
        down=model_down(states, fall.down),
        provider_notes=notes_on_providers(history, fell, at_risk),
        changes=changes(history, thresholds),
    )


def _sparse(daily: Daily, matched: MatchedHistory, counted: BoolArray, thresholds: Thresholds) -> BoolArray:
    """Return the days on which too few of a model's cases are common, over the `counted` use cases."""
    common = np.where(counted, matched.common, 0).sum(axis=1)
    known = np.where(counted, matched.known, 0).sum(axis=1)
    ran = daily.gaps.attempted > 0
    sparse: BoolArray = ran & (common < thresholds.common_share * known - HAIR)
    return sparse


@dataclass(frozen=True, slots=True)
class ProviderNote:
    """A note that models behind `provider` fell together on a day (a position).

    `fell` are the positions of the models that left OK that day, and `at_risk` is the number of models of
    the provider that were OK before; `elsewhere_fell` of `elsewhere_at_risk` models behind other providers
    fell too. `chance` is the probability of so many falls if each model falls independently at its own
    earlier rate.
    """

    provider: str
    day: int
    fell: tuple[int, ...]
    at_risk: int
    elsewhere_fell: int
    elsewhere_at_risk: int
    chance: float


def fresh_falls(states: StateArray, counted: BoolArray) -> tuple[BoolArray, BoolArray]:
    """Return the days on which models fell and on which they were at risk, both of shape (models, days).

    A counted day after a counted day of OK is at risk; if it is SUSPICIOUS or COOKED, it is a fall.
    """
    counted = counted & (states != State.GAP)
    before = carried(states, counted, np.int8(State.GAP))
    at_risk = counted & (before == State.OK) & (states >= State.OK)
    return at_risk & (states >= State.SUSPICIOUS), at_risk


def notes_on_providers(history: History, fell: BoolArray, at_risk: BoolArray) -> tuple[ProviderNote, ...]:
    """Return the notes of all days.

    A model's own rate is (falls + 1/2)/(days at risk + 1) over the days before. Models without a named
    provider are left out.
    """
    rates = (_count_before(fell) + 0.5) / (_count_before(at_risk) + 1.0)
    providers = [subject.provider for subject in history.subjects]
    notes = []
    for provider in sorted({name for name in providers if name is not None}):
        inside = np.array([name == provider for name in providers])
        together = (fell & inside[:, np.newaxis]).sum(axis=0)
        for day in np.nonzero(together >= LEAST_MODELS)[0]:
            exposed = at_risk[:, day] & inside
            chance = at_least(int(together[day]), rates[exposed, day].tolist())
            if chance <= NOTED_CHANCE:
                notes.append(_provider_note(provider, int(day), fell, at_risk, inside, chance))
    return tuple(sorted(notes, key=lambda note: note.day))


def _provider_note(
    provider: str, day: int, fell: BoolArray, at_risk: BoolArray, inside: BoolArray, chance: float
) -> ProviderNote:
    positions: Sequence[int] = np.nonzero(fell[:, day] & inside)[0].tolist()
    return ProviderNote(
        provider=provider,
        day=day,
        fell=tuple(positions),
        at_risk=int((at_risk[:, day] & inside).sum()),
        elsewhere_fell=int((fell[:, day] & ~inside).sum()),
        elsewhere_at_risk=int((at_risk[:, day] & ~inside).sum()),
        chance=chance,
    )


def _count_before(happened: BoolArray) -> np.ndarray:
    counts = np.cumsum(happened, axis=-1, dtype=np.int64)
    return counts - happened


@dataclass(frozen=True, slots=True)
class Recovery:
    """For each (model, use case, day), whether a fall to COOKED is still going on.

    `down` is true from the COOKED day until the third (`recovery_days`) scored day in a row within the band
    of `mean` and `spread`, the baseline from before the fall; on that day the fall ends. `since` is the
    position of the fall's first day, `within` the number of days in a row within the band, and `recovered`
    the position of the day on which the last fall ended; -1 if there is none.
    """

    down: BoolArray
    since: IntArray
    within: IntArray
    recovered: IntArray
    mean: FloatArray
    spread: FloatArray


def recovery(
    matched: MatchedHistory,
    evidence: StateEvidence,
    bounds: BoundColumns,
    thresholds: Thresholds,
    table: CaseTable,
) -> Recovery:
    """Follow each use case through its falls.

    A fall begins on the first of the consecutive suspicious or worse days that lead to the COOKED day; its
    baseline is that of this first day. A day is within the band if it is not suspicious against this
    baseline, on the common cases of both. Uncounted days and gaps neither count nor interrupt.
    """
    baseline, counted = matched.baseline, evidence.counted
    shape, days = counted.shape, counted.shape[-1]
    low = counted & (evidence.reading >= State.SUSPICIOUS)
    begins = low & ~carried(low, counted, False)
    start = np.maximum.accumulate(np.where(begins, np.arange(days), -1), axis=-1)
    cooked = counted & (evidence.reading == State.COOKED)
    down, within = np.zeros(shape, dtype=bool), np.zeros(shape, dtype=np.int64)
    since, recovered = np.full(shape, -1), np.full(shape, -1)
    cells = shape[:-1]
    is_down, run = np.zeros(cells, dtype=bool), np.zeros(cells, dtype=np.int64)
    fell, ended = np.full(cells, -1), np.full(cells, -1)
    for day in range(days):
        score, mean, spread = _before_fall(table, baseline, fell, day, bounds, thresholds)
        inside = _within_band(score, mean, spread, bounds)
        judged = counted[..., day] & ~(is_down & np.isnan(score))
        run = np.where(judged, np.where(inside & is_down, run + 1, 0), run)
        over = is_down & (run >= thresholds.recovery_days)
        starts = ~is_down & cooked[..., day]
        ended = np.where(over, day, ended)
        fell = np.where(starts, start[..., day], np.where(over, -1, fell))
        is_down = (is_down | starts) & ~over
        down[..., day], within[..., day] = is_down, np.where(is_down, run, 0)
        since[..., day], recovered[..., day] = fell, ended
    first = np.maximum(since, 0)
    return Recovery(
        down=down,
        since=since,
        within=within,
        recovered=recovered,
        mean=np.where(since >= 0, np.take_along_axis(baseline.mean, first, axis=-1), np.nan),
        spread=np.where(since >= 0, np.take_along_axis(baseline.spread, first, axis=-1), np.nan),
    )


def _before_fall(
    table: CaseTable,
    baseline: Baseline,
    fell: IntArray,
    day: int,
    bounds: BoundColumns,
    thresholds: Thresholds,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the day's scores with the mean and spread from before each fall, on common cases.

    The arrays have shape (models, use cases); the score is NaN if too few cases are common.
    """
    score = table.scores[..., day].copy()
    mean, spread = _at(baseline.mean, fell), _at(baseline.spread, fell)
    lags = np.arange(thresholds.window_days, 0, -1)
    cell = np.nonzero(table.uneven & (fell >= 0))
    models, use_cases = cell
    if models.size:
        days = np.full(len(models), day)
        past = table.past(use_cases, models, days, fell[cell][:, np.newaxis] - lags)
        common = compare(table.today(use_cases, models, days), past, thresholds)
        usable = ~common.sparse(thresholds) & (common.days >= thresholds.least_days)
        score[cell] = np.where(usable, common.score, np.nan)
        mean[cell] = common.mean
        spread[cell] = np.maximum(common.deviation, bounds.floor[use_cases, 0])
    return score, mean, spread


def _at(values: FloatArray, day: IntArray) -> FloatArray:
    """Return each cell's value on its own day, NaN for day -1."""
    value = np.take_along_axis(values, np.maximum(day, 0)[..., np.newaxis], axis=-1)[..., 0]
    return np.where(day >= 0, value, np.nan)


def _within_band(score: FloatArray, mean: FloatArray, spread: FloatArray, bounds: BoundColumns) -> BoolArray:
    """Return where one day's scores, shape (models, use cases), are not suspicious."""
    low = (score - mean) / spread <= bounds.suspicious_z[:, 0] + TOLERANCE
    far = falls(score, mean) >= bounds.suspicious_drop[:, 0] - TOLERANCE
    return np.logical_not(low | far)


def model_down(states: StateArray, down: BoolArray) -> BoolArray:
    """Return the days from COOKED until no use case is down, shape (models, days)."""
    any_down: BoolArray = np.logical_or.reduce(down, axis=1)
    lasting = np.zeros(states.shape, dtype=bool)
    still = np.zeros(len(states), dtype=bool)
    for day in range(states.shape[-1]):
        still = (still | (states[:, day] == State.COOKED)) & any_down[:, day]
        lasting[:, day] = still
    return lasting


@dataclass(frozen=True, slots=True)
class Rerun:
    """A model and use case, by position, whose provisional score looks suspicious."""

    model: int
    use_case: int


def powered(history: History, daily: Daily, share: float) -> BoolArray:
    """Return where a use case's evidence is full-power, shape (models, use cases, days).

    That needs a score for at least 1 - `share` of the full count. Otherwise a re-run has failed.
    """
    starts = list(history.starts[:-1])
    scored: IntArray = np.add.reduceat(daily.ok + daily.invalid, starts, axis=1)
    enough: BoolArray = scored >= (1.0 - share) * history.full[:, np.newaxis] - HAIR
    return enough


def reruns(evidence: StateEvidence, day: int) -> tuple[Rerun, ...]:
    """Return the re-runs at full count that a day needs before a state may change.

    Only scores that are suspicious without full-power evidence need one, and only on days that can change a
    state (not: judge moved, gap, calibrating).
    """
    models, use_cases = np.nonzero(evidence.underpowered[..., day])
    return tuple(Rerun(int(model), int(use_case)) for model, use_case in zip(models, use_cases, strict=True))
