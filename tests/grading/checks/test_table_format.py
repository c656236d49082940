"""The shape of tables."""

from __future__ import annotations

from typing import Any

import pytest

from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.table_format import TableFormat

PARAMETERS_1: dict[str, Any] = {"rows": 2, "columns": 2, "header": ["name", "age"], "only": True}
PARAMETERS_2: dict[str, Any] = {"rows": 2, "columns": 2}
PASSING = [
    (PARAMETERS_1, "| Name | Age |\n|---|---|\n| Ann | 3 |\n| Bo | 4 |"),
    (PARAMETERS_1, "```markdown\n| Name | Age |\n|---|---|\n| Ann | 3 |\n| Bo | 4 |\n```"),
    (PARAMETERS_1, "Name | Age\n:--|--:\nAnn | 3\nBo | 4\n"),
    (PARAMETERS_1, "| **Name** | Age |\n|:---:|---|\n| a\\|b | 3 |\n|---|---|\n| Bo | `4` |"),
    (
        PARAMETERS_1,
        (
            "<table><tr><th>Name</th><th>Age</th></tr><tr><td>a</td><td>1</td></tr><tr><td>b</td><td>2</t"
            "d></tr></table>"
        ),
    ),
    (PARAMETERS_2, "Text\n\n| Name | Age |\n|---|---|\n| Ann | 3 |\n| Bo | 4 |\n\nmore"),
    (PARAMETERS_2, "| x |\n|---|\n\n| Name | Age |\n|---|---|\n| Ann | 3 |\n| Bo | 4 |"),
]
FLAGGED = [
    (PARAMETERS_1, "Here:\n\n| Name | Age |\n|---|---|\n| Ann | 3 |\n| Bo | 4 |", "TEXT_BESIDE"),
    (PARAMETERS_1, "| Name | Age |\n|---|---|\n| Ann | 3 |\n| Bo | 4 |\n\nLet me know!", "TEXT_BESIDE"),
    (PARAMETERS_1, "| Name | Age |\n|---|---|\n| Ann | 3 |\n| Bo | 4 |\n| C | 5 |", "ROWS"),
    (PARAMETERS_1, "| Name | Age | X |\n|---|---|---|\n| Ann | 3 | 1 |\n| Bo | 4 | 1 |", "COLUMNS"),
    (PARAMETERS_1, "| Nom | Age |\n|---|---|\n| Ann | 3 |\n| Bo | 4 |", "HEADER"),
    (PARAMETERS_1, "Name: Ann", "NO_TABLE"),
    (PARAMETERS_1, "| Name | Age |\n|---|---|\n| Ann | 3 |\n| Bo |", "COLUMNS"),
    (PARAMETERS_1, "", "NO_TABLE"),
    (PARAMETERS_2, "x", "NO_TABLE"),
]


def grade(answer: str, parameters: dict[str, Any]) -> Grade:
    """Grade one answer after checking that the parameters are sound."""
    spec = GraderSpec("table_format", parameters)
    assert TableFormat().problems(spec) == ()
    return TableFormat().read(Case("case", "checks", (), ()), spec, answer, ())


@pytest.mark.parametrize(("parameters", "answer"), PASSING, ids=range(len(PASSING)))
def test_no_flag(parameters: dict[str, Any], answer: str) -> None:
    """An answer whose table has the shape passes, however it is written."""
    found = grade(answer, parameters)
    assert (found.value, found.evidence["flags"]) == (1.0, [])


@pytest.mark.parametrize(("parameters", "answer", "code"), FLAGGED, ids=range(len(FLAGGED)))
def test_a_flag(parameters: dict[str, Any], answer: str, code: str) -> None:
    """An answer with another shape, or text beside the table, is flagged."""
    found = grade(answer, parameters)
    assert found.value == 0.0
    assert code in [each["code"] for each in found.evidence["flags"]]
