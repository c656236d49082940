"""The account of an import: what became of every line or record that was read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from assay.core.errors import AssayError


class Fate(StrEnum):
    """What a line or record ended as; each has exactly one."""

    QUESTION = "question"
    REJECT = "reject"
    REPEATED = "repeated in this file"
    KNOWN = "in the bank already"
    MATERIAL = "material of questions"
    ANSWERS = "answers of questions"
    HEADING = "heading"
    TITLE = "title"
    FURNITURE = "page number or running head"
    BLANK = "blank"


@dataclass(frozen=True, slots=True)
class RejectedText:
    """What could not be taken in, in the clear: for the user who has the file anyway."""

    place: str
    lines: int
    reason: str
    text: str = field(repr=False)


@dataclass(slots=True)
class Account:
    """What became of a file. `unit` is what `read` and `fates` count: lines, rows or records.

    `questions` counts new questions by kind, `repeated` and `known` those that were none; `reasons` the units
    of rejects by reason; `repairs` the questions in which each repair was made.
    """

    file: str
    sha256: str
    unit: str = "line"
    profile: str = ""
    encoding: str | None = None
    read: int = 0
    fates: Counter[Fate] = field(default_factory=Counter)
    questions: Counter[str] = field(default_factory=Counter)
    disciplines: Counter[str] = field(default_factory=Counter)
    repeated: int = 0
    known: int = 0
    rejects: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    repairs: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    source: int | None = None
    before: int | None = None
    rejected: list[RejectedText] = field(default_factory=list, repr=False)

    @property
    def added(self) -> int:
        """How many questions are new in the bank."""
        return self.questions.total()

    @property
    def balanced(self) -> bool:
        """Whether every unit that was read has a fate, and every rejected one a reason."""
        return self.fates.total() == self.read and self.reasons.total() == self.fates[Fate.REJECT]

    def check(self) -> None:
        """Raise AssayError where the totals do not balance: nothing may be taken in then."""
        if not self.balanced:
            raise AssayError(
                f"the account of {self.file!r} does not balance: {self.read} {self.unit}s read, "
                f"{self.fates.total()} accounted for, {self.reasons.total()} of "
                f"{self.fates[Fate.REJECT]} rejects with a reason. This is a defect of Assay: nothing of the "
                "file was taken in; please report it"
            )

    def document(self) -> Mapping[str, Any]:
        """Return the account as it is stored with its source."""
        return {
            "unit": self.unit,
            "read": self.read,
            "encoding": self.encoding,
            "fates": {str(fate): count for fate, count in self.fates.items()},
            "questions": dict(self.questions),
            "disciplines": dict(self.disciplines),
            "repeated": self.repeated,
            "known": self.known,
            "rejects": self.rejects,
            "reasons": dict(self.reasons),
            "repairs": {str(name): count for name, count in self.repairs.items()},
            "notes": self.notes,
        }
