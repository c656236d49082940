"""Two watches never run at once on one database, and a killed one does not block the next for long."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable

import pytest
from sqlalchemy import Engine, select, text

from assay.calls.stop import Stop
from assay.core.errors import Conflict
from assay.runs.conduct import Setting
from assay.runs.daily import watch_lock
from assay.store.engine import writing
from assay.store.locks import LEASE, free_lock, renew_lock, take_lock
from assay.store.schema import locks

HOLD = """
import sys, time
from assay.store.engine import open_database
from assay.store.locks import take_lock
take_lock(open_database(sys.argv[1]), "watch", "process 1 on elsewhere", clock=time.time)
print("held", flush=True)
time.sleep(60)
"""


class Clock:
    """A clock that tests move."""

    def __init__(self, now: float = 1_795_176_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def setting(engine: Engine, clock: Callable[[], float]) -> Setting:
    """Return a setting that only the lock is asked of."""
    return Setting(engine, {}, {}, clock=clock)


async def hold(engine: Engine, clock: Callable[[], float]) -> None:
    """Hold the watch's lock for a moment."""
    async with watch_lock(setting(engine, clock)):
        await asyncio.sleep(0)


def test_a_second_watch_is_refused_and_told_who_runs(engine: Engine) -> None:
    """While one watch holds the lock another gets a Conflict that names the process; then it may run."""
    clock = Clock()

    async def main() -> None:
        async with watch_lock(setting(engine, clock)):
            with pytest.raises(Conflict, match=f"another watch is running .process {os.getpid()} "):
                await hold(engine, clock)
        await hold(engine, clock)

    asyncio.run(main())


def test_one_that_takes_the_lock_at_the_same_moment_is_refused(engine: Engine) -> None:
    """Of eight that ask at once, one holds the lock."""
    clock = Clock()

    async def one(number: int) -> bool:
        try:
            await asyncio.to_thread(take_lock, engine, "watch", f"holder {number}", clock=clock)
        except Conflict:
            return False
        return True

    async def main() -> list[bool]:
        return list(await asyncio.gather(*(one(number) for number in range(8))))

    assert sum(asyncio.run(main())) == 1


@pytest.mark.slow
def test_the_lock_of_a_killed_process_is_taken_over_after_its_lease(engine: Engine) -> None:
    """Right after the kill a watch is refused; a minute later, by the clock, it may run."""
    address = engine.url.render_as_string(hide_password=False)
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, address], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    process.send_signal(signal.SIGKILL)
    process.communicate()
    with engine.connect() as connection:
        taken = connection.execute(select(locks.c.taken_at)).scalar_one()
    clock = Clock(taken + LEASE - 1.0)
    with pytest.raises(Conflict, match=f"{LEASE:.0f} s after its last sign of life"):
        asyncio.run(hold(engine, clock))
    clock.now = taken + LEASE + 1.0
    asyncio.run(hold(engine, clock))


def test_a_living_watch_keeps_its_lock(sqlite: Engine) -> None:
    """Renewed while it runs, the lock cannot be taken even when the first lease has run out."""
    clock = Clock()

    async def main() -> None:
        async with watch_lock(setting(sqlite, clock), every=0.01):
            clock.now += LEASE - 1.0
            await asyncio.sleep(0.1)
            clock.now += LEASE - 1.0
            with pytest.raises(Conflict):
                take_lock(sqlite, "watch", "another", clock=clock)

    asyncio.run(main())


def test_a_database_that_fails_for_a_moment_does_not_cost_the_lock(sqlite: Engine) -> None:
    """A renewal that fails is tried again; the watch goes on and gives its lock back at the end."""
    clock, stop = Clock(), Stop()

    async def main() -> None:
        async with watch_lock(setting(sqlite, clock), stop, every=0.02):
            with sqlite.begin() as connection:
                connection.execute(text("ALTER TABLE locks RENAME TO gone"))
            await asyncio.sleep(0.1)
            with sqlite.begin() as connection:
                connection.execute(text("ALTER TABLE gone RENAME TO locks"))
            clock.now += LEASE - 1.0
            await asyncio.sleep(0.1)
            clock.now += LEASE - 1.0
            with pytest.raises(Conflict):
                take_lock(sqlite, "watch", "another", clock=clock)

    asyncio.run(main())
    assert stop.reason is None
    with sqlite.connect() as connection:
        assert connection.execute(select(locks)).first() is None


def test_a_lock_that_was_lost_stops_the_watch(sqlite: Engine) -> None:
    """A process that slept while another took its lock is told to stop, and leaves the other's lock alone."""
    clock, stop = Clock(), Stop()

    async def main() -> None:
        async with watch_lock(setting(sqlite, clock), stop, every=0.02):
            clock.now += LEASE + 1.0
            with writing(sqlite) as connection:
                connection.execute(locks.update().values(holder="another", expires_at=clock() + LEASE))
            await asyncio.wait_for(stop.event.wait(), 5)

    asyncio.run(main())
    assert isinstance(stop.error, Conflict)
    assert "was lost" in str(stop.reason)
    with sqlite.connect() as connection:
        assert connection.execute(select(locks.c.holder)).scalar() == "another"


def test_only_the_holder_renews_and_frees(engine: Engine) -> None:
    """Another holder's renewal is refused, and its giving back changes nothing."""
    clock = Clock()
    take_lock(engine, "watch", "one", clock=clock)
    with pytest.raises(Conflict, match="lost"):
        renew_lock(engine, "watch", "two", clock=clock)
    free_lock(engine, "watch", "two")
    with pytest.raises(Conflict, match="one"):
        take_lock(engine, "watch", "two", clock=clock)
