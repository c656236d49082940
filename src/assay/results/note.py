"""Notes on published figures, with the kind by which a report chooses the notes that it shows."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, auto


class NoteKind(Enum):
    """The kinds of notes that are chosen or left out somewhere."""

    CAVEAT = auto()
    """Repeats a caveat that is shown with the figures."""
    FEW_GENERATIONS = auto()
    """The source has too few generations for the method."""
    LUCK = auto()
    """The lead that may be luck."""
    OTHER_METHOD = auto()
    """Another method was used than was asked for."""


class Note(str):
    """A note of a kind; it is published as its text."""

    kind: NoteKind | None

    def __new__(cls, text: str, kind: NoteKind | None = None) -> Note:
        """Return the note. Only copies are made without a kind, which they get afterwards."""
        note = super().__new__(cls, text)
        note.kind = kind
        return note


def of_kind(notes: Iterable[str], *kinds: NoteKind) -> tuple[str, ...]:
    """Return the notes of these kinds."""
    return tuple(note for note in notes if isinstance(note, Note) and note.kind in kinds)


def not_of_kind(notes: Iterable[str], kind: NoteKind) -> tuple[str, ...]:
    """Return the notes without those of a kind."""
    return tuple(note for note in notes if not (isinstance(note, Note) and note.kind is kind))
