"""Sending the requests that graders and runs ask for: pace, retries, budget and ledger, for every purpose."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from assay.calls.budget import Budget, Reservation
from assay.calls.circuit import PATIENCE, Circuit, CircuitTimes
from assay.calls.code import CodeRunner
from assay.calls.pacing import Pace, bearable_wait, retry_delay
from assay.calls.record import Recorder
from assay.core.ask import CallStatus, CodeAsk, CodeReply, ErrorKind, ModelAsk, ModelReply, Served
from assay.core.errors import Upstream
from assay.core.model import Model, Provider
from assay.core.money import Prices, Usage
from assay.providers.body import BodyBuilder, RequestHasher
from assay.providers.quirks import REFUSAL_STATUSES
from assay.providers.reading import Attempt
from assay.store.rows import CallRow

T = TypeVar("T")

FAILED_ROUNDS = 3
"""Rounds of failed requests, each as many as may be in flight, after which a model counts as down."""
MOST_WASTED = 2
"""Replies without an answer that were probably charged; after this many the call is not tried again."""
WITHHELD: Final = "the endpoint's message is not shown because it may contain sealed text"
LEAST_REPEATED: Final = 12
"""Letters and digits in a row that a message must share with the ask to count as repeating it."""
_ESCAPE: Final = re.compile(r"\\u([0-9a-fA-F]{4})|\\[nrtbf]")
_NO_LETTER_OR_DIGIT: Final = re.compile(r"[\W_]+")


class KeyRefused(Upstream):
    """A provider refuses the key or reports no credit: no call to it can succeed."""


class Endpoint(Protocol):
    """A connection to a provider that sends one request body and reads the reply."""

    provider: Provider

    async def attempt(self, body: bytes, prices: Prices | None = None) -> Attempt: ...


@dataclass(frozen=True, slots=True)
class Throttle:
    """The limits on requests to one model of one provider: its pace and its circuit breaker."""

    pace: Pace
    circuit: Circuit


@dataclass(frozen=True, slots=True)
class ReadyProvider:
    """One provider's endpoint, with the limit on requests in flight that its models share.

    `throttles` are those of its models, by name. `clock` gives seconds from an arbitrary start.
    """

    endpoint: Endpoint
    ceiling: Pace
    clock: Callable[[], float]
    throttles: dict[str, Throttle] = field(default_factory=dict)

    def throttle(self, model: Model) -> Throttle:
        """Return the throttle that all requests to a model share."""
        throttle = self.throttles.get(model.name)
        if throttle is None:
            limit = self.ceiling.limit
            patience = CircuitTimes(failures=max(PATIENCE.failures, FAILED_ROUNDS * limit))
            circuit = Circuit(model.name, clock=self.clock, patience=patience)
            throttle = self.throttles[model.name] = Throttle(Pace(limit, clock=self.clock), circuit)
        return throttle


class Request(NamedTuple):
    """A request as it is sent, with its hash in the ledger.

    `most_tokens` is the greatest possible length of the reply; None if nothing limits it.
    """

    body: bytes
    hash: bytes
    most_tokens: int | None = None


class ReadyModel:
    """A model ready to be asked: its row in the store, provider, throttle, prices and request format."""

    __slots__ = ("_builder", "_hasher", "id", "model", "prices", "provider", "throttle")

    def __init__(self, model: Model, row: int, provider: ReadyProvider, prices: Prices | None) -> None:
        self.model = model
        self.id = row
        self.provider = provider
        self.throttle = provider.throttle(model)
        self.prices = prices
        self._builder = BodyBuilder(model, provider.endpoint.provider)
        self._hasher = RequestHasher(provider.endpoint.provider)

    def request(self, ask: ModelAsk) -> Request:
        """Return the request that puts an ask to this model."""
        body = self._builder.build(ask)
        return Request(body, self._hasher.name(body), self._builder.most_tokens(ask))

    def worst_case(self, request: Request) -> float | None:
        """Return the most that a request can cost in US dollars; None if prices or length are unknown.

        Each token of the prompt represents at least one byte of the body.
        """
        if self.prices is None or request.most_tokens is None:
            return None
        return self.prices.most(len(request.body), request.most_tokens)

    @property
    def learned(self) -> str | None:
        """The parameters that the endpoint has refused so far, in words; None if it accepts all."""
        return self._builder.learned

    def sent(self, ask: ModelAsk) -> Mapping[str, Any]:
        """Return the parameters that are sent with an ask, without those that the endpoint refuses."""
        return self._builder.sent(ask)

    def corrected(self, ask: ModelAsk, request: Request, reply: ModelReply) -> Request | None:
        """Return a new request after a reply that refuses a parameter; None if it does not."""
        if reply.http_status not in REFUSAL_STATUSES:
            return None
        self._builder.learn(ask, reply.http_status, reply.detail)
        again = self.request(ask)
        return None if again.hash == request.hash else again


class Caller:
    """The sender of all asks of one run.

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
        """Send nothing more: cancel asks that wait for their turn or their next attempt, and all new asks.

        Requests in flight go on, because they will be charged.
        """
        self._winding_down = True
        for task in self._idle:
            task.cancel()

    async def ask(
        self, subject: ReadyModel, ask: ModelAsk, position: int, request: Request | None = None
    ) -> ModelReply:
        """Ask a model, with retries; every attempt is recorded in the ledger.

        `request` is the ask's request if it was built before. A parameter that the endpoint refuses is
        left out from then on, and the reply's detail mentions it.
        Raises BudgetSpent before sending if the budget does not allow the call, and KeyRefused if the
        provider refuses the key.
        """
        if self._winding_down:
            await self._wait_idle(asyncio.sleep(0))
        if request is None or subject.learned:
            request = subject.request(ask)
        number = wasted = 0
        while True:
            attempt, started = await self._attempt(subject, request)
            number += 1
            reply = _finish_reply(subject, ask, attempt.reply, number)
            self._recorder.call(_row(self._run, position, ask, subject, request, started, reply))
            if self._note_reply is not None:
                self._note_reply(reply)
            corrected = subject.corrected(ask, request, attempt.reply)
            wasted += attempt.once
            most = subject.provider.endpoint.provider.attempts if wasted < MOST_WASTED else 0
            wait = 0.0 if corrected else self._retry_wait(subject.throttle.circuit, attempt, number, most)
            if wait is None:
                break
            request = corrected or request
            if self._note_retry is not None and reply.error is not None:
                self._note_retry(reply.error)
            await self._wait_idle(asyncio.sleep(wait))
        if attempt.fatal:
            provider = subject.provider.endpoint.provider
            variable = f" from {provider.api_key_env}" if provider.api_key_env else ""
            raise KeyRefused(
                f"provider {provider.name!r} refused the key{variable} "
                f"with HTTP status {reply.http_status}: {reply.detail}"
            )
        return reply

    async def _attempt(self, subject: ReadyModel, request: Request) -> tuple[Attempt, float]:
        """Send a request once, when circuit, budget and pace allow it; also return the time it was sent."""
        circuit, pace, ceiling = subject.throttle.circuit, subject.throttle.pace, subject.provider.ceiling
        reservation, first = await self._admit(subject, request)
        cost: float | None = None
        chargeable, failed, retry_after, refused = True, False, None, False
        started = self._clock()
        try:
            attempt = await subject.provider.endpoint.attempt(request.body, subject.prices)
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
            pace.leave(refused=refused, pause=bearable_wait(retry_after))
            self._budget.settle(reservation, cost, chargeable=chargeable)
        return attempt, started

    async def _admit(self, subject: ReadyModel, request: Request) -> tuple[Reservation, bool]:
        """Wait until a request may be sent; True if it probes a model that was down (`Circuit.enter`)."""
        budget, circuit = self._budget, subject.throttle.circuit
        worst = None if budget.limit is None else subject.worst_case(request)
        while True:
            first = False if circuit.closed else await self._wait_idle(circuit.enter())
            reservation = None
            try:
                reservation = budget.reserve_at_once(subject.id, worst)
                if reservation is None:
                    reservation = await self._wait_idle(budget.reserve(subject.id, worst))
                if not subject.throttle.pace.enter_at_once():
                    await self._wait_idle(subject.throttle.pace.enter())
                if not subject.provider.ceiling.enter_at_once():
                    await self._enter_ceiling(subject)
            except BaseException:
                if first:
                    circuit.abandon()
                if reservation is not None:
                    budget.settle(reservation, None, chargeable=False)
                raise
            if first or circuit.closed:
                return reservation, first
            subject.provider.ceiling.leave()
            subject.throttle.pace.leave()
            budget.settle(reservation, None, chargeable=False)

    async def _enter_ceiling(self, subject: ReadyModel) -> None:
        """Enter the pace that the provider's models share; if cancelled, leave the model's own pace."""
        try:
            await self._wait_idle(subject.provider.ceiling.enter())
        except BaseException:
            subject.throttle.pace.leave()
            raise

    async def _wait_idle(self, turn: Awaitable[T]) -> T:
        """Wait while nothing is in flight, so that winding down can cancel the wait."""
        task = asyncio.current_task()
        assert task is not None
        if self._winding_down:
            task.cancel()
        self._idle.add(task)
        try:
            return await turn
        finally:
            self._idle.discard(task)

    def _retry_wait(self, circuit: Circuit, attempt: Attempt, attempts: int, most: int) -> float | None:
        """Return the seconds until another attempt, None if there is none; 0 if the circuit will delay it."""
        if not attempt.again or attempts >= most:
            return None
        if not circuit.closed:
            return 0.0
        return retry_delay(attempts, attempt.retry_after, self._rng)

    async def run_code(self, ask: CodeAsk) -> CodeReply:
        """Run a program in the sandbox, in a separate thread."""
        if self._runner is None:
            async with self._opening:
                if self._runner is None:
                    self._runner = await asyncio.to_thread(self._sandbox)
        return await asyncio.to_thread(self._runner.run, ask)


