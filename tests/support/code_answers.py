"""Grading answers with code as a run would."""

from __future__ import annotations

from assay.core.ask import CodeAsk, CodeReply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.code_tests import CodeTests
from assay.sandbox.sandbox import Sandbox

GRADER = CodeTests()


def grade(sandbox: Sandbox, answer: str, tests: str, entry: str, **parameters: object) -> Grade:
    """Return the grade of an answer."""
    spec = GraderSpec("code_tests", {"entry": entry, "tests": tests, "seconds": 20, **parameters})
    assert not GRADER.problems(spec)
    return grade_by(sandbox, spec, answer)


def grade_by(sandbox: Sandbox, spec: GraderSpec, answer: str) -> Grade:
    """Return the grade that the grader of a suite gives."""
    case = Case("case", "code", (), (spec,))
    replies: list[CodeReply] = []
    for ask in GRADER.asks(case, spec, answer):
        assert isinstance(ask, CodeAsk)
        replies.append(sandbox.run(ask))
    return GRADER.read(case, spec, answer, tuple(replies))
