"""A circuit breaker: nothing is sent to a model that asked for a pause or keeps failing."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from assay.calls.pacing import MOST_ASKED
from assay.core.errors import Upstream
from assay.core.wording import counted

MOMENT = 1.0


class CircuitOpen(Upstream):
    """A model is given up in this run because its pause is too long."""

    def __init__(self, text: str, model: str = "") -> None:
        super().__init__(text)
        self.model = model


@dataclass(frozen=True, slots=True)
class CircuitTimes:
    """When requests to a model are paused, and for how long, in seconds.

    After `failures` in a row nothing is sent for `first`, and after each further failure for twice as long,
    at most for `most`. A model that does not recover within `longest`, or asks for a longer pause, is given
    up in this run.
    """

    failures: int = 30
    first: float = 1.0
    most: float = 120.0
    longest: float = 900.0


PATIENCE = CircuitTimes()


@dataclass(frozen=True, slots=True)
class Notice:
    """A pause of `seconds` in the requests to a model, because it `asked` for it or kept failing.

    `seconds` is None when the model answers again. `error` is set when it is given up in this run.
    """

    model: str
    seconds: float | None
    asked: bool = False
    error: CircuitOpen | None = None


class Circuit:
    """The circuit breaker of one model of one provider.

    While it is closed, everything may be sent. It opens when the model asks for a pause of more than
    `MOST_ASKED` seconds (`Pace` handles shorter ones), or after many failures in a row that mean "too many
    requests" or "down". When the pause is over, one request goes first: its success closes the circuit, its
    failure opens it for longer. `name` is the model's, `clock` gives seconds from an arbitrary start;
    `notify` is called when the circuit opens and closes.
    """

    def __init__(
        self,
        name: str,
        *,
        clock: Callable[[], float],
        patience: CircuitTimes = PATIENCE,
    ) -> None:
        self.closed = True
        self.error: CircuitOpen | None = None
        self.notify: Callable[[Notice], None] | None = None
        self._clock = clock
        self._name = name
        self._patience = patience
        self._failures = 0
        self._opened_at = 0.0
        self._until = 0.0
        self._pause = 0.0
        self._probing = False
        self._waiting: deque[asyncio.Future[bool]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    @property
    def untroubled(self) -> bool:
        """Whether the circuit is closed and nothing has failed since the last success."""
        return self.closed and not self._failures

    async def enter(self) -> bool:
        """Wait until a request may be sent; True if it goes first, which `leave` must be told.

        Raises CircuitOpen if the model is given up.
        """
        if self.error is not None:
            raise self.error
        if self.closed:
            return False
        turn: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        self._wake()
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled() and turn.exception() is None and turn.result():
                self.abandon()
            raise

    def abandon(self) -> None:
        """Give up going first, before anything was sent; another request goes first instead."""
        self._probing = False
        self._wake()

    def leave(self, *, first: bool, failed: bool, retry_after: float | None = None) -> None:
        """Record how a request ended. `failed`: the provider reports too many requests, or is down."""
        if first:
            self._probing = False
        asked = retry_after if retry_after is not None and retry_after > MOST_ASKED else None
        if not failed:
            if self.closed:
                self._failures = 0
            elif first:
                self._close()
            return
        self._failures += 1
        if asked is not None:
            self._open(asked, asked=True, first=first)
        elif first or (self.closed and self._failures >= self._patience.failures):
            self._pause = min(self._patience.most, max(self._patience.first, 2 * self._pause))
            self._open(max(self._pause, retry_after or 0.0), asked=False, first=first)

    def _open(self, seconds: float, *, asked: bool, first: bool) -> None:
        now = self._clock()
        if self.closed:
            self.closed, self._opened_at = False, now
        elif not first and now + seconds <= self._until + MOMENT:
            return
        self._until = now + seconds
        if self._until - self._opened_at > self._patience.longest and self.error is None:
            self.error = self._explain_giving_up(seconds, asked=asked)
        if self.notify is not None:
            self.notify(Notice(self._name, seconds, asked, self.error))
        self._wake()

    def _explain_giving_up(self, seconds: float, *, asked: bool) -> CircuitOpen:
        longest = f"{self._patience.longest / 60:g} minutes"
        reason = (
            f"asked to wait {seconds / 60:,.0f} minutes, more than the {longest} that a run waits"
            if asked
            else f"has not answered for {longest}"
        )
        return CircuitOpen(f"{self._name} {reason}: its other samples are left for later", self._name)

    def _close(self) -> None:
        self.closed, self._failures, self._pause = True, 0, 0.0
        if self.notify is not None:
            self.notify(Notice(self._name, None))
        self._wake()

    def _wake(self) -> None:
        """Release waiting requests: all when closed or given up, one when the pause is over."""
        while self._waiting:
            turn = self._waiting[0]
            if not turn.done():
                if self.error is not None:
                    turn.set_exception(self.error)
                elif self.closed:
                    turn.set_result(False)
                elif self._probing:
                    return
                else:
                    remaining = self._until - self._clock()
                    if remaining > 0:
                        self._wake_in(remaining)
                        return
                    self._probing = True
                    turn.set_result(True)
            self._waiting.popleft()

    def _wake_in(self, seconds: float) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._end_pause)

    def _end_pause(self) -> None:
        self._timer = None
        self._wake()


def describe_notice(notice: Notice, now: float, *, waiting: int | None = None) -> str:
    """Return a notice as a sentence.

    `now` is in UTC seconds since 1970; `waiting` counts the samples that wait for the model, None if unknown.
    """
    single = waiting == 1
    count = "" if waiting is None else f"; {counted(waiting, 'sample')}"
    if notice.seconds is None:
        return notice.model + " answers again" + (count and f"{count} {'goes' if single else 'go'} on")
    if notice.error is not None:
        return f"{notice.error}{count}"
    until = datetime.fromtimestamp(now + notice.seconds, UTC)
    reason = "asked to wait until" if notice.asked else "keeps failing and is paused until"
    waits = count and f"{count} {'waits' if single else 'wait'}"
    return f"{notice.model} {reason} {until:%H:%M:%S} UTC{waits}"
