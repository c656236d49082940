"""A lock has one holder at a time: a dead one's is free, a lost one stops its process before it writes."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from dataclasses import replace

import pytest
from sqlalchemy import Engine, select, text, update

from assay.calls.control import Stop
from assay.calls.lease import hold
from assay.core.errors import Conflict
from assay.store.engine import writing
from assay.store.locks import (
    LEASE,
    Holder,
    Lease,
    ensure_held,
    free_lock,
    has_died,
    held_locks,
    read_holder,
    renew_lock,
    take_lock,
    this_process,
)
from assay.store.schema import locks

HOLD = """
import sys, time
from assay.store.engine import open_database
from assay.store.locks import this_process
from assay.store.locks import take_lock
take_lock(open_database(sys.argv[1]), "watch", this_process())
print("held", flush=True)
time.sleep(60)
"""


def elsewhere() -> Holder:
    """Return a process on another machine."""
    return Holder(7, "elsewhere", "another boot", 12, "token")


def pass_time(engine: Engine, seconds: float) -> None:
    """Let time pass for every lock."""
    with writing(engine) as connection:
        connection.execute(
            update(locks).values(taken_at=locks.c.taken_at - seconds, expires_at=locks.c.expires_at - seconds)
        )


def holders(engine: Engine) -> list[str]:
    """Return the holders in the table, living or not."""
    with engine.connect() as connection:
        return list(connection.execute(select(locks.c.holder)).scalars())


def start_holder(engine: Engine) -> subprocess.Popen[str]:
    """Start a process that holds the lock `watch`."""
    address = engine.url.render_as_string(hide_password=False)
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, address], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_second_process_is_refused_and_told_who_holds_it(engine: Engine) -> None:
    """While a lock is held another gets a Conflict that names process, machine and time; then it is free."""

    async def main() -> None:
        async with hold(engine, "watch"):
            with pytest.raises(
                Conflict, match=rf"another watch is running .process {os.getpid()} on .*since 20"
            ):
                take_lock(engine, "watch", this_process())
        take_lock(engine, "watch", this_process())

    asyncio.run(main())


def test_of_those_that_ask_at_once_one_holds_it(engine: Engine) -> None:
    """Of eight that ask at once, one holds the lock."""

    async def one() -> bool:
        try:
            await asyncio.to_thread(take_lock, engine, "watch", this_process())
        except Conflict:
            return False
        return True

    async def main() -> list[bool]:
        return list(await asyncio.gather(*(one() for _ in range(8))))

    assert sum(asyncio.run(main())) == 1


@pytest.mark.slow
def test_a_dead_process_frees_its_lock_at_once(engine: Engine) -> None:
    """A process that was killed on this machine holds nothing any more, even before anybody waited for it."""
    process = start_holder(engine)
    with pytest.raises(Conflict, match=f"process {process.pid} "):
        take_lock(engine, "watch", this_process())
    process.send_signal(signal.SIGKILL)
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # it is a zombie now
    assert held_locks(engine) == []
    take_lock(engine, "watch", this_process())
    process.communicate()


def test_a_lock_of_another_machine_is_free_after_its_lease(engine: Engine) -> None:
    """A second before the lease has run out it is refused, a second later it is taken over."""
    take_lock(engine, "watch", elsewhere())
    pass_time(engine, LEASE - 1.0)
    with pytest.raises(Conflict, match=r"process 7 on elsewhere"):
        take_lock(engine, "watch", this_process())
    pass_time(engine, 2.0)
    assert held_locks(engine) == []
    take_lock(engine, "watch", this_process())


def test_the_clock_of_this_machine_does_not_matter(engine: Engine) -> None:
    """Times come from the database: both ends of a lease are within seconds of its own clock."""
    take_lock(engine, "watch", elsewhere())
    (lock,) = held_locks(engine)
    now = "extract(epoch FROM now())" if engine.dialect.name == "postgresql" else "strftime('%s', 'now')"
    with engine.connect() as connection:
        assert abs(float(connection.execute(text(f"SELECT {now}")).scalar_one()) - lock.taken_at) < 5


def test_a_reused_process_number_is_not_mistaken() -> None:
    """Another process with the holder's number, started at another time, is not the holder."""
    mine = this_process()
    assert not has_died(mine)
    assert has_died(replace(mine, started=1 + (mine.started or 0)))
    assert not has_died(replace(mine, host="elsewhere", pid=2**22 - 1))
    assert not has_died(replace(mine, space="another container", pid=2**22 - 1))


