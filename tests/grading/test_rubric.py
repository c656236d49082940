"""The rubric grader, while no judge is wired in."""

from __future__ import annotations

import pytest

from assay.core.ask import Message
from assay.core.case import Case, GraderSpec
from assay.grading.rubric import Rubric

CASE = Case("c", "u", (Message("user", "?"),), ())


def test_without_a_judge_every_answer_is_ungraded() -> None:
    """It asks nothing, guesses nothing, and says why."""
    rubric, spec = Rubric(), GraderSpec("rubric", {"rubric": "5: all there. 1: nothing."})
    assert rubric.asks(CASE, spec, "an answer") == ()
    grade = rubric.read(CASE, spec, "an answer", ())
    assert grade.value is None
    assert "no judge" in str(grade.reason)


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ({}, "no rubric"),
        ({"rubric": "  "}, "no rubric"),
        ({"rubric": "5: good", "criterion": "x"}, "criterion"),
    ],
)
def test_what_is_wrong_with_the_parameters_is_told(parameters: dict[str, str], told: str) -> None:
    """A missing rubric and an unknown parameter are named."""
    assert told in " ".join(Rubric().problems(GraderSpec("rubric", parameters)))


def test_a_rubric_with_criteria_is_in_order() -> None:
    """Both texts are known parameters."""
    assert Rubric().problems(GraderSpec("rubric", {"rubric": "5: good", "criteria": "be brief"})) == ()
