"""Replies from the sandbox become a grade: a share of tests, one more run, or ungraded."""

from __future__ import annotations

from typing import Any

import pytest

from assay.core.ask import CodeAsk, CodeReply, CodeStatus, Reply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.code_tests import CodeTests

ANSWER = "```python\ndef add(a, b):\n    return a + b\n```"
TESTS = "".join(f"def test_{name}():\n    assert add(1, 2) == 3\n" for name in "abcde")
TOKEN = "0123456789abcdef" * 2
GRADER = CodeTests()


def case(**parameters: object) -> tuple[Case, GraderSpec]:
    spec = GraderSpec("code_tests", {"entry": "add", "tests": TESTS, **parameters})
    return Case("case", "code", (), (spec,)), spec


def read(*replies: Reply, answer: str = ANSWER, **parameters: object) -> Grade | CodeAsk:
    found = GRADER.read(*case(**parameters), answer, replies)
    assert isinstance(found, Grade | CodeAsk)
    return found


def graded(*replies: Reply, **parameters: Any) -> Grade:
    found = read(*replies, **parameters)
    assert isinstance(found, Grade), found
    return found


def reply(done: str, status: CodeStatus = CodeStatus.PASSED, error: str = "", noise: str = "") -> CodeReply:
    """Return the reply of a run that ended the tests in `done`: a small letter passed, a capital failed."""
    results = [
        (f"test_{one.lower()}", one.islower(), "" if one.islower() else "AssertionError: no") for one in done
    ]
    lines = [f"{TOKEN}{results[: n + 1]!r}" for n in range(len(results))]
    return CodeReply(status, "\n".join([TOKEN, *lines, noise]) + "\n", error, 0.1, "fake")


def pending(found: Grade | CodeAsk) -> str:
    """Return the tests that an ask would run, by their letters."""
    assert isinstance(found, CodeAsk), found
    return "".join(one for one in "abcde" if f"'test_{one}'" in found.program.rpartition("(")[2])


def test_all_tests_are_asked_for_at_once() -> None:
    """The first ask carries the code, the limits and every test."""
    (ask,) = GRADER.asks(*case(seconds=3, megabytes=99, packages=["numpy"]), ANSWER)
    assert isinstance(ask, CodeAsk)
    assert (pending(ask), ask.seconds, ask.megabytes, ask.packages) == ("abcde", 3, 99, ("numpy",))


def test_the_program_is_plain_ascii() -> None:
    """Whatever the answer holds, the program can be written anywhere."""
    (ask,) = GRADER.asks(*case(), "def add(a, b): return 'ü\ud800\u2028'")
    assert isinstance(ask, CodeAsk) and ask.program.isascii()


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


@pytest.mark.parametrize("status", [CodeStatus.FAILED, CodeStatus.PASSED])
def test_a_run_that_ended_condemns_the_test_it_was_at(status: CodeStatus) -> None:
    """The test that ended the program has failed, and those after it are asked for again."""
    assert pending(read(reply("ab", status, "exit status 1"))) == "de"


@pytest.mark.parametrize("status", [CodeStatus.TIMEOUT, CodeStatus.MEMORY])
def test_a_test_cut_short_by_earlier_ones_is_run_again(status: CodeStatus) -> None:
    """A test that others ran before has not had the whole limit, so it gets a run of its own."""
    assert pending(read(reply("ab", status))) == "cde"


def test_a_test_that_used_its_whole_limit_has_failed() -> None:
    """A run that ends at its first test condemns that one."""
    replies = (reply("ab", CodeStatus.TIMEOUT), reply("", CodeStatus.TIMEOUT, "no end within 10 s"))
    assert pending(read(*replies)) == "de"


def test_replies_add_up() -> None:
    """Several runs together give one grade."""
    ended = CodeReply(CodeStatus.TIMEOUT, f"{TOKEN}\n", "no end within 10 s", 10, "fake")
    rest = reply("DE")
    found = graded(reply("ab", CodeStatus.TIMEOUT), ended, rest)
    assert (found.value, found.evidence["failed"][0]["error"]) == (0.4, "time-out: no end within 10 s")


def test_code_that_uses_up_three_limits_is_given_up() -> None:
    """After three tests out of time the others count as failed."""
    found = graded(*[reply("", CodeStatus.TIMEOUT)] * 3)
    assert (found.value, found.evidence["failed"][-1]["error"]) == (
        0,
        "not run: 3 tests had used up their limits",
    )


def test_without_a_sandbox_nothing_is_guessed() -> None:
    """UNAVAILABLE is ungraded, with the reason."""
    found = graded(CodeReply(CodeStatus.UNAVAILABLE, error="wasm: not built"))
    assert (found.value, found.reason) == (None, "no sandbox: wasm: not built")


def test_a_harness_that_never_started_grades_nobody() -> None:
    """Without the first line the fault is not the answer's."""
    found = graded(CodeReply(CodeStatus.FAILED, "", "ModuleNotFoundError: No module named 'assay_inside'"))
    assert found.value is None and "ModuleNotFoundError" in (found.reason or "")


def test_tests_that_do_not_load_grade_nobody() -> None:
    """A suite's fault is ungraded, with the error."""
    found = graded(CodeReply(CodeStatus.PASSED, f"{TOKEN}\n{TOKEN}'ImportError: no'\n"))
    assert (found.value, found.reason) == (None, "the tests do not load: ImportError: no")


@pytest.mark.parametrize(
    "noise",
    [
        "[('test_a', True, '')]",
        "0" * 32 + "[('test_c', True, '')]",
        TOKEN + "[('test_c', True",
        TOKEN + "[('test_z', True, '')]",
        "\n[... 5 bytes cut ...]\n",
    ],
)
def test_lines_without_the_token_or_the_shape_do_not_count(noise: str) -> None:
    """Only whole lines with the token of the first line, about tests that were asked for, are results."""
    assert pending(read(reply("ab", CodeStatus.FAILED, noise=noise))) == "de"
