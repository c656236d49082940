"""Locks that two processes on one database respect: a lease, renewed while its holder lives.

Times are the database's own, so that the clocks of several machines may differ; SQLite's is its machine's.
"""

from __future__ import annotations

import json
import os
import socket
import uuid
from collections.abc import Collection
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection, Engine, Row, delete, select, text, update

from assay.core.errors import Conflict
from assay.core.times import DAY_SECONDS
from assay.store.engine import reading, writing
from assay.store.schema import locks

LEASE = 60.0
_MINE: set[str] = set()
"""The holders' texts of the locks that this process holds: any other lock of its own was left behind."""
_BEGIN = text(
    "INSERT INTO locks (name, holder, taken_at, expires_at) VALUES (:name, :holder, :taken_at, :expires_at) "
    "ON CONFLICT (name) DO NOTHING"
)
_HELD = {
    "sqlite": "SELECT 1 FROM locks WHERE name = ? AND holder = ?",
    "postgresql": "SELECT 1 FROM locks WHERE name = %s AND holder = %s FOR KEY SHARE",
}
"""The row is locked against `FOR UPDATE` alone: many writers share it, and renewing it waits for nobody."""
_NOW = {
    "sqlite": text(f"SELECT (julianday('now') - 2440587.5) * {DAY_SECONDS}"),
    "postgresql": text("SELECT CAST(extract(epoch FROM clock_timestamp()) AS double precision)"),
}
PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Lease:
    """A lock that this process took; `holder` is its text in the database."""

    name: str
    holder: str


@dataclass(frozen=True, slots=True)
class HeldLock:
    """A lock that somebody holds now; `holder` names the process, `taken_at` is UTC seconds since 1970."""

    name: str
    holder: str
    taken_at: float

    def __str__(self) -> str:
        return f"{self.holder}, since {datetime.fromtimestamp(self.taken_at, UTC):%Y-%m-%d %H:%M:%S} UTC"


def run_lock(run: int) -> str:
    """Return the name of the lock on a run."""
    return f"run {run}"


def take_lock(engine: Engine, name: str, holder: Holder) -> Lease:
    """Take a lock for a minute; Conflict, naming the holder, when somebody else has it.

    A lock is taken over from a process that died on this machine, and from any whose lease has run out.
    """
    with writing(engine) as connection:
        now = _now(connection)
        values = {"holder": holder.text, "taken_at": now, "expires_at": now + LEASE}
        if connection.execute(_BEGIN, {"name": name, **values}).rowcount:
            return _taken(name, holder)
        # On PostgreSQL this waits for what the holder is committing at this moment (`ensure_held`).
        query = select(locks).where(locks.c.name == name).with_for_update()
        row = connection.execute(query).first()
        if row is not None and _is_free(row, now):
            connection.execute(update(locks).where(locks.c.name == name).values(values))
            return _taken(name, holder)
    raise Conflict(_refusal(name, None if row is None else _held(row)))


def _taken(name: str, holder: Holder) -> Lease:
    _MINE.add(holder.text)
    return Lease(name, holder.text)


def _is_free(row: Row[tuple[object, ...]], now: float) -> bool:
    holder = read_holder(row.holder)
    if holder is None or row.expires_at < now:
        return bool(row.expires_at < now)
    return has_died(holder) or (is_this_process(holder) and row.holder not in _MINE)


def _held(row: Row[tuple[object, ...]]) -> HeldLock:
    return HeldLock(row.name, str(read_holder(row.holder) or row.holder), row.taken_at)


def _refusal(name: str, held: HeldLock | None) -> str:
    who = "a process that ended at this moment" if held is None else str(held)
    begun = (
        f"{name} is being executed ({who})"
        if name.startswith("run ")
        else f"another {name} is running ({who})"
    )
    return (
        f"{begun}: wait for it to end, or stop it with Ctrl-C or `kill`; the lock of a process that died "
        f"is free at once on its own machine, and on another {LEASE:.0f} s after its last sign of life"
    )


