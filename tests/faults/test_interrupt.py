"""Ctrl-C on the command line: what came back is written, the command that resumes printed; it resumes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from upstream import Upstream

pytestmark = pytest.mark.slow
CASES = 30
CONCURRENCY = 4
COMMAND = [sys.executable, "-c", "from assay.cli.main import main; main()"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a suite of thirty cases."""
    suite = tmp_path / "tiny"
    suite.mkdir()
    (suite / "suite.yaml").write_text(
        "name: tiny\nversion: 1.0.0\ntitle: Tiny\nvisibility: public\nuse_cases: [one.yaml]\n"
        "canary: assay-canary-1c9ae0a8-5a3e-4d8b-8a43-3a8b2f6a1d10\ndescription: A suite for one test.\n"
    )
    cases = "".join(
        f"  - id: case-{number}\n    prompt: Question {number} of one?\n    max_tokens: 16\n"
        "    graders:\n      - exact: {expect: right}\n"
        "    derivation: It is right by definition.\n"
        '    exemplars:\n      - {score: 1.0, answer: "right"}\n      - {score: 0.0, answer: "wrong"}\n'
        '      - {score: 0.0, answer: "bad"}\n'
        for number in range(CASES)
    )
    (suite / "one.yaml").write_text(
        f"name: one\ntitle: One\ngrading: deterministic\nsamples: {{base: 1, full: 3}}\ncases:\n{cases}"
    )
    return tmp_path


TAKING_THE_TERMINAL = (
    sys.executable,
    "-c",
    "import fcntl, os, sys, termios\n"
    "fcntl.ioctl(0, termios.TIOCSCTTY, 0)\n"
    "os.execv(sys.argv[1], sys.argv[1:])",
)
"""Makes the terminal on stdin that of the session, then becomes the command that follows."""


def start(folder: Path, address: str, *words: str, terminal: int | None = None) -> subprocess.Popen[str]:
    """Start the command line in a folder with one local provider, in a session of its own on a terminal."""
    (folder / "assay.yaml").write_text(
        f'providers:\n  local: {{base_url: "{address}", concurrency: {CONCURRENCY}}}\n'
    )
    clean = {name: value for name, value in os.environ.items() if not name.startswith("ASSAY_")}
    return subprocess.Popen(
        [*(() if terminal is None else TAKING_THE_TERMINAL), *COMMAND, *words],
        cwd=folder,
        env=clean,
        stdin=terminal,
        stdout=subprocess.PIPE if terminal is None else terminal,
        stderr=subprocess.PIPE if terminal is None else terminal,
        text=True,
        start_new_session=terminal is not None,
    )


def wait_for(condition: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    """Wait until something happened, while the process lives."""
    while not condition():
        assert process.poll() is None, process.communicate()[1]
        time.sleep(0.005)


@pytest.fixture(autouse=True)
def hang_ups_count() -> Iterator[None]:
    """Let children take SIGHUP as usual, also where the tests run under nohup, which they would inherit."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_first_waits_for_what_is_in_flight(
    folder: Path, upstream_in_thread: Callable[..., Upstream], how: signal.Signals
) -> None:
    """Every call that was sent has its sample, nothing is paid for twice, and the status is 130."""
    upstream = upstream_in_thread(lambda prompt, before: "right", delay=0.3)
    process = start(folder, upstream.address, "run", "./tiny", "-m", "local/x")
    wait_for(lambda: upstream.calls >= 2 * CONCURRENCY, process)
    process.send_signal(how)
    errors = process.communicate(timeout=30)[1]
    assert process.returncode == 130
    assert "Traceback" not in errors
    sent = upstream.calls
    assert f"run 1 stopped: {sent} samples" in errors
    assert "assay resume 1" in errors
    resumed = start(folder, upstream.address, "resume", "1")
    told = resumed.communicate(timeout=60)[1]
    assert resumed.returncode == 0, told
    assert f"{CASES} ok" in told
    assert upstream.calls == CASES
    assert sent < CASES


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="terminals are POSIX's")
def test_closing_the_terminal_leaves_a_resumable_run(
    folder: Path, upstream_in_thread: Callable[..., Upstream]
) -> None:
    """What was in flight is waited for and written though nothing can be shown any more; resuming goes on."""
    upstream = upstream_in_thread(lambda prompt, before: "right", delay=0.3)
    ours, theirs = os.openpty()
    process = start(folder, upstream.address, "run", "./tiny", "-m", "local/x", terminal=theirs)
    os.close(theirs)
    wait_for(lambda: upstream.calls >= 2 * CONCURRENCY, process)
    os.close(ours)  # the kernel sends SIGHUP to all that have this terminal
    assert process.wait(30) == 130
    sent = upstream.calls
    resumed = start(folder, upstream.address, "resume", "1")
    told = resumed.communicate(timeout=60)[1]
    assert (resumed.returncode, f"{CASES} ok" in told, upstream.calls) == (0, True, CASES), told
    assert sent < CASES


def test_a_run_under_nohup_outlives_its_terminal(
    folder: Path, upstream_in_thread: Callable[..., Upstream]
) -> None:
    """Where the hang-up is ignored, as nohup does, the run goes on to its end."""
    upstream = upstream_in_thread(lambda prompt, before: "right", delay=0.1)
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        process = start(folder, upstream.address, "run", "./tiny", "-m", "local/x")
    finally:
        signal.signal(signal.SIGHUP, before)
    wait_for(lambda: upstream.calls >= CONCURRENCY, process)
    process.send_signal(signal.SIGHUP)
    errors = process.communicate(timeout=60)[1]
    assert (process.returncode, upstream.calls) == (0, CASES), errors


def test_the_second_gives_up_what_is_in_flight(
    folder: Path, upstream_in_thread: Callable[..., Upstream]
) -> None:
    """Answers that never come are left; what came back is written, and resuming asks for the rest."""
    shut = [True]

    def answer(prompt: str, before: int) -> str | None:
        number = int(prompt.split()[1])
        return None if shut[0] and number >= 10 else "right"

    upstream = upstream_in_thread(answer)
    process = start(folder, upstream.address, "run", "./tiny", "-m", "local/x")
    wait_for(lambda: upstream.calls >= 10 + CONCURRENCY, process)
    process.send_signal(signal.SIGINT)
    time.sleep(0.3)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    errors = process.communicate(timeout=30)[1]
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert "run 1 stopped: 10 samples" in errors
    assert "assay resume 1" in errors
    shut[0] = False
    before = upstream.calls
    resumed = start(folder, upstream.address, "resume", "1")
    told = resumed.communicate(timeout=60)[1]
    assert resumed.returncode == 0, told
    assert upstream.calls - before == CASES - 10


def test_pressing_it_on_and_on_prints_no_traceback(
    folder: Path, upstream_in_thread: Callable[..., Upstream]
) -> None:
    """However often the key is pressed, the process ends soon and without a traceback."""
    upstream = upstream_in_thread(lambda prompt, before: None)
    process = start(folder, upstream.address, "run", "./tiny", "-m", "local/x")
    wait_for(lambda: upstream.calls >= CONCURRENCY, process)
    for _ in range(50):
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            time.sleep(0.02)
    errors = process.communicate(timeout=30)[1]
    assert process.returncode != 0
    assert "Traceback" not in errors
