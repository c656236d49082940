"""A limit on spending: every attempt reserves the most that it can cost before it is sent."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Engine

from assay.core.errors import Upstream
from assay.results.runs import Spend
from assay.store.ledger import dearest_calls
from assay.store.runs import count_runs

ROUNDING = 1e-9


class BudgetSpent(Upstream):
    """A call could pass the limit on its own; `amount` is its reservation in US dollars."""

    def __init__(self, text: str, amount: float = 0.0) -> None:
        super().__init__(text)
        self.amount = amount


@dataclass(slots=True)
class _ModelCosts:
    """The costs of the attempts to one model, in US dollars.

    `dearest` is the largest cost so far, None while none is known; `excess` the largest that passed its worst
    case. `answered`: a reply arrived, with or without a cost. `first` is set when the first call to a model
    without a known worst case returns; None while there is no such call.
    """

    dearest: float | None = None
    excess: float = 0.0
    answered: bool = False
    first: asyncio.Event | None = None


@dataclass(slots=True, eq=False)
class Reservation:
    """The money reserved for one attempt: `amount` US dollars; `worst` is its worst case, None if unknown."""

    worst: float | None = None
    amount: float = 0.0
    alone: bool = False
    costs: _ModelCosts | None = None


_UNLIMITED: Final = Reservation()
"""The empty reservation that all attempts without a limit share."""


@dataclass(slots=True, eq=False)
class _Turn:
    reservation: Reservation
    granted: asyncio.Future[None]


class Budget:
    """A limit on spending in US dollars, with the money spent and reserved so far.

    An attempt is sent once its worst case fits beside the money spent and the reservations of the attempts in
    flight. If it does not fit, it waits until they return and free what they did not use, in the order of
    arrival, so that cheap calls cannot overtake an expensive one for ever. BudgetSpent is raised only if the
    call could pass the limit on its own, whatever is in flight.

    The reservation is the worst case: the model's prices for the greatest possible number of tokens. If that
    is known, the limit is never passed, unless a provider charges more than its prices; then the model's
    later attempts reserve that much. An attempt that may have been charged but reports no cost keeps its
    reservation (`held`). If no worst case is known, the first call of a model goes alone, and each later one
    reserves the largest cost of that model so far: the limit can then be passed by no more than the excess of
    the attempts in flight. A model that never reports a cost reserves nothing.
    """

    def __init__(
        self,
        limit: float | None,
        *,
        spent: Spend | None = None,
        dearest: Mapping[int, float] | None = None,
    ) -> None:
        """Start with the money `spent` before, and the largest cost of a call to each model, by its row."""
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
        """Reserve the worst case of an attempt to a model, by its row; None if it must wait or is refused.

        `worst` is in US dollars, None if unknown.
        """
        if self.limit is None:
            return _UNLIMITED
        costs = self._costs(model)
        if self._waiting or (worst is None and costs.first is not None):
            return None
        reservation = _claim(costs, worst)
        if self._reserve_if_fits(reservation):
            return reservation
        _release_waiters(reservation)
        return None

    async def reserve(self, model: int, worst: float | None) -> Reservation:
        """Wait until an attempt fits and reserve its worst case; raises BudgetSpent if it can never fit."""
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
            _release_waiters(turn.reservation)
            self._serve()
            raise
        except BudgetSpent:
            _release_waiters(turn.reservation)
            raise
        return turn.reservation

    def settle(self, reservation: Reservation, cost: float | None, *, chargeable: bool = True) -> None:
        """Free a reservation and count the attempt's cost; None if it is not known.

        `chargeable` is False for an attempt that was refused or never sent: it has no cost.
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
        _release_waiters(reservation)
        self._serve()

    def _costs(self, model: int) -> _ModelCosts:
        costs = self._models.get(model)
        if costs is None:
            costs = self._models[model] = _ModelCosts()
        return costs

    def _serve(self) -> None:
        """Grant the waiting reservations in order while they fit; refuse those that can never fit."""
        while self._waiting:
            turn = self._waiting[0]
            if not turn.granted.done():
                if self._can_never_fit(turn.reservation):
                    turn.granted.set_exception(self._explain_refusal(_amount(turn.reservation)))
                elif self._reserve_if_fits(turn.reservation):
                    turn.granted.set_result(None)
                else:
                    return
            self._waiting.popleft()

    def _can_never_fit(self, reservation: Reservation) -> bool:
        """Return whether an attempt would pass the limit even with nothing else in flight."""
        assert self.limit is not None
        counted = self.spent.known + self.held
        unknown = reservation.worst is None
        return counted + _amount(reservation) > self.limit or (unknown and counted >= self.limit)

    def _reserve_if_fits(self, reservation: Reservation) -> bool:
        assert self.limit is not None
        amount = _amount(reservation)
        if self._can_never_fit(reservation):
            return False
        if self.spent.known + self.held + self._reserved + amount > self.limit:
            return False
        reservation.amount = amount
        self._reserved += amount
        self._in_flight += 1
        return True

    def _free(self, reservation: Reservation) -> None:
        self._in_flight -= 1
        self._reserved = self._reserved - reservation.amount if self._in_flight else 0.0

    def _explain_refusal(self, amount: float) -> BudgetSpent:
        held = f", and up to ${self.held:.4f} for attempts whose cost is unknown" if self.held else ""
        spent = f"spent {self.spent}" if self.spent.calls else str(self.spent)
        return BudgetSpent(f"another call could pass the budget of ${self.limit:g}: {spent}{held}", amount)


def budget_of(engine: Engine, limit: float | None, runs: Sequence[int]) -> Budget:
    """Return the budget of one or several whole runs, less what earlier executions of them spent."""
    spent = sum((counts.spend for counts in count_runs(engine, runs).values()), Spend())
    return Budget(limit, spent=spent, dearest=None if limit is None else dearest_calls(engine, runs))


def _claim(costs: _ModelCosts, worst: float | None) -> Reservation:
    """Return a reservation without an amount; the first call to a model of unknown costs goes alone."""
    alone = worst is None and costs.dearest is None and not costs.answered
    if alone:
        costs.first = asyncio.Event()
    return Reservation(worst, 0.0, alone, costs)


def _release_waiters(reservation: Reservation) -> None:
    """Release the calls that wait for the model's first call."""
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
