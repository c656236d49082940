"""Holding a lock while a long deed goes on, so that two processes never do, and pay for, the same."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from sqlalchemy import Engine

from assay.calls.stop import Stop
from assay.core.errors import AssayError, Conflict
from assay.store.engine import Vanished
from assay.store.holder import this_process
from assay.store.locks import LEASE, Lease, free_lock, renew_lock, run_lock, take_lock
from assay.store.unsaved import take_in


@asynccontextmanager
async def hold(
    engine: Engine, name: str, stop: Stop | None = None, *, every: float = LEASE / 4
) -> AsyncIterator[Lease]:
    """Hold the lock of that name. Raises Conflict while another process holds it.

    It is renewed `every` so many seconds, sooner where the database failed. When it is lost all the same
    (this process was suspended, and another took over), `stop` is asked for.
    """
    lease = await asyncio.to_thread(take_lock, engine, name, this_process())

    async def renew() -> None:
        wait = every
        while True:
            await asyncio.sleep(wait)
            try:
                await asyncio.to_thread(renew_lock, engine, lease)
                wait = every
            except (Conflict, Vanished) as error:
                if stop is not None:
                    stop.ask(str(error), error)
                return
            except AssayError:
                wait = every / 10

    renewing = asyncio.create_task(renew(), name="assay-lease")
    try:
        yield lease
    finally:
        renewing.cancel()
        with suppress(asyncio.CancelledError):
            await renewing
        # A lock that cannot be given back counts as free from now on.
        with suppress(AssayError):
            await asyncio.to_thread(free_lock, engine, lease)


@asynccontextmanager
async def hold_run(engine: Engine, run: int, stop: Stop) -> AsyncIterator[Lease]:
    """Hold a run while it is executed: it has one executor at a time.

    What an earlier one could not write is taken in first.
    """
    async with hold(engine, run_lock(run), stop) as lease:
        await asyncio.to_thread(take_in, engine, run)
        yield lease
