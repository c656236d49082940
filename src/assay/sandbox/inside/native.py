"""Runs the program on standard input, or is a room, under bubblewrap or Docker, with limits and without root.

Executed as a file, so it must not import its own package before its path is set. Arguments: user, megabytes,
CPU seconds, and `room` for a room.
"""

from __future__ import annotations

import os
import sys
import traceback
import types

NOBODY = 65_534
MEGABYTE = 1 << 20
PROCESSES = 32
FILES = 64
FILE_SIZE = 16 * MEGABYTE
PACKAGES = "/packages"


def main(user: int, megabytes: int, seconds: int, room: str = "") -> int:
    """Run the program and return the exit status; an error's traceback goes to standard error."""
    sys.path[:] = [*(path for path in sys.path[1:] if path), "/inside", PACKAGES]
    if room:
        return serve(user, megabytes, seconds)
    program = sys.stdin.buffer.read().decode("utf-8", "surrogatepass")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    confine(user, megabytes, seconds)
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    try:
        exec(compile(program, "<program>", "exec"), module.__dict__)
        sys.stdout.flush()
    except SystemExit:
        raise
    except BaseException:  # noqa: BLE001 - whatever ended the program is the answer
        traceback.print_exc()
        return 1
    return 0


def serve(user: int, megabytes: int, seconds: int) -> int:
    """Be a room: answer each frame on standard input with one on standard output."""
    incoming, outgoing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    os.close(nothing)
    from assay_inside.room import Room  # type: ignore[import-not-found]  # where it is mounted

    def turn(message: str) -> str:
        data = message.encode("utf-8", "surrogatepass")
        write(outgoing, len(data).to_bytes(4, "big") + data)
        size = int.from_bytes(read(incoming, 4), "big")
        return read(incoming, size).decode("utf-8", "surrogatepass")

    confine(user, megabytes, seconds)
    room = Room(lambda message: turn(">" + message))
    message = read(incoming, int.from_bytes(read(incoming, 4), "big")).decode("utf-8", "surrogatepass")
    while True:
        message = turn("=" + room.handle(message))


def write(descriptor: int, data: bytes) -> None:
    """Write all of it."""
    while data:
        data = data[os.write(descriptor, data) :]


def read(descriptor: int, size: int) -> bytes:
    """Read so many bytes; end the program when there are no more."""
    found = b""
    while len(found) < size:
        data = os.read(descriptor, size - len(found))
        if not data:
            os._exit(0)
        found += data
    return found


def confine(user: int, megabytes: int, seconds: int) -> None:
    """Set the limits of this process and its children, then become an unprivileged user for good."""
    import resource  # not on Windows, where this file is only ever imported for its constants

    for limit, value in (
        (resource.RLIMIT_AS, megabytes * MEGABYTE),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, FILE_SIZE),
        (resource.RLIMIT_NOFILE, FILES),
        (resource.RLIMIT_CORE, 0),
        # Counted per user, and not at all for root: hence a user of its own for each run.
        (resource.RLIMIT_NPROC, PROCESSES),
    ):
        resource.setrlimit(limit, (value, value))
    if os.getuid() == 0:
        os.setgroups([])
        try:
            os.setresgid(user, user, user)
            os.setresuid(user, user, user)
        except OSError:  # not mapped in this container's user namespace
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
    if os.getuid() == 0:
        raise SystemExit("still root: refusing to run the program")


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), "".join(sys.argv[4:])))
