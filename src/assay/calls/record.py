"""The single writer: gathers rows for at most 50 ms and commits them as one batch.

While the database is unavailable, commits are tried again, so that no reply is lost.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Protocol

from assay.calls.control import Stop
from assay.core.errors import AssayError, Upstream
from assay.store.engine import DatabaseBusy, Vanished
from assay.store.rows import Batch, CallRow, ConditionsRow, GradeRow, MarkRow, SampleRow

WAIT = 0.05
MOST = 512
PATIENCE = 600.0
"""Seconds for which a database that is locked, full or disconnected is tried again."""
PAUSE = 0.5
LONGEST_PAUSE = 5.0


class Writer(Protocol):
    """A database that commits a batch durably, or raises an AssayError and commits nothing.

    After `DatabaseBusy` the same batch is committed again. `keep` saves batches that could not be committed
    because of an error where the next process finds them, and returns a sentence that names the place.
    """

    def commit(self, batch: Batch) -> None: ...

    def keep(self, batches: Sequence[Batch], error: Exception) -> str: ...

    def close(self) -> None: ...


class Recorder:
    """The queue of rows from many tasks, which one thread commits in order.

    At most `MOST` rows of calls, samples and marks wait or are being committed at any instant; tasks wait in
    `room` for this. `committed` is called with the number of samples after each commit.

    A database that is unavailable is tried again for `PATIENCE` seconds, or until `stop` is given up;
    `waiting` is called with the reason, and with None afterwards. When a commit fails for good, `error` and
    `failed` are set, and the rows that could not be written are kept for the next process.
    """

    def __init__(
        self,
        writer: Writer,
        *,
        committed: Callable[[int], None] | None = None,
        waiting: Callable[[str | None], None] | None = None,
        stop: Stop | None = None,
    ) -> None:
        self.error: AssayError | None = None
        self.failed = asyncio.Event()
        self._writer = writer
        self._committed = committed
        self._waiting = waiting
        self._stop = stop or Stop()
        self._unsaved: list[Batch] = []
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
        """The number of rows of calls, samples and marks that are not yet committed."""
        return len(self._batch) + self._writing

    def call(self, row: CallRow) -> None:
        """Add a call."""
        self._batch.calls.append(row)
        self._notify_writer()

    def sample(self, row: SampleRow, grades: list[GradeRow]) -> None:
        """Add a finished sample with its grades."""
        self._batch.samples.append(row)
        self._batch.grades.extend(grades)
        self._notify_writer()

    def conditions(self, row: ConditionsRow) -> None:
        """Add conditions, which are written before the samples that refer to them."""
        self._batch.conditions.append(row)

    def mark(self, row: MarkRow) -> None:
        """Add a judge's mark."""
        self._batch.marks.append(row)
        self._notify_writer()

    async def room(self) -> None:
        """Wait until there is room for more rows; raises the error of a failed commit."""
        if not self._room.is_set():
            await self._room.wait()
        if self.error is not None:
            raise self.error

    async def close(self) -> None:
        """Commit the waiting rows and stop; raises the error of a failed commit."""
        self._closing = True
        self._wake.set()
        self._full.set()
        await self._task
        loop = asyncio.get_running_loop()
        if isinstance(self.error, (DatabaseBusy, Vanished)):
            batches = [batch for batch in (*self._unsaved, self._batch) if len(batch)]
            where = await loop.run_in_executor(self._thread, self._writer.keep, batches, self.error)
            self.error = type(self.error)(f"{self.error}; {where}")
        await loop.run_in_executor(self._thread, self._writer.close)
        self._thread.shutdown()
        if self.error is not None:
            raise self.error

    def _notify_writer(self) -> None:
        if not self._wake.is_set():
            self._wake.set()
        pending = len(self._batch) + self._writing
        if pending >= MOST:
            self._room.clear()
        if pending >= MOST // 2:
            self._full.set()

    async def _run(self) -> None:
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
                await self._commit(batch)
                self._writing = 0
                if self._committed is not None:
                    self._committed(len(batch.samples))
                if len(self._batch) < MOST:
                    self._room.set()
                if self._closing:
                    self._wake.set()
        except AssayError as error:
            self.error = error
        except Exception as error:  # noqa: BLE001 - whatever stopped the writer must stop the tasks that wait
            self.error = Upstream(f"a batch cannot be written: {type(error).__name__}: {error}")
        finally:
            if self.error is not None:
                self.failed.set()
            self._room.set()

    async def _commit(self, batch: Batch) -> None:
        self._unsaved = [batch]
        await self._retry(lambda: self._writer.commit(batch), self._thread)
        self._unsaved = []

    async def store(self, write: Callable[[], None]) -> None:
        """Run a write that has its own transaction; repeat it while the database is unavailable."""
        await self._retry(write, None)

    async def _retry(self, write: Callable[[], None], thread: ThreadPoolExecutor | None) -> None:
        """Run a write until the database accepts it, `PATIENCE` is over or `stop` is given up."""
        loop = asyncio.get_running_loop()
        began, pause = loop.time(), PAUSE
        while True:
            try:
                await loop.run_in_executor(thread, write)
                break
            except DatabaseBusy as error:
                if self._stop.given_up.is_set() or loop.time() - began >= PATIENCE:
                    raise
                self._report_waiting(str(error))
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stop.given_up.wait(), pause)
            pause = min(2 * pause, LONGEST_PAUSE)
        self._report_waiting(None)

    def _report_waiting(self, reason: str | None) -> None:
        if self._waiting is not None:
            self._waiting(reason)

    async def _gather(self) -> None:
        try:
            async with asyncio.timeout(WAIT):
                await self._full.wait()
        except TimeoutError:
            return
