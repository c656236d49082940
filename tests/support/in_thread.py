"""Servers on an event loop of their own, in a thread beside the test."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from typing import TypeVar

T = TypeVar("T")


@contextmanager
def in_thread(server: AbstractAsyncContextManager[T]) -> Iterator[T]:
    """Keep a server open in a thread until the block ends; yield what it yields.

    `asyncio.run` waits for the requests that a server's end has cancelled. Were their loop closed at once,
    their tasks would stay pending, and Python says so when it destroys them.
    """
    ready = threading.Event()
    opened: list[T] = []
    ends: list[Callable[[], object]] = []

    async def main() -> None:
        end, loop = asyncio.Event(), asyncio.get_running_loop()
        async with server as value:
            opened.append(value)
            ends.append(lambda: loop.call_soon_threadsafe(end.set))
            ready.set()
            await end.wait()

    thread = threading.Thread(target=lambda: asyncio.run(main()))
    thread.start()
    assert ready.wait(10)
    try:
        yield opened[0]
    finally:
        ends[0]()
        thread.join(10)
