"""The contains grader: facts said, facts not said, and where."""

from __future__ import annotations

from typing import Any

import pytest
from every_row import every_row
from hypothesis import given
from hypothesis import strategies as st

from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.contains import contains, plain, score
from assay.grading.text.pattern import LONGEST

CASE = Case("c", "report-analysis", (), ())


def graded(answer: str, **parameters: Any) -> Grade:
    return contains.read(CASE, GraderSpec("contains", parameters), answer, ())


def test_each_fact_counts() -> None:
    """One of two facts and one of one group give two thirds."""
    grade = graded("Refunds within 30 days by e-mail.", all=["30 days", "receipt"], any=[["chat", "e-?mail"]])
    assert grade.value == pytest.approx(2 / 3)


def test_a_forbidden_fact_takes_one_back() -> None:
    """A wrong promise beside two right facts leaves half."""
    grade = graded("30 days, with receipt, guaranteed!", all=["30 days", "receipt"], none=["guaranteed"])
    assert grade.value == 0.5


def test_silence_earns_nothing() -> None:
    """An empty answer says nothing forbidden and still scores 0."""
    assert [graded(" ", none=["x"]).value, graded("hm", all=["a"], none=["x", "y"]).value] == [0, 0]


def test_with_only_forbidden_facts_their_absence_counts() -> None:
    """One of two forbidden facts said gives half."""
    assert graded("It is x", none=["x", "y"]).value == 0.5


def test_evidence_shows_the_place() -> None:
    """A found pattern shows its line, its words and those around it."""
    (found,) = graded("First.\nThe total is **1,234** euros.", all=[r"total is [\d,]+"]).evidence["all"]
    assert (found["line"], found["text"]) == (2, "total is 1,234")


def test_typographic_marks_are_read_as_ascii() -> None:
    """Curly quotes, hard spaces, hyphens and emphasis do not hide a fact."""
    assert plain("don\u2019t \u2013 **30\u00a0days** `x\u2011y`") == "don't - 30 days x-y"


def test_plain_can_be_switched_off() -> None:
    """Without `plain` the marks themselves can be looked for."""
    assert graded("**bold**", all=[r"\*\*bold\*\*"], plain=False).value == 1


def test_case_counts_on_demand() -> None:
    """Case is ignored unless the suite says otherwise."""
    assert [graded("Oslo", all=["oslo"]).value, graded("Oslo", all=["oslo"], ignore_case=False).value] == [
        1,
        0,
    ]


def test_a_very_long_answer_is_cut() -> None:
    """What stands beyond the limit is not read, and the evidence says how much."""
    grade = graded("x" * LONGEST + " fact", all=["fact"])
    assert (grade.value, grade.evidence["unread characters"]) == (0, 5)


@given(st.integers(1, 9), st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))
def test_the_score_stays_in_range(wanted: int, found: int, forbidden: int, broken: int) -> None:
    """The score is 0 to 1, and no forbidden fact raises it."""
    found, broken = min(found, wanted), min(broken, forbidden)
    value = score(wanted, found, forbidden, broken)
    assert 0 <= value <= 1 and value <= score(wanted, found, forbidden, 0)


@every_row(
    "parameters, says",
    [
        ({}, "no patterns"),
        ({"all": ["("]}, "compile"),
        ({"all": ["(a+)+"]}, "for ever"),
        ({"none": ["(?:x)?"]}, "empty text"),
        ({"all": "30 days"}, "write a list"),
        ({"any": ["email"]}, "list of lists"),
        ({"any": [[]]}, "list of lists"),
        ({"all": ["a"], "ignore_case": "yes"}, "true or false"),
        ({"every": ["a"]}, "unknown parameter"),
    ],
)
def test_problems_say_what_to_write(parameters: dict[str, Any], says: str) -> None:
    """Wrong parameters are reported when the suite is loaded."""
    assert says in " ".join(contains.problems(GraderSpec("contains", parameters)))


def test_good_parameters_raise_no_problem() -> None:
    """A well-formed specification passes, and nothing is asked of anyone."""
    spec = GraderSpec("contains", {"all": ["a"], "any": [["b", "c"]], "none": ["d"], "plain": False})
    assert (contains.problems(spec), contains.asks(CASE, spec, "x")) == ((), ())
