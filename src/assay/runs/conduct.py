"""Conducting a run from its first call to its last commit: start, resume, stop, top up."""

from __future__ import annotations

import asyncio
import gc
import random
import time
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache

from sqlalchemy import Engine

from assay.calls.ask import Caller, Lane, recorded_reply
from assay.calls.budget import Budget, budget_of
from assay.calls.code import CodeRunner, Remembering
from assay.calls.lease import hold_run
from assay.calls.progress import Progress
from assay.calls.record import Recorder
from assay.calls.stop import Stop
from assay.calls.subjects import ready
from assay.core.ask import ModelReply
from assay.core.errors import AssayError
from assay.core.model import Provider
from assay.core.money import Spend
from assay.providers.network import open_session, uses_tls
from assay.runs.execute import Execution
from assay.runs.judged.judges import load_geval, open_bench, ready_judges
from assay.runs.plan import Plan
from assay.store.ledger import finished_positions, unread_answers
from assay.store.locks import Lease
from assay.store.runs import RunCounts, StoredRun, count_runs, end_run, keep_plan
from assay.store.writer import LedgerWriter


@cache
def open_runner() -> CodeRunner:
    """Return this process's sandbox, opened once; where none is usable, a runner that says why."""
    from assay.sandbox.choose import open_sandbox

    return Remembering(open_sandbox())


@dataclass(frozen=True, slots=True)
class Portion:
    """What is to be executed of a stored run, and what it may cost.

    `lacking(models)` yields the positions that these models still lack. `span` bounds them all,
    None for the whole run. `paces` are the requests that may be in flight at first, for models that
    have shown how many they bear, by name. `replies` are answers to be graded; None for those
    that the ledger holds for positions without a sample.
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
    """What an executor found out: refused parameters in words, and the pace each model bore at the end."""

    refusals: tuple[str, ...] = ()
    paces: Mapping[str, float] = field(default_factory=dict)


async def execute_here(setting: Setting, portion: Portion, progress: Progress, stop: Stop) -> Executed:
    """Execute a portion in this process. Answers that the ledger holds are graded without asking again."""
    engine, stored = setting.engine, portion.stored
    replies = portion.replies
    if replies is None:
        unread = unread_answers(engine, stored.id, span=portion.span)
        replies = {position: recorded_reply(row) for position, row in unread.items()}
    serving = {model.provider: setting.providers[model.provider] for _, model in stored.models}
    judging = {
        model.provider: setting.providers[model.provider]
        for _, model in portion.plan.judges
        if model.provider in setting.providers
    }
    serving = {**judging, **serving}
    connections = sum(setting.concurrency or provider.concurrency for provider in serving.values())
    tls = any(uses_tls(provider.base_url, setting.environment) for provider in serving.values())
    async with open_session(connections, setting.environment, tls=tls) as session:
        lanes: dict[str, Lane] = {}
        subjects = ready(
            stored.models,
            setting.providers,
            session,
            setting.environment,
            clock=setting.monotonic,
            concurrency=setting.concurrency,
            lanes=lanes,
        )
        paces = {subject.model.name: subject.gate.pace for subject in subjects}
        for name, allowed in portion.paces.items():
            paces[name].allowed = min(allowed, paces[name].limit)
        recorder = Recorder(
            LedgerWriter(engine, setting.lease),
            committed=progress.committed,
            waiting=progress.wait,
            stop=stop,
        )
        caller = Caller(
            stored.id,
            recorder,
            portion.budget,
            clock=setting.clock,
            rng=setting.rng,
            sandbox=setting.sandbox,
            note_retry=progress.retried,
            note_reply=progress.called,
        )
        bench = None
        if portion.plan.judges:
            judges = ready_judges(
                portion.plan.judges,
                setting.providers,
                session,
                setting.environment,
                clock=setting.monotonic,
                concurrency=setting.concurrency,
                lanes=lanes,
            )
            bench = open_bench(
                engine,
                stored,
                portion.plan,
                judges,
                caller,
                recorder,
                clock=setting.clock,
                unread=progress.unread,
                shared=portion.span is not None,
            )
            if portion.plan.panel.geval is not None:
                await asyncio.to_thread(load_geval)
        execution = Execution(
            stored.id,
            portion.plan,
            subjects,
            caller,
            recorder,
            progress,
            stop,
            clock=setting.clock,
            replies=replies,
            bench=bench,
        )
        try:
            with rarer_collections():
                await execution.execute(portion.lacking)
        finally:
            await recorder.close()
    refusals = tuple(f"{each.model.name} was {each.learned}" for each in subjects if each.learned)
    refusals += () if bench is None else bench.refusals
    return Executed(refusals, {name: pace.allowed for name, pace in paces.items()})


@dataclass(frozen=True, slots=True)
class Setting:
    """What a run takes from its surroundings: database, providers, environment, clocks, chance, sandbox.

    `clock` gives UTC seconds since 1970, `monotonic` seconds from any start. `executor` does the work:
    in this process, unless told otherwise. Nothing is written of a run whose `lease` was lost.
    """

    engine: Engine
    providers: Mapping[str, Provider]
    environment: Mapping[str, str]
    clock: Callable[[], float] = time.time
    monotonic: Callable[[], float] = time.monotonic
    rng: random.Random = field(default_factory=random.Random)
    sandbox: Callable[[], CodeRunner] = open_runner
    concurrency: int | None = None
    executor: Executor = execute_here
    lease: Lease | None = None


Executor = Callable[[Setting, Portion, Progress, Stop], Awaitable[Executed]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended. `reason` and `error` tell why it stopped; both None when it finished.

    `remarks` say what errors came, and which parameters endpoints turned out to refuse, one line each.
    `unmarked` is the number of visible answers that no judge of the panel has marked.
    """

    run: int
    status: str
    reason: str | None
    error: AssayError | None
    counts: RunCounts
    remarks: tuple[str, ...] = ()
    unmarked: int = 0


