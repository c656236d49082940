"""Reusing marks, so that no judge is asked the same question twice: in flight, in this run, or later."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple

from assay.core.judging import Mark

RECENT = 20_000
RECENT_CHARACTERS = 4_000_000
GATHER = 0.002
MOST_KEYS = 400

Lookup = Callable[[list[bytes]], Mapping[bytes, Mark]]


class RecalledMark(NamedTuple):
    """A mark, and whether it was reused."""

    mark: Mark
    reused: bool


class Recall:
    """A cache of marks by key. `lookup` reads the store; None if it has no marks of these judges.

    Keys are gathered for two milliseconds and looked up together. The latest marks of this process are kept
    in memory: at most `RECENT`, with at most `RECENT_CHARACTERS` in their rationales.
    """

    def __init__(self, lookup: Lookup | None) -> None:
        self._lookup = lookup
        self._recent: dict[bytes, Mark] = {}
        self._characters = 0
        self._in_flight: dict[bytes, asyncio.Future[Mark]] = {}
        self._wanted: dict[bytes, asyncio.Future[Mark | None]] = {}
        self._looking: asyncio.Task[None] | None = None

    async def mark(self, key: bytes, ask: Callable[[], Awaitable[Mark]]) -> RecalledMark:
        """Return the mark of a key; call `ask` if there is none. A key is asked for once at a time.

        A mark without a value is not kept: the next caller asks again.
        """
        while key in self._in_flight:
            shared = self._in_flight[key]
            await asyncio.wait((shared,))
            if not shared.cancelled() and shared.exception() is None and shared.result().value is not None:
                return RecalledMark(shared.result(), True)
        if key in self._recent:
            return RecalledMark(self._recent[key], True)
        future: asyncio.Future[Mark] = asyncio.get_running_loop().create_future()
        self._in_flight[key] = future
        try:
            known = await self._stored(key)
            mark = known if known is not None else await ask()
            self._remember(key, mark)
            future.set_result(mark)
            return RecalledMark(mark, known is not None)
        finally:
            del self._in_flight[key]
            if not future.done():
                future.cancel()

    def _remember(self, key: bytes, mark: Mark) -> None:
        if mark.value is None:
            return
        self._recent[key] = mark
        self._characters += len(mark.rationale)
        while len(self._recent) > RECENT or self._characters > RECENT_CHARACTERS:
            self._characters -= len(self._recent.pop(next(iter(self._recent))).rationale)

    async def _stored(self, key: bytes) -> Mark | None:
        if self._lookup is None:
            return None
        wanted = self._wanted.get(key)
        if wanted is None:
            wanted = self._wanted[key] = asyncio.get_running_loop().create_future()
            if self._looking is None or self._looking.done():
                self._looking = asyncio.create_task(self._look())
        return await asyncio.shield(wanted)

    async def _look(self) -> None:
        assert self._lookup is not None
        while self._wanted:
            if len(self._wanted) < MOST_KEYS:
                await asyncio.sleep(GATHER)
            wanted, self._wanted = self._wanted, {}
            try:
                marks = await asyncio.to_thread(self._lookup, list(wanted))
            except Exception as error:  # noqa: BLE001 - the error is raised where a key is waited for
                for future in wanted.values():
                    future.set_exception(error)
                    future.exception()  # marks it as retrieved, in case no task waits any more
                continue
            for key, future in wanted.items():
                if not future.done():
                    future.set_result(marks.get(key))
