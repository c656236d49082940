"""The desk: one thread that carries out everything asked of the database, many requests to a transaction.

Nobody is told that something is done before the transaction that did it is committed.
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

from assay.core.errors import AssayError
from assay.store.exam.access import keep_accesses
from assay.store.exam.serving import Asking, Raw, look_ahead

logger = logging.getLogger("assay.exams")
T = TypeVar("T")
Job = Callable[[Raw], T]
MOST_WAITING: Final = 2048
MOST_TOGETHER: Final = 128
TRIES: Final = 4
RETRY_SECONDS: Final = 1
AWAY: Final = "the database does not answer: repeat the request; what was acknowledged is safe"
_SIGNS: Final = ("database is locked", "database table is locked", "disk I/O error", "disk is full")
_STATES: Final = ("08", "53", "57P")
"""PostgreSQL's conditions for a broken connection, a lack of disk or memory, a server that is going down."""


class Unavailable(AssayError):
    """The service cannot do it just now: too many are waiting, or the database does not answer."""

    status = 503
    exit_status = 3
    retry_after = RETRY_SECONDS


@dataclass(slots=True)
class _Asked:
    job: Job[Any]
    session: str
    asking: Asking | None
    told: asyncio.Future[Any]
    found: Any = None
    error: BaseException | None = None


class Desk:
    """Carries out jobs in the order in which they come, each whole or not at all.

    A job is a function of a `Raw`; it checks before it writes and returns refusals as values, so that a batch
    as a rule commits as one. Where a job fails, the batch is rolled back and its jobs are redone one by
    one: a bad one harms nobody else. Jobs run again after a rollback, so they change nothing but the
    database.
    """

    def __init__(self, engine: Engine, *, most_waiting: int = MOST_WAITING) -> None:
        self._engine = engine
        self._database_error: type[Exception] = engine.dialect.loaded_dbapi.Error
        self._most = most_waiting
        self._waiting = 0
        self._missing = False
        self._queue: SimpleQueue[_Asked | None] = SimpleQueue()
        self._connection: Connection | None = None
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self) -> None:
        """Begin work for the running event loop."""
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._work, name="exam desk", daemon=True)
        self._thread.start()

    async def stop(self) -> None:
        """Finish what waits and end."""
        if self._thread is not None:
            self._queue.put(None)
            await asyncio.to_thread(self._thread.join)
            self._thread = None

    async def do(self, job: Job[T], *, session: str = "", asking: Asking | None = None) -> T:
        """Return what a job comes to after it is committed. `session` is the one whose row it takes.

        `asking` is who asks for it: looked up for all jobs of a batch at once, and found by `access_of`.

        Raises Unavailable where too many wait already or the database does not answer, and whatever the job
        raised, after undoing it.
        """
        if self._waiting >= self._most or self._loop is None:
            raise Unavailable("too many requests are waiting: repeat this one after a second")
        self._waiting += 1
        asked = _Asked(job, session, asking, self._loop.create_future())
        self._queue.put(asked)
        found: T = await asked.told
        return found

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
                self._carry_out(batch)
                assert self._loop is not None
                self._loop.call_soon_threadsafe(self._tell, batch)
        self._let_go()

    def _tell(self, batch: Sequence[_Asked]) -> None:
        self._waiting -= len(batch)
        for each in batch:
            if each.told.cancelled():
                continue
            if each.error is None:
                each.told.set_result(each.found)
            else:
                each.told.set_exception(each.error)

    def _carry_out(self, batch: Sequence[_Asked]) -> None:
        """Carry out a batch in one transaction; where that fails, each of its jobs in one of its own."""
        error = self._attempt(batch)
        if error is None or isinstance(error, Unavailable):
            for each in batch:
                each.error = error
            return
        for each in batch:
            for _ in range(TRIES):
                each.error = self._attempt([each])
                if not _passing(each.error):
                    break

    def _attempt(self, batch: Sequence[_Asked]) -> Exception | None:
        """Return None when all is committed, else what went wrong; nothing is kept then."""
        try:
            with self._transaction() as raw:
                look_ahead(
                    raw,
                    [each.asking for each in batch if each.asking is not None],
                    [each.session for each in batch if each.session],
                )
                for each in batch:
                    each.found = each.job(raw)
                keep_accesses(raw.connection, raw.accesses)
        except Exception as error:  # noqa: BLE001  (it is told to whoever asked)
            return error
        return None

    @contextmanager
    def _transaction(self) -> Iterator[Raw]:
        """Open a transaction over the desk's connection. Raises Unavailable where the database is away."""
        connection, raw = self._begun()
        try:
            if not raw.postgresql:
                raw.change("BEGIN IMMEDIATE", ())
            yield raw
            connection.commit()
            self._missing = False
        except BaseException as error:
            if self._away(connection, error):
                raise self._lost(error) from error
            raw.close()
            connection.rollback()
            raise
        raw.close()

    def _begun(self) -> tuple[Connection, Raw]:
        try:
            if self._connection is None:
                self._connection = self._engine.connect()
            self._connection.begin()
            return self._connection, Raw(self._connection)
        except DBAPIError as error:
            raise self._lost(error) from error

    def _away(self, connection: Connection, error: BaseException) -> bool:
        """Whether the database is gone, full or held by another, so that trying each job helps nobody."""
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
            return str(state).startswith(_STATES)
        return any(sign in str(error) for sign in _SIGNS)

    def _lost(self, error: BaseException) -> Unavailable:
        """Let go of the connection and return what is told; what happened is logged once an outage."""
        self._let_go()
        if not self._missing:
            logger.error("the database does not answer: %s", error)
        self._missing = True
        return Unavailable(AWAY)

    def _let_go(self) -> None:
        if self._connection is not None:
            self._connection.invalidate()
            self._connection.close()
            self._connection = None


def _passing(error: BaseException | None) -> bool:
    """Whether PostgreSQL undid a transaction because of another one: deadlock or serialisation."""
    return getattr(error, "sqlstate", None) in ("40P01", "40001")