def _overloaded(attempt: Attempt) -> bool:
    """Return whether an attempt shows that the provider is overloaded or down."""
    reply = attempt.reply
    if reply.status is not CallStatus.ERROR:
        return False
    down = (ErrorKind.RATE_LIMITED, ErrorKind.SERVER, ErrorKind.CONNECTION)
    return reply.error in down or (reply.http_status or 0) >= 500


def _finish_reply(subject: ReadyModel, ask: ModelAsk, reply: ModelReply, number: int) -> ModelReply:
    """Return the reply to the attempt of that number as it may be stored: without sealed text."""
    if number > 1:
        reply = reply._replace(attempts=number)
    if ask.sealed:
        reply = reply._replace(detail=publishable_detail(ask, reply))
    if subject.learned:
        parts = [part for part in (reply.detail, subject.learned) if part]
        reply = reply._replace(detail="; ".join(parts))
    return reply


def _row(
    run: int,
    position: int,
    ask: ModelAsk,
    subject: ReadyModel,
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
    """Return the reply that a row of the ledger holds."""
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


def publishable_detail(ask: ModelAsk, reply: ModelReply) -> str | None:
    """Return an endpoint's message as it may be stored and shown.

    The message about a sealed ask is withheld if it repeats the ask or quotes an unreadable reply.
    """
    if reply.detail is None or not ask.sealed:
        return reply.detail
    if reply.error is ErrorKind.MALFORMED:
        return WITHHELD
    detail = _letters_and_digits(reply.detail)
    sent = _letters_and_digits(" ".join(turn.content for turn in ask.messages))
    starts = range(len(detail) - LEAST_REPEATED + 1)
    repeated = any(detail[start : start + LEAST_REPEATED] in sent for start in starts)
    return WITHHELD if repeated else reply.detail


def _letters_and_digits(text: str) -> str:
    """Return a text's letters and digits, after decoding JSON escapes."""
    decoded = _ESCAPE.sub(lambda escape: chr(int(escape[1], 16)) if escape[1] else " ", text)
    return _NO_LETTER_OR_DIGIT.sub("", decoded)
