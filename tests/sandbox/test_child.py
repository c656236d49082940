"""A child process is followed to its end: environment, output, deadline."""

from __future__ import annotations

import sys

import pytest

from assay.core.ask import CodeAsk, CodeReply, CodeStatus
from assay.sandbox.child import run

PYTHON = [sys.executable, "-I", "-S", "-c"]


def ran(source: str, seconds: float = 20, program: str = "") -> CodeReply:
    return run([*PYTHON, source], CodeAsk(program, seconds=seconds), "child")


def test_the_child_gets_an_empty_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of this process's environment is passed on, not even to be cleared later."""
    monkeypatch.setenv("SECRET", "SECRET")
    assert "SECRET" not in ran("import os; print(dict(os.environ))").stdout


def test_the_program_is_on_standard_input() -> None:
    """The child reads the program, whatever characters it holds."""
    source = "import sys; print(ascii(sys.stdin.buffer.read().decode('utf-8', 'surrogatepass')))"
    assert ran(source, program="ü\ud800\n").stdout == "'\\xfc\\ud800\\n'\n"


def test_a_silent_failure_has_its_status() -> None:
    """A child that says nothing on its error stream is described by its exit status."""
    reply = ran("raise SystemExit(7)")
    assert (reply.status, reply.error) == (CodeStatus.FAILED, "exit status 7")


def test_words_on_the_error_stream_are_no_failure() -> None:
    """What a child that ends well writes to its error stream is no error."""
    reply = ran("import sys; print('warning', file=sys.stderr)")
    assert (reply.status, reply.error) == (CodeStatus.PASSED, "")


@pytest.mark.slow
def test_output_written_before_the_deadline_is_kept() -> None:
    """A child that is killed leaves what it had written."""
    reply = ran("print('early', flush=True)\nwhile True: pass", seconds=3)
    assert (reply.status, reply.stdout) == (CodeStatus.TIMEOUT, "early\n")


def test_a_child_that_closed_its_output_is_still_stopped() -> None:
    """Closing both streams does not put off the deadline."""
    reply = ran("import os; os.close(1); os.close(2)\nwhile True: pass", seconds=1)
    assert reply.status is CodeStatus.TIMEOUT
