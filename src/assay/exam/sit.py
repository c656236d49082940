"""Sitting an exam as a candidate: a model answers a session's questions over the service's public interface.

A sitting is a run. Each answer is in the ledger before it is submitted, so that a resumed sitting submits
answers that were paid for and never repeats a call.
"""

from __future__ import annotations

import asyncio
import shlex
import uuid
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from dataclasses import astuple, replace
from typing import Any, Final, Literal, TypeVar

from assay.calls.ask import recorded_reply
from assay.calls.asking import Asking, AskingContext, begin_asking, open_asking
from assay.calls.budget import budget_of
from assay.calls.control import RunControl, Stop
from assay.calls.lease import hold_run
from assay.calls.record import PATIENCE as RECORD_PATIENCE
from assay.calls.subjects import check_keys
from assay.core.ask import CallStatus, ModelAsk, ModelReply
from assay.core.errors import AssayError, Conflict, Denied, InvalidInput, Upstream
from assay.core.model import Model
from assay.exam.service_client import (
    PATIENCE,
    PosedQuestion,
    ServiceConnection,
    SessionAccess,
    SessionClient,
    WaitPolicy,
)
from assay.providers.network import open_session, proxy_for, uses_tls
from assay.results.exam_marking import Receipt, SessionProgress, SittingProgress, SittingTally
from assay.store.ledger import subject_calls
from assay.store.runs import StoredRun, count_runs, end_run, keep_plan, list_runs, read_run

KIND: Final = "sit"
RECORDED_SECONDS: Final = RECORD_PATIENCE + 60.0
ABOUT: Final = {"instrument": "exam"}
REPLACEMENT: Final = "\ufffd"
LONGEST_REASON: Final = 64
T = TypeVar("T")


class Stopped(Exception):
    """The user asked to stop."""


async def sit(
    context: AskingContext,
    access: SessionAccess,
    model: Model,
    *,
    max_cost: float | None = None,
    control: RunControl | None = None,
    say: Callable[[str], None] = lambda text: None,
    patience: float = PATIENCE,
) -> SittingProgress:
    """Let a model answer the remaining questions of a session in order, and return the progress.

    `max_cost` (US dollars) applies to the whole run. A session that was begun here before is resumed; for a
    finished one the stored progress is returned. An error that stops a sitting that has begun is in its
    `error`. Raises Denied, NotFound, Conflict or Upstream if it cannot begin, InvalidInput for a missing key.
    """
    control = control or RunControl()
    check_keys([model], context.providers, context.environment)
    earlier = await asyncio.to_thread(_earlier_run, context, access, model)
    if earlier is not None and earlier.status == "finished":
        return await asyncio.to_thread(_finished_progress, context, earlier)
    waiting = WaitPolicy(
        context.monotonic, context.rng, lambda seconds: _pause(seconds, control.stop), say, patience
    )
    async with _connect(access, waiting, context.environment) as client:
        try:
            progress = await client.progress()
        except Stopped:
            raise Upstream("stopped before the exam service was reached") from None
        if earlier is None and not progress.open:
            raise Conflict(
                f"session {access.session!r} is {progress.state} with {progress.completed} of "
                f"{progress.quota} questions done: ask for a new session"
            )
        run = earlier
        if run is None:
            plan: dict[str, object] = {
                "url": access.url,
                "session": access.session,
                "user": access.credentials.user,
                "receipts": [],
            }
            run = await asyncio.to_thread(begin_asking, context, KIND, [model], plan)
        sitting = _Sitting(context, run, client, control, progress, max_cost, _resume_command(access, model))
        return await sitting.run()


@asynccontextmanager
async def _connect(
    access: SessionAccess, waiting: WaitPolicy, environment: Mapping[str, str]
) -> AsyncIterator[SessionClient]:
    """Yield a client with a random name, so that the service tells two processes apart."""
    proxy = proxy_for(access.url, environment)
    async with open_session(2, environment, tls=uses_tls(access.url, environment)) as http:
        connection = ServiceConnection(http, access, uuid.uuid4().hex, waiting, proxy=proxy)
        try:
            yield SessionClient(connection, access.session)
        finally:
            await connection.revoke_token()