async def conduct(
    setting: Setting,
    stored: StoredRun,
    plan: Plan,
    *,
    max_cost: float | None = None,
    budget: Budget | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
    retry_errors: bool = True,
) -> Outcome:
    """Execute what a stored run still lacks of its plan, and record how it ended.

    Samples that are finished stay as they are, answers that the ledger holds are graded without asking
    again, errored samples are asked for again unless `retry_errors` is
    False. `max_cost` bounds the whole run's cost in US dollars; a `budget` that covers more than this run
    comes in its place. Raises Conflict while another process executes the run.
    """
    stop = stop or Stop()
    async with hold_run(setting.engine, stored.id, stop) as lease:
        held = replace(setting, lease=lease)
        return await _conduct(
            held, stored, plan, max_cost, budget, progress or Progress(plan.size), stop, retry_errors
        )


async def _conduct(
    setting: Setting,
    stored: StoredRun,
    plan: Plan,
    max_cost: float | None,
    budget: Budget | None,
    progress: Progress,
    stop: Stop,
    retry_errors: bool,
) -> Outcome:
    engine, run = setting.engine, stored.id
    done = finished_positions(engine, run, errored=not retry_errors)
    progress.begin("", plan.size, len(done))
    budget = budget or budget_of(engine, max_cost, [run])
    keep_plan(engine, run, plan.described())
    end_run(engine, run, status="running", reason=None, clock=setting.clock, lease=setting.lease)

    def lacking(models: Collection[int]) -> Iterator[int]:
        return (position for position in plan.positions(models) if position not in done)

    portion = Portion(stored, plan, lacking, budget, retry_errors)
    executed = await setting.executor(setting, portion, progress, stop)
    ended = _ended(setting, run, plan, stop, progress.complaints + executed.refusals)
    told = limit_remarks(budget.limit, budget.spent)
    return replace(ended, remarks=ended.remarks + told)


def limit_remarks(limit: float | None, spent: Spend) -> tuple[str, ...]:
    """Say what a limit on spending (US dollars) could not hold back: nothing where there is none."""
    if limit is None:
        return ()
    told = []
    if spent.unknown:
        told.append(
            f"{spent.unknown} of {spent.calls} calls have no known cost, which the limit of "
            f"${limit:g} does not count: write their model's prices into the workspace"
        )
    if spent.known > limit:
        told.append(
            f"${spent.known:.4f} was spent, more than the limit of ${limit:g}: calls cost more than their "
            "models' prices or earlier calls allow; check the prices in the workspace"
        )
    return tuple(told)


@contextmanager
def rarer_collections() -> Iterator[None]:
    """Let Python look for cyclic garbage less often meanwhile: a run makes many objects and few cycles."""
    before = gc.get_threshold()
    gc.set_threshold(max(before[0], 20_000), before[1], before[2])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _ended(setting: Setting, run: int, plan: Plan, stop: Stop, remarks: tuple[str, ...]) -> Outcome:
    counts = count_runs(setting.engine, [run])[run]
    whole = counts.samples >= plan.size
    status = "finished" if whole else "stopped"
    reason = None if whole else stop.reason
    end_run(setting.engine, run, status=status, reason=reason, clock=setting.clock, lease=setting.lease)
    return Outcome(run, status, reason, None if whole else stop.error, counts, remarks)


def topped_up(plan: Plan, pairs: frozenset[tuple[int, str]]) -> Plan:
    """Return a plan in which these (model, use case) pairs are run at full count."""
    return replace(plan, topped=plan.topped | pairs)
