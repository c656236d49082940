"""The desk: many jobs in one transaction, results only after the commit, deletion of old log entries."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest
from fresh_database import fresh_sqlite
from sqlalchemy import Engine, text

from assay.core.errors import Conflict
from assay.core.times import DAY_SECONDS
from assay.exam.desk import (
    MOST_TOGETHER,
    Desk,
    Job,
    ServiceBusy,
    T,
    delete_accesses_before,
    delete_old_accesses,
)
from assay.store.engine import reading, writing
from assay.store.exam.access import Access, keep_accesses, list_accesses
from assay.store.exam.serving import AccessKey, RawStatements

NOW = 1_795_176_000.0
PUT = "INSERT INTO locks (name, holder, taken_at, expires_at) VALUES (?, ?, 0, 0)"


def put(name: str, holder: str = "somebody") -> Job[str]:
    """Return a job that writes one row."""

    def job(raw: RawStatements) -> str:
        raw.change(PUT, (name, holder))
        return name

    return job


def names(engine: Engine) -> list[str]:
    """Return the committed rows."""
    with reading(engine) as connection:
        return list(connection.execute(text("SELECT name FROM locks ORDER BY name")).scalars())


async def together(desk: Desk, *jobs: Job[Any]) -> list[Any]:
    """Return the results of jobs that wait when the desk starts, so that they form one batch."""
    desk._loop = asyncio.get_running_loop()
    tasks = [asyncio.create_task(desk.do(job)) for job in jobs]
    await asyncio.sleep(0)
    desk.start()
    found = await asyncio.gather(*tasks, return_exceptions=True)
    await desk.stop()
    return found


def test_a_result_arrives_after_the_commit(engine: Engine) -> None:
    """When a job's result arrives, another connection sees its changes."""

    async def run() -> list[str]:
        desk = Desk(engine)
        desk.start()
        await desk.do(put("a"))
        seen = names(engine)
        await desk.stop()
        return seen

    assert asyncio.run(run()) == ["a"]


def test_a_batch_is_one_transaction(sqlite: Engine) -> None:
    """Jobs that wait together are committed together."""
    transactions = []

    def job(raw: RawStatements) -> None:
        transactions.append(raw)

    asyncio.run(together(Desk(sqlite), job, job, job))
    assert len(set(map(id, transactions))) == 1


def test_a_failing_job_affects_no_other(engine: Engine) -> None:
    """One job of a batch violates a constraint: it gets the error, and the others are committed."""
    found = asyncio.run(together(Desk(engine), put("a"), put("b"), put("a"), put("c")))
    assert [found[0], found[1], found[3]] == ["a", "b", "c"]
    assert isinstance(found[2], Exception)
    assert names(engine) == ["a", "b", "c"]


def test_a_job_that_raises_is_undone(engine: Engine) -> None:
    """A job that raises after a change leaves nothing, and the caller gets its error."""

    def job(raw: RawStatements) -> None:
        raw.change(PUT, ("half", "x"))
        raise Conflict("no")

    found = asyncio.run(together(Desk(engine), put("a"), job))
    assert isinstance(found[1], Conflict)
    assert names(engine) == ["a"]


def test_a_full_desk_refuses_at_once(sqlite: Engine) -> None:
    """Jobs beyond the limit are refused with the time to retry; the others are done."""

    async def run() -> list[Any]:
        desk = Desk(sqlite, most_waiting=5)
        return await together(desk, *(put(str(number)) for number in range(8)))

    found = asyncio.run(run())
    assert [type(each) for each in found] == [str] * 5 + [ServiceBusy] * 3
    assert found[5].retry_after == 1


def test_ten_thousand_jobs_at_once_are_each_done_once_or_refused(sqlite: Engine) -> None:
    """The database contains exactly the jobs that were reported as done."""
    asked = [put(f"{number:05}") for number in range(10_000)]
    found = asyncio.run(together(Desk(sqlite), *asked))
    done = [each for each in found if isinstance(each, str)]
    assert done
    assert names(sqlite) == done


def test_a_locked_database_gives_503_until_it_is_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While another process locks the file, requests get 503; afterwards the same desk continues."""

    monkeypatch.setattr("assay.store.engine.BUSY_SECONDS", 0.05)
    engine = fresh_sqlite(tmp_path / "assay.db")
    other = sqlite3.connect(tmp_path / "assay.db", isolation_level=None, check_same_thread=False)

    async def run() -> list[Any]:
        desk = Desk(engine)
        desk.start()
        other.execute("BEGIN IMMEDIATE")
        held = await asyncio.gather(desk.do(put("a")), return_exceptions=True)
        other.execute("ROLLBACK")
        after = await desk.do(put("b"))
        await desk.stop()
        return [*held, after]

    held, after = asyncio.run(run())
    other.close()
    engine.dispose()
    assert isinstance(held, ServiceBusy)
    assert after == "b"


@pytest.mark.postgres
def test_a_broken_connection_is_replaced(postgres_server: str) -> None:
    """The server ends the desk's connection: one request gets 503, the next a new connection."""
    from assay.store.engine import open_database

    engine = open_database(postgres_server)

    def terminate(raw: RawStatements) -> None:
        raw.change("SELECT pg_terminate_backend(pg_backend_pid())", ())

    async def run() -> list[Any]:
        desk = Desk(engine)
        desk.start()
        cut = await asyncio.gather(desk.do(terminate), return_exceptions=True)
        after = await desk.do(lambda raw: raw.row("SELECT 1", ())[0])
        await desk.stop()
        return [*cut, after]

    cut, after = asyncio.run(run())
    engine.dispose()
    assert isinstance(cut, ServiceBusy)
    assert after == 1


