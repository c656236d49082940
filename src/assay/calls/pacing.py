"""How many requests may be in flight to one provider: additive increase, halving on refusal."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

LEAST = 1.0


class Pace:
    """Adaptive concurrency for one provider.

    Starts at `limit`, falls to half when the provider says that it is too much (at most once in
    `cool_down` seconds), climbs back by one for every full round of answers, and never passes `limit`.
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

    def entered(self) -> bool:
        """Take a place in flight if there is one at once."""
        if self._waiting or not self._open():
            return False
        self.in_flight += 1
        return True

    async def enter(self) -> None:
        """Wait for a place in flight and take it."""
        if self.entered():
            return
        place = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        self._wake()
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self.in_flight -= 1
                self._wake()
            elif place in self._waiting:
                self._waiting.remove(place)
            raise

    def leave(self, *, refused: bool = False, pause: float | None = None) -> None:
        """Give the place back. `refused`: too many requests; `pause`: seconds the provider asks to wait."""
        self.in_flight -= 1
        if refused:
            self._refused(pause)
        elif self.allowed < self.limit:
            self.allowed = min(float(self.limit), self.allowed + 1.0 / self.allowed)
        if self._waiting:
            self._wake()

    def _refused(self, pause: float | None) -> None:
        now = self._clock()
        if now - self._halved_at >= self._cool_down:
            self._halved_at = now
            self.allowed = max(LEAST, self.allowed / 2)
        if pause is not None:
            self._closed_until = max(self._closed_until, now + pause)

    def _open(self) -> bool:
        return self.in_flight < int(self.allowed) and (
            self._closed_until == float("-inf") or self._clock() >= self._closed_until
        )

    def _wake(self) -> None:
        while self._waiting and self._open():
            place = self._waiting.popleft()
            if not place.done():
                self.in_flight += 1
                place.set_result(None)
        if self._waiting and self._timer is None:
            wait = self._closed_until - self._clock()
            if wait > 0:
                self._timer = asyncio.get_running_loop().call_later(wait, self._reopen)

    def _reopen(self) -> None:
        self._timer = None
        self._wake()
