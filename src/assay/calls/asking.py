"""Asking models outside a suite's plan: studies, expanding questions, marking answers, sitting an exam.

Each of these is also a run: its calls are in the ledger, its cost is counted, and it can be resumed.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import partial
from typing import Any, Final, Literal, TypeVar

from assay.calls.ask import Caller, ReadyModel, recorded_reply
from assay.calls.budget import Budget, BudgetSpent, budget_of
from assay.calls.circuit import CircuitOpen, Notice, describe_notice
from assay.calls.code import CodeRunner
from assay.calls.control import RunControl, Stop
from assay.calls.lease import hold_run
from assay.calls.stand_ins import serve_stand_ins, stands_in
from assay.calls.subjects import CallContext, RunCalls, check_keys, open_calls
from assay.core.ask import ModelAsk, ModelReply
from assay.core.case import Case
from assay.core.errors import AssayError, Upstream
from assay.core.judging import Mark
from assay.core.model import Model
from assay.core.suite import Suite
from assay.results.runs import Spend
from assay.store.ledger import judge_calls
from assay.store.locks import Lease
from assay.store.rows import MarkRow
from assay.store.runs import StoredRun, count_runs, end_run, new_run
from assay.store.suites import keep_suite

T = TypeVar("T")
Replies = tuple[ModelReply, ...]
MAX_TOKENS: Final = 8192
"""The output budget of a judge that is asked outside a suite."""
ASKED = frozenset({"sit", "mark", "expand", "contamination", "errors", "pairs"})
"""The kinds of runs that ask models outside a suite: they have calls but no samples and no planned cases."""


@dataclass(frozen=True, slots=True)
class AskingContext(CallContext):
    """The context of asking outside a suite.

    Simulated models know answers to `cases` and behave as on `simulated_day`, None for today.
    """

    cases: tuple[Case, ...] = ()
    simulated_day: date | None = None


class Asking:
    """Models ready to be asked for one run."""

    def __init__(self, subjects: Sequence[ReadyModel], calls: RunCalls, control: RunControl) -> None:
        self.subjects = {subject.model.name: subject for subject in subjects}
        self.lease: Lease | None = calls.context.lease
        self._calls = calls
        self._control = control

    async def ask(self, ask: ModelAsk, position: int) -> ModelReply:
        """Ask the model that the ask names, and record the call at a position of the run.

        Raises BudgetSpent before sending if the budget does not allow the call, KeyRefused if the provider
        refuses the key, and the error of a database that rejects rows.
        """
        reply = await self._calls.caller.ask(self.subjects[ask.model], ask, position)
        await self._calls.recorder.room()
        return reply

    async def judge(
        self,
        judge: str,
        ask: ModelAsk,
        read: Callable[[Replies], Mark | ModelAsk],
        position: int,
        /,
        *,
        replies: Replies = (),
        **answers: str,
    ) -> tuple[Mark, Replies]:
        """Ask a judge until its replies can be read as a mark; return the mark with all replies.

        `read` returns the mark of the replies, or one more request. `replies` are those that
        were paid for before. Simulated judges get the digests of the `answers`, by their names.
        """
        digests = {
            name: hashlib.sha256(answer.encode("utf-8", "surrogatepass")).hexdigest()
            for name, answer in answers.items()
        }
        outcome = read(replies) if replies else ask
        while isinstance(outcome, ModelAsk):
            addressed = replace(
                outcome,
                model=judge,
                parameters={**outcome.parameters, "max_tokens": MAX_TOKENS},
                about={**outcome.about, **digests},
            )
            replies = (*replies, await self.ask(addressed, position))
            outcome = read(replies)
        return outcome, replies

    async def mark(self, row: MarkRow) -> None:
        """Record a judge's mark. Raises the error of a database that rejects rows."""
        self._calls.recorder.mark(row)
        await self._calls.recorder.room()

    async def store(self, write: Callable[[], None]) -> None:
        """Run `write`, which stores what was made from replies in its own transaction and may be repeated.

        A database that is locked, full or disconnected is tried again, as for calls (`Recorder`).
        """
        await self._calls.recorder.store(write)

    async def each(self, jobs: Iterable[T], work: Callable[[T], Awaitable[None]]) -> None:
        """Do `work` for each job, as many at a time as the providers allow in flight."""
        calls = self._calls
        await carry_out(jobs, work, workers=calls.workers, caller=calls.caller, stop=self._control.stop)


@asynccontextmanager
async def open_asking(
    context: AskingContext, run: StoredRun, *, budget: Budget, control: RunControl
) -> AsyncIterator[Asking]:
    """Yield the models of a run ready to be asked; all calls are committed when the context ends.

    Simulated and recorded models are served meanwhile. Raises InvalidInput for an unknown provider or a
    missing key.
    """
    models = [model for _, model in run.models]
    check_keys(models, context.providers, context.environment)

    def notify(notice: Notice) -> None:
        control.progress.notices.append(describe_notice(notice, context.clock()))

    async with serve_stand_ins(
        context.providers,
        models,
        context.cases,
        today=lambda: datetime.fromtimestamp(context.clock(), UTC).date(),
        day=context.simulated_day,
        problems=control.progress.notices,
    ) as providers:
        serving = replace(context, providers=providers)
        async with open_calls(serving, run.id, models, budget, control, sandbox=_no_sandbox) as calls:
            subjects = calls.ready(run.models)
            for subject in subjects:
                subject.throttle.circuit.notify = notify
            yield Asking(subjects, calls, control)


