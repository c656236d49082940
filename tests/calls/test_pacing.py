"""Adaptive concurrency."""

from __future__ import annotations

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from assay.calls.pacing import Pace


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

        async def one() -> None:
            nonlocal most
            await pace.enter()
            most = max(most, pace.in_flight)
            await asyncio.sleep(0)
            pace.leave()

        await asyncio.gather(*(one() for _ in range(40)))
        assert pace.in_flight == 0
        return most

    assert asyncio.run(main()) == 3


def test_a_refusal_halves_and_answers_bring_it_back_one_a_round() -> None:
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


def test_a_pause_holds_everybody_back_until_it_is_over() -> None:
    """After a refusal with a pause of 20 ms nobody enters before the clock has passed it."""

    async def main() -> float:
        loop = asyncio.get_running_loop()
        pace = Pace(4, clock=loop.time)
        await pace.enter()
        start = loop.time()
        pace.leave(refused=True, pause=0.02)
        await pace.enter()
        return loop.time() - start

    assert asyncio.run(main()) >= 0.02


def test_a_cancelled_waiter_gives_its_place_up() -> None:
    """A task cancelled while it waits leaves the pace able to serve the next one."""

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
    """Whatever comes, between 1 and `limit` requests may be in flight."""

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
    """A place that falls free between a waiter's cancellation and its turn does not break it."""

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
    assert [isinstance(each, asyncio.CancelledError) for each in ended] == [True, True, False]
    assert ended[2] is None
