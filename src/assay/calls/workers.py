"""Workers that carry out jobs side by side until there are none, one fails, or all shall stop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, TypeVar

from assay.calls.ask import Caller
from assay.calls.budget import BudgetSpent
from assay.calls.circuit import CircuitOpen
from assay.calls.stop import Stop
from assay.core.errors import AssayError

T = TypeVar("T")


async def carry_out(
    jobs: Iterable[T], work: Callable[[T], Awaitable[None]], *, workers: int, caller: Caller, stop: Stop
) -> None:
    """Do `work` for each job, at most `workers` at a time.

    After a stop no job is begun, and what is in flight is waited for, unless that is given up too. The first
    AssayError of a job ends the others in the same way and is raised. A job that the budget does not allow,
    or whose model is to be left alone, ends no other: the first such error is raised when the rest is done.
    """
    queue = iter(jobs)
    failures: list[AssayError] = []
    left: list[AssayError] = []

    async def worker() -> None:
        for job in queue:
            if stop.reason is not None or failures:
                return
            try:
                await work(job)
            except (BudgetSpent, CircuitOpen) as error:
                left.append(error)
                await asyncio.sleep(0)
            except AssayError as error:
                failures.append(error)
                return
            except asyncio.CancelledError:
                if not stop.event.is_set():
                    raise
                return

    await _ended([asyncio.create_task(worker()) for _ in range(workers)], caller, stop)
    if failures or left:
        raise (failures or left)[0]


async def _ended(workers: list[asyncio.Task[None]], caller: Caller, stop: Stop) -> None:
    """Wait for the workers; after a stop only for what is in flight, and not for that when it is given up."""
    everyone: asyncio.Future[Any] = asyncio.gather(*workers)
    stopped: asyncio.Future[Any] = asyncio.create_task(stop.event.wait())
    left: asyncio.Future[Any] = asyncio.create_task(stop.given_up.wait())
    try:
        await asyncio.wait({everyone, stopped}, return_when=asyncio.FIRST_COMPLETED)
        if stopped.done():
            caller.wind_down()
            await asyncio.wait({everyone, left}, return_when=asyncio.FIRST_COMPLETED)
        if everyone.done():
            everyone.result()
    finally:
        for each in (stopped, left, *workers):
            each.cancel()
        await asyncio.gather(stopped, left, *workers, everyone, return_exceptions=True)
