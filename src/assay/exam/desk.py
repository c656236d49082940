"""The desk: one thread that runs the database work of all requests, many requests in one transaction.

A result is returned only after its transaction is committed. Old log entries are deleted here too.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from assay.core.errors import AssayError, ExitStatus
from assay.core.times import DAY_SECONDS
from assay.store.engine import writing
from assay.store.exam.access import delete_accesses, keep_accesses
from assay.store.exam.serving import AccessKey, RawStatements, prefetch

logger = logging.getLogger("assay.exam")
T = TypeVar("T")
Job = Callable[[RawStatements], T]
MOST_WAITING: Final = 2048
MOST_TOGETHER: Final = 128
TRIES: Final = 4
RETRY_SECONDS: Final = 1
DELETED_AT_ONCE: Final = 500
"""The number of log entries that one transaction deletes, so that no request waits long for it."""
UNREACHABLE: Final = "the database does not respond: repeat the request; acknowledged answers are safe"
_SQLITE_FAULTS: Final = ("database is locked", "database table is locked", "disk I/O error", "disk is full")
_POSTGRESQL_STATES: Final = ("08", "53", "57P")
"""SQLSTATEs of a broken connection, of a lack of disk or memory, and of a server that shuts down."""


class ServiceBusy(AssayError):
    """The service is temporarily unavailable: too many requests wait, or the database does not respond."""

    status = 503
    exit_status = ExitStatus.UPSTREAM
    retry_after = RETRY_SECONDS


@dataclass(slots=True)
class _QueuedJob:
    job: Job[Any]
    session: str
    access: AccessKey | None
    future: asyncio.Future[Any]
    result: Any = None
    error: BaseException | None = None


class Desk:
    """Runs jobs in the order of arrival, each completely or not at all.

    A job is a function of `RawStatements`. It checks before it writes and returns refusals as values, so that
    a batch normally commits as a whole. If a job raises, the batch is rolled back and its jobs run again one
    by one, so that a faulty job affects no other. Because jobs can run twice, they change only the database.
    """

    def __init__(self, engine: Engine, *, most_waiting: int = MOST_WAITING) -> None:
        self._engine = engine
        self._database_error: type[Exception] = engine.dialect.loaded_dbapi.Error
        self._most = most_waiting
        self._waiting = 0
        self._unreachable = False
        self._queue: SimpleQueue[_QueuedJob | None] = SimpleQueue()
        self._connection: Connection | None = None
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self) -> None:
        """Start the thread for the running event loop."""
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._work, name="exam desk", daemon=True)
        self._thread.start()

    async def stop(self) -> None:
        """Finish the waiting jobs and end the thread."""
        if self._thread is not None:
            self._queue.put(None)
            await asyncio.to_thread(self._thread.join)
            self._thread = None

    async def do(self, job: Job[T], *, session: str = "", access: AccessKey | None = None) -> T:
        """Return the result of a job after it is committed. `session` is the session that it locks.

        `access` is the request's key for `access_of`; the keys of a batch are looked up together.

        Raises ServiceBusy if too many jobs wait or the database does not respond, and the job's own error
        after its changes are undone.
        """
        if self._waiting >= self._most or self._loop is None:
            raise ServiceBusy("too many requests are waiting: repeat this one after a second")
        self._waiting += 1
        queued = _QueuedJob(job, session, access, self._loop.create_future())
        self._queue.put(queued)
        result: T = await queued.future
        return result

    def _work(self) -> None:
        open_ = True
        while open_:
            first = self._queue.get()
            batch = [] if first is None else [first]
            open_ = first is not None
            while open_ and len(batch) < MOST_TOGETHER and not self._queue.empty():
                more = self._queue.get()
                open_ = more is not None
                if more is not None:
                    batch.append(more)
            if batch:
                self._run(batch)
                assert self._loop is not None
                self._loop.call_soon_threadsafe(self._deliver, batch)
        self._disconnect()

    def _deliver(self, batch: Sequence[_QueuedJob]) -> None:
        self._waiting -= len(batch)
        for queued in batch:
            if queued.future.cancelled():
                continue
            if queued.error is None:
                queued.future.set_result(queued.result)
            else:
                queued.future.set_exception(queued.error)

    def _run(self, batch: Sequence[_QueuedJob]) -> None:
        """Run a batch in one transaction; if that fails, run each job in its own."""
        error = self._attempt(batch)
        if error is None or isinstance(error, ServiceBusy):
            for queued in batch:
                queued.error = error
            return
        for queued in batch:
            for _ in range(TRIES):
                queued.error = self._attempt([queued])
                if not _is_transient(queued.error):
                    break

    def _attempt(self, batch: Sequence[_QueuedJob]) -> Exception | None:
        """Return None if the batch is committed, else the error; then nothing of it is stored."""
        try:
            with self._transaction() as raw:
                prefetch(
                    raw,
                    [queued.access for queued in batch if queued.access is not None],
                    [queued.session for queued in batch if queued.session],
                )
                for queued in batch:
                    queued.result = queued.job(raw)
                keep_accesses(raw.connection, raw.accesses)
        except Exception as error:  # noqa: BLE001  (delivered to the caller of `do`)
            return error
        return None

    @contextmanager
    def _transaction(self) -> Iterator[RawStatements]:
        """Open a transaction on the desk's connection. Raises ServiceBusy if the database is unreachable."""
        connection, raw = self._begin()
        try:
            if not raw.postgresql:
                raw.change("BEGIN IMMEDIATE", ())
            yield raw
            connection.commit()
            self._unreachable = False
        except BaseException as error:
            if self._is_unreachable(connection, error):
                raise self._lose_database(error) from error
            raw.close()
            connection.rollback()
            raise
        raw.close()

    def _begin(self) -> tuple[Connection, RawStatements]:
        try:
            if self._connection is None:
                self._connection = self._engine.connect()
            self._connection.begin()
            return self._connection, RawStatements(self._connection)
        except DBAPIError as error:
            raise self._lose_database(error) from error

    def _is_unreachable(self, connection: Connection, error: BaseException) -> bool:
        """Whether the database is gone, full or locked, so that running the jobs one by one cannot help."""
        if isinstance(error, DBAPIError):
            if error.connection_invalidated:
                return True
            error = error.orig or error
        if not isinstance(error, self._database_error):
            return False
        driver: Any = connection.connection.dbapi_connection
        if getattr(driver, "closed", False):
            return True
        state = getattr(error, "sqlstate", None)
        if state is not None:
            return str(state).startswith(_POSTGRESQL_STATES)
        return any(fault in str(error) for fault in _SQLITE_FAULTS)

    def _lose_database(self, error: BaseException) -> ServiceBusy:
        """Drop the connection and return the error for clients; the cause is logged once for each outage."""
        self._disconnect()
        if not self._unreachable:
            logger.error("the database does not respond: %s", error)
        self._unreachable = True
        return ServiceBusy(UNREACHABLE)

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.invalidate()
            self._connection.close()
            self._connection = None


