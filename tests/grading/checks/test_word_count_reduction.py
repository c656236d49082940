"""Texts made shorter."""

from __future__ import annotations

from typing import Any

import pytest

from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.word_count_reduction import WordCountReduction


def words(number: int) -> str:
    return " ".join(f"word{at}" for at in range(number))


def grade(answer: str, **parameters: Any) -> Grade:
    """Grade one answer after checking that the parameters are sound."""
    spec = GraderSpec("word_count_reduction", parameters)
    assert WordCountReduction().problems(spec) == ()
    return WordCountReduction().read(Case("case", "checks", (), ()), spec, answer, ())


@pytest.mark.parametrize("original", [100, words(100)], ids=["a number", "the text"])
@pytest.mark.parametrize(("number", "value"), [(50, 1), (51, 0)])
def test_the_share_of_the_original(original: int | str, number: int, value: float) -> None:
    """At most half of the original, which is given as a text or as its number of words."""
    assert grade(words(number), original=original, share=0.5).value == value


@pytest.mark.parametrize(
    ("number", "code"), [(19, "TOO_SHORT"), (20, None), (30, None), (31, "NOT_SHORT_ENOUGH")]
)
def test_both_limits(number: int, code: str | None) -> None:
    """A text under the minimum is told apart from one that is not short enough."""
    flags = grade(words(number), original=100, max_words=30, min_words=20).evidence["flags"]
    assert [each["code"] for each in flags] == ([code] if code else [])


@pytest.mark.parametrize(
    "answer",
    [
        f"Here's the shortened version:\n\n{words(45)}\n\n**Changes made:**\n- no filler\n- shorter",
        f"**Edited version (45 words):**\n\n{words(45)}",
        f"{words(48)}\n\nI cut the second sentence, since it repeats the first.",
    ],
    ids=["changes listed", "labelled", "remark below"],
)
def test_what_stands_around_the_text_is_forgiven(answer: str) -> None:
    """Remarks on the edit do not count as the edited text."""
    assert grade(answer, original=100, max_words=48).value == 1


def test_a_long_text_under_a_short_remark_is_flagged() -> None:
    """What is announced still has to be short."""
    assert grade(f"Here it is:\n\n{words(70)}\n\nChanges: none", original=100, share=0.5).value == 0
