"""The watch's one entry: a history in, every day's verdict out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import numpy as np

from assay.core.suite import Thresholds
from assay.core.verdict import ModelState, UseCaseState
from assay.watch import outage
from assay.watch.baseline import Baseline
from assay.watch.conditions import Seen, changes
from assay.watch.gaps import HAIR
from assay.watch.history import BoolArray, History
from assay.watch.recovery import Recovery, model_down, recovery
from assay.watch.same_cases import CaseTable, Matched, match_golden, match_window
from assay.watch.sampling import Rerun, powered, reruns
from assay.watch.scores import Daily, pool
from assay.watch.verdict import Bars, Readings, StateArray, read, roll_up


@dataclass(frozen=True, slots=True)
class Judgement:
    """Every (model, use case, day) judged. Arrays hold all of it; `wording` words one day.

    `matched` holds the scores that were judged and their baselines, on common cases. `sparse` (models,
    days) marks the days that are gaps because too few of all cases are common, over the use cases that
    have a baseline and that the judge did not leave ungraded (`counted_cases`). `states` are the models',
    shape (models, days), as `UseCaseState` integers; `readings.state` the use cases'. `golden_readings`
    come from the same rule against the golden baseline, whose signal is shown beside the verdict and asks
    for no full-power evidence.
    """

    history: History
    thresholds: Thresholds
    daily: Daily
    table: CaseTable
    powered: BoolArray
    matched: Matched
    readings: Readings
    golden: Matched
    golden_readings: Readings
    counted_cases: BoolArray
    sparse: BoolArray
    states: StateArray
    recovery: Recovery
    down: BoolArray
    provider_notes: tuple[outage.ProviderNote, ...]
    changes: Seen

    @property
    def baseline(self) -> Baseline:
        """The rolling baselines, each on the cases in common with its day."""
        return self.matched.baseline

    def state(self, model: int, day: int) -> ModelState:
        """Return the state of a model, by position, on a day; `wording` gives it with its evidence."""
        return ModelState[UseCaseState(self.states[model, day]).name]

    def reruns(self, when: date) -> tuple[Rerun, ...]:
        """Return which (model, use case) to re-run at full count on a date before its verdict counts."""
        return reruns(self.readings, self.history.day_of(when))


def judge(history: History, thresholds: Thresholds) -> Judgement:
    """Judge a history by the seed's rules, with the golden baseline, recovery and provider notes beside.

    Pure and deterministic: the daily watch and `verdict --history` call it on the same rows and read
    the same states. Raises InvalidInput when the rows do not fit the history.
    """
    history.check()
    daily = pool(history, thresholds)
    bars = Bars.of(thresholds, history.judged)
    fit, able = daily.fit, daily.fit & ~daily.bases.frozen
    enough = powered(history, daily, thresholds.gap_share)
    table = CaseTable.of(daily.case_scores, daily.scores, fit, history.starts, daily.bases)
    floors = bars.floor[:, 0]
    matched = match_window(table, floors, thresholds)
    baseline = matched.baseline
    readings = read(matched.scores, baseline, bars, thresholds, fit=able, powered=enough)
    fixed = match_golden(table, floors, thresholds)
    every = np.ones_like(enough)
    fixed_readings = read(fixed.scores, fixed.baseline, bars, thresholds, fit=able, powered=every)
    counted = (matched.window_days >= thresholds.least_days) & ~daily.unmarked
    sparse = _sparse(daily, matched, counted, thresholds)
    states = roll_up(readings.state, baseline.there, daily.gaps.gap | sparse, thresholds)
    falls = recovery(matched, readings, bars, thresholds, table)
    fell, at_risk = outage.fresh_falls(states, np.logical_or.reduce(readings.counted, axis=1))
    return Judgement(
        history=history,
        thresholds=thresholds,
        daily=daily,
        table=table,
        powered=enough,
        matched=matched,
        readings=readings,
        golden=fixed,
        golden_readings=fixed_readings,
        counted_cases=counted,
        sparse=sparse,
        states=states,
        recovery=falls,
        down=model_down(states, falls.down),
        provider_notes=outage.notes(history, fell, at_risk),
        changes=changes(history, thresholds),
    )


def _sparse(daily: Daily, matched: Matched, counted: BoolArray, thresholds: Thresholds) -> BoolArray:
    """Return the days on which too few of a model's cases are common, over the `counted` use cases."""
    common = np.where(counted, matched.common, 0).sum(axis=1)
    known = np.where(counted, matched.known, 0).sum(axis=1)
    ran = daily.gaps.attempted > 0
    sparse: BoolArray = ran & (common < thresholds.common_share * known - HAIR)
    return sparse
