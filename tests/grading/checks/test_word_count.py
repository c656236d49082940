"""The number of words against a target."""

from __future__ import annotations

from typing import Any

import pytest

from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.word_count import WordCount


def words(number: int) -> str:
    return " ".join(f"word{at}" for at in range(number))


def grade(answer: str, **parameters: Any) -> Grade:
    """Grade one answer after checking that the parameters are sound."""
    spec = GraderSpec("word_count", parameters)
    assert WordCount().problems(spec) == ()
    return WordCount().read(Case("case", "checks", (), ()), spec, answer, ())


@pytest.mark.parametrize(("number", "value"), [(44, 0), (45, 1), (50, 1), (55, 1), (56, 0)])
def test_the_tolerance_is_a_tenth_unless_it_is_given(number: int, value: float) -> None:
    """Without a tolerance, ten per cent either way are allowed, the ends included."""
    assert grade(words(number), target=50).value == value


@pytest.mark.parametrize(("number", "value"), [(47, 0), (48, 1), (52, 1), (53, 0)])
def test_the_tolerance_counts_words(number: int, value: float) -> None:
    """A tolerance of 2 allows two words either way."""
    assert grade(words(number), target=50, tolerance=2).value == value


@pytest.mark.parametrize(
    "answer",
    [
        f"Here's a 50-word summary:\n\n{words(50)}",
        "Sure! Here is the email:\n\n**Subject:** Launch is moved by a week\n\n"
        f"{words(52)}\n\n(Word count: 52)",
        f"> {words(50)}\n\nThis version keeps the main point, cuts the rest, and has the tone you asked for.",
        f"**Summary (50 words):** {words(50)}",
        f"{words(48)}\n\n---\n\n*48 words*",
        f"```\n{words(50)}\n```",
        f"<think>{words(90)}</think>{words(50)}",
        f"# One heading of five words\n\n{words(55)}",
    ],
    ids=["announced", "email", "quoted", "labelled", "counted below", "fenced", "thought first", "headed"],
)
def test_what_stands_around_the_text_is_forgiven(answer: str) -> None:
    """The text alone is near the target; the answer passes though the whole is not."""
    assert grade(answer, target=50).value == 1


@pytest.mark.parametrize(
    "answer", [words(40), words(60), "", f"Here's a 50-word summary:\n\n{words(80)}"], ids=range(4)
)
def test_off_the_target(answer: str) -> None:
    """No reading is near the target: the flag tells the count of the whole."""
    found = grade(answer, target=50)
    assert found.value == 0
    assert found.evidence["flags"][0]["code"] == "WORD_COUNT"
