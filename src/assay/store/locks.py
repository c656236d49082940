"""Locks that two processes on one database respect: a lease, renewed while its holder lives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Engine, delete, select, text, update

from assay.core.errors import Conflict
from assay.store.engine import reading, writing
from assay.store.schema import locks

LEASE = 60.0
_BEGIN = text(
    "INSERT INTO locks (name, holder, taken_at, expires_at) VALUES (:name, :holder, :taken_at, :expires_at) "
    "ON CONFLICT (name) DO NOTHING"
)


def take_lock(engine: Engine, name: str, holder: str, *, clock: Callable[[], float]) -> None:
    """Take a lock for a minute; Conflict, naming the holder, when somebody else has it.

    A lease that has run out belongs to a process that died, and is taken over.
    """
    now = clock()
    values = {"holder": holder, "taken_at": now, "expires_at": now + LEASE}
    free = (locks.c.name == name) & ((locks.c.expires_at < now) | (locks.c.holder == holder))
    with writing(engine) as connection:
        if connection.execute(update(locks).where(free).values(values)).rowcount:
            return
        if connection.execute(_BEGIN, {"name": name, **values}).rowcount:
            return
        other = connection.execute(select(locks.c.holder).where(locks.c.name == name)).scalar()
    raise Conflict(
        f"another {name} is running ({other or 'it ended at this moment'}): wait for it to end, or stop it; "
        f"the lock of a killed one is free {LEASE:.0f} s after its last sign of life"
    )


@dataclass(frozen=True, slots=True)
class HeldLock:
    """A lock that somebody holds now; `taken_at` is UTC seconds since 1970."""

    name: str
    holder: str
    taken_at: float


def held_locks(engine: Engine, *, clock: Callable[[], float]) -> list[HeldLock]:
    """Return the locks whose lease has not run out."""
    query = select(locks.c.name, locks.c.holder, locks.c.taken_at).where(locks.c.expires_at >= clock())
    with reading(engine) as connection:
        return [HeldLock(*row) for row in connection.execute(query)]


def renew_lock(engine: Engine, name: str, holder: str, *, clock: Callable[[], float]) -> None:
    """Prolong a lock by a minute; Conflict when it was lost."""
    mine = (locks.c.name == name) & (locks.c.holder == holder)
    with writing(engine) as connection:
        if not connection.execute(update(locks).where(mine).values(expires_at=clock() + LEASE)).rowcount:
            raise Conflict(f"the lock on {name} was lost: this process was asleep for over {LEASE:.0f} s")


def free_lock(engine: Engine, name: str, holder: str) -> None:
    """Give a lock back; nothing happens when it was lost."""
    with writing(engine) as connection:
        connection.execute(delete(locks).where(locks.c.name == name, locks.c.holder == holder))
