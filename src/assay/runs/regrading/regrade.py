"""Grading stored answers again: subjects are not asked, judges only for marks that do not exist yet."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import date
from typing import Literal

from sqlalchemy import Engine

from assay.calls.ask import recorded_reply
from assay.calls.asking import ASKED
from assay.calls.budget import Budget
from assay.calls.control import RunControl
from assay.calls.lease import hold_run
from assay.core.errors import Conflict, InvalidInput
from assay.core.suite import Suite
from assay.files.suite_digest import suite_digest
from assay.grading.registry import grader
from assay.results.runs import RunOutcome, RunStatus
from assay.runs.calibrating.calibrate import KIND
from assay.runs.conduct import Portion, RunContext, execute_here, limit_remarks
from assay.runs.judging.panels import NONE, JudgeChoice, choose_panel
from assay.runs.open_workspace import OpenWorkspace
from assay.runs.plan import Plan, stored_plan
from assay.runs.regrading.missing import missing_marks
from assay.store.ledger import stored_answers, subject_calls
from assay.store.runs import StoredRun, count_runs, keep_plan, read_run
from assay.store.suites import read_suite

Which = Literal["all", "ungraded"]
AT_ONCE = 2_000


async def regrade(
    context: RunContext,
    stored: StoredRun,
    plan: Plan,
    *,
    only: Which = "all",
    among: Collection[int] | None = None,
    max_cost: float | None = None,
    control: RunControl | None = None,
) -> RunOutcome:
    """Grade the answers of a run again by its suite's graders and the plan's judges.

    With `only` "ungraded", only answers without a score or without a readable mark of each judge are graded,
    with `among` only these answers. Marks of judges that are not in the plan stay. `max_cost` (US dollars)
    bounds the cost of this grading. Raises Conflict if graders changed since the run, because grades of two
    kinds would be mixed, and while another process executes or grades the run.
    """
    control = control or RunControl()
    stop, progress = control.stop, control.progress
    async with hold_run(context.engine, stored.id, stop) as lease:
        context = replace(context, lease=lease)
        if graders_changed(plan):
            raise Conflict(
                f"suite {plan.suite.name!r} {plan.suite.version} was run with other versions of its graders: "
                "raise the suite's version and run it again, so that grades of two kinds are never mixed"
            )
        engine, run = context.engine, stored.id
        chosen = await asyncio.to_thread(_answers, engine, run, plan, only)
        if among is not None:
            chosen &= set(among)
        progress.total = len(chosen)
        before = count_runs(engine, [run])[run]
        keep_plan(engine, run, plan.described())
        budget = Budget(max_cost)
        positions, models = sorted(chosen), len(plan.models)
        refusals: dict[str, None] = {}
        for start in range(0, len(positions), AT_ONCE):
            if stop.reason is not None:
                break
            chunk = positions[start : start + AT_ONCE]
            rows = await asyncio.to_thread(subject_calls, engine, run, chunk)
            replies = {position: recorded_reply(row) for position, row in rows.items()}

            def lacking(wanted: Collection[int], chunk: list[int] = chunk) -> Iterator[int]:
                return (position for position in chunk if position % models in wanted)

            portion = Portion(stored, plan, lacking, budget, replies=replies)
            refusals.update(dict.fromkeys((await execute_here(context, portion, control)).refusals))
        counts = count_runs(engine, [run])[run]
        remarks = (*progress.complaints, *refusals, *limit_remarks(max_cost, counts.spend - before.spend))
        status = stored.status if stop.reason is None else RunStatus.STOPPED
        missing = await asyncio.to_thread(missing_marks, engine, run, plan) if plan.judges else None
        unmarked = 0 if missing is None else len(missing.unmarked)
        return RunOutcome(
            run, status, stop.reason, stop.error, counts.samples, counts.spend, remarks, unmarked
        )


def graders_changed(plan: Plan) -> bool:
    """Return whether the suite's digest differs from that of its content with the current graders."""
    suite = plan.suite
    versions = {spec.name: grader(spec.name).version for case in suite.cases for spec in case.graders}
    current = suite_digest(
        suite.use_cases,
        name=suite.name,
        version=suite.version,
        parameters=suite.parameters,
        judge=suite.judge,
        versions=versions,
    )
    return current != suite.digest


def _answers(engine: Engine, run: int, plan: Plan, only: Which) -> set[int]:
    if only == "all":
        return stored_answers(engine, run)
    return stored_answers(engine, run, ungraded=True) | set(missing_marks(engine, run, plan).by_position)


async def grade_again(
    work: OpenWorkspace,
    number: int,
    *,
    judges: JudgeChoice,
    only: Which,
    max_cost: float | None,
    control: RunControl,
) -> RunOutcome:
    """Grade the stored answers of a run again.

    Named judges are added to those of the run, whose marks are used again. A run that had no judge gets
    those of its suite or workspace. Raises Conflict for a run without answers of its own.
    """
    run = await asyncio.to_thread(read_run, work.engine, number)
    if run.kind in {"import", KIND, *ASKED}:
        raise Conflict(f"run {number} is of kind {run.kind!r}: it has no answers to grade again")
    suite = await asyncio.to_thread(read_suite, work.engine, run.suite)
    plan = _with_judges(work, run, suite, judges)
    day = None if run.day is None else date.fromisoformat(run.day)
    async with work.run_context(plan.everyone, suite.cases, day, control) as context:
        plan = await asyncio.to_thread(work.store_judges, plan)
        return await regrade(context, run, plan, only=only, max_cost=max_cost, control=control)


def _with_judges(work: OpenWorkspace, run: StoredRun, suite: Suite, choice: JudgeChoice) -> Plan:
    """Return a run's plan with its own judges and those that are chosen in addition, by its own rules."""
    plan = stored_plan(suite, [model for _, model in run.models], run.plan, run.judges)
    own = {model.name: model for _, model in run.judges}
    subjects = [model.name for model in plan.models]
    panel = plan.panel
    if not panel.names:
        panel = choose_panel(suite, work.workspace, choice, subjects=subjects, simulated=work.simulated)
    else:
        added = () if choice.judges == (NONE,) else choice.judges
        geval = panel.geval if choice.geval is None else None if choice.geval == NONE else choice.geval
        panel = replace(
            panel,
            judges=tuple(dict.fromkeys((*panel.judges, *added))),
            geval=geval,
            exclude=choice.exclude or panel.exclude,
            substitute=choice.substitute or panel.substitute,
            flags=panel.flags and not choice.withhold_flags,
        )
    if run.kind == "watch" and run.judges and panel != plan.panel:
        raise InvalidInput(
            f"run {run.id} is a watch with the pinned judge {plan.panel.judges[0]!r}: "
            "its judges cannot be changed"
        )
    models = [own.get(name) or work.models([name])[0] for name in panel.names]
    return replace(plan, panel=panel, judges=tuple((0, model) for model in models))
