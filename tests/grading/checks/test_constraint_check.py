"""Constraints and patterns on answers."""

from __future__ import annotations

from typing import Any

import pytest

from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.constraint_check import ConstraintCheck

PARAMETERS: dict[str, Any] = {
    "constraints": [{"kind": "assay:word_count_between", "min_words": 2, "max_words": 5}],
    "must": ["hello"],
    "must_not": ["^- ", "\\bbye\\b"],
}
PASSING = [
    (PARAMETERS, "Hello there you"),
]
FLAGGED = [
    (PARAMETERS, "Hello", "CONSTRAINT_BROKEN"),
    (PARAMETERS, "Hello bye now", "FORBIDDEN"),
    (PARAMETERS, "hello\n- a b", "FORBIDDEN"),
    (PARAMETERS, "Hi there you", "MISSING"),
    (PARAMETERS, "hello one two three four five six", "CONSTRAINT_BROKEN"),
]


def grade(answer: str, parameters: dict[str, Any]) -> Grade:
    """Grade one answer after checking that the parameters are sound."""
    spec = GraderSpec("constraint_check", parameters)
    assert ConstraintCheck().problems(spec) == ()
    return ConstraintCheck().read(Case("case", "checks", (), ()), spec, answer, ())


@pytest.mark.parametrize(("parameters", "answer"), PASSING, ids=range(len(PASSING)))
def test_no_flag(parameters: dict[str, Any], answer: str) -> None:
    """An answer that keeps every constraint passes."""
    found = grade(answer, parameters)
    assert (found.value, found.evidence["flags"]) == (1.0, [])


@pytest.mark.parametrize(("parameters", "answer", "code"), FLAGGED, ids=range(len(FLAGGED)))
def test_a_flag(parameters: dict[str, Any], answer: str, code: str) -> None:
    """An answer that breaks one is flagged."""
    found = grade(answer, parameters)
    assert found.value == 0.0
    assert code in [each["code"] for each in found.evidence["flags"]]
