"""A limit on spending: reservations, waiting, refusals."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.calls.budget import Budget, BudgetSpent, Reservation
from assay.core.money import Prices, Usage
from assay.results.runs import Spend


def reserved(budget: Budget, worst: float | None, model: int = 0) -> Reservation:
    """Return a reservation that is granted immediately."""
    reservation = budget.reserve_at_once(model, worst)
    assert reservation is not None
    return reservation


async def granted(budget: Budget, worst: float | None, model: int = 0) -> Reservation:
    """Reserve as a caller does."""
    return budget.reserve_at_once(model, worst) or await budget.reserve(model, worst)


async def settled() -> None:
    """Let every task run that can."""
    for _ in range(20):
        await asyncio.sleep(0)


def test_a_call_that_does_not_fit_waits_until_others_free_money() -> None:
    """Two calls of at most 0.60 under 1.00: the second waits, and is sent when the first has cost 0.10."""

    async def main() -> None:
        budget = Budget(1.0)
        first = reserved(budget, 0.60)
        second = asyncio.create_task(granted(budget, 0.60))
        await settled()
        assert not second.done()
        budget.settle(first, 0.10)
        budget.settle(await second, 0.10)
        assert budget.spent.known == pytest.approx(0.20)

    asyncio.run(main())


def test_a_call_that_could_pass_the_limit_alone_is_refused() -> None:
    """With 0.50 of 1.00 spent, a call of at most 0.60 is refused at once, whatever is in flight."""

    async def main() -> None:
        budget = Budget(1.0, spent=Spend(0.50, 5))
        reserved(budget, 0.40)
        with pytest.raises(BudgetSpent, match=r"budget of \$1: spent \$0.5") as refusal:
            await granted(budget, 0.60)
        assert refusal.value.amount == 0.60
        assert reserved(budget, 0.10)

    asyncio.run(main())


def test_a_waiting_call_is_refused_when_others_cost_too_much() -> None:
    """It waits while 0.60 could be freed, and is refused once 0.50 of them were spent; the next one goes."""

    async def main() -> None:
        budget = Budget(1.0)
        first = reserved(budget, 0.60)
        dear, cheap = (asyncio.create_task(granted(budget, worst)) for worst in (0.60, 0.45))
        await settled()
        budget.settle(first, 0.50)
        with pytest.raises(BudgetSpent):
            await dear
        assert (await cheap).amount == 0.45

    asyncio.run(main())


def test_cheap_calls_do_not_overtake_an_expensive_one() -> None:
    """Later cheap calls wait behind it, although they would fit."""

    async def main() -> None:
        budget = Budget(1.0)
        first = reserved(budget, 0.50)
        dear = asyncio.create_task(granted(budget, 0.90))
        await settled()
        cheap = asyncio.create_task(granted(budget, 0.10))
        await settled()
        assert not cheap.done()
        budget.settle(first, 0.0)
        await dear
        await cheap

    asyncio.run(main())


def test_a_cancelled_call_lets_the_next_one_go() -> None:
    """Cancelled while it waits or just when it is granted, it reserves nothing."""

    async def main() -> None:
        budget = Budget(1.0)
        first = reserved(budget, 0.90)
        waiting = [asyncio.create_task(granted(budget, 0.90)) for _ in range(3)]
        await settled()
        waiting[0].cancel()
        await settled()
        budget.settle(first, 0.0)
        waiting[1].cancel()
        await asyncio.wait_for(waiting[2], 5)

    asyncio.run(main())


def test_without_a_limit_everything_starts() -> None:
    """Nothing waits; unknown costs are counted as unknown."""
    budget = Budget(None)
    calls = [reserved(budget, None) for _ in range(1000)]
    budget.settle(calls[0], None)
    budget.settle(calls[1], 0.5)
    budget.settle(calls[2], None, chargeable=False)
    assert budget.spent == Spend(0.5, 2, 1)


def test_an_attempt_that_may_have_been_charged_keeps_its_reservation() -> None:
    """A time-out has no known cost: its worst case counts. A refusal with an HTTP error costs nothing."""
    budget = Budget(1.0)
    budget.settle(reserved(budget, 0.60), None)
    assert (budget.held, budget.spent) == (0.60, Spend(0.0, 1, 1))
    assert budget.reserve_at_once(0, 0.60) is None
    budget.settle(reserved(budget, 0.40), None, chargeable=False)
    assert reserved(budget, 0.40)


def test_prices_that_are_too_low_are_noticed() -> None:
    """A call that cost four times its worst case makes the model's later ones reserve that much."""
    budget = Budget(1.0)
    budget.settle(reserved(budget, 0.10), 0.40)
    assert budget.exceeded
    assert reserved(budget, 0.10).amount == 0.40
    assert reserved(budget, 0.10, model=2).amount == 0.10


