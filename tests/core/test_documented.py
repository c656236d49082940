"""Names with help: a member without one, or with a text of another shape, cannot be declared."""

from __future__ import annotations

import pickle

import pytest

from assay.core.documented import DocumentedIntEnum, DocumentedStrEnum, HelpText
from assay.core.verdict import ModelState, UseCaseState


def test_the_paragraphs_of_a_text_are_its_parts() -> None:
    """Lines of a paragraph are joined; the fourth is the example."""
    text = HelpText("""
        It is late. It came after the end.

        Time matters.

        Hurry.

        At noon.
    """)
    parts = (text.meaning, text.why, text.action, text.example)
    assert parts == ("It is late. It came after the end.", "Time matters.", "Hurry.", "At noon.")
    assert text.summary == "It is late."


@pytest.mark.parametrize("text", ["", "One.\n\nTwo.", "1.\n\n2.\n\n3.\n\n4.\n\n5."])
def test_a_text_has_three_or_four_paragraphs(text: str) -> None:
    """Any other number is refused."""
    with pytest.raises(ValueError, match="3 or 4 paragraphs"):
        HelpText(text)


def test_every_member_needs_a_help_text() -> None:
    """A bare value is refused where the enumeration is declared."""
    with pytest.raises(TypeError, match="has no help"):

        class Colour(DocumentedStrEnum):
            RED = "red"

    with pytest.raises(TypeError, match="has no help"):

        class Size(DocumentedIntEnum):
            SMALL = 1


def test_members_are_their_values() -> None:
    """Texts and numbers look up, compare and pickle as plain enumerations do."""
    assert ModelState("COOKED") is ModelState.COOKED == "COOKED"
    assert UseCaseState(4) is UseCaseState.COOKED == 4
    assert pickle.loads(pickle.dumps(UseCaseState.GAP)) is UseCaseState.GAP
