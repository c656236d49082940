"""The daily watch: run the suite, top up what looks suspicious, judge, record, and say what changed."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from sqlalchemy import Engine

from assay.calls.budget import Budget, BudgetSpent, budget_of
from assay.calls.progress import Progress
from assay.calls.stop import Stop
from assay.core.errors import InvalidInput, Problem
from assay.core.judging import Panel
from assay.core.model import Model, Provider
from assay.core.notification import Delivery
from assay.core.suite import Suite
from assay.core.verdict import ModelState
from assay.grading.calibration import calibration_set
from assay.runs.conduct import Outcome, Setting, conduct, topped_up
from assay.runs.history import StoredHistory, stored_history
from assay.runs.issued import keep
from assay.runs.judged.calibrate import calibrate
from assay.runs.judged.calibration import Calibration, remarks
from assay.runs.measured import Measured
from assay.runs.plan import Plan, plan_run
from assay.runs.spending import DaySpending, day_spending, runs_of_day
from assay.runs.verdicts import DayReport, reports_on
from assay.store.runs import StoredRun, count_runs, keep_models, new_run, read_run
from assay.store.scores import watched_runs
from assay.store.suites import keep_suite
from assay.store.verdicts import keep_verdicts, last_states
from assay.watch.evidence import ModelVerdict
from assay.watch.judgement import judge
from assay.watch.wording import verdicts_on

WATCHING = "watch"
"""The lock that keeps two watches from running at once on one database."""


@dataclass(frozen=True, slots=True)
class Change:
    """A model's state that differs from the one recorded last; `before` is None for its first verdict."""

    before: ModelState | None
    verdict: ModelVerdict


@dataclass(frozen=True, slots=True)
class WatchDay:
    """What one day's watch came to. `verdicts` are empty when the run stopped before it was whole.

    `deliveries` are the notifications that were sent, or failed to be. `calibrations` are the judges'
    before this run: none without a judge, or where they were calibrated when the run began. `measured` are
    the models that were left out because the day had measured them already; where that holds for all,
    `outcome` is that of the last run that did, and nothing was sent. `beside` has, for each verdict, the
    tests that stand beside it. `spent` is what all runs of the suite
    have spent on the day, by part.
    """

    outcome: Outcome
    day: date
    topped: tuple[tuple[str, str], ...]
    verdicts: tuple[ModelVerdict, ...]
    changes: tuple[Change, ...]
    simulated: bool
    deliveries: tuple[Delivery, ...] = ()
    calibrations: tuple[Calibration, ...] = ()
    measured: tuple[Measured, ...] = ()
    spent: DaySpending = DaySpending()
    beside: tuple[DayReport, ...] = ()

    @property
    def asked(self) -> bool:
        """Whether this watch asked any model, rather than finding the day measured."""
        return not self.measured or self.outcome.run not in {known.run for known in self.measured}


def check_pins(models: Sequence[Model], providers: Mapping[str, Provider], *, allow_unpinned: bool) -> None:
    """Refuse models that a router may serve from anywhere: their provider could change unseen."""
    unpinned = [
        model.name
        for model in models
        if model.pin is None
        and model.provider in providers
        and providers[model.provider].dialect == "openrouter"
    ]
    if unpinned and not allow_unpinned:
        raise InvalidInput(
            [
                Problem(
                    f"model {name!r} is not pinned to one upstream provider, so a change of backend would "
                    "look like a change of the model: give it `pin: [PROVIDER]` in the workspace "
                    f"(`assay model add {name} --pin PROVIDER`), or pass --allow-unpinned"
                )
                for name in unpinned
            ]
        )