def test_without_known_prices_the_first_call_goes_alone() -> None:
    """Its cost is unknown: other calls to the model wait until it is known, other models do not."""

    async def main() -> None:
        budget = Budget(1.0)
        first = reserved(budget, None, model=1)
        others = [asyncio.create_task(granted(budget, None, model=1)) for _ in range(5)]
        await settled()
        assert not any(task.done() for task in others)
        assert reserved(budget, 0.10, model=2)
        budget.settle(first, 0.20)
        await settled()
        assert [task.done() for task in others] == [True, True, True, False, False]
        assert others[0].result().amount == 0.20
        for task in others:
            if not task.done():
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task

    asyncio.run(main())


def test_a_first_call_that_fails_is_followed_by_another_alone() -> None:
    """A refused attempt has no cost: the next one goes alone too."""

    async def main() -> None:
        budget = Budget(1.0)
        first = reserved(budget, None)
        others = [asyncio.create_task(granted(budget, None)) for _ in range(3)]
        await settled()
        budget.settle(first, None, chargeable=False)
        await settled()
        assert sum(task.done() for task in others) == 1
        budget.settle(next(task for task in others if task.done()).result(), None)
        await asyncio.wait_for(asyncio.gather(*others), 5)

    asyncio.run(main())


@given(
    st.floats(0.1, 2.0),
    st.lists(st.tuples(st.floats(0.0, 0.5), st.floats(0.0, 1.0), st.booleans()), max_size=60),
    st.integers(1, 20),
)
def test_known_worst_cases_keep_the_limit_in_any_order(
    limit: float, calls: list[tuple[float, float, bool]], workers: int
) -> None:
    """For any costs, number of workers and cancellations, the limit is kept, no call waits for ever, and each
    refused call could indeed have passed the limit.
    """

    async def main() -> None:
        budget, queue, refused = Budget(limit), iter(calls), []

        async def worker() -> None:
            for worst, share, impatient in queue:
                try:
                    if impatient:
                        async with asyncio.timeout(0):
                            reservation = await granted(budget, worst)
                    else:
                        reservation = await granted(budget, worst)
                except TimeoutError:
                    continue
                except BudgetSpent:
                    refused.append(worst)
                    continue
                await asyncio.sleep(0)
                budget.settle(reservation, worst * share)

        await asyncio.wait_for(asyncio.gather(*[worker() for _ in range(workers)]), 5)
        assert budget.spent.known <= limit * (1 + 1e-12)
        assert all(budget.spent.known + worst > limit * (1 - 1e-12) for worst in refused)

    asyncio.run(main())


def test_the_worst_case_of_a_call() -> None:
    """100 tokens at $2 a million, 1,000 of the answer at $10, and 1 cent a call: 2.02 cents."""
    prices = Prices(2.0, 10.0, cached=0.2, request=0.01)
    assert prices.most(100, 1000) == pytest.approx(0.0202)
    assert prices.most(100, 1000) >= (prices.cost(Usage(100, 1000, cached=50)) or 0.0)
