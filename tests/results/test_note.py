"""Notes with a kind."""

from __future__ import annotations

from copy import deepcopy

from assay.results.note import Note, NoteKind, not_of_kind, of_kind
from assay.results.published import document

LUCK = Note("the lead may be luck", NoteKind.LUCK)


def test_notes_are_chosen_by_kind() -> None:
    """A plain text has no kind, and the text of a note does not matter."""
    notes = (LUCK, Note("the lead may be luck, says a caveat", NoteKind.CAVEAT), "the lead may be luck")
    assert [note is LUCK for note in of_kind(notes, NoteKind.LUCK)] == [True]
    assert not_of_kind(notes, NoteKind.LUCK) == notes[1:]


def test_a_note_is_published_as_its_text() -> None:
    """It is a text wherever texts are written, and its copies keep their kind."""
    assert document({"notes": (LUCK,)}) == {"notes": ["the lead may be luck"]}
    assert of_kind([deepcopy(LUCK)], NoteKind.LUCK) == ("the lead may be luck",)