async def watch_day(
    setting: Setting,
    suite: Suite,
    models: Sequence[Model],
    day: date,
    *,
    judge: Model | None = None,
    max_cost: float | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> WatchDay:
    """Run a suite's base samples for one day, top up, judge and record. Hold the lock `WATCHING` meanwhile.

    `judge` marks judged use cases; without one they stay ungraded.
    """
    panel = Panel(judges=() if judge is None else (judge.name,))
    seats = await asyncio.to_thread(keep_models, setting.engine, [] if judge is None else [judge])
    plan = replace(plan_run(suite, models, panel=panel), judges=seats)
    run = await asyncio.to_thread(start_watch, setting, plan, day)
    return await finish_watch(setting, run, plan, max_cost=max_cost, progress=progress, stop=stop)


def start_watch(setting: Setting, plan: Plan, day: date) -> StoredRun:
    """Store the suite and a new watch run for a day."""
    keep_suite(setting.engine, plan.suite, clock=setting.clock)
    return new_run(
        setting.engine,
        kind="watch",
        suite=plan.suite.digest,
        subjects=plan.models,
        plan=plan.described(),
        day=day.isoformat(),
        simulated=any(setting.providers[model.provider].dialect == "simulated" for model in plan.models),
        clock=setting.clock,
    )


async def finish_watch(
    setting: Setting,
    run: StoredRun,
    plan: Plan,
    *,
    max_cost: float | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> WatchDay:
    """Execute a watch run, new or resumed, and judge its day when it is whole.

    `max_cost` (US dollars) bounds what all runs of the suite spend on the day, their calibrations included.
    """
    assert run.day is not None
    day = date.fromisoformat(run.day)
    stop, progress = stop or Stop(), progress or Progress(0)
    of_day = await asyncio.to_thread(runs_of_day, setting.engine, plan.suite, day)
    budget = await asyncio.to_thread(budget_of, setting.engine, max_cost, list(of_day))
    calibrations: tuple[Calibration, ...] = ()
    told: tuple[str, ...] = ()
    if not plan.calibrations:
        calibrations, told = await _calibrated(setting, plan, day, budget, progress, stop)
    if calibrations and stop.reason is None:
        plan = replace(plan, calibrations=tuple(found.run for found in calibrations))
    ended = await _finished(setting, run, plan, day, budget, progress, stop)
    return replace(
        ended,
        outcome=replace(ended.outcome, remarks=told + ended.outcome.remarks),
        calibrations=calibrations,
        spent=await asyncio.to_thread(day_spending, setting.engine, plan.suite, day),
    )


async def _finished(
    setting: Setting,
    run: StoredRun,
    plan: Plan,
    day: date,
    budget: Budget,
    progress: Progress,
    stop: Stop,
) -> WatchDay:
    """Execute the samples of a watch run, top up what looks suspicious, and judge the whole day."""
    outcome = await conduct(setting, run, plan, budget=budget, progress=progress, stop=stop)
    pairs: frozenset[tuple[int, str]] = frozenset()
    if outcome.status == "finished":
        history = await asyncio.to_thread(stored_history, setting.engine, run.suite, until=day)
        pairs = _suspicious(history, run, day) - plan.topped
    if pairs:
        plan = topped_up(plan, pairs)
        outcome = await conduct(
            setting, run, plan, budget=budget, progress=progress, stop=stop, retry_errors=False
        )
    named = tuple((plan.models[model].name, use_case) for model, use_case in sorted(plan.topped))
    if await asyncio.to_thread(_nothing_whole, setting.engine, run):
        return WatchDay(outcome, day, named, (), (), run.simulated)
    verdicts, changes = await asyncio.to_thread(judge_day, setting, run, day)
    judged = {verdict.model for verdict in verdicts}
    rows = {row for row, model in run.models if model.name in judged}
    beside = await asyncio.to_thread(reports_on, setting.engine, run.suite, day, rows)
    return WatchDay(outcome, day, named, verdicts, changes, run.simulated, beside=beside)


async def _calibrated(
    setting: Setting, plan: Plan, day: date, budget: Budget, progress: Progress, stop: Stop
) -> tuple[tuple[Calibration, ...], tuple[str, ...]]:
    """Calibrate the judge of a watch, and its substitute, and say what is to be known of it.

    Where the budget does not pay for it, `stop` is asked for: resuming begins the calibration again.
    """
    if not calibration_set(plan.suite).positions:
        return (), ()
    found: list[Calibration] = []
    told = [
        f"judge {model.name} is not pinned to one upstream provider: only calibration would show a change "
        f"of backend; pin it with `assay model add {model.name} --pin PROVIDER`"
        for _, model in plan.judges
        if model.pin is None
        and model.provider in setting.providers
        and setting.providers[model.provider].dialect == "openrouter"
    ]
    for seat in plan.judges:
        if stop.reason is not None:
            break
        try:
            found.append(
                await calibrate(
                    setting,
                    plan.suite,
                    seat,
                    day,
                    panel=plan.panel,
                    budget=budget,
                    progress=progress,
                    stop=stop,
                )
            )
        except InvalidInput as error:
            told.append(f"the judge was not calibrated: {error}")
        except BudgetSpent as error:
            stop.ask(f"the judge was not calibrated: {error}", error)
        else:
            told.extend(remarks(found[-1]))
    return tuple(found), tuple(told)


def _suspicious(stored: StoredHistory, run: StoredRun, day: date) -> frozenset[tuple[int, str]]:
    """Return the (model of the run, use case) pairs whose provisional score asks for full count."""
    ordinals = {row: ordinal for ordinal, (row, _) in enumerate(run.models)}
    judged = judge(stored.history, stored.suite.thresholds)
    return frozenset(
        (ordinals[stored.models[rerun.model]], stored.suite.use_cases[rerun.use_case].name)
        for rerun in judged.reruns(day)
        if stored.models[rerun.model] in ordinals
    )


def measured_day(engine: Engine, measured: Sequence[Measured], day: date) -> WatchDay:
    """Return a day on which all models were measured already, with its verdicts; send and store nothing."""
    last = read_run(engine, max(known.run for known in measured))
    counts = count_runs(engine, [last.id])[last.id]
    stored = stored_history(engine, last.suite, until=day)
    names = {known.model for known in measured}
    verdicts = verdicts_on(judge(stored.history, stored.suite.thresholds), day)
    return WatchDay(
        Outcome(last.id, last.status, None, None, counts),
        day,
        (),
        tuple(verdict for verdict in verdicts if verdict.model in names),
        (),
        stored.simulated,
        measured=tuple(measured),
        spent=day_spending(engine, stored.suite, day),
    )


def _nothing_whole(engine: Engine, run: StoredRun) -> bool:
    """Return whether no model of a run has all its base samples, so that there is nothing to judge."""
    return run.id not in watched_runs(engine, run.suite, until=run.day).ids


def judge_day(
    setting: Setting, run: StoredRun, day: date
) -> tuple[tuple[ModelVerdict, ...], tuple[Change, ...]]:
    """Judge the models of a run on its day, record the verdicts, and return them with what changed.

    Models that the run has not finished are left out: an endpoint that is closed for an hour takes no
    other model's verdict away.

    A state has changed when it differs from that of the day before, or from what was recorded earlier on
    the same day: then it is taken back. Conditions that changed on this day are a change as well.
    """
    stored = stored_history(setting.engine, run.suite, until=day)
    before = last_states(setting.engine, run.suite, before=day.isoformat())
    latest = last_states(setting.engine, run.suite, before=(day + timedelta(days=1)).isoformat())
    mine = {row for row, _ in run.models if (run.id, row) not in stored.partial}
    verdicts = {
        row: verdict
        for row, verdict in zip(
            stored.models, verdicts_on(judge(stored.history, stored.suite.thresholds), day), strict=True
        )
        if row in mine
    }
    keep_verdicts(
        setting.engine,
        run.suite,
        [keep(row, verdict, stored.suite.thresholds) for row, verdict in verdicts.items()],
        clock=setting.clock,
    )
    changes = tuple(
        _change(verdict, before.get(row), latest.get(row))
        for row, verdict in verdicts.items()
        if verdict.state is not ModelState.GAP
        and (
            {before.get(row), latest.get(row)} != {verdict.state.value}
            or any(change.since == day for change in verdict.conditions_changed)
        )
    )
    return tuple(verdicts.values()), changes


def _change(verdict: ModelVerdict, before: str | None, latest: str | None) -> Change:
    last = before if latest == verdict.state.value else latest
    return Change(None if last is None else ModelState(last), verdict)
