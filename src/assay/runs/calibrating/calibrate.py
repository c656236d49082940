"""Calibrating a judge: it marks the suite's exemplars again, and its marks are compared with its first ones.

A calibration is a run of kind `calibrate`: its calls are in the ledger, its marks in the table of marks.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, replace
from datetime import date
from functools import partial

from sqlalchemy import Engine

from assay.calls.asking import carry_out
from assay.calls.budget import Budget
from assay.calls.control import RunControl
from assay.calls.lease import hold_run
from assay.calls.progress import missing_marks
from assay.calls.stand_ins import stands_in
from assay.calls.subjects import CallContext, check_keys, open_calls
from assay.core.ask import CallStatus, ModelReply
from assay.core.errors import Conflict, InvalidInput
from assay.core.judging import Panel
from assay.core.model import Model
from assay.core.suite import Suite
from assay.grading.calibration import (
    LEAST_SHARE,
    MOST_EXEMPLARS,
    Exemplars,
    calibration_set,
    judge_shifts,
)
from assay.grading.registry import grader
from assay.results.judges import Calibration
from assay.runs.conduct import RunContext
from assay.runs.grade import grade_answer
from assay.runs.judging.bench import Bench
from assay.runs.judging.judges import ready_judges
from assay.runs.open_workspace import OpenWorkspace
from assay.runs.plan import Plan, default_panel
from assay.store.marks import marks_of_run
from assay.store.runs import StoredRun, end_run, keep_plan, list_runs, new_run
from assay.store.suites import keep_suite

KIND = "calibrate"
PHASE = "calibrating"
EXEMPLAR = Model("exemplar", "exemplar")


@dataclass(frozen=True, slots=True)
class _Task:
    """A calibration of a judge (with its model's row) on exemplars of a suite, by the rules of a panel."""

    suite: Suite
    exemplars: Exemplars
    row: int
    judge: Model
    panel: Panel


async def calibrate(
    context: RunContext,
    suite: Suite,
    judge: tuple[int, Model],
    day: date,
    *,
    panel: Panel,
    freeze: bool = False,
    budget: Budget | None = None,
    control: RunControl | None = None,
) -> Calibration:
    """Have a judge mark a suite's calibration set anew and compare its marks with the frozen ones.

    The first calibration that marked four fifths of the set is frozen; with `freeze` this one replaces it. A
    calibration that was stopped or killed is never frozen. Raises InvalidInput for a suite without exemplars
    to mark or a judge that cannot be asked, BudgetSpent if the `budget` does not allow the rest.
    """
    row, model = judge
    alone = replace(panel, judges=(model.name,), geval=None, substitute=None)
    task = _Task(suite, calibration_set(suite), row, model, alone)
    size = len(task.exemplars.positions)
    if not size:
        raise InvalidInput(f"suite {suite.name!r} has no exemplars with `marks` in judged use cases")
    check_judge(model, context)
    engine = context.engine
    run = await asyncio.to_thread(_new_run, context, task, day)
    control, budget = control or RunControl(), budget or Budget(None)
    before = budget.spent
    control.progress.begin(PHASE, size)
    async with hold_run(engine, run.id, control.stop) as lease:
        end = partial(end_run, engine, run.id, clock=context.clock, lease=lease)
        try:
            unread = await _mark_exemplars(replace(context, lease=lease), task, run, budget, control)
        except BaseException as error:
            await asyncio.to_thread(end, status="stopped", reason=str(error) or type(error).__name__)
            raise
        reason = control.stop.reason
        await asyncio.to_thread(end, status="finished" if reason is None else "stopped", reason=reason)
    marks = await asyncio.to_thread(marks_of_run, engine, run.id)
    complete = reason is None and len(marks) >= LEAST_SHARE * size
    if freeze and not complete:
        raise Conflict(f"run {run.id} marked {len(marks)} of {size} exemplars: too few to freeze")
    reference = await asyncio.to_thread(_reference, engine, task, run.id)
    if complete and (freeze or reference is None):
        reference = run.id
    frozen = await asyncio.to_thread(marks_of_run, engine, reference) if reference is not None else {}
    shifts = judge_shifts(task.exemplars, frozen, marks, limit=suite.thresholds.judge_shift)
    plan = {
        **run.plan,
        "frozen": reference == run.id,
        "reference": reference,
        "shifts": {shift.use_case: shift.shift for shift in shifts},
    }
    await asyncio.to_thread(keep_plan, engine, run.id, plan)
    return Calibration(
        run.id,
        model.name,
        suite.name,
        day,
        reference,
        shifts,
        size - len(marks),
        missing_marks(unread),
        budget.spent.known - before.known,
        budget.spent.unknown - before.unknown,
        run.simulated,
    )


def check_judge(model: Model, context: CallContext) -> None:
    """Raise InvalidInput for a judge whose provider is unknown, lacks its key or cannot be reached."""
    try:
        check_keys([model], context.providers, context.environment)
    except InvalidInput as error:
        raise InvalidInput(f"judge {model.name!r} cannot judge: {error}") from error


def _new_run(context: RunContext, task: _Task, day: date) -> StoredRun:
    keep_suite(context.engine, task.suite, clock=context.clock)
    return new_run(
        context.engine,
        kind=KIND,
        suite=task.suite.digest,
        subjects=[task.judge],
        plan={"judges": [task.row], "frozen": False, "max_tokens": task.panel.max_tokens},
        day=day.isoformat(),
        simulated=stands_in(task.judge, context.providers),
        clock=context.clock,
    )


async def _mark_exemplars(
    context: RunContext, task: _Task, run: StoredRun, budget: Budget, control: RunControl
) -> Counter[str]:
    """Have the judge mark all exemplars and return the reasons of missing marks, with their numbers."""
    suite, positions = task.suite, task.exemplars.positions
    graders = {
        ordinal: tuple((spec, grader(spec.name)) for spec in suite.cases[ordinal].graders)
        for ordinal in {position // MOST_EXEMPLARS for position in positions}
    }
    async with open_calls(context, run.id, [task.judge], budget, control, sandbox=context.sandbox) as calls:
        judges = ready_judges([(task.row, task.judge)], calls)
        bench = Bench(run.id, calls, task.panel, judges, None, purpose="calibration")

        async def mark(position: int) -> None:
            ordinal, number = divmod(position, MOST_EXEMPLARS)
            case = suite.cases[ordinal]
            reply = ModelReply(CallStatus.OK, case.exemplars[number].answer)
            judging = bench.on(position, EXEMPLAR)
            use_case = suite.use_case(case.use_case)
            await grade_answer(calls.caller, use_case, case, graders[ordinal], reply, judging)
            await calls.recorder.room()
            control.progress.done += 1

        workers = min(calls.workers, len(positions))
        await carry_out(positions, mark, workers=workers, caller=calls.caller, stop=control.stop)
    return bench.unread


def _reference(engine: Engine, task: _Task, excluded: int) -> int | None:
    """Return the last other run that froze this judge's marks, under the same output budget; None if none."""
    for run in list_runs(engine, kind=KIND):
        if (
            run.id != excluded
            and run.suite == task.suite.digest
            and run.status == "finished"
            and run.plan.get("frozen")
            and run.plan.get("judges") == [task.row]
            and run.plan.get("max_tokens") == task.panel.max_tokens
        ):
            return run.id
    return None


async def calibrate_judge(
    work: OpenWorkspace,
    suite: Suite,
    judge: str | None,
    *,
    freeze: bool,
    day: date | None,
    max_cost: float | None,
    control: RunControl,
) -> Calibration:
    """Calibrate the named judge, else the suite's pinned judge, on the suite's exemplars.

    Raises InvalidInput if there is neither.
    """
    name = judge or next(iter(default_panel(suite).judges), None)
    if name is None:
        raise InvalidInput(f"suite {suite.name!r} names no judge: pass --judge PROVIDER/MODEL")
    model = work.models([name])[0]
    async with work.run_context([model], suite.cases, day, control) as context:
        plan = Plan(suite, (), {}, (), judges=((0, model),))
        stored = await asyncio.to_thread(work.store_judges, plan)
        return await calibrate(
            context,
            suite,
            stored.judges[0],
            day or work.today(),
            panel=default_panel(suite),
            freeze=freeze,
            budget=Budget(max_cost),
            control=control,
        )
