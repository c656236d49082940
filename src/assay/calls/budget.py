"""A limit on spending that stops a run cleanly."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field

from assay.core.money import Spend


@dataclass(slots=True)
class _Purse:
    """What the calls to one model cost."""

    expected: float
    spent: Spend = Spend()
    in_flight: int = 0
    first: asyncio.Event = field(default_factory=asyncio.Event)


class Budget:
    """What may be spent, in US dollars, and what has been.

    A call may start while the money spent, plus what each call in flight and this one are likely to cost,
    stays within the limit. A call likely costs the mean of its model's; until that is known, what is
    `expected` of the model (`each`, by the model's row) or of any model, at least the mean of all, and before
    the model's first call came back at least the mean of the dearest model. Where nothing is expected of a
    model, its first call goes alone (`alone`), to learn what one costs: a judge may cost a hundred times what
    a subject does. The limit can be passed by no more than the difference between the calls in flight and
    their models' means.
    """

    def __init__(
        self,
        limit: float | None,
        *,
        expected: float = 0.0,
        each: Mapping[int, float] | None = None,
        spent: Spend | None = None,
    ) -> None:
        self.limit = limit
        self.spent = spent or Spend()
        self._expected = expected
        self._each = each
        self._purses: dict[Hashable, _Purse] = {}

    def alone(self, model: int = 0) -> bool:
        """Whether a call must wait for the model's first one, because nobody knows what one costs."""
        if self.limit is None:
            return False
        purse = self._purse(model)
        return purse.in_flight > 0 and not purse.spent.calls and not purse.expected

    async def first(self, model: int = 0) -> None:
        """Wait until the model's first call has come back."""
        await self._purse(model).first.wait()

    def start(self, model: int = 0) -> bool:
        """Take leave for one more call to a model, by its row; False when it would pass the limit."""
        purse = self._purse(model)
        if self.limit is not None:
            reserved = sum(each.in_flight * self._likely(each) for each in self._purses.values())
            if self.spent.known + reserved + self._likely(purse) > self.limit:
                return False
        purse.in_flight += 1
        return True

    def finish(self, cost: float | None, model: int = 0) -> None:
        """Record what a call cost; None when it is not known."""
        purse = self._purse(model)
        purse.in_flight -= 1
        purse.spent = purse.spent.add(cost)
        self.spent = self.spent.add(cost)
        purse.first.set()

    @property
    def mean(self) -> float:
        """The mean cost of a call in US dollars, as known so far or else as expected."""
        return _mean(self.spent) or self._expected

    def _likely(self, purse: _Purse) -> float:
        dearest = 0.0 if purse.spent.calls else max(_mean(each.spent) for each in self._purses.values())
        return _mean(purse.spent) or max(purse.expected, self.mean, dearest)

    def _purse(self, model: int) -> _Purse:
        purse = self._purses.get(model)
        if purse is None:
            expected = self._expected if self._each is None else self._each.get(model, 0.0)
            purse = self._purses[model] = _Purse(expected)
        return purse


def _mean(spent: Spend) -> float:
    """Return the mean of the known costs, 0 where none is known."""
    known = spent.calls - spent.unknown
    return max(spent.known / known, 1e-12) if known else 0.0
