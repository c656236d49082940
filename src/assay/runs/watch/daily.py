"""The daily watch: run the suite, top up suspicious results, judge the day, record and report changes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta

from assay.calls.budget import Budget, BudgetSpent, budget_of
from assay.calls.control import RunControl
from assay.calls.stand_ins import stands_in
from assay.core.errors import InvalidInput, Problem
from assay.core.judging import Panel
from assay.core.model import Model, Provider
from assay.core.suite import Suite
from assay.core.verdict import ModelState
from assay.grading.calibration import calibration_set
from assay.results.judges import Calibration
from assay.results.watch import ModelVerdict, StateChange, VerdictTests, WatchDay
from assay.runs.calibrating.calibrate import calibrate
from assay.runs.conduct import RunContext, conduct, topped_up
from assay.runs.plan import Plan, plan_run
from assay.runs.watch.history import StoredHistory, stored_history
from assay.runs.watch.issued import keep
from assay.runs.watch.spending import day_spending, runs_of_day
from assay.runs.watch.verdicts import reports_on
from assay.store.runs import StoredRun, keep_models, new_run
from assay.store.scores import watched_runs
from assay.store.suites import keep_suite
from assay.store.verdicts import keep_verdicts, last_states
from assay.watch.judgement import judge
from assay.watch.wording import verdicts_on

WATCHING = "watch"
"""The lock that keeps two watches from running at once on one database."""


def check_pins(models: Sequence[Model], providers: Mapping[str, Provider], *, allow_unpinned: bool) -> None:
    """Raise InvalidInput for models that a router may serve from any provider, unless that is allowed."""
    if allow_unpinned:
        return
    problems = [
        Problem(
            f"model {model.name!r} is not pinned to one upstream provider, so a change of backend would "
            "look like a change of the model: give it `pin: [PROVIDER]` in the workspace "
            f"(`assay model add {model.name} --pin PROVIDER`), or pass --allow-unpinned"
        )
        for model in models
        if is_unpinned(model, providers)
    ]
    if problems:
        raise InvalidInput(problems)


def is_unpinned(model: Model, providers: Mapping[str, Provider]) -> bool:
    """Return whether a router may serve a model from any upstream provider."""
    provider = providers.get(model.provider)
    return model.pin is None and provider is not None and provider.dialect == "openrouter"


async def watch_day(
    context: RunContext,
    suite: Suite,
    models: Sequence[Model],
    day: date,
    *,
    judge: Model | None = None,
    max_cost: float | None = None,
    control: RunControl | None = None,
) -> WatchDay:
    """Run a suite's base samples for one day, top up, judge and record. The caller holds the lock `WATCHING`.

    `judge` marks judged use cases; without one they stay ungraded.
    """
    panel = Panel(judges=() if judge is None else (judge.name,))
    judges = await asyncio.to_thread(keep_models, context.engine, [] if judge is None else [judge])
    plan = replace(plan_run(suite, models, panel=panel), judges=judges)
    run = await asyncio.to_thread(start_watch, context, plan, day)
    return await finish_watch(context, run, plan, max_cost=max_cost, control=control)


def start_watch(context: RunContext, plan: Plan, day: date) -> StoredRun:
    """Store the suite and a new watch run for a day."""
    keep_suite(context.engine, plan.suite, clock=context.clock)
    return new_run(
        context.engine,
        kind="watch",
        suite=plan.suite.digest,
        subjects=plan.models,
        plan=plan.described(),
        day=day.isoformat(),
        simulated=any(stands_in(model, context.providers) for model in plan.models),
        clock=context.clock,
    )


async def finish_watch(
    context: RunContext,
    run: StoredRun,
    plan: Plan,
    *,
    max_cost: float | None = None,
    control: RunControl | None = None,
) -> WatchDay:
    """Execute a watch run, new or resumed, and judge its day if all base samples are there.

    `max_cost` (US dollars) bounds the cost of all runs of the suite on the day, including calibrations.
    """
    assert run.day is not None
    day = date.fromisoformat(run.day)
    control = control or RunControl()
    of_day = await asyncio.to_thread(runs_of_day, context.engine, plan.suite, day)
    budget = await asyncio.to_thread(budget_of, context.engine, max_cost, list(of_day))
    calibrations: list[Calibration] = []
    remarks: list[str] = []
    if not plan.calibrations:
        calibrations, remarks = await _calibrate_judges(context, plan, day, budget, control)
    if calibrations and control.stop.reason is None:
        plan = replace(plan, calibrations=tuple(calibration.run for calibration in calibrations))
    ended = await _execute_and_judge(context, run, plan, budget, control)
    return replace(
        ended,
        outcome=replace(ended.outcome, remarks=(*remarks, *ended.outcome.remarks)),
        calibrations=tuple(calibrations),
        spent=await asyncio.to_thread(day_spending, context.engine, plan.suite, day),
    )


async def _execute_and_judge(
    context: RunContext, run: StoredRun, plan: Plan, budget: Budget, control: RunControl
) -> WatchDay:
    """Execute the samples of a watch run, top up suspicious use cases, and judge the day."""
    assert run.day is not None
    day = date.fromisoformat(run.day)
    outcome = await conduct(context, run, plan, budget=budget, control=control)
    pairs: frozenset[tuple[int, str]] = frozenset()
    if outcome.status == "finished":
        history = await asyncio.to_thread(stored_history, context.engine, run.suite, until=day)
        pairs = _suspicious(history, run, day) - plan.topped
    if pairs:
        plan = topped_up(plan, pairs)
        outcome = await conduct(context, run, plan, budget=budget, control=control, retry_errors=False)
    topped_pairs = tuple((plan.models[model].name, use_case) for model, use_case in sorted(plan.topped))
    if run.id not in watched_runs(context.engine, run.suite, until=run.day).ids:
        # No model has all its base samples, so there is nothing to judge.
        return WatchDay(outcome, day, topped_pairs, (), (), run.simulated)
    verdicts, changes = await asyncio.to_thread(judge_day, context, run, day)
    judged = {verdict.model for verdict in verdicts}
    rows = {row for row, model in run.models if model.name in judged}
    reports = await asyncio.to_thread(reports_on, context.engine, run.suite, day, rows)
    tests = tuple(VerdictTests(report.verdict.model, report.sequential, report.fleet) for report in reports)
    return WatchDay(outcome, day, topped_pairs, verdicts, changes, run.simulated, beside=tests)


async def _calibrate_judges(
    context: RunContext, plan: Plan, day: date, budget: Budget, control: RunControl
) -> tuple[list[Calibration], list[str]]:
    """Calibrate the judge of a watch and its substitute; also return remarks about them.

    If the budget does not suffice, a stop is requested: resuming starts the calibration again.
    """
    if not calibration_set(plan.suite).positions:
        return [], []
    calibrations: list[Calibration] = []
    remarks = [
        f"judge {model.name} is not pinned to one upstream provider: only calibration would show a change "
        f"of backend; pin it with `assay model add {model.name} --pin PROVIDER`"
        for _, model in plan.judges
        if is_unpinned(model, context.providers)
    ]
    for seat in plan.judges:
        if control.stop.reason is not None:
            break
        try:
            calibration = await calibrate(
                context, plan.suite, seat, day, panel=plan.panel, budget=budget, control=control
            )
        except InvalidInput as error:
            remarks.append(f"the judge was not calibrated: {error}")
        except BudgetSpent as error:
            control.stop.request(f"the judge was not calibrated: {error}", error)
        else:
            calibrations.append(calibration)
            remarks.extend(calibration.remarks)
    return calibrations, remarks


def _suspicious(stored: StoredHistory, run: StoredRun, day: date) -> frozenset[tuple[int, str]]:
    """Return the (model of the run, use case) pairs whose provisional score calls for the full count."""
    ordinals = {row: ordinal for ordinal, (row, _) in enumerate(run.models)}
    judged = judge(stored.history, stored.suite.thresholds)
    return frozenset(
        (ordinals[stored.models[rerun.model]], stored.suite.use_cases[rerun.use_case].name)
        for rerun in judged.reruns(day)
        if stored.models[rerun.model] in ordinals
    )


def judge_day(
    context: RunContext, run: StoredRun, day: date
) -> tuple[tuple[ModelVerdict, ...], tuple[StateChange, ...]]:
    """Judge the models of a run on its day, record the verdicts, and return them with the changes.

    Models that the run has not finished are left out, so that one unavailable endpoint does not delay the
    other verdicts.

    A state has changed if it differs from that of the day before, or from the one recorded earlier on the
    same day, which it replaces. Conditions that changed on this day are a change as well.
    """
    stored = stored_history(context.engine, run.suite, until=day)
    before = last_states(context.engine, run.suite, before=day.isoformat())
    latest = last_states(context.engine, run.suite, before=(day + timedelta(days=1)).isoformat())
    complete = {row for row, _ in run.models if (run.id, row) not in stored.partial}
    judged = verdicts_on(judge(stored.history, stored.suite.thresholds), day)
    verdicts = {row: verdict for row, verdict in zip(stored.models, judged, strict=True) if row in complete}
    keep_verdicts(
        context.engine,
        run.suite,
        [keep(row, verdict, stored.suite.thresholds) for row, verdict in verdicts.items()],
        clock=context.clock,
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


def _change(verdict: ModelVerdict, before: str | None, latest: str | None) -> StateChange:
    last = before if latest == verdict.state.value else latest
    return StateChange(None if last is None else ModelState(last), verdict)
