"""Answers that try to mark themselves earn no more than the same answers without the attempt."""

from __future__ import annotations

import pytest
from code_answers import grade_by
from own_suites import own_suite

from assay.core.case import GraderSpec
from assay.sandbox.sandbox import Sandbox

FACTORS = {
    "code-expand-template": "expand",
    "code-stock-ledger": "book",
    "code-league-table": "standings",
    "code-retain-backups": "retain",
    "code-recalc-sheet": "recalc",
}
RAISES = "class Odd(ValueError, KeyError): pass\ndef {entry}(*arguments): raise Odd\n"
# `str(error)` in the harness leaves its frame, and so its globals, in the traceback of what `__str__` raises.
BY_TEXT = """
import sys
class Odd(ValueError, KeyError):
    def __str__(self):
        raise sys.kept
if not hasattr(sys, "kept"):
    sys.kept = ValueError("kept")
trace = sys.kept.__traceback__
while trace is not None:
    found = trace.tb_frame.f_globals
    if "report" in found and not hasattr(sys, "done"):
        sys.done = found["report"]
        found["report"] = lambda token, results: sys.done(token, [(name, True, "") for name, _, _ in results])
    trace = trace.tb_next
def {entry}(*arguments): raise Odd
"""
# A test that catches the answer's exception leaves its own frame in the traceback.
BY_CATCHING = """
import sys
class Odd(ValueError, KeyError): pass
if not hasattr(sys, "kept"):
    sys.kept = Odd()
def {entry}(*arguments):
    trace = sys.kept.__traceback__
    while trace is not None:
        compare = trace.tb_frame.f_globals.get("__assay_compare__")
        if compare is not None:
            table = compare.__globals__["OPERATORS"]
            table.update(dict.fromkeys(table, lambda left, right: True))
            return ()
        trace = trace.tb_next
    raise sys.kept
"""


def mark(sandbox: Sandbox, spec: GraderSpec, answer: str) -> float:
    """Return the mark that the grader of a suite gives."""
    grade = grade_by(sandbox, spec, answer)
    assert grade.value is not None, grade.reason
    return grade.value


@pytest.fixture(scope="module")
def specs() -> dict[str, GraderSpec]:
    """The graders of the daily suite's code cases."""
    suite = own_suite("daily")
    cases = [case for use_case in suite.use_cases for case in use_case.cases]
    return {case.id: spec for case in cases for spec in case.graders if spec.name == "code_tests"}


@pytest.mark.slow
@pytest.mark.parametrize("case", FACTORS)
@pytest.mark.parametrize("exploit", [BY_TEXT, BY_CATCHING], ids=["by its text", "by being caught"])
def test_an_exception_opens_no_way_to_the_tests(
    sandbox: Sandbox, specs: dict[str, GraderSpec], case: str, exploit: str
) -> None:
    """The frames in an exception's traceback are the answer's own: none leads to the tests or the marks."""
    entry = FACTORS[case]
    attempt = mark(sandbox, specs[case], exploit.replace("{entry}", entry))
    assert attempt == mark(sandbox, specs[case], RAISES.replace("{entry}", entry))
    assert attempt < 0.5
