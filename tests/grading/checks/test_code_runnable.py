"""Code in answers: run in the sandbox, told apart by how it ended."""

from __future__ import annotations

from typing import Any

import pytest

from assay.core.ask import CodeAsk, CodeReply, CodeStatus
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.code_runnable import CodeRunnable, ending, last_error
from assay.sandbox.choose import open_sandbox
from assay.sandbox.sandbox import Sandbox

CASE = Case("case", "checks", (), ())
CHECK = CodeRunnable()
TESTS = "def test_double():\n    assert f(2) == 4\ndef test_zero():\n    assert f(0) == 0\n"
UNITTEST = (
    "import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(1, {})\n"
    "if __name__ == '__main__':\n    unittest.main()"
)


def fenced(*blocks: str) -> str:
    return "\n\nThen:\n\n".join(f"```python\n{block}\n```" for block in blocks)


def spec(**parameters: Any) -> GraderSpec:
    made = GraderSpec("code_runnable", parameters)
    assert CHECK.problems(made) == ()
    return made


@pytest.fixture(scope="module")
def sandbox() -> Sandbox:
    """The sandbox that ships with the package."""
    return open_sandbox(["wasm"])


def run(sandbox: Sandbox, answer: str, **parameters: Any) -> Grade:
    """Grade one answer, running whatever the check asks for."""
    made = spec(**parameters)
    asks = CHECK.asks(CASE, made, answer)
    replies = tuple(sandbox.run(ask) for ask in asks if isinstance(ask, CodeAsk))
    found = CHECK.read(CASE, made, answer, replies)
    while not isinstance(found, Grade):
        assert isinstance(found, CodeAsk)
        replies = (*replies, sandbox.run(found))
        found = CHECK.read(CASE, made, answer, replies)
    return found


RUNS: dict[str, tuple[str, dict[str, Any]]] = {
    "a program": (fenced("print(1)"), {}),
    "a definition and its use": (fenced("def f(x):\n    return x", "print(f(3))"), {"entry": "f"}),
    "an example that needs what only the reader has": (
        fenced("def f(x):\n    return x\nprint(f(1))", "for each in load():\n    f(each)"),
        {},
    ),
    "tests that pass": (
        "```\ndef f(x): return 2 * x\n```\nOutput:\n```\n3\n```",
        {"entry": "f", "tests": TESTS},
    ),
    "its own tests": (fenced(UNITTEST.format(1)), {}),
    "a ban kept, words apart": (
        fenced("def f(x):\n    # no re, no eval\n    return 'import re'"),
        {"entry": "f", "banned": ["re", "eval"]},
    ),
    "newer syntax than here": (fenced("print(f'{'a'}')"), {}),
    "no fence": ("def f(x):\n    return 1\n", {"entry": "f"}),
    "sleeping": (
        fenced("import asyncio\nasync def main():\n    await asyncio.sleep(9)\nasyncio.run(main())"),
        {"seconds": 5},
    ),
    "an excerpt after the code": (
        fenced("def f(x):\n    return 2 * x", "def f(x):\n    ...\n        return 2 * x"),
        {"entry": "f", "tests": TESTS},
    ),
    "a session beside the code": (fenced(">>> f(1)\n2", "def f(x): return x + 1"), {}),
}
FAULTS: dict[str, tuple[str, dict[str, Any], str]] = {
    "a last version that is cut off": (
        fenced("def f(x):\n    return 2 * x", "def f(x):\n    return (2 *"),
        {"entry": "f", "tests": TESTS},
        "DOES_NOT_COMPILE",
    ),
    "no code": ("I would use a loop.", {}, "NO_CODE"),
    "another language": ("```javascript\nlet x = 1\n```", {}, "NO_CODE"),
    "no colon": (fenced("def f(x)\n    return 1"), {}, "DOES_NOT_COMPILE"),
    "no colon, with tests": (
        fenced("def f(x)\n    return 1"),
        {"entry": "f", "tests": TESTS},
        "DOES_NOT_COMPILE",
    ),
    "an exception": (fenced("print(1 / 0)"), {}, "RAISES"),
    "a failing assertion of its own": (fenced("assert sum([1, 2]) == 4"), {}, "RAISES"),
    "its own tests fail": (fenced(UNITTEST.format(2)), {}, "RAISES"),
    "for ever": (fenced("while True:\n    pass"), {"seconds": 0.3}, "TIMES_OUT"),
    "another function": (fenced("def g(x):\n    return 1"), {"entry": "f"}, "ENTRY_MISSING"),
    "a failing test": (fenced("def f(x):\n    return x"), {"entry": "f", "tests": TESTS}, "TEST_FAILED"),
    "a banned module": (
        fenced("import re\ndef f(x):\n    return re.escape(x)"),
        {"entry": "f", "banned": ["re"]},
        "BANNED_IN_CODE",
    ),
    "a banned method": (
        fenced("def f(x):\n    x.sort()\n    return x"),
        {"entry": "f", "banned": ["list.sort"]},
        "BANNED_IN_CODE",
    ),
    "a banned name from a module": (
        fenced("from collections import Counter\ndef f(x):\n    return Counter(x)"),
        {"entry": "f", "banned": ["collections.Counter"]},
        "BANNED_IN_CODE",
    ),
    "banned syntax": (
        fenced("def f(x):\n    for each in x:\n        pass"),
        {"entry": "f", "banned": ["for"]},
        "BANNED_IN_CODE",
    ),
}
LACKING: dict[str, tuple[str, dict[str, Any], str]] = {
    "a third-party module": (fenced("import numpy\nprint(numpy.ones(3))"), {}, "numpy"),
    "a third-party module, with tests": (
        fenced("import pandas\ndef f(x):\n    return 2 * x"),
        {"entry": "f", "tests": TESTS},
        "pandas",
    ),
    "a file": (fenced("open('data.csv').read()"), {}, "FileNotFoundError"),
    "input": (fenced("print(input())"), {}, "EOFError"),
    "an argument": (fenced("import sys\nprint(sys.argv[1])"), {}, "command-line arguments"),
    "threads": (fenced("import threading\nthreading.Thread(target=print).start()"), {}, "thread"),
    "arguments": (
        fenced(
            "import argparse\nargs = argparse.ArgumentParser()\nargs.add_argument('x')\nargs.parse_args()"
        ),
        {},
        "arguments",
    ),
}


