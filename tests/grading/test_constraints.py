"""The constraints grader: share of constraints followed, strict and loose."""

from __future__ import annotations

from typing import Any

import pytest

from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.constraints import Constraints, check, variants

CASE = Case("c", "instruction-following", (), ())
TITLE = {"kind": "detectable_format:title"}
COMMA = {"kind": "punctuation:no_comma"}
END = {"kind": "startend:end_checker", "end_phrase": "Bye."}


def spec(*constraints: Any, **parameters: Any) -> GraderSpec:
    return GraderSpec("constraints", {"constraints": list(constraints), **parameters})


def graded(answer: str, *constraints: Any, **parameters: Any) -> Grade:
    return Constraints().read(CASE, spec(*constraints, **parameters), answer, ())


def test_the_score_is_the_share_followed() -> None:
    """Two of three constraints followed give two thirds."""
    assert graded("<<A>> one, two. Bye.", TITLE, COMMA, END).value == pytest.approx(2 / 3)


def test_evidence_says_what_was_counted_and_wanted() -> None:
    """Each constraint shows its count beside what it wanted."""
    evidence = graded("one, two, three", COMMA).evidence
    assert evidence["constraints"] == [
        {
            "kind": "punctuation:no_comma",
            "followed": False,
            "counted": 2,
            "wanted": "no comma",
            "variant": "as it is",
        }
    ]


def test_an_empty_answer_follows_nothing() -> None:
    """Silence holds no comma and still follows nothing."""
    assert graded(" \n", COMMA).value == 0


def test_strict_reads_the_answer_as_it_is() -> None:
    """A line after the end phrase breaks it in strict mode."""
    assert graded("So. Bye.\n(Written as asked)", END).value == 0


def test_loose_forgives_a_line_around_the_answer() -> None:
    """Loose mode finds the end phrase once the last line is dropped, and says so."""
    grade = graded("So. Bye.\n(Written as asked)", END, mode="loose")
    assert (grade.value, grade.evidence["constraints"][0]["variant"]) == (1, "without its last line")


def test_loose_drops_asterisks() -> None:
    """Emphasis around the end phrase is forgiven in loose mode."""
    found = check("startend:end_checker", {"end_phrase": "Bye."}, "So. **Bye.**", mode="loose")
    assert (found.followed, found.variant) == (True, "as it is, without asterisks")


def test_a_blank_variant_follows_nothing() -> None:
    """A one-line answer without its only line is blank, and a blank text follows nothing."""
    assert not check("punctuation:no_comma", {}, "one, two", mode="loose").followed


def test_there_are_eight_variants() -> None:
    """The paper's eight: first and last line dropped or not, asterisks dropped or not."""
    assert [text for _, text in variants("a\n*b*\nc")] == [
        "a\n*b*\nc", "*b*\nc", "a\n*b*", "*b*", "a\nb\nc", "b\nc", "a\nb", "b"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({}, "write a list"),
        ({"constraints": []}, "write a list"),
        ({"constraints": ["no comma"]}, "mapping with a `kind`"),
        ({"constraints": [{"kind": "no_comma"}]}, "punctuation:no_comma"),
        ({"constraints": [{"kind": ["x"]}]}, "unknown kind"),
        ({"constraints": [{**COMMA, "max": 1}]}, "does not know 'max'"),
        ({"constraints": [COMMA], "mode": "lax"}, "'strict' or 'loose'"),
        ({"constraints": [COMMA], "weights": [1]}, "unknown parameter 'weights'"),
    ],
)
def test_problems_say_what_to_write(parameters: dict[str, Any], says: str) -> None:
    """Wrong parameters are reported with what to write instead."""
    assert says in " ".join(Constraints().problems(GraderSpec("constraints", parameters)))


def test_good_parameters_raise_no_problem() -> None:
    """A well-formed list passes, and nothing is asked of anyone."""
    good = spec(TITLE, COMMA, END, mode="loose")
    assert (Constraints().problems(good), Constraints().asks(CASE, good, "x")) == ((), ())
