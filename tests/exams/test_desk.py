"""The desk: many jobs to a transaction, nothing told before it is committed."""

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
from assay.exams.desk import MOST_TOGETHER, Desk, Job, Unavailable
from assay.store.engine import reading
from assay.store.exam.access import Access
from assay.store.exam.serving import Raw

PUT = "INSERT INTO locks (name, holder, taken_at, expires_at) VALUES (?, ?, 0, 0)"


def put(name: str, holder: str = "somebody") -> Job[str]:
    """Return a job that writes one row."""

    def job(raw: Raw) -> str:
        raw.change(PUT, (name, holder))
        return name

    return job


def names(engine: Engine) -> list[str]:
    """Return the rows that are committed."""
    with reading(engine) as connection:
        return list(connection.execute(text("SELECT name FROM locks ORDER BY name")).scalars())


async def together(desk: Desk, *jobs: Job[Any]) -> list[Any]:
    """Give jobs to a desk before it begins, so that they are one batch; return what each came to."""
    desk._loop = asyncio.get_running_loop()
    tasks = [asyncio.create_task(desk.do(job)) for job in jobs]
    await asyncio.sleep(0)
    desk.start()
    found = await asyncio.gather(*tasks, return_exceptions=True)
    await desk.stop()
    return found


def test_what_is_told_is_committed(engine: Engine) -> None:
    """When a job's result arrives, another connection sees what it wrote."""

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
    depths = []

    def job(raw: Raw) -> None:
        depths.append(raw)

    asyncio.run(together(Desk(sqlite), job, job, job))
    assert len(set(map(id, depths))) == 1


def test_a_bad_job_harms_nobody_else(engine: Engine) -> None:
    """One of a batch breaks a constraint: it is told so, and the others are committed."""
    found = asyncio.run(together(Desk(engine), put("a"), put("b"), put("a"), put("c")))
    assert [found[0], found[1], found[3]] == ["a", "b", "c"]
    assert isinstance(found[2], Exception)
    assert names(engine) == ["a", "b", "c"]


def test_what_a_job_raises_is_raised_and_undone(engine: Engine) -> None:
    """A job that raises after writing leaves nothing, and the caller gets its error."""

    def job(raw: Raw) -> None:
        raw.change(PUT, ("half", "x"))
        raise Conflict("no")

    found = asyncio.run(together(Desk(engine), put("a"), job))
    assert isinstance(found[1], Conflict)
    assert names(engine) == ["a"]


def test_a_full_desk_refuses_at_once(sqlite: Engine) -> None:
    """More than may wait are turned away with the time after which to come again; the rest is done."""

    async def run() -> list[Any]:
        desk = Desk(sqlite, most_waiting=5)
        return await together(desk, *(put(str(number)) for number in range(8)))

    found = asyncio.run(run())
    assert [type(each) for each in found] == [str] * 5 + [Unavailable] * 3
    assert found[5].retry_after == 1


def test_ten_thousand_jobs_at_once_are_each_done_once_or_refused(sqlite: Engine) -> None:
    """Whatever is asked at once, what is told done is there once, and nothing else is."""
    asked = [put(f"{number:05}") for number in range(10_000)]
    found = asyncio.run(together(Desk(sqlite), *asked))
    done = [each for each in found if isinstance(each, str)]
    assert done
    assert names(sqlite) == done


def test_a_database_held_by_another_is_told_and_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While another process holds the file requests get 503; afterwards the same desk works on."""

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
    assert isinstance(held, Unavailable)
    assert after == "b"


@pytest.mark.postgres
def test_a_connection_that_is_cut_is_told_and_comes_back(postgres_server: str) -> None:
    """The server ends the desk's connection: one request gets 503, the next a new connection."""
    from assay.store.engine import open_database

    engine = open_database(postgres_server)

    def suicide(raw: Raw) -> None:
        raw.change("SELECT pg_terminate_backend(pg_backend_pid())", ())

    async def run() -> list[Any]:
        desk = Desk(engine)
        desk.start()
        cut = await asyncio.gather(desk.do(suicide), return_exceptions=True)
        after = await desk.do(lambda raw: raw.row("SELECT 1", ())[0])
        await desk.stop()
        return [*cut, after]

    cut, after = asyncio.run(run())
    engine.dispose()
    assert isinstance(cut, Unavailable)
    assert after == 1


@pytest.mark.postgres
def test_a_deadlock_is_tried_again(postgres_server: str) -> None:
    """Two desks that take rows crosswise both end: PostgreSQL undoes one of them, which is then redone."""
    from assay.store.engine import open_database

    engine = open_database(postgres_server)
    with engine.begin() as connection:
        connection.execute(text("DELETE FROM locks"))
        for name in "ab":
            connection.exec_driver_sql(PUT.replace("?", "%s"), (name, "0"))
    barrier = threading.Barrier(2, timeout=5)

    def crosswise(first: str, second: str) -> Job[None]:
        rounds = []

        def job(raw: Raw) -> None:
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


def test_accesses_are_written_with_the_work(engine: Engine) -> None:
    """What a job notes of its request is committed with what it did, and undone with it."""

    def noted(name: str, fail: bool) -> Job[None]:
        def job(raw: Raw) -> None:
            raw.accesses.append(Access(1.0, name, None, None, "GET", "/", 200, None))
            if fail:
                raise Conflict("no")

        return job

    asyncio.run(together(Desk(engine), noted("a", False), noted("b", True)))
    with reading(engine) as connection:
        users = list(connection.execute(text("SELECT user_id FROM access_log")).scalars())
    assert users == ["a"]


def test_a_long_queue_is_cut_into_batches(sqlite: Engine) -> None:
    """No transaction holds more than the most that go together."""
    seen: list[Raw] = []
    asyncio.run(together(Desk(sqlite), *[seen.append] * (MOST_TOGETHER + 1)))
    assert len({id(raw): raw for raw in seen}) == 2
