"""Replies from the sandbox become a grade: a share of tests, or ungraded."""

from __future__ import annotations

from typing import Any

import pytest

from assay.core.ask import CodeAsk, CodeReply, CodeStatus, Reply, UnitResult
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.code_tests import CodeTests

ANSWER = "```python\ndef add(a, b):\n    return a + b\n```"
TESTS = "".join(f"def test_{name}():\n    assert add(1, 2) == 3\n" for name in "abcde")
GRADER = CodeTests()


def case(**parameters: object) -> tuple[Case, GraderSpec]:
    spec = GraderSpec("code_tests", {"entry": "add", "tests": TESTS, **parameters})
    return Case("case", "code", (), (spec,)), spec


def graded(*replies: Reply, answer: str = ANSWER, **parameters: Any) -> Grade:
    return GRADER.read(*case(**parameters), answer, replies)


def reply(done: str, status: CodeStatus = CodeStatus.PASSED) -> CodeReply:
    """Return the reply of a run that ended the tests in `done`: a small letter passed, a capital failed."""
    results = [
        UnitResult(f"test_{one.lower()}", "" if one.islower() else "AssertionError: no") for one in done
    ]
    return CodeReply(status, "", "", 0.1, "fake", tuple(results))


def test_the_ask_holds_the_code_and_the_tests_apart() -> None:
    """The one ask carries the code, the limits and every test; the program holds nothing of the tests."""
    (ask,) = GRADER.asks(*case(seconds=3, megabytes=99, packages=["numpy"]), ANSWER)
    assert isinstance(ask, CodeAsk) and ask.unit_tests is not None
    assert ask.program == "def add(a, b):\n    return a + b"
    assert ask.unit_tests.tests == tuple(f"test_{name}" for name in "abcde")
    assert (ask.seconds, ask.megabytes, ask.packages) == (3, 99, ("numpy",))


def test_an_answer_without_code_scores_nothing() -> None:
    """No code: nothing is run, and the grade is 0 with the reason."""
    assert GRADER.asks(*case(), "I cannot do that.") == ()
    found = graded(answer="I cannot do that.")
    assert (found.value, found.evidence["note"]) == (0, "no code in the answer")


@pytest.mark.parametrize(("done", "value"), [("abcde", 1), ("abcdE", 0.8), ("ABCDE", 0)])
def test_the_grade_is_the_share_that_passed(done: str, value: float) -> None:
    """Each test weighs the same."""
    assert graded(reply(done)).value == pytest.approx(value)


def test_weights_count() -> None:
    """A test may weigh more than another."""
    assert graded(reply("aBCDE"), weights={"test_a": 6}).value == pytest.approx(0.6)


def test_failures_are_named() -> None:
    """The evidence names each failed test with its last error line, and the sandbox."""
    assert graded(reply("abCde")).evidence == {
        "passed": 4,
        "tests": 5,
        "failed": [{"test": "test_c", "error": "AssertionError: no"}],
        "sandbox": "fake",
    }


def test_tests_that_were_not_run_count_as_failed() -> None:
    """After three tests out of time the others are not run and fail."""
    found = graded(reply("aBCD", CodeStatus.TIMEOUT))
    assert (found.value, found.evidence["failed"][-1]) == (
        0.2,
        {"test": "test_e", "error": "not run: 3 tests had used up their limits"},
    )


def test_without_a_sandbox_nothing_is_guessed() -> None:
    """UNAVAILABLE is ungraded, with the reason."""
    found = graded(CodeReply(CodeStatus.UNAVAILABLE, error="wasm: not built"))
    assert (found.value, found.reason) == (None, "no sandbox: wasm: not built")


def test_tests_that_do_not_load_grade_nobody() -> None:
    """A suite's fault is ungraded, with the error."""
    found = graded(CodeReply(CodeStatus.FAILED, error="ImportError: no"))
    assert (found.value, found.reason) == (None, "the tests do not load: ImportError: no")
