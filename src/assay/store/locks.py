"""Locks between the processes that use one database: leases that are renewed while their holder lives.

Times come from the database, so that the clocks of several machines may differ; SQLite uses its machine's.
"""

from __future__ import annotations

import json
import os
import socket
import uuid
from collections.abc import Collection
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import ColumnElement, Connection, Engine, Row, delete, select, text, update

from assay.core.errors import Conflict
from assay.core.times import DAY_SECONDS
from assay.store.engine import reading, writing
from assay.store.schema import locks

LEASE = 60.0
_MINE: set[str] = set()
"""The holder texts of the locks that this process holds; other locks with its id were left behind."""
_BEGIN = text(
    "INSERT INTO locks (name, holder, taken_at, expires_at) VALUES (:name, :holder, :taken_at, :expires_at) "
    "ON CONFLICT (name) DO NOTHING"
)
_HELD = {
    "sqlite": "SELECT 1 FROM locks WHERE name = ? AND holder = ?",
    "postgresql": "SELECT 1 FROM locks WHERE name = %s AND holder = %s FOR KEY SHARE",
}
"""The row is locked against `FOR UPDATE` only: many writers share it, and renewing it does not wait."""
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
    """A lock that is held now; `holder` names the process, and `taken_at` is UTC seconds since 1970."""

    name: str
    holder: str
    taken_at: float

    def __str__(self) -> str:
        return f"{self.holder}, since {datetime.fromtimestamp(self.taken_at, UTC):%Y-%m-%d %H:%M:%S} UTC"


def run_lock(run: int) -> str:
    """Return the name of the lock on a run."""
    return f"run {run}"


def take_lock(engine: Engine, name: str, holder: Holder) -> Lease:
    """Take a lock for a minute. Raises Conflict, with the holder's name, if another process holds it.

    A lock is taken over from a process that died on this machine, and from any process after its lease.
    """
    with writing(engine) as connection:
        now = _now(connection)
        values = {"holder": holder.text, "taken_at": now, "expires_at": now + LEASE}
        if connection.execute(_BEGIN, {"name": name, **values}).rowcount:
            return _own(name, holder)
        # On PostgreSQL this waits for a transaction that the holder is committing (`ensure_held`).
        query = select(locks).where(locks.c.name == name).with_for_update()
        row = connection.execute(query).first()
        if row is not None and _is_free(row, now):
            connection.execute(update(locks).where(locks.c.name == name).values(values))
            return _own(name, holder)
    raise Conflict(_explain_held(name, None if row is None else _held(row)))


def _own(name: str, holder: Holder) -> Lease:
    _MINE.add(holder.text)
    return Lease(name, holder.text)


def _is_free(row: Row[tuple[object, ...]], now: float) -> bool:
    holder = read_holder(row.holder)
    if holder is None or row.expires_at < now:
        return bool(row.expires_at < now)
    return has_died(holder) or (is_this_process(holder) and row.holder not in _MINE)


def _held(row: Row[tuple[object, ...]]) -> HeldLock:
    return HeldLock(row.name, str(read_holder(row.holder) or row.holder), row.taken_at)


def _explain_held(name: str, held: HeldLock | None) -> str:
    holder = "a process that ended at this moment" if held is None else str(held)
    running = (
        f"{name} is being executed ({holder})"
        if name.startswith("run ")
        else f"another {name} is running ({holder})"
    )
    return (
        f"{running}: wait for it to end, or stop it with Ctrl-C or `kill`; if the process has died, its lock "
        f"is free at once on its own machine, and on other machines after {LEASE:.0f} s"
    )


def held_locks(engine: Engine, names: Collection[str] | None = None) -> list[HeldLock]:
    """Return the locks that a living process holds; all locks, or those with these names."""
    query = select(locks)
    if names is not None:
        query = query.where(locks.c.name.in_(names))
    with reading(engine) as connection:
        now = _now(connection)
        return [_held(row) for row in connection.execute(query) if not _is_free(row, now)]


def renew_lock(engine: Engine, lease: Lease) -> None:
    """Prolong a lock by a minute. Raises Conflict if it was lost."""
    with writing(engine) as connection:
        until = _now(connection) + LEASE
        if not connection.execute(update(locks).where(_is(lease)).values(expires_at=until)).rowcount:
            raise _lost(lease)


def ensure_held(connection: Connection, lease: Lease | None) -> None:
    """Raise Conflict if a lease was lost; call it in the transaction that writes, after its first write.

    No other process can take the lock before that transaction ends, so that two processes never both write.
    """
    if lease is None:
        return
    query = _HELD[connection.dialect.name]
    if connection.exec_driver_sql(query, (lease.name, lease.holder)).first() is None:
        raise _lost(lease)


def free_lock(engine: Engine, lease: Lease) -> None:
    """Release a lock, unless it was lost. If it stays in the table, it counts as free, too."""
    _MINE.discard(lease.holder)
    with writing(engine) as connection:
        connection.execute(delete(locks).where(_is(lease)))


def _is(lease: Lease) -> ColumnElement[bool]:
    return (locks.c.name == lease.name) & (locks.c.holder == lease.holder)


def _lost(lease: Lease) -> Conflict:
    return Conflict(
        f"this process lost its lock on {lease.name}, because it did not renew it for over {LEASE:.0f} s "
        "(was it suspended?) and another process took it over: this process writes nothing more"
    )


def _now(connection: Connection) -> float:
    return float(connection.execute(_NOW[connection.dialect.name]).scalar_one())


@dataclass(frozen=True, slots=True)
class Holder:
    """A process that holds a lock.

    `space` identifies the running system and its process numbers (on Linux the boot id and the namespace of
    processes); None if it is unknown. `started` is the process's start in clock ticks since boot, which
    distinguishes it from another process with the same number. `token` distinguishes locks of one process.
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
        """The form of the holder in the database."""
        return json.dumps(asdict(self))


def this_process() -> Holder:
    """Return a new holder: this process with a new token."""
    pid = os.getpid()
    return Holder(pid, socket.gethostname(), _space(), _stat(pid)[1], uuid.uuid4().hex)


def read_holder(text: str) -> Holder | None:
    """Return the holder from a lock's text; None for a text of another form."""
    try:
        return Holder(**json.loads(text))
    except (TypeError, ValueError):
        return None


def is_this_process(holder: Holder) -> bool:
    """Whether a holder is this process, with any token."""
    return replace(this_process(), token=holder.token) == holder


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


def _stat(pid: int) -> tuple[str | None, int | None]:
    """Return a process's state and start; the name before them may contain any character, even `)`."""
    with suppress(OSError, IndexError, ValueError):
        fields = (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
        return fields[0], int(fields[19])
    return None, None
