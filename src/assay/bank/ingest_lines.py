"""Taking in a document: every line of it ends in a question, a reject, or another declared class."""

from __future__ import annotations

from assay.bank.keeping import Keeper
from assay.core.errors import InvalidInput
from assay.files.documents.document import Lines
from assay.questions.profiles.documents import DocumentProfile

Wanted = tuple[str | None, str | None]


def choose_layout(document: Lines, given: DocumentProfile | None) -> DocumentProfile:
    """Return the profile given, or the built-in one that suits most lines."""
    raise InvalidInput("documents cannot be split into questions yet: give records")


def take_lines(document: Lines, profile: DocumentProfile, keeper: Keeper, wanted: Wanted) -> None:
    """Take in the questions of a document."""
