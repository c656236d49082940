"""The process that holds a lock: told apart from every other process, and found alive or dead."""

from __future__ import annotations

import json
import os
import socket
import uuid
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

PROC = Path("/proc")


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