def test_a_holder_is_read_as_it_was_written() -> None:
    """Its text gives it back; any other text names nobody."""
    mine = this_process()
    assert read_holder(mine.text) == mine
    assert [read_holder(each) for each in ("process 1 on elsewhere", "{}", "[]", "7")] == [None] * 4


def test_a_living_process_keeps_its_lock(sqlite: Engine) -> None:
    """Renewed while it runs, the lock cannot be taken even when the first lease has run out."""

    async def main() -> None:
        async with hold(sqlite, "watch", every=0.01):
            for _ in range(2):
                pass_time(sqlite, LEASE - 1.0)
                await asyncio.sleep(0.1)
            with pytest.raises(Conflict):
                take_lock(sqlite, "watch", this_process())

    asyncio.run(main())


def test_a_database_that_fails_for_a_moment_does_not_cost_the_lock(sqlite: Engine) -> None:
    """A renewal that fails is tried again; the process goes on and gives its lock back at the end."""
    stop = Stop()

    async def main() -> None:
        async with hold(sqlite, "watch", stop, every=0.02):
            with sqlite.begin() as connection:
                connection.execute(text("ALTER TABLE locks RENAME TO gone"))
            await asyncio.sleep(0.1)
            with sqlite.begin() as connection:
                connection.execute(text("ALTER TABLE gone RENAME TO locks"))
            pass_time(sqlite, LEASE - 1.0)
            await asyncio.sleep(0.1)
            pass_time(sqlite, LEASE - 1.0)
            with pytest.raises(Conflict):
                take_lock(sqlite, "watch", this_process())

    asyncio.run(main())
    assert stop.reason is None
    assert holders(sqlite) == []


def test_a_lock_that_was_lost_stops_the_process(sqlite: Engine) -> None:
    """One that slept while another took its lock is told to stop, and leaves the other's lock alone."""
    stop, other = Stop(), elsewhere()

    async def main() -> None:
        async with hold(sqlite, "watch", stop, every=0.02):
            pass_time(sqlite, LEASE + 1.0)
            take_lock(sqlite, "watch", other)
            await asyncio.wait_for(stop.event.wait(), 5)

    asyncio.run(main())
    assert isinstance(stop.error, Conflict)
    assert "lost its lock" in str(stop.reason)
    assert holders(sqlite) == [other.text]


def test_a_lock_that_could_not_be_given_back_is_free(sqlite: Engine) -> None:
    """A database that fails at the end of a run keeps its row; the next one of this process may have it."""

    async def main() -> None:
        async with hold(sqlite, "watch"):
            with sqlite.begin() as connection:
                connection.execute(text("ALTER TABLE locks RENAME TO gone"))
        with sqlite.begin() as connection:
            connection.execute(text("ALTER TABLE gone RENAME TO locks"))

    asyncio.run(main())
    assert len(holders(sqlite)) == 1
    assert held_locks(sqlite) == []
    take_lock(sqlite, "watch", this_process())


def test_only_the_holder_renews_writes_and_frees(engine: Engine) -> None:
    """Another's renewal and write are refused, and its giving back changes nothing."""
    lease = take_lock(engine, "watch", elsewhere())
    other = Lease("watch", this_process().text)
    with pytest.raises(Conflict, match="lost"):
        renew_lock(engine, other)
    with pytest.raises(Conflict, match="lost"), writing(engine) as connection:
        ensure_held(connection, other)
    free_lock(engine, other)
    renew_lock(engine, lease)
    with writing(engine) as connection:
        ensure_held(connection, lease)
    free_lock(engine, lease)
    assert held_locks(engine) == []
