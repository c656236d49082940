"""What every sandbox promises: outcomes, limits, output, threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from assay.core.ask import CodeAsk, CodeStatus
from assay.sandbox.sandbox import Sandbox


@pytest.mark.parametrize(
    ("program", "status"),
    [
        ("x = 1", CodeStatus.PASSED),
        ("import sys; sys.exit(0)", CodeStatus.PASSED),
        ("import sys; sys.exit()", CodeStatus.PASSED),
        ("import sys; sys.exit(2)", CodeStatus.FAILED),
        ("raise ValueError('no')", CodeStatus.FAILED),
        ("def f(:", CodeStatus.FAILED),
        ("x = []\nwhile True: x.append(bytearray(1 << 20))", CodeStatus.MEMORY),
        ("while True: pass", CodeStatus.TIMEOUT),
        ("assert '\\ud800'", CodeStatus.PASSED),
        ("assert 'ü\u2028' == chr(252) + chr(0x2028)", CodeStatus.PASSED),
    ],
)
def test_each_ending_has_its_status(sandbox: Sandbox, program: str, status: CodeStatus) -> None:
    """However a program ends, the reply says so."""
    reply = sandbox.run(CodeAsk(program, seconds=1 if status is CodeStatus.TIMEOUT else 30))
    assert reply.status is status, reply.error


def test_output_is_returned(sandbox: Sandbox) -> None:
    """What a program prints comes back, also when it then fails."""
    assert sandbox.run(CodeAsk("print('grüße'); raise SystemExit(1)")).stdout == "grüße\n"


def test_output_is_cut(sandbox: Sandbox) -> None:
    """Output beyond the limit loses its middle, not its end."""
    reply = sandbox.run(CodeAsk("print('x' * 100_000, 'end')", output_bytes=1000))
    assert len(reply.stdout) < 1100 and reply.stdout.endswith("end\n")


def test_the_error_is_the_end_of_the_traceback(sandbox: Sandbox) -> None:
    """The reply carries the exception's last lines."""
    reply = sandbox.run(CodeAsk("def f():\n    raise KeyError('k')\nf()"))
    assert reply.error.endswith("KeyError: 'k'")


def test_a_reply_names_the_sandbox(sandbox: Sandbox) -> None:
    """The reply says which sandbox ran the program and how long it took."""
    reply = sandbox.run(CodeAsk("x = 1"))
    assert (reply.sandbox, reply.seconds > 0) == (sandbox.name, True)


@pytest.mark.slow
def test_threads_do_not_mix_programs_up(sandbox: Sandbox) -> None:
    """Several threads may run programs at once, each gets its own reply and its own clock."""
    programs = [f"import time\ntime.sleep({n % 3} / 100)\nprint({n})" for n in range(24)]
    with ThreadPoolExecutor(6) as pool:
        replies = list(pool.map(lambda program: sandbox.run(CodeAsk(program)), programs))
    assert [reply.stdout for reply in replies] == [f"{n}\n" for n in range(24)]


def test_one_thread_out_of_time_leaves_the_others_alone(sandbox: Sandbox) -> None:
    """A program that is stopped takes no other with it."""
    asks = [CodeAsk("while True: pass", seconds=0.3), CodeAsk("print(sum(range(1000)))", seconds=20)] * 3
    with ThreadPoolExecutor(6) as pool:
        replies = list(pool.map(sandbox.run, asks))
    assert [reply.status for reply in replies] == [CodeStatus.TIMEOUT, CodeStatus.PASSED] * 3


def test_packages_that_are_not_there_are_refused(sandbox: Sandbox) -> None:
    """A program that needs a native package is unfit where there is none."""
    assert "numpy" in (sandbox.unfit(CodeAsk("import numpy", packages=("numpy",))) or "")
