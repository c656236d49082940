"""What a document is taken apart into, before anybody decides what becomes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from assay.core.question import QuestionKind
from assay.questions.refusal import Refused


class LineKind(StrEnum):
    """What a line is that belongs to no question."""

    BLANK = "blank"
    FURNITURE = "furniture"
    TITLE = "title"
    HEADING = "heading"
    ANSWERS = "answers"
    MATERIAL = "material"


@dataclass(slots=True)
class Material:
    """A text that questions are about. `scope` are the numbers it is for, None for all that follow."""

    lines: list[int]
    texts: list[str]
    scope: tuple[int, int] | None = None


@dataclass(slots=True)
class Part:
    """One question as it stands in a document: its texts, the lines it takes up, and what is wrong with it.

    `section` counts the headings before it. `sub` is its number within a group over one material.
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
    fault: Refused | None = None
    repairs: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The number as shown: `3`, `3(1)`."""
        return str(self.number) if self.sub is None else f"{self.number}({self.sub})"


@dataclass(slots=True)
class Stray:
    """Lines that became no question, and why."""

    lines: list[int]
    refused: Refused


@dataclass(slots=True)
class Split:
    """A document taken apart. Each line is in `kinds`, in a part, in a material, or in a stray piece.

    An answer line is in `answers` with the parts that it answers. `notes` tell what was found on the way.
    """

    parts: list[Part]
    kinds: dict[int, LineKind]
    answers: dict[int, list[Part]]
    strays: list[Stray]
    notes: list[str]
    headings: list[tuple[QuestionKind | None, str]]


def joined(texts: Sequence[str], *, wrapped: bool) -> str:
    """Return lines as one text; where the page broke them they are put together again."""
    if not wrapped:
        return "\n".join(texts).strip()
    whole = ""
    for text in (each.strip() for each in texts):
        glue = "" if not whole or not text or _wide(whole[-1]) or _wide(text[0]) or whole[-1] == "-" else " "
        whole += glue + text
    return whole.strip()


def _wide(sign: str) -> bool:
    return "\u3000" <= sign <= "\u9fff" or "\uff00" <= sign <= "\uffef"
