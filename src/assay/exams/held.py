"""Holding a lock while a long deed goes on, so that two processes never do, and pay for, the same."""

from __future__ import annotations

import asyncio
import os
import socket
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from assay.calls.asking import Place
from assay.calls.stop import Stop
from assay.core.errors import AssayError, Conflict
from assay.store.locks import LEASE, free_lock, renew_lock, take_lock


@asynccontextmanager
async def held(place: Place, name: str, stop: Stop) -> AsyncIterator[None]:
    """Hold the lock of that name, renewed four times a lease. Raises Conflict while another holds it.

    When it is lost all the same, `stop` is asked for.
    """
    holder = f"process {os.getpid()} on {socket.gethostname()}, {uuid.uuid4().hex[:8]}"
    await asyncio.to_thread(take_lock, place.engine, name, holder, clock=place.clock)

    async def renew() -> None:
        wait = LEASE / 4
        while True:
            await asyncio.sleep(wait)
            try:
                await asyncio.to_thread(renew_lock, place.engine, name, holder, clock=place.clock)
                wait = LEASE / 4
            except Conflict as error:
                stop.ask(str(error), error)
                return
            except AssayError:
                wait = LEASE / 40

    renewing = asyncio.create_task(renew())
    try:
        yield
    finally:
        renewing.cancel()
        with suppress(asyncio.CancelledError):
            await renewing
        await asyncio.to_thread(free_lock, place.engine, name, holder)