@pytest.mark.postgres
def test_a_deadlock_is_retried(postgres_server: str) -> None:
    """Two desks lock rows in opposite order: PostgreSQL aborts one of them, which is then retried."""
    from assay.store.engine import open_database

    engine = open_database(postgres_server)
    with engine.begin() as connection:
        connection.execute(text("DELETE FROM locks"))
        for name in "ab":
            connection.exec_driver_sql(PUT.replace("?", "%s"), (name, "0"))
    barrier = threading.Barrier(2, timeout=5)

    def crosswise(first: str, second: str) -> Job[None]:
        rounds = []

        def job(raw: RawStatements) -> None:
            raw.change("UPDATE locks SET holder = holder || 'x' WHERE name = ?", (first,))
            rounds.append(1)
            if len(rounds) == 1:
                barrier.wait()
            raw.change("UPDATE locks SET holder = holder || 'x' WHERE name = ?", (second,))

        return job

    async def run() -> None:
        desks = Desk(engine), Desk(engine)
        for desk in desks:
            desk.start()
        await asyncio.gather(desks[0].do(crosswise("a", "b")), desks[1].do(crosswise("b", "a")))
        for desk in desks:
            await desk.stop()

    asyncio.run(run())
    with reading(engine) as connection:
        held = list(connection.execute(text("SELECT holder FROM locks ORDER BY name")).scalars())
    with engine.begin() as connection:
        connection.execute(text("DELETE FROM locks"))
    engine.dispose()
    assert held == ["0xx", "0xx"]


def test_accesses_are_committed_with_the_job(engine: Engine) -> None:
    """The log entry of a job is committed or rolled back together with its changes."""

    def noted(name: str, fail: bool) -> Job[None]:
        def job(raw: RawStatements) -> None:
            raw.accesses.append(Access(1.0, name, None, None, "GET", "/", 200, None))
            if fail:
                raise Conflict("no")

        return job

    asyncio.run(together(Desk(engine), noted("a", False), noted("b", True)))
    with reading(engine) as connection:
        users = list(connection.execute(text("SELECT user_id FROM access_log")).scalars())
    assert users == ["a"]


def test_a_long_queue_is_split_into_batches(sqlite: Engine) -> None:
    """No transaction contains more than `MOST_TOGETHER` jobs."""
    seen: list[RawStatements] = []
    asyncio.run(together(Desk(sqlite), *[seen.append] * (MOST_TOGETHER + 1)))
    assert len({id(raw): raw for raw in seen}) == 2


class CountingDesk(Desk):
    """A desk that records the result of each job, and fails the first `failures` of them."""

    def __init__(self, engine: Engine, *, failures: int = 0) -> None:
        super().__init__(engine)
        self.counts: list[object] = []
        self._failures = failures

    async def do(self, job: Job[T], *, session: str = "", access: AccessKey | None = None) -> T:
        """Run a job."""
        if self._failures:
            self._failures -= 1
            raise ServiceBusy("the database does not respond")
        count = await super().do(job)
        self.counts.append(count)
        return count


def log_accesses(engine: Engine, *days: float) -> None:
    """Store accesses of these ages in days."""
    line = Access(NOW, None, None, None, "GET", "/", 404, None)
    with writing(engine) as connection:
        keep_accesses(connection, [line._replace(at=NOW - age * DAY_SECONDS) for age in days])


def ages(engine: Engine) -> list[float]:
    """Return the ages in days of the accesses in the log."""
    return sorted((NOW - each.at) / DAY_SECONDS for each in list_accesses(engine))


async def delete_rounds(desk: CountingDesk, rounds: int, days: float = 180) -> None:
    """Delete entries older than `days` until this many rounds have ended."""
    desk.start()
    deleting = asyncio.create_task(delete_old_accesses(desk, days, lambda: NOW, batch=2, pause=0, every=0))
    while desk.counts.count(0) < rounds:
        await asyncio.sleep(0.001)
    deleting.cancel()
    await asyncio.gather(deleting, return_exceptions=True)
    await desk.stop()


def test_old_log_entries_are_deleted_in_batches(engine: Engine) -> None:
    """Each batch is its own job, so that requests run between batches; newer entries stay."""
    log_accesses(engine, 181, 1, 500, 179, 200, 190, 185)
    desk = CountingDesk(engine)
    asyncio.run(delete_rounds(desk, rounds=1))
    assert desk.counts[:4] == [2, 2, 1, 0]
    assert ages(engine) == [1, 179]


def test_deletion_is_retried_after_a_failure(engine: Engine) -> None:
    """The next round deletes what an earlier round could not."""
    log_accesses(engine, 181, 1)
    asyncio.run(delete_rounds(CountingDesk(engine, failures=2), rounds=1))
    assert ages(engine) == [1]


def test_deletion_by_the_operator_returns_the_number(engine: Engine) -> None:
    """It deletes in batches too."""
    log_accesses(engine, *range(10, 17))
    assert delete_accesses_before(engine, NOW - 12 * DAY_SECONDS, now=NOW, batch=2) == 4
    assert ages(engine) == [10, 11, 12]
