"""The choice grader: strict letters."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.choice import choice

CASE = Case("case", "quiz", (), ())


def grade(answer: str, **parameters: Any) -> Grade:
    """Grade one answer after checking that the parameters are sound."""
    spec = GraderSpec("choice", parameters)
    assert choice.problems(spec) == ()
    return choice.read(CASE, spec, answer, ())


def test_a_wrong_letter_is_valid_and_wrong() -> None:
    """The evidence tells a wrong choice from no choice."""
    found = grade("C", expect="B")
    assert (found.value, found.evidence["valid"], found.evidence["letter"]) == (0, True, "C")


def test_no_letter_is_invalid() -> None:
    """An answer without a choice marks 0 and is flagged."""
    found = grade("I cannot say.", expect="B")
    assert (found.value, found.evidence["valid"]) == (0, False)


def test_the_evidence_says_why() -> None:
    """Where the letter was found, and in which words."""
    found = grade("The best reading is C.", expect="B")
    assert found.evidence["why"] == "C, where the answer is stated: 'The best reading is C.'"


def test_the_options_bound_the_letters() -> None:
    """A letter counts only where it is an option, digits included."""
    assert grade("ANSWER: 3", expect="3", options="1234").value == 1
    assert grade("E", expect="E", options="ABCDE").value == 1


@pytest.mark.parametrize(
    ("parameters", "part"),
    [
        ({}, "one letter"),
        ({"expect": "BC"}, "one letter"),
        ({"expect": "E"}, "not one of the options"),
        ({"expect": "A", "options": "AAB"}, "repeat"),
        ({"expect": "A", "options": ["A", "B"]}, "options must"),
        ({"expect": "A", "marker": 3}, "marker"),
        ({"expect": "A", "letter": "A"}, "unknown parameter 'letter'"),
    ],
)
def test_unsound_parameters_are_named(parameters: dict[str, Any], part: str) -> None:
    """Every fault of a spec is told before anything is graded."""
    assert part in "\n".join(choice.problems(GraderSpec("choice", parameters)))


@given(st.text(max_size=200))
def test_any_text_gets_a_grade(answer: str) -> None:
    """No text, however odd, makes the grader fail."""
    assert grade(answer, expect="A").value in (0, 1)
