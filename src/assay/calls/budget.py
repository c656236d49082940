"""A limit on spending: every attempt reserves the most that it can cost before it is sent."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Engine

from assay.core.errors import Upstream
from assay.core.money import Spend
from assay.store.ledger import dearest_calls
from assay.store.runs import count_runs

ROUNDING = 1e-9


class BudgetSpent(Upstream):
    """A call could pass the limit on its own; `amount` is what it would have reserved, in US dollars."""

    def __init__(self, text: str, amount: float = 0.0) -> None:
        super().__init__(text)
        self.amount = amount


@dataclass(slots=True)
class _ModelCosts:
    """What the attempts to one model cost, in US dollars.

    `dearest` is the largest cost so far, None while none is known; `excess` the largest that passed its worst
    case. `answered`: an answer came back, with or without a cost. `first` is set when the first call of a
    model without a known worst case is back; None while there is none.
    """

    dearest: float | None = None
    excess: float = 0.0
    answered: bool = False
    first: asyncio.Event | None = None


@dataclass(slots=True, eq=False)
class Reservation:
    """What one attempt may cost: `amount` US dollars, of a worst case that is known or (None) is not."""

    worst: float | None = None
    amount: float = 0.0
    alone: bool = False
    costs: _ModelCosts | None = None


@dataclass(slots=True, eq=False)
class _Turn:
    reservation: Reservation
    granted: asyncio.Future[None]


class Budget:
    """What may be spent, in US dollars, and what has been.

    An attempt is sent once what it can cost at most fits beside the money spent and what the attempts in
    flight have reserved. Where it does not fit, it waits until they return and free what they did not use, in
    the order of arrival: a dear call is not overtaken for ever by cheap ones. BudgetSpent comes only when the
    call could pass the limit on its own, whatever is in flight.

    The reservation is the worst case: by the model's prices for as many tokens as can come. Where that is
    known, the limit is never passed, unless a provider charges more than its prices say; then the model's
    later attempts reserve that much. An attempt that may have been charged but told no cost keeps its
    reservation (`held`). Where no worst case is known, the first call of a model goes alone, and each later
    one reserves the largest cost of that model so far: the limit can be passed by no more than what the
    attempts in flight cost above it. A model that never tells a cost reserves nothing.
    """

    def __init__(
        self,
        limit: float | None,
        *,
        spent: Spend | None = None,
        dearest: Mapping[int, float] | None = None,
    ) -> None:
        """Begin with what was `spent` before, and the largest cost of a call to each model, by its row."""
        self.limit = limit
        self.spent = spent or Spend()
        self.held = 0.0
        self._reserved = 0.0
        self._in_flight = 0
        self._models = {model: _ModelCosts(cost, answered=True) for model, cost in (dearest or {}).items()}
        self._waiting: deque[_Turn] = deque()

    @property
    def dearest(self) -> dict[int, float]:
        """The largest known cost of one attempt, by the model's row."""
        return {model: costs.dearest for model, costs in self._models.items() if costs.dearest is not None}

    @property
    def exceeded(self) -> bool:
        """Whether an attempt cost more than its prices allow."""
        return any(costs.excess for costs in self._models.values())

    def reserve_at_once(self, model: int, worst: float | None) -> Reservation | None:
        """Reserve the worst case of an attempt to a model, by its row; None when it must wait or is refused.

        `worst` is in US dollars, None where it is not known.
        """
        if self.limit is None:
            return Reservation()
        costs = self._costs(model)
        if self._waiting or (worst is None and costs.first is not None):
            return None
        reservation = _claim(costs, worst)
        if self._taken(reservation):
            return reservation
        _give_up(reservation)
        return None

    async def reserve(self, model: int, worst: float | None) -> Reservation:
        """Wait until an attempt fits and reserve its worst case; raises BudgetSpent when it never can."""
        costs = self._costs(model)
        while worst is None and costs.first is not None:
            await costs.first.wait()
        turn = _Turn(_claim(costs, worst), asyncio.get_running_loop().create_future())
        self._waiting.append(turn)
        self._serve()
        try:
            await turn.granted
        except asyncio.CancelledError:
            if turn.granted.done() and not turn.granted.cancelled() and turn.granted.exception() is None:
                self._free(turn.reservation)
            _give_up(turn.reservation)
            self._serve()
            raise
        except BudgetSpent:
            _give_up(turn.reservation)
            raise
        return turn.reservation

    def settle(self, reservation: Reservation, cost: float | None, *, chargeable: bool = True) -> None:
        """Free a reservation and count what the attempt cost; None when nobody told.

        `chargeable` is False for an attempt that was refused or never sent: no cost is missing then.
        """
        if cost is not None or chargeable:
            self.spent = self.spent.add(cost)
        costs = reservation.costs
        if costs is None:
            return
        self._free(reservation)
        if cost is not None:
            costs.dearest = max(cost, costs.dearest or 0.0)
            if reservation.worst is not None and cost > reservation.amount * (1 + ROUNDING):
                costs.excess = max(cost, costs.excess)
        elif chargeable:
            self.held += reservation.amount
        costs.answered = costs.answered or chargeable
        _give_up(reservation)
        self._serve()

    def _costs(self, model: int) -> _ModelCosts:
        costs = self._models.get(model)
        if costs is None:
            costs = self._models[model] = _ModelCosts()
        return costs

    def _serve(self) -> None:
        """Grant those who wait, in order, as far as the money goes; refuse those who never can be paid."""
        while self._waiting:
            turn = self._waiting[0]
            if not turn.granted.done():
                if self._refused(turn.reservation):
                    turn.granted.set_exception(self._explained(_amount(turn.reservation)))
                elif self._taken(turn.reservation):
                    turn.granted.set_result(None)
                else:
                    return
            self._waiting.popleft()

    def _refused(self, reservation: Reservation) -> bool:
        """Whether an attempt would pass the limit even with nothing else in flight."""
        assert self.limit is not None
        counted = self.spent.known + self.held
        unknown = reservation.worst is None
        return counted + _amount(reservation) > self.limit or (unknown and counted >= self.limit)

    def _taken(self, reservation: Reservation) -> bool:
        """Reserve an amount if it fits now."""
        assert self.limit is not None
        amount = _amount(reservation)
        if self._refused(reservation) or self.spent.known + self.held + self._reserved + amount > self.limit:
            return False
        reservation.amount = amount
        self._reserved += amount
        self._in_flight += 1
        return True

    def _free(self, reservation: Reservation) -> None:
        self._in_flight -= 1
        self._reserved = self._reserved - reservation.amount if self._in_flight else 0.0

    def _explained(self, amount: float) -> BudgetSpent:
        held = f", and up to ${self.held:.4f} for attempts whose cost is unknown" if self.held else ""
        return BudgetSpent(
            f"another call could pass the budget of ${self.limit:g}: spent {self.spent}{held}", amount
        )


def budget_of(engine: Engine, limit: float | None, runs: Sequence[int]) -> Budget:
    """Return the budget of one or several whole runs, of which earlier executions may have spent a part."""
    before = count_runs(engine, runs).values()
    spent = Spend(
        sum(counts.cost for counts in before),
        sum(counts.calls for counts in before),
        sum(counts.unknown_costs for counts in before),
    )
    return Budget(limit, spent=spent, dearest=None if limit is None else dearest_calls(engine, runs))


def _claim(costs: _ModelCosts, worst: float | None) -> Reservation:
    """Return a reservation without an amount; the first call of a model whose costs nobody knows is alone."""
    alone = worst is None and costs.dearest is None and not costs.answered
    if alone:
        costs.first = asyncio.Event()
    return Reservation(worst, 0.0, alone, costs)


def _give_up(reservation: Reservation) -> None:
    """Let those go on who wait for the model's first call."""
    costs = reservation.costs
    if reservation.alone and costs is not None and costs.first is not None:
        costs.first.set()
        costs.first = None


def _amount(reservation: Reservation) -> float:
    costs = reservation.costs
    assert costs is not None
    if reservation.worst is None:
        return costs.dearest or 0.0
    return max(reservation.worst, costs.excess)