def _is_transient(error: BaseException | None) -> bool:
    """Whether PostgreSQL aborted a transaction because of another: a deadlock or serialisation failure."""
    return getattr(error, "sqlstate", None) in ("40P01", "40001")


async def delete_old_accesses(
    desk: Desk,
    days: float,
    clock: Callable[[], float],
    *,
    batch: int = DELETED_AT_ONCE,
    pause: float = 0.1,
    every: float = 3600.0,
) -> None:
    """Delete log entries older than `days` days, now and then every `every` seconds, until cancelled.

    Each batch is one job of the desk, followed by a pause (seconds). The next round deletes what a failed
    one left.
    """
    while True:
        try:
            await _delete_round(desk, days, clock(), batch, pause)
        except (AssayError, DBAPIError) as error:
            logger.warning("old entries of the access log are not deleted yet: %s", error)
        await asyncio.sleep(every)


async def _delete_round(desk: Desk, days: float, now: float, batch: int, pause: float) -> None:
    before = now - days * DAY_SECONDS
    count = batch
    while count:
        count = await desk.do(lambda raw: delete_accesses(raw.connection, before=before, now=now, most=batch))
        await asyncio.sleep(pause)


def delete_accesses_before(engine: Engine, before: float, *, now: float, batch: int = DELETED_AT_ONCE) -> int:
    """Delete log entries from before a time in batches, whether the service runs or not; return how many."""
    deleted = 0
    while True:
        with writing(engine) as connection:
            count = delete_accesses(connection, before=before, now=now, most=batch)
        if not count:
            return deleted
        deleted += count
