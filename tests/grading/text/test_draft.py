"""The text that was asked for, without what stands around it."""

from __future__ import annotations

import pytest

from assay.grading.text.draft import readings, unframed

TEXT = "The launch moves to Friday."


@pytest.mark.parametrize(
    "answer",
    [
        f"Here's the summary:\n\n{TEXT}",
        f"**Revised version:**\n\n{TEXT}",
        f"Final draft (5 words): {TEXT}",
        f"{TEXT}\n\nLet me know if you'd like changes!",
        f"{TEXT}\n\n---\n\n**Changes made:**\n- none",
        f"Sure! Here it is:\n\n{TEXT}\n\nWord count: 5",
    ],
    ids=range(6),
)
def test_the_frame_goes(answer: str) -> None:
    """An announcing line and remarks at the end are cut off."""
    assert unframed(answer).strip() == TEXT


@pytest.mark.parametrize(
    ("answer", "name"),
    [(f"> {TEXT}\n\nShort.", "quoted"), (f"Look.\n\n---\n{TEXT}\n---\n\nBye.", "between rules"),
     (f"A.\n```\n{TEXT}\n```", "in a fence")],
    ids=range(3),
)  # fmt: skip
def test_other_readings(answer: str, name: str) -> None:
    """Quotations, fences and rules each give a reading."""
    assert (name, TEXT) in list(readings(answer))


def test_equal_readings_are_given_once() -> None:
    """A bare text has one reading."""
    assert list(readings(TEXT)) == [("the whole answer", TEXT)]


def test_a_text_that_is_all_frame_is_kept() -> None:
    """What would leave nothing is not cut."""
    assert unframed("Here is the summary.").strip() == "Here is the summary."
