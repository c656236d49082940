"""CPython in a Docker container, for machines without the other two sandboxes."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
import uuid
from pathlib import Path

from assay.core.ask import CodeAsk, CodeReply
from assay.sandbox.bubblewrap import lacking
from assay.sandbox.build import INSIDE
from assay.sandbox.child import ProcessRoom, limits, run
from assay.sandbox.inside.native import NOBODY, PACKAGES
from assay.sandbox.rooms import KeptRooms, TestsRoom, examine
from assay.sandbox.sandbox import Unusable

IMAGE = "python:3.13-slim"
PATIENCE = 10
SCRATCH = "/tmp:size=16m,mode=1777"
PROCESSES = 32


class Docker:
    """A sandbox with one container per program: no network, read-only, no capabilities, user nobody.

    The image must exist already, since nothing is downloaded. Starting the container counts towards the
    program's seconds. Raises Unusable without a client, daemon or image.
    """

    name = "docker"

    def __init__(self, image: str = IMAGE, packages: Path | None = None) -> None:
        tool = shutil.which("docker")
        if tool is None:
            raise Unusable("docker is not installed (on Debian: apt-get install docker.io)")
        self._tool = tool
        self._image = image
        self._packages = packages
        self._kept = KeptRooms()
        self._slots = threading.BoundedSemaphore(os.cpu_count() or 1)
        try:
            seen = subprocess.run(
                [tool, "image", "inspect", "--format", "{{.Id}}", image],
                capture_output=True, text=True, timeout=PATIENCE, check=False,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Unusable(f"docker does not answer: {error}") from error
        if seen.returncode:
            raise Unusable(f"docker cannot be used: {seen.stderr.strip()} (`docker pull {image}`?)")

    def unfit(self, ask: CodeAsk) -> str | None:
        """Return the reason why the program cannot run here (a missing package), or None."""
        return lacking(ask.packages, self._packages, self.name)

    def run(self, ask: CodeAsk) -> CodeReply:
        """Run one program and return its result."""
        container = f"assay-{uuid.uuid4().hex}"
        with self._slots:
            if ask.unit_tests is not None:
                return examine(self, self._kept, ask, ask.unit_tests)
            return run(self.command(ask, container), ask, self.name, stop=lambda: self._kill(container))

    def tests_room(self, ask: CodeAsk) -> ProcessRoom:
        """Return a new container for tests."""
        container = f"assay-{uuid.uuid4().hex}"
        command = self.command(ask, container, room=True)
        return ProcessRoom(command, ask, self.name, stop=lambda: self._kill(container))

    def answer_room(self, ask: CodeAsk, beside: TestsRoom) -> ProcessRoom:
        """Return a new container for an answer."""
        return self.tests_room(ask)

    def close(self) -> None:
        """Close the rooms that were kept."""
        self._kept.close()

    def command(self, ask: CodeAsk, container: str, *, room: bool = False) -> list[str]:
        """Return the command line for one program or room."""
        words = [self._tool, "run", "--rm", "--interactive", "--name", container, "--pull", "never"]
        words += ["--network", "none", "--read-only", "--tmpfs", SCRATCH, "--workdir", "/tmp"]
        words += ["--memory", f"{ask.megabytes}m", "--memory-swap", f"{ask.megabytes}m", "--cpus", "1"]
        words += ["--pids-limit", str(PROCESSES), "--cap-drop", "ALL", "--security-opt", "no-new-privileges"]
        words += ["--user", f"{NOBODY}:{NOBODY}", "--volume", f"{INSIDE}:/inside/assay_inside:ro"]
        if ask.packages and self._packages is not None:
            words += ["--volume", f"{self._packages}:{PACKAGES}:ro"]
        script = "/inside/assay_inside/native.py"
        words += [self._image, "python", "-I", "-S", "-B", script]
        return [*words, str(NOBODY), *limits(ask, room=room)]

    def _kill(self, container: str) -> None:
        subprocess.run([self._tool, "kill", container], capture_output=True, timeout=PATIENCE, check=False)
