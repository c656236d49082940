"""Letters before the options of a record."""

from __future__ import annotations

import pytest

from assay.questions.option_letters import LETTERS_REMOVED, unlettered
from assay.questions.refusal import Reason, Refused


@pytest.mark.parametrize(
    "options",
    [
        ["(A)x", "(B)y"],
        ["A. x", "B. y"],
        ["  A．x", "(B) y"],
        ["A x", "B y"],
        ["（A）x", "B、y"],
        ["(A)x", "y", "(C)z"],
    ],
)
def test_letters_in_order_are_taken_off(options: list[str]) -> None:
    """In brackets, with a point, bare where all have one; it is told."""
    made: list[str] = []
    found = unlettered(options, made)
    assert found == ["x", "y", "z"][: len(options)]
    assert made == [LETTERS_REMOVED]


@pytest.mark.parametrize(
    "options",
    [["x", "y"], ["I. only", "II. only"], ["C. elegans", "mouse", "rat"], ["A cat", "A dog"], ["E", "F"]],
)
def test_what_is_no_letter_stays(options: list[str]) -> None:
    """Roman numbers, names, articles."""
    assert unlettered(options, []) == options


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["(A)x", "(C)y", "(B)z"], Reason.OPTION_ORDER),
        (["(A)x", "(B)y", "(D)z"], Reason.OPTION_GAP),
        (["(A)x", "(B)y", "(B)z"], Reason.OPTION_TWICE),
        (["x", "y", "(A)z"], Reason.OPTION_ORDER),
    ],
)
def test_letters_that_contradict_their_position_are_refused(options: list[str], reason: Reason) -> None:
    """The key may mean either."""
    found = unlettered(options, [])
    assert isinstance(found, Refused)
    assert found.reason is reason
