"""The watch's one entry: a history in, every day's verdict out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import numpy as np

from assay.core.suite import Thresholds
from assay.core.verdict import ModelState, UseCaseState
from assay.watch import outage
from assay.watch.baseline import Baseline, golden, rolling
from assay.watch.history import BoolArray, History
from assay.watch.recovery import Recovery, model_down, recovery
from assay.watch.sampling import Rerun, powered, reruns
from assay.watch.scores import Daily, pool
from assay.watch.verdict import Bars, Readings, StateArray, read, roll_up


@dataclass(frozen=True, slots=True)
class Judgement:
    """Every (model, use case, day) judged. Arrays hold all of it; `wording` words one day.

    `states` are the models', shape (models, days), as `UseCaseState` integers; `readings.state` the use
    cases'. `golden_readings` come from the same rule against the golden baseline, whose signal is shown
    beside the verdict and asks for no full-power evidence.
    """

    history: History
    thresholds: Thresholds
    daily: Daily
    powered: BoolArray
    baseline: Baseline
    readings: Readings
    golden: Baseline
    golden_readings: Readings
    states: StateArray
    recovery: Recovery
    down: BoolArray
    provider_notes: tuple[outage.ProviderNote, ...]

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
    fit = daily.fit
    enough = powered(history, daily, thresholds.gap_share)
    entering = daily.entering
    floors = bars.floor[:, 0]
    baseline = rolling(entering, floors, thresholds)
    readings = read(daily.scores, baseline, bars, thresholds, fit=fit, powered=enough)
    fixed = golden(entering, floors, thresholds)
    fixed_readings = read(daily.scores, fixed, bars, thresholds, fit=fit, powered=np.ones_like(enough))
    states = roll_up(readings.state, baseline.there, daily.gaps.gap, thresholds)
    falls = recovery(daily.scores, baseline, readings, bars, thresholds)
    fell, at_risk = outage.fresh_falls(states, np.logical_or.reduce(readings.counted, axis=1))
    return Judgement(
        history=history,
        thresholds=thresholds,
        daily=daily,
        powered=enough,
        baseline=baseline,
        readings=readings,
        golden=fixed,
        golden_readings=fixed_readings,
        states=states,
        recovery=falls,
        down=model_down(states, falls.down),
        provider_notes=outage.notes(history, fell, at_risk),
    )
