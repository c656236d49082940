"""A limit on spending that stops a run cleanly."""

from __future__ import annotations

import asyncio

from assay.core.money import Spend


class Budget:
    """What may be spent, in US dollars, and what has been.

    A call may start while the money spent, plus the mean cost of a call for each one in flight and for
    this one, stays within the limit. Until a first cost is known, `expected` stands for the mean; where
    nothing is expected either, the first call goes alone (`alone`), to learn what one costs. The limit
    can be passed by no more than the difference between the calls in flight and their mean.
    """

    def __init__(self, limit: float | None, *, expected: float = 0.0, spent: Spend | None = None) -> None:
        self.limit = limit
        self.spent = spent or Spend()
        self._expected = expected
        self._in_flight = 0
        self._first: asyncio.Event | None = None

    @property
    def alone(self) -> bool:
        """Whether a call must wait for the first one, because nobody knows what one costs."""
        return self.limit is not None and self._in_flight > 0 and not self.spent.calls and not self._expected

    async def first(self) -> None:
        """Wait until the first call has come back."""
        if self._first is None:
            self._first = asyncio.Event()
        await self._first.wait()

    def start(self) -> bool:
        """Take leave for one more call; False when it would pass the limit."""
        if self.limit is not None and self.spent.known + self.mean * (self._in_flight + 1) > self.limit:
            return False
        self._in_flight += 1
        return True

    def finish(self, cost: float | None) -> None:
        """Record what a call cost; None when it is not known."""
        self._in_flight -= 1
        self.spent = self.spent.add(cost)
        if self._first is not None:
            self._first.set()

    @property
    def mean(self) -> float:
        """The mean cost of a call in US dollars, as known so far or else as expected."""
        known = self.spent.calls - self.spent.unknown
        return max(self.spent.known / known, 1e-12) if known else self._expected
