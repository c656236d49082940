"""A circuit breaker: nothing is sent to a model that asked to wait, or fails again and again."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from assay.calls.retry import MOST_ASKED
from assay.core.errors import Upstream

MOMENT = 1.0


class CircuitOpen(Upstream):
    """A model is not asked any more in this run: it is to be left alone for too long."""

    def __init__(self, text: str, model: str = "") -> None:
        super().__init__(text)
        self.model = model


@dataclass(frozen=True, slots=True)
class Patience:
    """When a model is left alone, and for how long; all times in seconds.

    After `failures` in a row nothing is sent for `first`, and after each further one for twice as long, at
    most `most`. A model that is not back after `longest`, or asks for more, is given up in this run.
    """

    failures: int = 30
    first: float = 1.0
    most: float = 120.0
    longest: float = 900.0


PATIENCE = Patience()


@dataclass(frozen=True, slots=True)
class Notice:
    """The `model` is left alone for `seconds` from now, because it `asked` for that or kept failing.

    `seconds` is None when it answers again. `error` is set when it is given up in this run.
    """

    model: str
    seconds: float | None
    asked: bool = False
    error: CircuitOpen | None = None


class Circuit:
    """Whether requests may be sent to one model of one provider.

    Closed, everything may be sent. It opens when the model asks for a wait of more than `MOST_ASKED` seconds
    (a shorter one is left to its pace), or after many failures in a row that say "too much" or "down". When
    the time is over, one request goes first: its success closes the circuit, its failure opens it for longer.
    `name` is the model's, `clock` gives seconds from any start; `notify` is told when the circuit opens and
    closes.
    """

    def __init__(
        self,
        name: str,
        *,
        clock: Callable[[], float],
        patience: Patience = PATIENCE,
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
        """Whether it is closed and nothing failed since the last success."""
        return self.closed and not self._failures

    async def enter(self) -> bool:
        """Wait until a request may be sent; True where it is the one that goes first, to be told by `leave`.

        Raises CircuitOpen when the model was given up.
        """
        if self.error is not None:
            raise self.error
        if self.closed:
            return False
        place: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        self._wake()
        try:
            return await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled() and place.exception() is None and place.result():
                self.abandon()
            raise

    def abandon(self) -> None:
        """Give up going first, before anything was sent; another request takes its place."""
        self._probing = False
        self._wake()

    def leave(self, *, first: bool, failed: bool, retry_after: float | None = None) -> None:
        """Say how a request ended. `failed`: the provider says "too much" or is down."""
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
            self.error = self._given_up(seconds, asked=asked)
        if self.notify is not None:
            self.notify(Notice(self._name, seconds, asked, self.error))
        self._wake()

    def _given_up(self, seconds: float, *, asked: bool) -> CircuitOpen:
        longest = f"{self._patience.longest / 60:g} minutes"
        why = (
            f"asked to wait {seconds / 60:,.0f} minutes, more than the {longest} that a run waits"
            if asked
            else f"has not answered for {longest}"
        )
        return CircuitOpen(f"{self._name} {why}: its other samples are left for later", self._name)

    def _close(self) -> None:
        self.closed, self._failures, self._pause = True, 0, 0.0
        if self.notify is not None:
            self.notify(Notice(self._name, None))
        self._wake()

    def _wake(self) -> None:
        """Let those who wait go on: all when it is closed or given up, one when the time is over."""
        while self._waiting:
            place = self._waiting[0]
            if not place.done():
                if self.error is not None:
                    place.set_exception(self.error)
                elif self.closed:
                    place.set_result(False)
                elif self._probing:
                    return
                else:
                    left = self._until - self._clock()
                    if left > 0:
                        self._later(left)
                        return
                    self._probing = True
                    place.set_result(True)
            self._waiting.popleft()

    def _later(self, seconds: float) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._over)

    def _over(self) -> None:
        self._timer = None
        self._wake()


def announce(notice: Notice, now: float, *, waiting: int | None = None) -> str:
    """Say in words that a model is left alone, or answers again.

    `now` is in UTC seconds since 1970; `waiting` counts the samples that it holds up, None where unknown.
    """
    one = waiting == 1
    count = "" if waiting is None else f"; {waiting:,} {'sample' if one else 'samples'}"
    if notice.seconds is None:
        return notice.model + " answers again" + (count and f"{count} {'goes' if one else 'go'} on")
    if notice.error is not None:
        return f"{notice.error}{count}"
    until = datetime.fromtimestamp(now + notice.seconds, UTC)
    why = "asked to wait until" if notice.asked else "keeps failing and is left alone until"
    return f"{notice.model} {why} {until:%H:%M:%S} UTC" + (count and f"{count} {'waits' if one else 'wait'}")
