"""Made-up packages and functions."""

from __future__ import annotations

from typing import Any

import pytest

from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.hallucination_api import HallucinationApi

PARAMETERS: dict[str, Any] = {"names": ["fastjoin", "pandas.DataFrame.smart_merge"]}
PASSING = [
    (PARAMETERS, "Use pandas.merge."),
    (PARAMETERS, "I'm not aware of a package called `fastjoin`."),
    (PARAMETERS, "`pandas.DataFrame.smart_merge` doesn't exist; use merge. fastjoin isn't a package I know."),
    (PARAMETERS, "```python\nimport fastjoin  # note: I can't verify that fastjoin exists\n```"),
    (PARAMETERS, "There is no fastjoin on PyPI, so use merge."),
]
FLAGGED = [
    (PARAMETERS, "```python\nimport fastjoin\n```", "USED_AS_REAL"),
    (
        PARAMETERS,
        (
            "`pandas.DataFrame.smart_merge` doesn't exist, but you can use fastjoin:\n```python\nimport "
            "fastjoin\n```"
        ),
        "USED_AS_REAL",
    ),
    (PARAMETERS, "Install fastjoin with pip. If the folder does not exist, create it.", "USED_AS_REAL"),
]


def grade(answer: str, parameters: dict[str, Any]) -> Grade:
    """Grade one answer after checking that the parameters are sound."""
    spec = GraderSpec("hallucination_api", parameters)
    assert HallucinationApi().problems(spec) == ()
    return HallucinationApi().read(Case("case", "checks", (), ()), spec, answer, ())


@pytest.mark.parametrize(("parameters", "answer"), PASSING, ids=range(len(PASSING)))
def test_no_flag(parameters: dict[str, Any], answer: str) -> None:
    """An answer that avoids the made-up names, or says that it does not know them, passes."""
    found = grade(answer, parameters)
    assert (found.value, found.evidence["flags"]) == (1.0, [])


@pytest.mark.parametrize(("parameters", "answer", "code"), FLAGGED, ids=range(len(FLAGGED)))
def test_a_flag(parameters: dict[str, Any], answer: str, code: str) -> None:
    """An answer that uses one as if it were real is flagged."""
    found = grade(answer, parameters)
    assert found.value == 0.0
    assert code in [each["code"] for each in found.evidence["flags"]]