@pytest.mark.parametrize("name", RUNS)
def test_code_that_runs_is_not_flagged(sandbox: Sandbox, name: str) -> None:
    """The right blocks are run, as a program or under the tests."""
    answer, parameters = RUNS[name]
    found = run(sandbox, answer, **parameters)
    assert (found.value, found.evidence["flags"]) == (1.0, [])


@pytest.mark.parametrize("name", FAULTS)
def test_code_at_fault_is_flagged(sandbox: Sandbox, name: str) -> None:
    """Each way to fail has its own flag."""
    answer, parameters, code = FAULTS[name]
    found = run(sandbox, answer, **parameters)
    assert found.value == 0.0
    assert [each["code"] for each in found.evidence["flags"]] == [code]


@pytest.mark.parametrize("name", LACKING)
def test_what_the_sandbox_lacks_is_no_flag(sandbox: Sandbox, name: str) -> None:
    """The answer is ungraded, and the reason names what it wanted."""
    answer, parameters, part = LACKING[name]
    found = run(sandbox, answer, **parameters)
    assert found.value is None
    assert part in str(found.reason)


def test_the_flag_names_the_line() -> None:
    """The line of the answer's code at which it ended is reported."""
    error = 'Traceback:\n  File "<answer>", line 3, in f\nZeroDivisionError: division by zero'
    reply = CodeReply(CodeStatus.FAILED, "", error, 0.1, "fake")
    found = CHECK.read(CASE, spec(), fenced("a = 1\nb = 0\na / b"), (reply,))
    assert isinstance(found, Grade)
    assert (found.evidence["flags"][0]["line"], found.evidence["flags"][0]["says"]) == (
        3,
        "ZeroDivisionError: division by zero",
    )


def test_no_sandbox_is_ungraded() -> None:
    """Without a sandbox the code is never run, and the reason is kept."""
    reply = CodeReply(CodeStatus.UNAVAILABLE, error="wasmtime is missing")
    found = CHECK.read(CASE, spec(), fenced("print(1)"), (reply,))
    assert isinstance(found, Grade)
    assert (found.value, "wasmtime is missing" in str(found.reason)) == (None, True)


def test_a_second_run_is_asked_for_once() -> None:
    """When all blocks together fail, the longest is run alone; when that fails too, it is flagged."""
    failed = CodeReply(CodeStatus.FAILED, "", "NameError: name 'load' is not defined", 0.1, "fake")
    answer = fenced("def f(x):\n    return x\n", "load()")
    assert isinstance(CHECK.read(CASE, spec(), answer, (failed,)), CodeAsk)
    assert isinstance(CHECK.read(CASE, spec(), answer, (failed, failed)), Grade)


TRACE = 'Traceback (most recent call last):\n  File "<answer>", line 4, in <module>\n'


@pytest.mark.parametrize(
    ("status", "error", "code"),
    [
        (CodeStatus.PASSED, "", None),
        (CodeStatus.TIMEOUT, "", "TIMES_OUT"),
        (CodeStatus.MEMORY, "", "OUT_OF_MEMORY"),
        (CodeStatus.FAILED, f"{TRACE}ValueError: no", "RAISES"),
        (CodeStatus.FAILED, f"{TRACE}IndentationError: unexpected indent", "DOES_NOT_COMPILE"),
        (CodeStatus.FAILED, "SystemExit: 1", "RAISES"),
    ],
    ids=range(6),
)
def test_the_code_of_an_ending(status: CodeStatus, error: str, code: str | None) -> None:
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
    assert (found.code, bool(found.ungraded)) == (None, True)


def test_the_line_is_that_of_the_answer() -> None:
    """The innermost line of the answer's own code is told."""
    error = f'{TRACE}  File "/lib/re.py", line 99, in sub\nTypeError: no'
    assert ending(CodeReply(CodeStatus.FAILED, "", error), "").line == 4


def test_the_last_error_counts() -> None:
    """Of a chain of errors the last ended the program."""
    assert last_error("KeyError: 'a'\n\nDuring handling:\n\nmodule.OddError: b c") == ("OddError", "b c")