def _earlier_run(context: AskingContext, access: SessionAccess, model: Model) -> StoredRun | None:
    """Return the run that began this session here. Raises Conflict if another model did."""
    for run in list_runs(context.engine, kind=KIND):
        if (run.plan.get("url"), run.plan.get("session")) != (access.url, access.session):
            continue
        ((_, first),) = run.models
        if first.fingerprint != model.fingerprint:
            raise Conflict(
                f"session {access.session!r} was begun by {first.name} in run {run.id}: continue with that "
                "model and its parameters, or ask for a new session"
            )
        return run
    return None


def _finished_progress(context: AskingContext, run: StoredRun) -> SittingProgress:
    """Return the progress of a finished sitting; the service gives no more tokens for its session."""
    quota, ((_, model),) = run.plan["quota"], run.models
    return SittingProgress(
        run=run.id,
        session=run.plan["session"],
        model=model.name,
        simulated=run.simulated,
        status="finished",
        reason=None,
        error=None,
        standing=SessionProgress("finished", quota, quota),
        tally=SittingTally(receipts=_read_receipts(run.plan)),
        spend=count_runs(context.engine, [run.id])[run.id].spend,
        again=None,
    )


def _resume_command(access: SessionAccess, model: Model) -> str:
    words = ["assay", "sit", access.url, "--session", access.session, "--model", model.name]
    if access.credentials.user is not None:
        words += ["--user", access.credentials.user]
    return shlex.join(words)


async def _pause(seconds: float, stop: Stop) -> None:
    """Wait; raise Stopped as soon as a stop is requested."""
    try:
        async with asyncio.timeout(seconds):
            await stop.event.wait()
    except TimeoutError:
        return
    raise Stopped


