"""A hand-written question with its place, as far as it could be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.causal import sheet
from assay.causal.item import Item
from assay.core.case import WrittenCase
from assay.core.errors import Problem


@dataclass(frozen=True, slots=True)
class Raw:
    """A question before it is known to be sound; None or empty where something is missing.

    `letters` stand before the options as written, `declared` are the letters that the grader knows, and
    `keys` the letters given as right.
    """

    id: str | None
    concept: str | None
    variant: str | None
    stem: str
    letters: tuple[str, ...]
    options: tuple[str, ...]
    keys: tuple[str, ...]
    declared: str = "ABCD"
    file: str | None = None
    line: int | None = None

    @property
    def called(self) -> str:
        """How messages name it."""
        return "a question without an id" if self.id is None else repr(self.id)

    def refuse(self, text: str) -> Problem:
        """Return a problem that stands where the question does."""
        return Problem(text, self.file, self.line)


def from_case(case: WrittenCase) -> Raw:
    """Read a suite's case as a question: its use case is the variant, its subcategory the concept."""
    read = sheet.read(case.prompt or "")
    return Raw(
        id=case.id,
        concept=case.subcategory,
        variant=case.use_case,
        stem=read.stem,
        letters=read.letters,
        options=read.options,
        keys=case.keys,
        declared=case.letters,
        file=case.file,
        line=case.line,
    )


def items(raws: Sequence[Raw]) -> tuple[Item, ...]:
    """Return the items of questions in which `problems` finds nothing to refuse."""
    return tuple(
        Item(
            id=raw.id or "",
            concept=raw.concept or "",
            variant=raw.variant or "",
            stem=raw.stem,
            options=raw.options,
            key=raw.letters.index(raw.keys[0].upper()),
        )
        for raw in raws
    )
