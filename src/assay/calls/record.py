"""The single writer: gathers rows for at most 50 ms and commits them as one batch."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from assay.core.errors import AssayError, Upstream
from assay.store.ledger import Batch, CallRow, GradeRow, MarkRow, SampleRow

WAIT = 0.05
MOST = 512


class Writer(Protocol):
    """Commits a batch durably; raises an AssayError and commits nothing when it cannot."""

    def commit(self, batch: Batch) -> None: ...

    def close(self) -> None: ...


class Recorder:
    """Takes rows from many tasks and commits them in order from one thread.

    At most `MOST` rows of calls, samples and marks wait or are being committed at any instant: `room` holds
    the tasks back otherwise. `committed` is called with the number of samples after each commit. When a
    commit fails, `error` and `failed` are set, later rows are refused, and nothing already committed is lost.
    """

    def __init__(self, writer: Writer, *, committed: Callable[[int], None] | None = None) -> None:
        self.error: AssayError | None = None
        self.failed = asyncio.Event()
        self._writer = writer
        self._committed = committed
        self._batch = Batch()
        self._writing = 0
        self._wake = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()
        self._closing = False
        self._full = asyncio.Event()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="assay-writer")
        self._task = asyncio.create_task(self._run(), name="assay-writer")

    @property
    def pending(self) -> int:
        """Return how many rows of calls, samples and marks are not yet durable."""
        return len(self._batch) + self._writing

    def call(self, row: CallRow) -> None:
        """Take a call."""
        self._batch.calls.append(row)
        self._taken()

    def sample(self, row: SampleRow, grades: list[GradeRow]) -> None:
        """Take a finished sample with its grades."""
        self._batch.samples.append(row)
        self._batch.grades.extend(grades)
        self._taken()

    def mark(self, row: MarkRow) -> None:
        """Take a judge's mark."""
        self._batch.marks.append(row)
        self._taken()

    async def room(self) -> None:
        """Wait until there is room for more rows; raises the error of a failed commit."""
        if not self._room.is_set():
            await self._room.wait()
        if self.error is not None:
            raise self.error

    async def close(self) -> None:
        """Commit what waits and stop; raises the error of a failed commit."""
        self._closing = True
        self._wake.set()
        self._full.set()
        await self._task
        self._thread.shutdown()
        if self.error is not None:
            raise self.error

    def _taken(self) -> None:
        if not self._wake.is_set():
            self._wake.set()
        pending = len(self._batch) + self._writing
        if pending >= MOST:
            self._room.clear()
        if pending >= MOST // 2:
            self._full.set()

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while True:
                await self._wake.wait()
                if not self._closing and len(self._batch) < MOST // 2:
                    self._full.clear()
                    await self._gather()
                self._wake.clear()
                self._full.clear()
                batch, self._batch = self._batch, Batch()
                if not len(batch):
                    if self._closing:
                        return
                    continue
                self._writing = len(batch)
                await loop.run_in_executor(self._thread, self._writer.commit, batch)
                self._writing = 0
                if self._committed is not None:
                    self._committed(len(batch.samples))
                if len(self._batch) < MOST:
                    self._room.set()
                if self._closing:
                    self._wake.set()
        except AssayError as error:
            self.error = error
        except Exception as error:  # noqa: BLE001 - whatever stopped the writer must stop those who wait for it
            self.error = Upstream(f"a batch cannot be written: {type(error).__name__}: {error}")
        finally:
            if self.error is not None:
                self.failed.set()
            self._room.set()
            await loop.run_in_executor(self._thread, self._writer.close)

    async def _gather(self) -> None:
        try:
            async with asyncio.timeout(WAIT):
                await self._full.wait()
        except TimeoutError:
            return
