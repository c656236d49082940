"""Waiting that ends when the user asks to stop."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from assay.calls.stop import Stop

T = TypeVar("T")


class Stopped(Exception):
    """The user asked to stop."""


async def pause(seconds: float, stop: Stop) -> None:
    """Wait, but not after a stop."""
    try:
        async with asyncio.timeout(seconds):
            await stop.event.wait()
    except TimeoutError:
        return
    raise Stopped


async def unless_given_up(work: Coroutine[Any, Any, T], stop: Stop) -> T:
    """Return what work comes to; the second Ctrl-C leaves it."""
    task, left = asyncio.create_task(work), asyncio.create_task(stop.given_up.wait())
    try:
        await asyncio.wait({task, left}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise Stopped
        return await task
    finally:
        for each in (task, left):
            each.cancel()
        await asyncio.gather(task, left, return_exceptions=True)
