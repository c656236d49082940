"""The number of words against a target and against an original."""

from __future__ import annotations

import pytest
from check_grades import grade
from every_row import every_row


def words(number: int) -> str:
    return " ".join(f"word{at}" for at in range(number))


@pytest.mark.parametrize(("number", "value"), [(44, 0), (45, 1), (50, 1), (55, 1), (56, 0)])
def test_the_tolerance_is_a_tenth_unless_it_is_given(number: int, value: float) -> None:
    """Without a tolerance, ten per cent either way are allowed, the ends included."""
    assert grade("word_count", words(number), target=50).value == value


@pytest.mark.parametrize(("number", "value"), [(47, 0), (48, 1), (52, 1), (53, 0)])
def test_the_tolerance_counts_words(number: int, value: float) -> None:
    """A tolerance of 2 allows two words either way."""
    assert grade("word_count", words(number), target=50, tolerance=2).value == value


@every_row(
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
    assert grade("word_count", answer, target=50).value == 1


@pytest.mark.parametrize(
    "answer", [words(40), words(60), "", f"Here's a 50-word summary:\n\n{words(80)}"], ids=range(4)
)
def test_off_the_target(answer: str) -> None:
    """No reading is near the target: the flag tells the count of the whole."""
    given = grade("word_count", answer, target=50)
    assert given.value == 0
    assert given.evidence["flags"][0]["code"] == "WORD_COUNT"


@pytest.mark.parametrize("original", [100, words(100)], ids=["a number", "the text"])
@pytest.mark.parametrize(("number", "value"), [(50, 1), (51, 0)])
def test_the_share_of_the_original(original: int | str, number: int, value: float) -> None:
    """At most half of the original, which is given as a text or as its number of words."""
    assert grade("word_count_reduction", words(number), original=original, share=0.5).value == value


@pytest.mark.parametrize(
    ("number", "code"), [(19, "TOO_SHORT"), (20, None), (30, None), (31, "NOT_SHORT_ENOUGH")]
)
def test_both_limits(number: int, code: str | None) -> None:
    """A text under the minimum is told apart from one that is not short enough."""
    flags = grade("word_count_reduction", words(number), original=100, max_words=30, min_words=20).evidence[
        "flags"
    ]
    assert [flag["code"] for flag in flags] == ([code] if code else [])


@pytest.mark.parametrize(
    "answer",
    [
        f"Here's the shortened version:\n\n{words(45)}\n\n**Changes made:**\n- no filler\n- shorter",
        f"**Edited version (45 words):**\n\n{words(45)}",
        f"{words(48)}\n\nI cut the second sentence, since it repeats the first.",
    ],
    ids=["changes listed", "labelled", "remark below"],
)
def test_remarks_on_the_edit_are_forgiven(answer: str) -> None:
    """Remarks on the edit do not count as the edited text."""
    assert grade("word_count_reduction", answer, original=100, max_words=48).value == 1


def test_a_long_text_under_a_short_remark_is_flagged() -> None:
    """What is announced still has to be short."""
    assert (
        grade(
            "word_count_reduction", f"Here it is:\n\n{words(70)}\n\nChanges: none", original=100, share=0.5
        ).value
        == 0
    )


LABELLED = {
    "a draft, then the final one": (f"Draft 1:\n\n{words(60)}\n\n**Final version**\n\n{words(25)}", 1),
    "a final one that is too long": (f"Draft 1:\n\n{words(25)}\n\n**Final version**\n\n{words(60)}", 0),
    "two that fit": (f"## Option A\n{words(20)}\n## Option B\n{words(22)}", 1),
    "one of two fits": (f"## Option A\n{words(20)}\n## Option B\n{words(32)}", 0),
    "a text's own headings": (f"**Staff:** {words(20)}\n\n**Money:** {words(22)}", 0),
}


@pytest.mark.parametrize(("answer", "value"), LABELLED.values(), ids=LABELLED)
def test_labelled_versions(answer: str, value: float) -> None:
    """The version called final is read, otherwise every version must fit; parts of one text are none."""
    assert grade("word_count_reduction", answer, original=100, max_words=30, min_words=15).value == value
