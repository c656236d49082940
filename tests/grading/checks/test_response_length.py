"""The length of answers."""

from __future__ import annotations

from typing import Any

import pytest

from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.response_length import ResponseLength

PARAMETERS_1: dict[str, Any] = {"max_words": 5, "max_sentences": 1}
PARAMETERS_2: dict[str, Any] = {"min_words": 3}
PASSING = [
    (PARAMETERS_1, "Paris."),
    (PARAMETERS_1, "It is **Paris**, of course."),
    (PARAMETERS_2, "one two three"),
]
FLAGGED = [
    (PARAMETERS_1, "It is Paris, which is in France.", "TOO_LONG"),
    (PARAMETERS_1, "Yes. No.", "TOO_MANY_SENTENCES"),
    (PARAMETERS_2, "one two", "TOO_SHORT"),
    (PARAMETERS_2, "```python\na b c d\n```", "TOO_SHORT"),
]


def grade(answer: str, parameters: dict[str, Any]) -> Grade:
    """Grade one answer after checking that the parameters are sound."""
    spec = GraderSpec("response_length", parameters)
    assert ResponseLength().problems(spec) == ()
    return ResponseLength().read(Case("case", "checks", (), ()), spec, answer, ())


@pytest.mark.parametrize(("parameters", "answer"), PASSING, ids=range(len(PASSING)))
def test_no_flag(parameters: dict[str, Any], answer: str) -> None:
    """An answer within the limits passes."""
    found = grade(answer, parameters)
    assert (found.value, found.evidence["flags"]) == (1.0, [])


@pytest.mark.parametrize(("parameters", "answer", "code"), FLAGGED, ids=range(len(FLAGGED)))
def test_a_flag(parameters: dict[str, Any], answer: str, code: str) -> None:
    """An answer outside of a limit is flagged."""
    found = grade(answer, parameters)
    assert found.value == 0.0
    assert code in [each["code"] for each in found.evidence["flags"]]
