"""Carrying out what rules ask for: pace, retry, budget and ledger stand here once, for every purpose."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol, TypeVar

from assay.calls.budget import Budget, Reservation
from assay.calls.circuit import PATIENCE, Circuit, Patience
from assay.calls.code import CodeRunner
from assay.calls.echo import told_of
from assay.calls.pacing import Pace
from assay.calls.record import Recorder
from assay.calls.retry import bearable, delay
from assay.core.ask import CallStatus, CodeAsk, CodeReply, ErrorKind, ModelAsk, ModelReply, Served
from assay.core.errors import Upstream
from assay.core.model import Model, Provider
from assay.core.money import Prices, Usage
from assay.providers.body import BodyBuilder, RequestHasher
from assay.providers.reading import Attempt
from assay.providers.refusals import STATUSES
from assay.store.ledger import CallRow

T = TypeVar("T")

ROUNDS = 3
"""So many rounds of requests in flight must fail before a model counts as down."""
MOST_WASTED = 2
"""Replies without any answer that were probably charged: after so many a call is given up."""


class KeyRefused(Upstream):
    """A provider refuses the key or has no credit left: no call to it can succeed."""


class Endpoint(Protocol):
    """Sends one request body and reads the reply."""

    provider: Provider

    async def attempt(self, body: bytes, prices: Prices | None = None) -> Attempt: ...


@dataclass(frozen=True, slots=True)
class Gate:
    """What holds requests to one model of one provider back: its pace and its circuit breaker."""

    pace: Pace
    circuit: Circuit


@dataclass(frozen=True, slots=True)
class Lane:
    """One provider's endpoint with the ceiling of requests in flight that its models share.

    `gates` are those of its models, by name. `clock` gives seconds from any start.
    """

    endpoint: Endpoint
    ceiling: Pace
    clock: Callable[[], float]
    gates: dict[str, Gate] = field(default_factory=dict)

    def gate(self, model: Model) -> Gate:
        """Return the gate of a model, one for all who ask it."""
        gate = self.gates.get(model.name)
        if gate is None:
            limit = self.ceiling.limit
            patience = Patience(failures=max(PATIENCE.failures, ROUNDS * limit))
            circuit = Circuit(model.name, clock=self.clock, patience=patience)
            gate = self.gates[model.name] = Gate(Pace(limit, clock=self.clock), circuit)
        return gate


class Request(NamedTuple):
    """A request as it is sent, with the hash that names it in the ledger.

    `most_tokens` is how long the reply can be at most, None where nothing limits it.
    """

    body: bytes
    hash: bytes
    most_tokens: int | None = None


class Subject:
    """A model ready to be asked: row in the store, lane and gate, prices, how its requests are written."""

    __slots__ = ("_builder", "_hasher", "gate", "id", "lane", "model", "prices")

    def __init__(self, model: Model, row: int, lane: Lane, prices: Prices | None) -> None:
        self.model = model
        self.id = row
        self.lane = lane
        self.gate = lane.gate(model)
        self.prices = prices
        self._builder = BodyBuilder(model, lane.endpoint.provider)
        self._hasher = RequestHasher(lane.endpoint.provider)

    def request(self, ask: ModelAsk) -> Request:
        """Return the request that puts an ask to this model."""
        body = self._builder.build(ask)
        return Request(body, self._hasher.name(body), self._builder.most_tokens(ask))

    def worst_case(self, request: Request) -> float | None:
        """Return the most that a request can cost in US dollars; None where prices or length are unknown.

        A token stands for at least one byte of what is sent.
        """
        if self.prices is None or request.most_tokens is None:
            return None
        return self.prices.most(len(request.body), request.most_tokens)

    @property
    def learned(self) -> str | None:
        """Say which parameters the endpoint turned out to refuse; None when it takes all that are sent."""
        return self._builder.learned

    def sent(self, ask: ModelAsk) -> Mapping[str, Any]:
        """Return the parameters that are sent with an ask, as the endpoint is known to take them now."""
        return self._builder.sent(ask)

    def mended(self, ask: ModelAsk, request: Request, reply: ModelReply) -> Request | None:
        """Return another request for an ask whose reply refuses a parameter; None when that is not why."""
        if reply.http_status not in STATUSES:
            return None
        self._builder.learn(ask, reply.http_status, reply.detail)
        again = self.request(ask)
        return None if again.hash == request.hash else again


class Caller:
    """Carries out asks for one run.

    `clock` gives UTC seconds since 1970. `sandbox` makes the code runner on first use.
    """

    def __init__(
        self,
        run: int,
        recorder: Recorder,
        budget: Budget,
        *,
        clock: Callable[[], float],
        rng: random.Random,
        sandbox: Callable[[], CodeRunner],
        note_retry: Callable[[ErrorKind], None] | None = None,
        note_reply: Callable[[ModelReply], None] | None = None,
    ) -> None:
        self._run = run
        self._recorder = recorder
        self._budget = budget
        self._clock = clock
        self._rng = rng
        self._sandbox = sandbox
        self._runner: CodeRunner | None = None
        self._opening = asyncio.Lock()
        self._note_retry = note_retry
        self._note_reply = note_reply
        self._idle: set[asyncio.Task[object]] = set()
        self._winding_down = False

    def wind_down(self) -> None:
        """Send nothing more: what waits for its turn or its next attempt is cancelled, and so is a new ask.

        What is in flight goes on, since its answer will be paid for.
        """
        self._winding_down = True
        for task in self._idle:
            task.cancel()

    async def model(
        self, subject: Subject, ask: ModelAsk, position: int, request: Request | None = None
    ) -> ModelReply:
        """Ask a model, trying again where that may help; every attempt is put into the ledger.

        `request` is the ask's request where it was made before. A parameter that the endpoint refuses is
        left out from then on, and the reply's detail says so.
        Raises BudgetSpent before sending when the budget does not allow it, and KeyRefused when the
        provider refuses the key.
        """
        if self._winding_down:
            await self._waits(asyncio.sleep(0))
        if request is None or subject.learned:
            request = subject.request(ask)
        number = wasted = 0
        while True:
            attempt, started = await self._attempt(subject, request)
            number += 1
            reply = _told(subject, ask, attempt.reply, number)
            self._recorder.call(_row(self._run, position, ask, subject, request, started, reply))
            if self._note_reply is not None:
                self._note_reply(reply)
            mended = subject.mended(ask, request, attempt.reply)
            wasted += attempt.once
            most = subject.lane.endpoint.provider.attempts if wasted < MOST_WASTED else 0
            wait = 0.0 if mended else self._wait(subject.gate.circuit, attempt, number, most)
            if wait is None:
                break
            request = mended or request
            if self._note_retry is not None and reply.error is not None:
                self._note_retry(reply.error)
            await self._waits(asyncio.sleep(wait))
        if attempt.fatal:
            provider = subject.lane.endpoint.provider
            variable = f" (from {provider.api_key_env})" if provider.api_key_env else ""
            raise KeyRefused(
                f"{provider.name!r} answered {reply.http_status} to the key{variable}: {reply.detail}"
            )
        return reply

    async def _attempt(self, subject: Subject, request: Request) -> tuple[Attempt, float]:
        """Send a request once, when circuit, budget and pace allow it; also return when (UTC since 1970)."""
        circuit, pace, ceiling = subject.gate.circuit, subject.gate.pace, subject.lane.ceiling
        reservation, first = await self._entered(subject, request)
        cost: float | None = None
        chargeable, failed, retry_after, refused = True, False, None, False
        started = self._clock()
        try:
            attempt = await subject.lane.endpoint.attempt(request.body, subject.prices)
            cost, chargeable = attempt.reply.cost, attempt.reply.chargeable
            failed, refused, retry_after = _overloaded(attempt), attempt.refused, attempt.retry_after
        except BaseException:
            if first:
                circuit.abandon()
            raise
        else:
            if failed or first or not circuit.untroubled:
                circuit.leave(first=first, failed=failed, retry_after=retry_after)
        finally:
            ceiling.leave()
            pace.leave(refused=refused, pause=bearable(retry_after))
            self._budget.settle(reservation, cost, chargeable=chargeable)
        return attempt, started

    async def _entered(self, subject: Subject, request: Request) -> tuple[Reservation, bool]:
        """Wait until a request may be sent, and say whether it is the one that goes first (`Circuit`)."""
        budget, circuit = self._budget, subject.gate.circuit
        worst = None if budget.limit is None else subject.worst_case(request)
        while True:
            first = False if circuit.closed else await self._waits(circuit.enter())
            reservation = None
            try:
                reservation = budget.reserve_at_once(subject.id, worst)
                if reservation is None:
                    reservation = await self._waits(budget.reserve(subject.id, worst))
                await self._placed(subject)
            except BaseException:
                if first:
                    circuit.abandon()
                if reservation is not None:
                    budget.settle(reservation, None, chargeable=False)
                raise
            if first or circuit.closed:
                return reservation, first
            subject.lane.ceiling.leave()
            subject.gate.pace.leave()
            budget.settle(reservation, None, chargeable=False)

    async def _placed(self, subject: Subject) -> None:
        """Take a place among the requests in flight to a model, and to its provider."""
        pace, ceiling = subject.gate.pace, subject.lane.ceiling
        if not pace.entered():
            await self._waits(pace.enter())
        if not ceiling.entered():
            try:
                await self._waits(ceiling.enter())
            except BaseException:
                pace.leave()
                raise

    async def _waits(self, turn: Awaitable[T]) -> T:
        """Wait with nothing in flight; cancelled while winding down."""
        task = asyncio.current_task()
        assert task is not None
        if self._winding_down:
            task.cancel()
        self._idle.add(task)
        try:
            return await turn
        finally:
            self._idle.discard(task)

    def _wait(self, circuit: Circuit, attempt: Attempt, attempts: int, most: int) -> float | None:
        """Return the seconds until another attempt, None for none; an open circuit holds it back itself."""
        if not attempt.again or attempts >= most:
            return None
        if not circuit.closed:
            return 0.0
        return delay(attempts, attempt.retry_after, self._rng)

    async def code(self, ask: CodeAsk) -> CodeReply:
        """Run a program in the sandbox, on a thread of its own."""
        if self._runner is None:
            async with self._opening:
                if self._runner is None:
                    self._runner = await asyncio.to_thread(self._sandbox)
        return await asyncio.to_thread(self._runner.run, ask)


def _overloaded(attempt: Attempt) -> bool:
    """Whether an attempt says that the provider is asked too much, or is down."""
    reply = attempt.reply
    if reply.status is not CallStatus.ERROR:
        return False
    down = (ErrorKind.RATE_LIMITED, ErrorKind.SERVER, ErrorKind.CONNECTION)
    return reply.error in down or (reply.http_status or 0) >= 500


def _told(subject: Subject, ask: ModelAsk, reply: ModelReply, number: int) -> ModelReply:
    """Return the reply to an attempt, by its number, as it may be kept: without what is sealed."""
    if number > 1:
        reply = replace(reply, attempts=number)
    if ask.sealed:
        reply = replace(reply, detail=told_of(ask, reply))
    if subject.learned:
        parts = [part for part in (reply.detail, subject.learned) if part]
        reply = replace(reply, detail="; ".join(parts))
    return reply


def _row(
    run: int,
    position: int,
    ask: ModelAsk,
    subject: Subject,
    request: Request,
    started: float,
    reply: ModelReply,
) -> CallRow:
    usage, served = reply.usage, reply.served
    return CallRow(
        run,
        position,
        ask.purpose,
        subject.id,
        request.hash,
        reply.attempts,
        reply.status,
        reply.error,
        reply.detail,
        reply.http_status,
        usage.prompt,
        usage.completion,
        usage.reasoning,
        usage.cached,
        reply.cost,
        served.provider,
        served.model,
        served.fingerprint,
        reply.finish_reason,
        reply.native_finish_reason,
        started,
        reply.latency,
        None if ask.sealed else reply.text,
    )


def recorded_reply(row: CallRow) -> ModelReply:
    """Return the reply that a row of the ledger stands for, so that nothing is asked twice."""
    return ModelReply(
        CallStatus(row.status),
        row.answer,
        None if row.error is None else ErrorKind(row.error),
        row.detail,
        row.http_status,
        Usage(row.prompt_tokens, row.completion_tokens, row.reasoning_tokens, row.cached_tokens),
        row.cost,
        Served(row.provider, row.served_model, row.fingerprint),
        row.finish_reason,
        row.native_finish_reason,
        row.latency or 0.0,
        row.attempt,
    )
