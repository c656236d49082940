"""Runs the program on standard input under bubblewrap or Docker: sets limits, gives up root, then runs it.

Executed as a file, so it must not import its own package. Arguments: user, megabytes, CPU seconds.
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


def main(user: int, megabytes: int, seconds: int) -> int:
    """Run the program and return the exit status; an error's traceback goes to standard error."""
    program = sys.stdin.buffer.read().decode("utf-8", "surrogatepass")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    sys.path[:] = [*(path for path in sys.path[1:] if path), "/inside", PACKAGES]
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
    sys.exit(main(*map(int, sys.argv[1:4])))
