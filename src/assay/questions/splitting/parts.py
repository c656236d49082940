"""The parts of a document: questions, materials, other lines, and their texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from assay.core.question import QuestionKind
from assay.questions.refusal import RefusedRecord


class LineKind(StrEnum):
    """The kind of a line that belongs to no question."""

    BLANK = "blank"
    FURNITURE = "furniture"
    TITLE = "title"
    HEADING = "heading"
    ANSWERS = "answers"
    MATERIAL = "material"
    PICTURE = "picture"


@dataclass(slots=True)
class Material:
    """A text that questions are about. `scope` is the range of their numbers, None for all that follow."""

    lines: list[int]
    texts: list[str]
    scope: tuple[int, int] | None = None


@dataclass(slots=True)
class QuestionPart:
    """One question of a document: its texts, its lines, and its fault.

    `section` is the number of headings before it. `sub` is its number within a group about one material.
    """

    number: int
    section: int
    lines: list[int]
    stem: list[str]
    kind: QuestionKind | None = None
    single: bool = False
    sub: int | None = None
    options: list[tuple[str, str]] = field(default_factory=list)
    key: list[str] | None = None
    explanation: list[str] = field(default_factory=list)
    material: Material | None = None
    fault: RefusedRecord | None = None
    repairs: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The number for messages: `3`, `3(1)`."""
        return str(self.number) if self.sub is None else f"{self.number}({self.sub})"


@dataclass(slots=True)
class Stray:
    """Lines that belong to no question, with the reason."""

    lines: list[int]
    refused: RefusedRecord


@dataclass(slots=True)
class SplitDocument:
    """The parts of a document. Each line is in `kinds`, in a part, in a material, or in a stray piece.

    An answer line is in `answers` with the parts that it answers. `notes` are remarks on the numbering.
    """

    parts: list[QuestionPart]
    kinds: dict[int, LineKind]
    answers: dict[int, list[QuestionPart]]
    strays: list[Stray]
    notes: list[str]
    headings: list[tuple[QuestionKind | None, str]]


def joined(texts: Sequence[str], *, wrapped: bool) -> str:
    """Return lines as one text. `wrapped` lines, which end at the edge of the page, are joined."""
    if not wrapped:
        return "\n".join(texts).strip()
    whole = ""
    for text in map(str.strip, texts):
        glue = "" if not whole or not text or _wide(whole[-1]) or _wide(text[0]) or whole[-1] == "-" else " "
        whole += glue + text
    return whole.strip()


def _wide(sign: str) -> bool:
    return "\u3000" <= sign <= "\u9fff" or "\uff00" <= sign <= "\uffef"
