"""The exact grader and its normalisation."""

from __future__ import annotations

from typing import Any

from every_row import every_row
from hypothesis import given
from hypothesis import strategies as st

from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.exact import exact

CASE = Case("case", "facts", (), ())


def grade(answer: str, expect: Any, **parameters: Any) -> Grade:
    """Grade one answer after checking that the parameters are sound."""
    spec = GraderSpec("exact", {"expect": expect, **parameters})
    assert exact.problems(spec) == ()
    return exact.read(CASE, spec, answer, ())


@every_row(
    "answer, parameters, value",
    [
        ("Zürich", {}, 1),
        ("  zürich.\n", {}, 1),
        ("**Zürich**", {}, 1),
        ("“Zürich”", {}, 1),
        ("Zu\u0308rich", {}, 1),
        ("$\\text{Zürich}$", {}, 1),
        ("zürich", {"ignore_case": False}, 0),
        ("Zürich.", {"ignore_markup": False}, 0),
        ("Zurich", {}, 0),
        ("Zurich", {"ignore_accents": True}, 1),
        ("the Zürich", {"ignore_articles": True}, 1),
        ("Zü-rich!", {"ignore_punctuation": True}, 1),
        ("It is Zürich", {}, 0),
        ("", {}, 0),
        ("It is far.\nANSWER: Zürich", {"marker": "ANSWER:"}, 1),
        ("ANSWER: Zürich\nANSWER: Bern", {"marker": "ANSWER:"}, 0),
        ("ANSWER: Zürich or Bern", {"marker": "ANSWER:"}, 0),
        ("Zürich", {"marker": "ANSWER:"}, 1),
    ],
)
def test_only_what_is_declared_is_ignored(answer: str, parameters: dict[str, Any], value: int) -> None:
    """Each switch forgives its own kind of difference and no other."""
    assert grade(answer, "Zürich", **parameters).value == value


def test_any_accepted_text_will_do() -> None:
    """A list names alternatives."""
    assert grade("NYC", ["New York", "NYC"]).value == 1


def test_lines_count_where_the_expected_text_has_several() -> None:
    """A text of several lines is taken whole after the marker."""
    assert (
        grade(
            "ANSWER:\nroses are red\nviolets are blue", "roses are red\nviolets are blue", marker="ANSWER:"
        ).value
        == 1
    )


def test_evidence_tells_what_was_compared() -> None:
    """The evidence shows the text, its place and what was ignored."""
    evidence = grade("ANSWER: Bern", "Zürich", marker="ANSWER:").evidence
    assert evidence == {
        "expected": ["Zürich"],
        "got": "Bern",
        "where": "after the last 'ANSWER:'",
        "ignored": ["case", "space", "markup"],
        "verdict": "no accepted text",
    }


@every_row(
    "parameters, part",
    [
        ({}, "expect must be"),
        ({"expect": 5}, "expect must be"),
        ({"expect": []}, "expect must be"),
        ({"expect": ["a", 5]}, "expect has 5"),
        ({"expect": " . "}, "not empty"),
        ({"expect": "a", "ignore_case": "no"}, "ignore_case"),
        ({"expect": "a", "marker": ":"}, "marker"),
        ({"expect": "a", "markers": ":"}, "unknown parameter 'markers'"),
    ],
)
def test_unsound_parameters_are_named(parameters: dict[str, Any], part: str) -> None:
    """Every fault of a spec is reported before anything is graded."""
    assert part in "\n".join(exact.problems(GraderSpec("exact", parameters)))


@given(st.text(min_size=1, max_size=60))
def test_a_text_equals_itself(text: str) -> None:
    """Whatever the normalisation does, it does to both sides."""
    spec = GraderSpec("exact", {"expect": text})
    if not exact.problems(spec):
        assert exact.read(CASE, spec, text, ()).value == 1