def held_locks(engine: Engine, names: Collection[str] | None = None) -> list[HeldLock]:
    """Return the locks that a living process holds, all or those of these names."""
    query = select(locks)
    if names is not None:
        query = query.where(locks.c.name.in_(names))
    with reading(engine) as connection:
        now = _now(connection)
        return [_held(row) for row in connection.execute(query) if not _is_free(row, now)]


def renew_lock(engine: Engine, lease: Lease) -> None:
    """Prolong a lock by a minute; Conflict when it was lost."""
    mine = (locks.c.name == lease.name) & (locks.c.holder == lease.holder)
    with writing(engine) as connection:
        until = _now(connection) + LEASE
        if not connection.execute(update(locks).where(mine).values(expires_at=until)).rowcount:
            raise _lost(lease)


def ensure_held(connection: Connection, lease: Lease | None) -> None:
    """Raise Conflict when a lease was lost; call it in the transaction that writes, after its first write.

    Nobody takes the lock before that transaction ends, so that two processes never both write.
    """
    if lease is None:
        return
    query = _HELD[connection.dialect.name]
    if connection.exec_driver_sql(query, (lease.name, lease.holder)).first() is None:
        raise _lost(lease)


def free_lock(engine: Engine, lease: Lease) -> None:
    """Give a lock back; nothing happens when it was lost. Left in the table it counts as free, too."""
    _MINE.discard(lease.holder)
    with writing(engine) as connection:
        mine = (locks.c.name == lease.name) & (locks.c.holder == lease.holder)
        connection.execute(delete(locks).where(mine))


def _lost(lease: Lease) -> Conflict:
    return Conflict(
        f"this process lost its lock on {lease.name}: it gave no sign of life for over {LEASE:.0f} s (was it "
        "suspended?), and another process took over; nothing more is written here"
    )


def _now(connection: Connection) -> float:
    return float(connection.execute(_NOW[connection.dialect.name]).scalar_one())


@dataclass(frozen=True, slots=True)
class Holder:
    """A process that holds a lock.

    `space` names the running system and its process numbers (Linux: boot id and namespace of processes),
    None where the system does not tell. `started` is the process's start in clock ticks since boot, so that
    another process with the same number is not mistaken for it. `token` tells two locks of one process apart.
    """

    pid: int
    host: str
    space: str | None
    started: int | None
    token: str

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host}"

    @property
    def text(self) -> str:
        """The holder as the database keeps it."""
        return json.dumps(asdict(self))


def this_process() -> Holder:
    """Return a new holder: this process with a token of its own."""
    pid = os.getpid()
    return Holder(pid, socket.gethostname(), _space(), _started(pid), uuid.uuid4().hex)


def read_holder(text: str) -> Holder | None:
    """Return the holder that a lock names; None for a text of another form."""
    try:
        return Holder(**json.loads(text))
    except (TypeError, ValueError):
        return None


def is_this_process(holder: Holder) -> bool:
    """Whether a holder is this process, whatever its token."""
    pid = os.getpid()
    return (holder.pid, holder.host, holder.space, holder.started) == (
        pid,
        socket.gethostname(),
        _space(),
        _started(pid),
    )


def has_died(holder: Holder) -> bool:
    """Whether a holder's process is known to have ended: False for a process on another machine."""
    if os.name != "posix" or holder.host != socket.gethostname() or holder.space != _space():
        return False
    try:
        os.kill(holder.pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass
    state, started = _stat(holder.pid)
    return state in ("Z", "X") or (None not in (holder.started, started) and started != holder.started)


def _space() -> str | None:
    with suppress(OSError):
        boot = (PROC / "sys/kernel/random/boot_id").read_text().strip()
        return f"{boot} {(PROC / 'self/ns/pid').readlink()}"
    return None


def _started(pid: int) -> int | None:
    return _stat(pid)[1]


def _stat(pid: int) -> tuple[str | None, int | None]:
    """Return a process's state and start; the name before them may hold any character, `)` included."""
    with suppress(OSError, IndexError, ValueError):
        fields = (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
        return fields[0], int(fields[19])
    return None, None
