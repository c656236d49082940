"""How a run ended, told apart."""

from __future__ import annotations

import pytest

from assay.core.ask import CodeReply, CodeStatus
from assay.grading.programs.ending import ending, last_error

TRACE = 'Traceback (most recent call last):\n  File "<answer>", line 4, in <module>\n'


@pytest.mark.parametrize(
    ("status", "error", "code"),
    [
        (CodeStatus.PASSED, "", ""),
        (CodeStatus.TIMEOUT, "", "TIMES_OUT"),
        (CodeStatus.MEMORY, "", "OUT_OF_MEMORY"),
        (CodeStatus.FAILED, f"{TRACE}ValueError: no", "RAISES"),
        (CodeStatus.FAILED, f"{TRACE}IndentationError: unexpected indent", "DOES_NOT_COMPILE"),
        (CodeStatus.FAILED, "SystemExit: 1", "RAISES"),
    ],
    ids=range(6),
)
def test_the_code_of_an_ending(status: CodeStatus, error: str, code: str) -> None:
    """Each ending has its flag; success has none."""
    assert ending(CodeReply(status, "", error), "x = 1").code == code


@pytest.mark.parametrize(
    "error",
    [
        "ModuleNotFoundError: No module named 'torch'",
        "FileNotFoundError: [Errno 44] No such file or directory: 'a.csv'",
        "RuntimeError: can't start new thread",
        "urllib.error.URLError: <urlopen error>",
        "EOFError: EOF when reading a line",
    ],
    ids=range(5),
)
def test_what_the_sandbox_lacks(error: str) -> None:
    """The answer is not to blame for what no sandbox gives."""
    found = ending(CodeReply(CodeStatus.FAILED, "", TRACE + error), "x = 1")
    assert (found.code, bool(found.ungraded)) == ("", True)


def test_the_line_is_that_of_the_answer() -> None:
    """The innermost line of the answer's own code is told."""
    error = f'{TRACE}  File "/lib/re.py", line 99, in sub\nTypeError: no'
    assert ending(CodeReply(CodeStatus.FAILED, "", error), "").line == 4


def test_the_last_error_counts() -> None:
    """Of a chain of errors the last ended the program."""
    assert last_error("KeyError: 'a'\n\nDuring handling:\n\nmodule.OddError: b c") == ("OddError", "b c")
