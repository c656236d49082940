"""Common errors."""

from __future__ import annotations

from typing import Any

import pytest

from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.trap_common_error import TrapCommonError

PARAMETERS: dict[str, Any] = {
    "wrong": ["(?:passes|passed) by reference", "is O\\(1\\)"],
    "right": ["by (?:assignment|object|sharing)", "object reference"],
}
PASSING = [
    (PARAMETERS, "Python passes by assignment, also called call by sharing."),
    (PARAMETERS, "People often say Python passes by reference, but it's really by object sharing."),
    (
        PARAMETERS,
        "It's a common misconception that Python passes by reference. It passes object references by value.",
    ),
    (PARAMETERS, "Python is neither: it's not passed by reference; arguments are passed by assignment."),
    (PARAMETERS, "**Myth:** Python passes by reference. Reality: by assignment."),
    (
        PARAMETERS,
        (
            "Common misconceptions:\n- Python passes by reference\n- ints are copied\n\nIt passes by "
            "assignment."
        ),
    ),
    (PARAMETERS, '"Python passes by reference" is wrong. It\'s by sharing.'),
    (PARAMETERS, "Does Python use pass by reference, i.e. is it passed by reference? No: by assignment."),
    (PARAMETERS, "Saying that Python passes by reference is misleading; think of it as call by object."),
]
FLAGGED = [
    (PARAMETERS, "Python passes by reference for mutable objects and by object for others.", "STATES_ERROR"),
    (PARAMETERS, "In Python, everything is passed by reference.", "STATES_ERROR"),
    (PARAMETERS, "It is by value.", "LACKS_FACT"),
    (PARAMETERS, "Python doesn't copy: it passes by reference. Some call it by sharing.", "STATES_ERROR"),
]


def grade(answer: str, parameters: dict[str, Any]) -> Grade:
    """Grade one answer after checking that the parameters are sound."""
    spec = GraderSpec("trap_common_error", parameters)
    assert TrapCommonError().problems(spec) == ()
    return TrapCommonError().read(Case("case", "checks", (), ()), spec, answer, ())


@pytest.mark.parametrize(("parameters", "answer"), PASSING, ids=range(len(PASSING)))
def test_no_flag(parameters: dict[str, Any], answer: str) -> None:
    """An answer with the right fact passes, also where it names the error to reject it."""
    found = grade(answer, parameters)
    assert (found.value, found.evidence["flags"]) == (1.0, [])


@pytest.mark.parametrize(("parameters", "answer", "code"), FLAGGED, ids=range(len(FLAGGED)))
def test_a_flag(parameters: dict[str, Any], answer: str, code: str) -> None:
    """An answer that states the error, or lacks the fact, is flagged."""
    found = grade(answer, parameters)
    assert found.value == 0.0
    assert code in [each["code"] for each in found.evidence["flags"]]
