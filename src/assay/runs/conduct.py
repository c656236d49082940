"""Conducting a run from its first call to its last commit, new or resumed."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache

from assay.calls.ask import recorded_reply
from assay.calls.budget import Budget, budget_of
from assay.calls.code import CachedRunner, CodeRunner
from assay.calls.control import RunControl, Stop
from assay.calls.lease import hold_run
from assay.calls.subjects import CallContext, open_calls
from assay.core.ask import ModelReply
from assay.results.runs import RunOutcome, RunStatus, Spend
from assay.runs.execute import Execution
from assay.runs.judging.bench import load_geval, open_bench
from assay.runs.plan import Plan
from assay.store.ledger import finished_positions, unread_answers
from assay.store.runs import StoredRun, count_runs, end_run, keep_plan


@cache
def open_runner() -> CodeRunner:
    """Return this process's sandbox, opened once; if none is usable, a runner that gives the reason."""
    from assay.sandbox.choose import open_sandbox

    return CachedRunner(open_sandbox())


@dataclass(frozen=True, slots=True)
class Portion:
    """The part of a stored run that is to be executed, and its budget.

    `lacking(models)` yields the positions that these models still lack. `span` bounds them all, None for the
    whole run. `paces` are the numbers of requests that may be in flight at first, by model name, if earlier
    portions found these out. `replies` are answers to be graded; None for those that the ledger holds for
    positions without a sample.
    """

    stored: StoredRun
    plan: Plan
    lacking: Callable[[Collection[int]], Iterator[int]]
    budget: Budget
    retry_errors: bool = True
    span: tuple[int, int] | None = None
    paces: Mapping[str, float] = field(default_factory=dict)
    replies: Mapping[int, ModelReply] | None = None


@dataclass(frozen=True, slots=True)
class Executed:
    """The findings of an executor: refused parameters as sentences, and each model's pace at the end."""

    refusals: tuple[str, ...] = ()
    paces: Mapping[str, float] = field(default_factory=dict)


async def execute_here(context: RunContext, portion: Portion, control: RunControl) -> Executed:
    """Execute a portion in this process. Answers that the ledger holds are graded without asking again."""
    engine, stored, plan, progress = context.engine, portion.stored, portion.plan, control.progress
    replies = portion.replies
    if replies is None:
        ungraded = unread_answers(engine, stored.id, span=portion.span)
        replies = {position: recorded_reply(row) for position, row in ungraded.items()}
    models = [model for _, model in (*stored.models, *plan.judges)]
    async with open_calls(
        context, stored.id, models, portion.budget, control, sandbox=context.sandbox
    ) as calls:
        subjects = calls.ready(stored.models)
        paces = {subject.model.name: subject.throttle.pace for subject in subjects}
        for name, allowed in portion.paces.items():
            paces[name].allowed = min(allowed, paces[name].limit)
        bench = None
        if plan.judges:
            bench = open_bench(stored, plan, calls, unread=progress.unread, shared=portion.span is not None)
            if plan.panel.geval is not None:
                await asyncio.to_thread(load_geval)
        execution = Execution(stored.id, plan, subjects, calls, control, replies=replies, bench=bench)
        with rarer_collections():
            await execution.execute(portion.lacking)
    refusals = tuple(f"{subject.model.name} was {subject.learned}" for subject in subjects if subject.learned)
    refusals += () if bench is None else bench.refusals
    return Executed(refusals, {name: pace.allowed for name, pace in paces.items()})


@dataclass(frozen=True, slots=True)
class RunContext(CallContext):
    """The context of a run. `executor` does its work: in this process, unless another is given."""

    sandbox: Callable[[], CodeRunner] = open_runner
    executor: Executor = execute_here


Executor = Callable[[RunContext, Portion, RunControl], Awaitable[Executed]]


async def conduct(
    context: RunContext,
    stored: StoredRun,
    plan: Plan,
    *,
    max_cost: float | None = None,
    budget: Budget | None = None,
    control: RunControl | None = None,
    retry_errors: bool = True,
) -> RunOutcome:
    """Execute the samples of its plan that a stored run lacks, and record how the run ended.

    Finished samples stay as they are, answers that the ledger holds are graded without asking again, and
    errored samples are asked for again unless `retry_errors` is False. `max_cost` bounds the whole run's cost
    in US dollars; a `budget` that covers more than this run replaces it. Raises Conflict while another
    process executes the run.
    """
    control = control or RunControl()
    async with hold_run(context.engine, stored.id, control.stop) as lease:
        context = replace(context, lease=lease)
        engine, run = context.engine, stored.id
        done = finished_positions(engine, run, errored=not retry_errors)
        control.progress.begin("", plan.size, len(done))
        budget = budget or budget_of(engine, max_cost, [run])
        keep_plan(engine, run, plan.described())
        end_run(engine, run, status="running", reason=None, clock=context.clock, lease=lease)

        def lacking(models: Collection[int]) -> Iterator[int]:
            return (position for position in plan.positions(models) if position not in done)

        portion = Portion(stored, plan, lacking, budget, retry_errors)
        executed = await context.executor(context, portion, control)
        remarks = control.progress.complaints + executed.refusals
        outcome = _end(context, run, plan, control.stop, remarks)
        return replace(outcome, remarks=outcome.remarks + limit_remarks(budget.limit, budget.spent))


def _end(context: RunContext, run: int, plan: Plan, stop: Stop, remarks: tuple[str, ...]) -> RunOutcome:
    """Record how a run ended and return it as its outcome."""
    counts = count_runs(context.engine, [run])[run]
    whole = counts.samples.n >= plan.size
    status = RunStatus.FINISHED if whole else RunStatus.STOPPED
    reason = None if whole else stop.reason
    end_run(context.engine, run, status=status, reason=reason, clock=context.clock, lease=context.lease)
    error = None if whole else stop.error
    return RunOutcome(run, status, reason, error, counts.samples, counts.spend, remarks)


def limit_remarks(limit: float | None, spent: Spend) -> tuple[str, ...]:
    """Return remarks about costs that a limit (US dollars) could not prevent; none without a limit."""
    if limit is None:
        return ()
    remarks = []
    if spent.unknown:
        remarks.append(
            f"{spent.unknown} of {spent.calls} calls have no known cost, which the limit of "
            f"${limit:g} does not count: write their model's prices into the workspace"
        )
    if spent.known > limit:
        remarks.append(
            f"${spent.known:.4f} was spent, more than the limit of ${limit:g}: calls cost more than their "
            "models' prices or earlier calls allow; check the prices in the workspace, and add missing ones"
        )
    return tuple(remarks)


@contextmanager
def rarer_collections() -> Iterator[None]:
    """Make Python collect cyclic garbage less often, since a run makes many objects and few cycles."""
    before = gc.get_threshold()
    gc.set_threshold(max(before[0], 20_000), before[1], before[2])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def topped_up(plan: Plan, pairs: frozenset[tuple[int, str]]) -> Plan:
    """Return a plan in which these (model, use case) pairs have the full number of epochs."""
    return replace(plan, topped=plan.topped | pairs)