def begin_asking(
    context: AskingContext, kind: str, models: Sequence[Model], plan: Mapping[str, Any]
) -> StoredRun:
    """Store a new run that has no suite; `kind` is one of `ASKED`.

    It gets a suite without cases, so that it is listed and shown like other runs.
    """
    suite = Suite(
        name=f"exam-{kind}",
        version="1",
        title=f"Asked outside a suite: {kind}",
        visibility="private",
        use_cases=(),
        digest=hashlib.sha256(f"asked outside a suite: {kind}".encode()).hexdigest(),
    )
    keep_suite(context.engine, suite, clock=context.clock)
    return new_run(
        context.engine,
        kind=kind,
        suite=suite.digest,
        subjects=models,
        plan=plan,
        day=None,
        simulated=any(stands_in(model, context.providers) for model in models),
        clock=context.clock,
    )


@dataclass(frozen=True, slots=True)
class AskingEnd:
    """The end of a run that has no suite, why it stopped, and the cost of the whole run."""

    status: Literal["finished", "stopped"]
    reason: str | None
    error: AssayError | None
    spend: Spend


async def carry_on_asking(
    context: AskingContext,
    run: StoredRun,
    work: Callable[[Asking], Awaitable[None]],
    *,
    max_cost: float | None,
    control: RunControl,
) -> AskingEnd:
    """Hold a stored run that has no suite, do `work`, which asks for what is missing, and record the end.

    `max_cost` (US dollars) is for the whole run. An error of the work is returned and stored as the reason.
    Raises InvalidInput for a missing key, and Conflict while another process executes the run.
    """
    engine, clock = context.engine, context.clock
    check_keys([model for _, model in run.models], context.providers, context.environment)
    async with hold_run(engine, run.id, control.stop) as lease:
        end = partial(end_run, engine, run.id, clock=clock, lease=lease)
        await asyncio.to_thread(end, status="running", reason=None)
        if control.started is not None:
            control.started(run)
        error: AssayError | None = None
        try:
            budget = await asyncio.to_thread(budget_of, engine, max_cost, [run.id])
            held = replace(context, lease=lease)
            async with open_asking(held, run, budget=budget, control=control) as asking:
                await work(asking)
        except AssayError as failure:
            error = failure
        reason = control.stop.reason if error is None else str(error)
        status: Literal["finished", "stopped"] = "finished" if reason is None else "stopped"
        await asyncio.to_thread(end, status=status, reason=reason)
        counts = await asyncio.to_thread(count_runs, engine, [run.id])
    return AskingEnd(status, reason, error, counts[run.id].spend)


def recorded_replies(context: AskingContext, run: int, positions: Sequence[int]) -> dict[int, Replies]:
    """Return the replies of judges that a run's ledger holds for these positions, the oldest first."""
    rows = judge_calls(context.engine, run, positions)
    return {position: tuple(map(recorded_reply, of_position)) for position, of_position in rows.items()}


def _no_sandbox() -> CodeRunner:
    raise Upstream("programs are executed only in runs of a suite: this is a defect, please report it")


async def carry_out(
    jobs: Iterable[T], work: Callable[[T], Awaitable[None]], *, workers: int, caller: Caller, stop: Stop
) -> None:
    """Do `work` for each job, at most `workers` at a time.

    After a stop no job is begun, and calls in flight are waited for, unless they are given up too. The first
    AssayError of a job ends the others in the same way and is raised. A job that fails for want of budget,
    or because its model's circuit is open, does not end the others; the first such error is raised last.
    """
    queue = iter(jobs)
    failures: list[AssayError] = []
    skipped: list[AssayError] = []

    async def worker() -> None:
        for job in queue:
            if stop.reason is not None or failures:
                return
            try:
                await work(job)
            except (BudgetSpent, CircuitOpen) as error:
                skipped.append(error)
                await asyncio.sleep(0)
            except AssayError as error:
                failures.append(error)
                return
            except asyncio.CancelledError:
                if not stop.event.is_set():
                    raise
                return

    tasks = [asyncio.create_task(worker()) for _ in range(workers)]
    await wait_for_workers(tasks, caller, stop)
    if failures or skipped:
        raise (failures or skipped)[0]


async def wait_for_workers(
    workers: Sequence[asyncio.Task[None]], caller: Caller, stop: Stop, failed: asyncio.Event | None = None
) -> None:
    """Wait for the workers; after a stop only for calls in flight, and not for these if they are given up.

    Also returns when `failed` is set. All workers have ended on return.
    """
    everyone: asyncio.Future[Any] = asyncio.gather(*workers)
    stopped = asyncio.create_task(stop.event.wait())
    given_up = asyncio.create_task(stop.given_up.wait())
    broken = asyncio.create_task((failed or asyncio.Event()).wait())
    try:
        await asyncio.wait({everyone, stopped, broken}, return_when=asyncio.FIRST_COMPLETED)
        if stopped.done():
            caller.wind_down()
            await asyncio.wait({everyone, given_up, broken}, return_when=asyncio.FIRST_COMPLETED)
        if everyone.done():
            everyone.result()
    finally:
        tasks = (stopped, given_up, broken, *workers)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, everyone, return_exceptions=True)
