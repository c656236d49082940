"""Adaptive concurrency."""

from __future__ import annotations

import asyncio
import random

from hypothesis import given
from hypothesis import strategies as st

from assay.calls.pacing import FIRST_WAIT, MOST_WAIT, Pace, bearable_wait, retry_delay


class Clock:
    """A clock that tests move."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_never_more_in_flight_than_the_limit() -> None:
    """Forty tasks through a pace of three are never more than three at once."""

    async def main() -> int:
        pace = Pace(3, clock=Clock())
        most = 0

        async def request() -> None:
            nonlocal most
            await pace.enter()
            most = max(most, pace.in_flight)
            await asyncio.sleep(0)
            pace.leave()

        await asyncio.gather(*(request() for _ in range(40)))
        assert pace.in_flight == 0
        return most

    assert asyncio.run(main()) == 3


def test_a_refusal_halves_the_limit_and_each_round_of_answers_raises_it_by_one() -> None:
    """From 16 a refusal leaves 8; eight answers make it nine."""

    async def main() -> tuple[float, float]:
        clock = Clock()
        pace = Pace(16, clock=clock)
        await pace.enter()
        pace.leave(refused=True)
        halved = pace.allowed
        for _ in range(9):
            await pace.enter()
            pace.leave()
        return halved, pace.allowed

    halved, climbed = asyncio.run(main())
    assert halved == 8
    assert 9.0 <= climbed < 9.2


def test_a_burst_of_refusals_counts_once() -> None:
    """Ten refusals within the cool-down halve once; another one after it halves again."""

    async def main() -> list[float]:
        clock = Clock()
        pace = Pace(32, clock=clock)
        seen = []
        for wait in (0.0,) * 10 + (1.5,):
            clock.now += wait
            await pace.enter()
            pace.leave(refused=True)
            seen.append(pace.allowed)
        return seen

    seen = asyncio.run(main())
    assert seen[9] == 16
    assert seen[10] == 8


def test_nothing_is_sent_during_a_pause() -> None:
    """After a refusal with a pause of 20 ms no request enters before the clock has passed it."""

    async def main() -> float:
        loop = asyncio.get_running_loop()
        pace = Pace(4, clock=loop.time)
        await pace.enter()
        start = loop.time()
        pace.leave(refused=True, pause=0.02)
        await pace.enter()
        return loop.time() - start

    assert asyncio.run(main()) >= 0.02


def test_a_cancelled_waiter_lets_the_next_one_enter() -> None:
    """A task that is cancelled while it waits does not count as in flight."""

    async def main() -> int:
        pace = Pace(1, clock=Clock())
        await pace.enter()
        waiting = asyncio.create_task(pace.enter())
        next_one = asyncio.create_task(pace.enter())
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        pace.leave()
        await asyncio.wait_for(next_one, 1)
        return pace.in_flight

    assert asyncio.run(main()) == 1


@given(st.lists(st.sampled_from(["answer", "refusal", "wait"]), max_size=200), st.integers(1, 64))
def test_the_allowance_stays_between_one_and_the_limit(events: list[str], limit: int) -> None:
    """After any sequence of events, between 1 and `limit` requests may be in flight."""

    async def main() -> None:
        clock = Clock()
        pace = Pace(limit, clock=clock)
        for event in events:
            if event == "wait":
                clock.now += 2.0
                continue
            await pace.enter()
            pace.leave(refused=event == "refusal")
            assert 1.0 <= pace.allowed <= limit

    asyncio.run(main())


def test_many_cancelled_at_once_end_as_cancelled() -> None:
    """A request that ends between a waiter's cancellation and its turn breaks nothing."""

    async def main() -> list[object]:
        pace = Pace(1, clock=Clock())
        await pace.enter()
        waiting = [asyncio.create_task(pace.enter()) for _ in range(3)]
        await asyncio.sleep(0)
        for task in waiting[:2]:
            task.cancel()
        pace.leave()
        return list(await asyncio.gather(*waiting, return_exceptions=True))

    ended = asyncio.run(main())
    assert [isinstance(result, asyncio.CancelledError) for result in ended] == [True, True, False]
    assert ended[2] is None


@given(st.integers(1, 30), st.integers())
def test_waits_grow_within_bounds(attempt: int, seed: int) -> None:
    """The wait lies between half and the whole of a ceiling that doubles up to thirty seconds."""
    ceiling = min(MOST_WAIT, FIRST_WAIT * 2 ** (attempt - 1))
    waited = retry_delay(attempt, None, random.Random(seed))
    assert waited is not None
    assert ceiling / 2 <= waited <= ceiling


@given(st.floats(0, 120), st.integers())
def test_retry_after_is_honoured(asked: float, seed: int) -> None:
    """The wait is never shorter than Retry-After, and at most a tenth and 50 ms longer."""
    waited = retry_delay(1, asked, random.Random(seed))
    assert waited is not None
    assert asked <= waited <= asked * 1.1 + 0.05


def test_a_request_to_wait_for_minutes_ends_the_attempts() -> None:
    """Beyond two minutes the delay is None."""
    assert retry_delay(1, 600.0, random.Random(0)) is None


def test_only_a_short_wait_delays_other_requests() -> None:
    """A minute delays all requests; a day, or infinity, does not."""
    assert [bearable_wait(asked) for asked in (None, 60.0, 86_400.0, float("inf"))] == [
        None,
        60.0,
        None,
        None,
    ]