async def _unless_given_up(work: Coroutine[Any, Any, T], stop: Stop) -> T:
    """Return the result of a coroutine; raise Stopped if the user gives up on it (second Ctrl-C)."""
    task, given_up = asyncio.create_task(work), asyncio.create_task(stop.given_up.wait())
    try:
        await asyncio.wait({task, given_up}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise Stopped
        return await task
    finally:
        task.cancel()
        given_up.cancel()
        await asyncio.gather(task, given_up, return_exceptions=True)


class _Sitting:
    """One call of `sit`, after the run has begun."""

    def __init__(
        self,
        context: AskingContext,
        run: StoredRun,
        client: SessionClient,
        control: RunControl,
        progress: SessionProgress,
        max_cost: float | None,
        resume: str,
    ) -> None:
        self._context = context
        self._run = run
        self._client = client
        self._control = control
        self._progress = progress
        self._max_cost = max_cost
        self._resume = resume
        self._tally = SittingTally(receipts=_read_receipts(run.plan))

    async def run(self) -> SittingProgress:
        """Answer until no question is left or an error or the user stops it; store and return the outcome."""
        async with hold_run(self._context.engine, self._run.id, self._control.stop) as lease:
            self._context = replace(self._context, lease=lease)
            live = self._control.progress
            live.total, live.done = self._progress.quota, self._progress.completed
            if self._control.started is not None:
                self._control.started(self._run)
            await asyncio.to_thread(self._store, "running", None)
            error = await self._answer_all()
            return await self._finish(error)

    async def _finish(self, error: AssayError | None) -> SittingProgress:
        stopped = self._control.stop.reason
        done = self._progress.completed >= self._progress.quota
        if error is None and stopped is None and not done:
            error = Conflict(f"session is {self._progress.state}: ask for a new session")
        finished = error is None and done
        status: Literal["finished", "stopped"] = "finished" if finished else "stopped"
        reason = None if finished else str(error) if error else stopped
        await asyncio.to_thread(self._store, status, reason)
        counts = await asyncio.to_thread(count_runs, self._context.engine, [self._run.id])
        return SittingProgress(
            run=self._run.id,
            session=self._run.plan["session"],
            model=self._run.models[0][1].name,
            simulated=self._run.simulated,
            status=status,
            reason=reason,
            error=error,
            standing=self._progress,
            tally=self._tally,
            spend=counts[self._run.id].spend,
            again=None if finished else self._resume,
        )

    async def _answer_all(self) -> AssayError | None:
        """Answer the remaining questions; return the error that prevented it."""
        engine, control = self._context.engine, self._control
        try:
            budget = await asyncio.to_thread(budget_of, engine, self._max_cost, [self._run.id])
            await self._fetch_receipts()
            async with open_asking(self._context, self._run, budget=budget, control=control) as asking:
                while self._progress.open and control.stop.reason is None:
                    await self._answer_next(asking)
        except Stopped:
            return None
        except AssayError as error:
            return error
        return None

    async def _answer_next(self, asking: Asking) -> None:
        """Fetch a question, get the model's answer and submit it."""
        try:
            posed = await self._client.question()
        except Conflict:
            before, self._progress = self._progress, await self._client.progress()
            if self._progress == before:
                raise
            return
        reply = await self._reply(asking, posed)
        body = _answer_body(reply, posed.most_characters)
        self._tally.invalid += reply.status is CallStatus.INVALID
        self._tally.cut += len(reply.text or "") > posed.most_characters
        try:
            self._tally.receipts[posed.position] = await self._client.answer(posed.position, body)
        except Conflict:
            self._progress = await self._client.progress()
            if self._progress.completed < posed.position:
                raise
            self._tally.refused += 1
        self._control.progress.count(reply)
        self._progress = replace(self._progress, completed=max(self._progress.completed, posed.position))
        if self._progress.completed >= self._progress.quota:
            self._progress = await self._client.progress()

    async def _reply(self, asking: Asking, posed: PosedQuestion) -> ModelReply:
        """Return the model's reply: the one paid for earlier, or a new one that is in the ledger."""
        (_, model) = self._run.models[0]
        reply = (await self._paid_replies([posed.position])).get(posed.position)
        if reply is not None:
            self._tally.reused += 1
            return reply
        ask = ModelAsk("subject", model.name, posed.messages, about=ABOUT)
        reply = await _unless_given_up(asking.ask(ask, posed.position), self._control.stop)
        if reply.status is CallStatus.ERROR:
            raise Upstream(
                f"{model.name} gave no answer to question {posed.position} after {reply.attempts} attempts "
                f"({reply.error}{': ' + reply.detail if reply.detail else ''}): nothing was submitted for it"
            )
        self._tally.asked += 1
        until = self._context.monotonic() + RECORDED_SECONDS
        while (recorded := (await self._paid_replies([posed.position])).get(posed.position)) is None:
            if self._context.monotonic() > until:
                raise Upstream(
                    f"the answer to question {posed.position} is not in the database yet: try again later"
                )
            await asyncio.sleep(0.01)
        return recorded

    async def _fetch_receipts(self) -> None:
        """Submit answers again whose receipts are missing because an earlier process died."""
        done = range(1, self._progress.completed + 1)
        missing = [position for position in done if position not in self._tally.receipts]
        for position, reply in (await self._paid_replies(missing)).items():
            try:
                self._tally.receipts[position] = await self._client.answer(
                    position, _answer_body(reply, None)
                )
            except (Conflict, Denied, InvalidInput):
                continue

    async def _paid_replies(self, positions: list[int]) -> Mapping[int, ModelReply]:
        rows = await asyncio.to_thread(subject_calls, self._context.engine, self._run.id, positions)
        return {position: recorded_reply(row) for position, row in sorted(rows.items())}

    def _store(self, status: str, reason: str | None) -> None:
        engine, clock, lease = self._context.engine, self._context.clock, self._context.lease
        plan = read_run(engine, self._run.id).plan
        self._tally.receipts = {**_read_receipts(plan), **self._tally.receipts}
        receipts = [astuple(receipt) for _, receipt in sorted(self._tally.receipts.items())]
        keep_plan(engine, self._run.id, {**plan, "receipts": receipts, "quota": self._progress.quota})
        end_run(engine, self._run.id, status=status, reason=reason, clock=clock, lease=lease)


def _read_receipts(plan: Mapping[str, Any]) -> dict[int, Receipt]:
    return {values[0]: Receipt(*values) for values in plan.get("receipts", ())}


def _answer_body(reply: ModelReply, most_characters: int | None) -> dict[str, Any]:
    """Return the submission for a reply: its text, and its measured tokens and seconds.

    An invalid reply is an empty text with the reason. A text that is too long is cut, and U+0000, which
    databases cannot store, is replaced.
    """
    text = (reply.text or "").replace("\x00", REPLACEMENT)[:most_characters]
    reason = reply.finish_reason or (None if reply.error is None else str(reply.error))
    measured = {
        "prompt_tokens": reply.usage.prompt,
        "completion_tokens": reply.usage.completion,
        "seconds": reply.latency,
        "finish_reason": reason[:LONGEST_REASON] if reason else None,
    }
    return {"text": text, **{name: value for name, value in measured.items() if value is not None}}
