"""Import of questions into the bank, with the outcome of every line or record of the files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Literal

from assay.core.documented import DocumentedStrEnum, HelpText
from assay.core.errors import AssayError
from assay.results.figure import Figure, Hidden, Listed
from assay.results.table import Table


class Fate(DocumentedStrEnum):
    """The outcome of a line or record; each has exactly one."""

    QUESTION = (
        "question",
        HelpText("""
            The line or record became part of a new question in the bank: its text, an option, its key or
            its explanation.

            Every line that is read has exactly one outcome. If the numbers did not add up, nothing of the
            file would be imported.

            Nothing. The new questions are raw: screen them with `assay bank screen`.
        """),
    )
    REJECT = (
        "reject",
        HelpText("""
            The line or record belongs to something that could not become a question. The table below counts
            the reasons.

            It is kept encrypted, because it may contain an answer, and can be written to a file.

            `assay bank import FILE --rejects rejects.jsonl --again` writes place, reason and text of each.
            Correct the text and import the corrected file.
        """),
    )
    REPEATED = (
        "repeated in this file",
        HelpText("""
            The question is in the file a second time, with the same content and the same key.

            It is counted and not added again. The comparison ignores case, spaces and the width of
            characters.

            Nothing. Many of them can mean that two copies of a document were joined into one file.
        """),
    )
    KNOWN = (
        "in the bank already",
        HelpText("""
            The question is in the bank already, from an earlier import.

            It is not added again and keeps its state, so an accepted question does not become raw because a
            file is imported twice.

            Nothing. If a whole file is known although it should be new, compare its source with `assay bank
            stats`.
        """),
    )
    MATERIAL = (
        "material of questions",
        HelpText("""
            The line belongs to a text that the questions after it are about.

            All these questions share the text; it is stored once and shown with each.

            Check one of its questions with `assay bank show UUID`. If the material ended too early or too
            late, a marker in the profile is missing.
        """),
    )
    ANSWERS = (
        "answers of questions",
        HelpText("""
            The line belongs to an answer section, and its answers were given to the questions.

            Sections are matched by number, and by section where the numbers begin again. An answer that
            fits no question is a reject instead.

            Check a few keys with `assay bank show UUID --with-key`, above all if the numbering of the file
            is irregular.
        """),
    )
    HEADING = (
        "heading",
        HelpText("""
            The line is a heading that says what kind of questions follow, or the header of a table.

            It is used (for the kind of the questions) but belongs to none of them.

            If a line that should be a question is counted here, its wording looks like a heading: describe
            headings more narrowly in the profile.
        """),
    )
    TITLE = (
        "title",
        HelpText("""
            The line is a title or another line before the first question.

            It is left out, because it belongs to no question. A picture above it is left out as well.

            If the first question is missing, its number was not recognised: look at `numbers` in the
            profile.
        """),
    )
    FURNITURE = (
        "page number or running head",
        HelpText("""
            The line is a page number or a running head, recognised because it recurs from page to page.

            It is left out, so that a question that spans two pages is joined again.

            If a recurring line is part of the questions (such as "True or false?"), add it to each question
            in the source, or import another format of the document.
        """),
    )
    PICTURE = (
        "contains a picture, belongs to no question",
        HelpText("""
            A picture is in a place that belongs to no question, for example above the title.

            The bank keeps no pictures. Here nothing is lost, because no question depends on it.

            Nothing. Pictures inside a question make the question a reject instead.
        """),
    )
    BLANK = (
        "blank",
        HelpText("""
            The line or row is blank.

            Blank lines separate parts of a document, so they are read and counted like any other, but
            nothing is taken from them.

            Nothing. If a page seems to be blank only, it may consist of pictures, which the import reports.
        """),
    )


@dataclass(frozen=True, slots=True)
class RejectedText:
    """A piece of a file that was not imported, in plain text for the user, who has the file anyway."""

    place: Annotated[str, Figure("place")]
    units: Annotated[int, Figure("units", meaning="lines, rows or records")]
    reason: Annotated[str, Figure("reason")]
    text: Annotated[str, Figure("text")] = field(repr=False)


@dataclass(slots=True)
class Account:
    """The outcome of a file. Every unit that was read has a fate, and every rejected unit has a reason."""

    file: Annotated[str, Figure("file")]
    sha256: Annotated[str, Figure("SHA-256")]
    unit: Annotated[
        Literal["line", "row", "record"], Figure("unit", meaning="the unit that is read and has a fate")
    ] = "line"
    profile: Annotated[str | None, Figure("profile", meaning="layout of the file")] = None
    encoding: Annotated[str | None, Figure("encoding")] = None
    read: Annotated[int, Figure("read", meaning="units that were read")] = 0
    fates: Annotated[
        Counter[Fate],
        Figure("ended as", meaning="units by outcome", of="read"),
        Listed("fate", "count"),
    ] = field(default_factory=Counter)
    kinds: Annotated[
        Counter[str], Figure("kinds", meaning="new questions by kind"), Listed("kind", "count")
    ] = field(default_factory=Counter)
    disciplines: Annotated[
        Counter[str],
        Figure("disciplines", meaning="new questions by discipline"),
        Listed("discipline", "count"),
    ] = field(default_factory=Counter)
    repeated: Annotated[int, Figure("repeated", meaning="questions that occur earlier in the file")] = 0
    known: Annotated[int, Figure("known", meaning="questions that were in the bank already")] = 0
    rejects: Annotated[
        int, Figure("rejects", meaning="rejected pieces; their units are counted in fates and reasons")
    ] = 0
    reasons: Annotated[
        Counter[str],
        Figure("rejected because", meaning="units of rejects by reason"),
        Listed("reason", "count"),
    ] = field(default_factory=Counter)
    repairs: Annotated[
        Counter[str],
        Figure("repaired", meaning="questions with each kind of repair"),
        Listed("repair", "count"),
    ] = field(default_factory=Counter)
    notes: Annotated[list[str], Figure("notes")] = field(default_factory=list)
    source: Annotated[
        int | None, Figure("source", meaning="the source's number in the bank; none if nothing was saved")
    ] = None
    known_as: Annotated[
        int | None, Figure("known as", meaning="the source under which the same file was imported before")
    ] = None
    rejected: Annotated[list[RejectedText], Hidden()] = field(default_factory=list, repr=False)

    @property
    def added(self) -> Annotated[int, Figure("added", meaning="new questions")]:
        """The number of questions that are new in the bank."""
        return self.kinds.total()

    @property
    def balanced(self) -> bool:
        """Whether every unit that was read has a fate, and every rejected unit has a reason."""
        return self.fates.total() == self.read and self.reasons.total() == self.fates[Fate.REJECT]

    def check(self) -> None:
        """Raise AssayError if the totals do not balance, before anything of the file is saved."""
        if not self.balanced:
            raise AssayError(
                f"the account of {self.file!r} does not balance: {self.read} {self.unit}s read, "
                f"{self.fates.total()} accounted for, {self.reasons.total()} of "
                f"{self.fates[Fate.REJECT]} rejects with a reason; nothing of the file was imported. "
                "This is a defect of Assay: please report it"
            )

    def document(self) -> Mapping[str, Any]:
        """Return the account in the form that is stored with its source."""
        return {
            "unit": self.unit,
            "read": self.read,
            "encoding": self.encoding,
            "fates": {str(fate): count for fate, count in self.fates.items()},
            "questions": dict(self.kinds),
            "disciplines": dict(self.disciplines),
            "repeated": self.repeated,
            "known": self.known,
            "rejects": self.rejects,
            "reasons": dict(self.reasons),
            "repairs": {str(name): count for name, count in self.repairs.items()},
            "notes": self.notes,
        }


@dataclass(frozen=True, slots=True)
class ImportedFiles:
    """The result of an import of files into the bank."""

    dry_run: Annotated[bool, Figure("dry run", meaning="whether this was a preview that saved nothing")]
    failed: Annotated[
        int, Figure("failed", meaning="files that were not imported; the reasons are on stderr")
    ]
    files: tuple[Account, ...]


FILES: Final = Table(Account, ("file", "read", "added"))
SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "bank-import": (ImportedFiles, "assay bank import --json"),
}
