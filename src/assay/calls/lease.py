"""Holding a lock during long work, so that two processes never do, and pay for, the same."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from sqlalchemy import Engine

from assay.calls.control import Stop
from assay.core.errors import AssayError, Conflict
from assay.store.engine import Vanished
from assay.store.locks import LEASE, Lease, free_lock, renew_lock, run_lock, take_lock, this_process
from assay.store.unsaved import take_in


@asynccontextmanager
async def hold(
    engine: Engine, name: str, stop: Stop | None = None, *, every: float = LEASE / 4
) -> AsyncIterator[Lease]:
    """Hold the lock of that name. Raises Conflict while another process holds it.

    The lock is renewed at intervals of `every` seconds, sooner after a database failure. If it is lost
    nevertheless (this process was suspended and another took over), a stop is requested.
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
                    stop.request(str(error), error)
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
        # A lock that cannot be released expires by itself.
        with suppress(AssayError):
            await asyncio.to_thread(free_lock, engine, lease)


@asynccontextmanager
async def hold_run(engine: Engine, run: int, stop: Stop) -> AsyncIterator[Lease]:
    """Hold the lock of a run while it is executed, so that it has one executor at a time.

    Rows that an earlier process could not write are stored first.
    """
    async with hold(engine, run_lock(run), stop) as lease:
        await asyncio.to_thread(take_in, engine, run)
        yield lease
