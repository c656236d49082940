"""The circuit breaker of one model."""

from __future__ import annotations

import asyncio

import pytest

from assay.calls.circuit import Circuit, CircuitOpen, CircuitTimes, Notice, describe_notice

QUICK = CircuitTimes(failures=3, first=0.01, most=0.04, longest=900.0)


def circuit(patience: CircuitTimes = QUICK) -> tuple[Circuit, list[Notice]]:
    """Return a circuit on the loop's clock, and the list of its notices."""
    made = Circuit("p/m", clock=asyncio.get_running_loop().time, patience=patience)
    notices: list[Notice] = []
    made.notify = notices.append
    return made, notices


async def settled() -> None:
    """Let every task run that can."""
    for _ in range(20):
        await asyncio.sleep(0)


def test_failures_in_a_row_open_the_circuit_and_a_success_resets_the_count() -> None:
    """Two failures, a success, two failures: closed. A third in a row opens it."""

    async def main() -> None:
        made, notices = circuit()
        for failed in (True, True, False, True, True):
            made.leave(first=False, failed=failed)
        assert made.closed
        made.leave(first=False, failed=True)
        assert not made.closed
        assert [(notice.model, notice.asked, notice.seconds) for notice in notices] == [("p/m", False, 0.01)]

    asyncio.run(main())


def test_one_request_goes_first_and_its_success_lets_all_others_go() -> None:
    """Of three that wait, one is let through when the pause is over; the others follow its success."""

    async def main() -> None:
        made, notices = circuit()
        for _ in range(3):
            made.leave(first=False, failed=True)
        waiting = [asyncio.create_task(made.enter()) for _ in range(3)]
        first = await asyncio.wait_for(waiting[0], 5)
        await settled()
        assert (first, waiting[1].done(), waiting[2].done()) == (True, False, False)
        made.leave(first=True, failed=False)
        assert await asyncio.gather(*waiting[1:]) == [False, False]
        assert made.closed
        assert notices[-1].seconds is None

    asyncio.run(main())


def test_a_failure_of_the_first_request_doubles_the_pause() -> None:
    """Pauses grow: 1, 2, 4, and then stay at the maximum."""

    async def main() -> None:
        made, notices = circuit()
        for _ in range(3):
            made.leave(first=False, failed=True)
        for _ in range(3):
            assert await asyncio.wait_for(made.enter(), 5)
            made.leave(first=True, failed=True)
        assert [notice.seconds for notice in notices] == [0.01, 0.02, 0.04, 0.04]

    asyncio.run(main())


def test_when_the_first_request_is_cancelled_the_next_one_goes_first() -> None:
    """Cancelled before anything was sent: another request goes first."""

    async def main() -> None:
        made, _ = circuit()
        for _ in range(3):
            made.leave(first=False, failed=True)
        waiting = [asyncio.create_task(made.enter()) for _ in range(3)]
        assert await asyncio.wait_for(waiting[0], 5)
        waiting[1].cancel()
        made.abandon()
        assert await asyncio.wait_for(waiting[2], 5)

    asyncio.run(main())


def test_a_request_for_a_long_pause_opens_the_circuit_at_once() -> None:
    """Ten minutes: new requests wait, and replies to requests in flight change nothing."""

    async def main() -> None:
        made, notices = circuit()
        made.leave(first=False, failed=True, retry_after=600.0)
        waiting = asyncio.create_task(made.enter())
        made.leave(first=False, failed=False)
        made.leave(first=False, failed=True, retry_after=599.9)
        await settled()
        assert (made.closed, waiting.done(), len(notices)) == (False, False, 1)
        waiting.cancel()

    asyncio.run(main())


def test_a_model_that_asks_for_too_long_a_pause_is_given_up() -> None:
    """An hour: waiting and new requests fail with the model's name."""

    async def main() -> None:
        made, notices = circuit()
        for _ in range(3):
            made.leave(first=False, failed=True)
        waiting = asyncio.create_task(made.enter())
        await settled()
        made.leave(first=False, failed=True, retry_after=3600.0)
        for entered in (waiting, made.enter()):
            with pytest.raises(CircuitOpen, match=r"p/m asked to wait 60 minutes, more than the 15 minutes"):
                await entered
        assert notices[-1].error is made.error

    asyncio.run(main())


def test_a_model_that_stays_down_is_given_up() -> None:
    """Failures alone are enough."""

    async def main() -> None:
        made, _ = circuit(CircuitTimes(failures=1, first=0.01, most=0.02, longest=0.05))
        made.leave(first=False, failed=True)
        with pytest.raises(CircuitOpen, match="has not answered"):
            while True:
                assert await asyncio.wait_for(made.enter(), 5)
                made.leave(first=True, failed=True)

    asyncio.run(main())


def test_sentences_of_notices() -> None:
    """They give the end of the pause in UTC and the number of samples that wait."""
    assert [
        describe_notice(Notice("p/m", 600.0, asked=True), 66_600.0, waiting=312),
        describe_notice(Notice("p/m", 4.0), 66_600.0, waiting=1),
        describe_notice(Notice("p/m", None), 66_600.0, waiting=312),
        describe_notice(Notice("p/m", None), 66_600.0),
        describe_notice(
            Notice("p/m", 9e3, asked=True, error=CircuitOpen("p/m asked for too much")), 0.0, waiting=2
        ),
    ] == [
        "p/m asked to wait until 18:40:00 UTC; 312 samples wait",
        "p/m keeps failing and is paused until 18:30:04 UTC; 1 sample waits",
        "p/m answers again; 312 samples go on",
        "p/m answers again",
        "p/m asked for too much; 2 samples",
    ]
