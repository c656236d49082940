"""The pace of requests: how many may be in flight, and how long to wait before a retry."""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Callable

LEAST_ALLOWED = 1.0
FIRST_WAIT = 0.5
MOST_WAIT = 30.0
MOST_ASKED = 120.0


class Pace:
    """Adaptive concurrency for one provider or model.

    Starts at `limit`, is halved when the provider reports too many requests (at most once in `cool_down`
    seconds), and rises by one for every full round of answers, up to `limit`.
    """

    def __init__(self, limit: int, *, clock: Callable[[], float], cool_down: float = 1.0) -> None:
        self.limit = limit
        self.allowed = float(limit)
        self.in_flight = 0
        self._clock = clock
        self._cool_down = cool_down
        self._halved_at = float("-inf")
        self._closed_until = float("-inf")
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    def enter_at_once(self) -> bool:
        """Enter if there is room now; return whether there was."""
        if self._waiting or not self._open():
            return False
        self.in_flight += 1
        return True

    async def enter(self) -> None:
        """Wait until one more request may be in flight, and count it."""
        if self.enter_at_once():
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        self._wake()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.in_flight -= 1
                self._wake()
            elif turn in self._waiting:
                self._waiting.remove(turn)
            raise

    def leave(self, *, refused: bool = False, pause: float | None = None) -> None:
        """Count a request as done. `refused`: too many requests; `pause`: seconds the provider asks for."""
        self.in_flight -= 1
        if refused:
            self._slow_down(pause)
        elif self.allowed < self.limit:
            self.allowed = min(float(self.limit), self.allowed + 1.0 / self.allowed)
        if self._waiting:
            self._wake()

    def _slow_down(self, pause: float | None) -> None:
        now = self._clock()
        if now - self._halved_at >= self._cool_down:
            self._halved_at = now
            self.allowed = max(LEAST_ALLOWED, self.allowed / 2)
        if pause is not None:
            self._closed_until = max(self._closed_until, now + pause)

    def _open(self) -> bool:
        return self.in_flight < int(self.allowed) and (
            self._closed_until == float("-inf") or self._clock() >= self._closed_until
        )

    def _wake(self) -> None:
        while self._waiting and self._open():
            turn = self._waiting.popleft()
            if not turn.done():
                self.in_flight += 1
                turn.set_result(None)
        if self._waiting and self._timer is None:
            wait = self._closed_until - self._clock()
            if wait > 0:
                self._timer = asyncio.get_running_loop().call_later(wait, self._reopen)

    def _reopen(self) -> None:
        self._timer = None
        self._wake()


def retry_delay(attempt: int, retry_after: float | None, rng: random.Random) -> float | None:
    """Return the seconds to wait after the given attempt (counted from 1), with jitter.

    Doubles from half a second to thirty seconds, drawn from the upper half so that many callers spread
    out. A wait that the provider asks for (`retry_after`) is lengthened by up to a tenth; None if it is
    longer than two minutes.
    """
    if retry_after is not None:
        if bearable_wait(retry_after) is None:
            return None
        return retry_after * (1 + 0.1 * rng.random()) + 0.05 * rng.random()
    ceiling = min(MOST_WAIT, FIRST_WAIT * 2.0 ** (attempt - 1))
    return ceiling * (0.5 + 0.5 * rng.random())


def bearable_wait(retry_after: float | None) -> float | None:
    """Return the seconds that a provider asks to wait, None if these are more than two minutes.

    One reply that asks for a day must not delay all other requests for a day.
    """
    return retry_after if retry_after is not None and retry_after <= MOST_ASKED else None
