"""Native CPython under bubblewrap, on Linux: its own namespaces, an empty file system, no network."""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import sys
import sysconfig
import threading
from collections.abc import Iterator
from pathlib import Path

from assay.core.ask import CodeAsk, CodeReply, CodeStatus
from assay.sandbox.build import INSIDE
from assay.sandbox.child import ProcessRoom, limits, run
from assay.sandbox.inside.native import NOBODY, PACKAGES
from assay.sandbox.rooms import KeptRooms, TestsRoom, examine
from assay.sandbox.sandbox import Unusable

SCRATCH_BYTES = 16 << 20
USERS = 1_000_000_000
LIBRARIES = ("/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib64")
HIDDEN = ("site-packages", "dist-packages")


class Bubblewrap:
    """A sandbox whose processes see only the standard library and a scratch folder.

    `packages` is a folder of native packages (made by `pip install --target`) for programs that request them.
    Raises Unusable if bubblewrap is missing or may not create namespaces here.
    """

    name = "bubblewrap"

    def __init__(self, packages: Path | None = None) -> None:
        tool = shutil.which("bwrap")
        if tool is None:
            raise Unusable("bubblewrap is not installed (on Debian: apt-get install bubblewrap)")
        self._tool = tool
        self._packages = packages
        self._slots = threading.BoundedSemaphore(os.cpu_count() or 1)
        self._count = itertools.count()
        self._kept = KeptRooms()
        tried = self.run(CodeAsk("print('ready')", seconds=10))
        if tried.status is not CodeStatus.PASSED or tried.stdout != "ready\n":
            raise Unusable(f"bubblewrap does not work here: {tried.error or tried.status}")

    def unfit(self, ask: CodeAsk) -> str | None:
        """Return the reason why the program cannot run here (a missing package), or None."""
        return lacking(ask.packages, self._packages, self.name)

    def run(self, ask: CodeAsk) -> CodeReply:
        """Run one program and return its result."""
        with self._slots:
            if ask.unit_tests is not None:
                return examine(self, self._kept, ask, ask.unit_tests)
            return run(self.command(ask, self._user()), ask, self.name)

    def tests_room(self, ask: CodeAsk) -> ProcessRoom:
        """Return a new process for tests."""
        return ProcessRoom(self.command(ask, self._user(), room=True), ask, self.name)

    def answer_room(self, ask: CodeAsk, beside: TestsRoom) -> ProcessRoom:
        """Return a new process for an answer."""
        return self.tests_room(ask)

    def close(self) -> None:
        """Close the rooms that were kept."""
        self._kept.close()

    def _user(self) -> int:
        """Return a user number that no other running program has: process limits are counted per user."""
        return USERS + (os.getpid() % 10_000) * 10_000 + next(self._count) % 10_000

    def command(self, ask: CodeAsk, user: int, *, room: bool = False) -> list[str]:
        """Return the command line for one program or room."""
        words = [
            self._tool,
            "--die-with-parent",
            "--new-session",
            "--clearenv",
            "--setenv",
            "MALLOC_ARENA_MAX",
            "1",
        ]
        words += ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
        if os.getuid() == 0:  # stays root until `native` gives it up, or its process limit would not bind
            words += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
        else:
            words += ["--unshare-user", "--uid", str(NOBODY), "--gid", str(NOBODY)]
        words += system()
        words += [
            "--proc",
            "/proc",
            "--dev",
            "/dev",
            "--size",
            str(SCRATCH_BYTES),
            "--perms",
            "1777",
            "--tmpfs",
            "/tmp",
        ]
        words += ["--ro-bind", str(INSIDE), "/inside/assay_inside"]
        if ask.packages and self._packages is not None:
            words += ["--ro-bind", str(self._packages), PACKAGES]
        words += ["--remount-ro", "/", "--chdir", "/tmp", "--hostname", "sandbox", "--"]
        script = "/inside/assay_inside/native.py"
        return [*words, python(), "-I", "-S", "-B", script, str(user), *limits(ask, room=room)]


def lacking(packages: tuple[str, ...], folder: Path | None, name: str) -> str | None:
    """Return the reason why a folder cannot provide these packages, or None."""
    if not packages:
        return None
    if folder is None:
        return f"{name} has no folder of packages for {', '.join(packages)}: set ASSAY_SANDBOX_PACKAGES"
    missing = [
        package
        for package in packages
        if not (folder / package).exists() and not [*folder.glob(f"{package}.*")]
    ]
    return f"{name}: {folder.name} has no {', '.join(missing)}" if missing else None


def python() -> str:
    """Return the path of the interpreter itself, not of a link to it in a virtual environment."""
    return str(Path(getattr(sys, "_base_executable", sys.executable)).resolve())


def system() -> list[str]:
    """Return the options that mount the shared libraries, the interpreter and its standard library read-only.

    Installed packages are hidden, since they include the suites with their answers.
    """
    words: list[str] = []
    shown = [*standard_library(), python(), *shared_python()]
    for path in map(Path, LIBRARIES):
        if path.is_symlink():
            words += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            shown.append(str(path))
    # bubblewrap makes missing parents unreadable for other users, and the program runs as another user.
    parents = {parent for path in shown for parent in Path(path).parents} - {Path("/")}
    for parent in sorted(parents | {Path("/inside")}):
        words += ["--perms", "0755", "--dir", str(parent)]
    for source in sorted(set(shown)):
        words += ["--ro-bind", source, source]
    for folder in covered():
        words += ["--tmpfs", folder]
    return words


def standard_library() -> list[str]:
    """Return the folders of the standard library."""
    found = [sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")]
    base = Path(sys.base_prefix).resolve()
    own = base / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}"
    return [
        path
        for path in dict.fromkeys([*found, str(own)])
        if path.startswith(str(base)) and Path(path).is_dir()
    ]


def shared_python() -> Iterator[str]:
    """Yield the interpreter's shared library if it has one."""
    folder, name = sysconfig.get_config_var("LIBDIR"), sysconfig.get_config_var("INSTSONAME")
    if folder and name and ".so" in name and (Path(folder) / name).is_file():
        yield str(Path(folder) / name)


def covered() -> Iterator[str]:
    """Yield the folders of installed packages inside the mounted folders."""
    with contextlib.suppress(OSError):
        for root in dict.fromkeys([*standard_library(), "/usr/lib/python3"]):
            for name in HIDDEN:
                if (Path(root) / name).is_dir():
                    yield str(Path(root) / name)
