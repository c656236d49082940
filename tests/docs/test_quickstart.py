"""The quickstart's exam can be followed to its end, command by command, in an empty folder."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
from command_line import SCRIPT

QUICKSTART = Path(__file__).parents[2] / "docs" / "quickstart.md"
HEADING = "## 6. Build a bank, hold an exam"
PORT = "8080"
MINUTES = 10
IN_ONE_COMMAND = "assay exam demo"

pytestmark = pytest.mark.slow


def commands() -> list[str]:
    """Return the section's commands in their order: lines after `$`, and whole blocks of shell."""
    section = QUICKSTART.read_text("utf-8").partition(f"{HEADING}\n")[2].partition("\n## ")[0]
    found: list[str] = []
    for language, block in re.findall(r"^```(\w+)\n(.*?)^```", section, re.DOTALL | re.MULTILINE):
        if language == "console":
            found += re.findall(r"^\$ (.*)$", block, re.MULTILINE)
        else:
            assert language == "sh", language
            found.append(block)
    return found


def free_port() -> str:
    """Return a port that nobody listens on."""
    with socket.socket() as tried:
        tried.bind(("127.0.0.1", 0))
        return str(tried.getsockname()[1])


def followed(folder: Path, lines: list[str]) -> subprocess.CompletedProcess[str]:
    """Run commands in one shell that stops at the first that fails, and end what it left running."""
    port = free_port()
    script = "\n".join(["set -e", *lines]).replace(PORT, port)
    environment = {name: text for name, text in os.environ.items() if not name.startswith("ASSAY_")}
    environment |= {
        "PATH": f"{Path(SCRIPT).parent}:{os.environ['PATH']}",
        "ASSAY_SERVE_PORT": port,
        "COLUMNS": "240",
    }
    with (folder / "out.txt").open("w") as out, (folder / "err.txt").open("w") as err:
        shell = subprocess.Popen(
            ["bash", "-c", script],
            cwd=folder,
            env=environment,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
        try:
            status = shell.wait(timeout=60 * MINUTES)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(shell.pid, signal.SIGKILL)
    told = ((folder / name).read_text() for name in ("out.txt", "err.txt"))
    return subprocess.CompletedProcess(script, status, *told)


def test_the_exam_section_runs_as_written(tmp_path: Path) -> None:
    """From the key to published results and a manifest of the series; only the port is another."""
    lines = commands()
    assert IN_ONE_COMMAND in lines
    done = followed(tmp_path, [line for line in lines if line != IN_ONE_COMMAND])
    assert done.returncode == 0, done.stdout + done.stderr
    assert "150 questions checked" in done.stdout
    published = done.stdout.partition("Series try-out: 3 sittings of 30")[2].partition("Sittings")[0]
    assert "simulated/steady" in published, done.stdout
    assert len((tmp_path / "manifest.csv").read_text("utf-8").splitlines()) == 1 + 3 * 30
