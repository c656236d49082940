"""The grade that a mechanical grader gives an answer, after checking that the parameters are sound."""

from __future__ import annotations

from typing import Any, cast

from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade, Grader
from assay.grading.registry import grader

CASE = Case("case", "checks", (), ())


def grade(name: str, answer: str, **parameters: Any) -> Grade:
    """Grade one answer; a grader that asks for something fails the test."""
    mechanical, spec = cast("Grader", grader(name)), GraderSpec(name, parameters)
    assert mechanical.problems(spec) == ()
    given = mechanical.read(CASE, spec, answer, ())
    assert isinstance(given, Grade)
    return given
