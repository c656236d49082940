"""The content of a file of questions as lines or records, and reading plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

from assay.core.errors import InvalidInput, Problem
from assay.files.documents.decoding import decode

_LINE_END = re.compile("\r\n|\r|\n")
_PAGE_NUMBER = re.compile(
    r"\s*(?:第\s*\d+\s*页(?:\s*[,，/]?\s*\(?共\s*\d+\s*页\)?)?|Page\s+\d+(?:\s+of\s+\d+)?|[-–—]\s*\d{1,4}\s*[-–—])\s*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Line:
    """One line with its place: the `number`-th `unit` of a `section` (`page 3`), which may be empty.

    `furniture` marks page numbers and running heads, and `picture` lines with a picture. A row of a table in
    a document has `cells` and the number of its `table`.
    """

    text: str
    number: int
    unit: str = "line"
    section: str = ""
    furniture: bool = False
    picture: bool = False
    table: int | None = None
    cells: tuple[str, ...] = ()


@dataclass(slots=True)
class DocumentLines:
    """A document as lines. `wrapped` is true if lines end at the edge of the page."""

    lines: list[Line]
    wrapped: bool = False
    encoding: str | None = None
    notes: list[str] = field(default_factory=list)


class DocumentRecord(NamedTuple):
    """One record with its place and the text that it was read from.

    `value` is None for a blank or heading line, named in `other`, and for a record that cannot be read, with
    the reason in `fault`. `picture` is true if a picture belongs to it.
    """

    place: str
    value: Any
    raw: str | bytes
    fault: str = ""
    other: str = ""
    picture: bool = False


@dataclass(slots=True)
class DocumentRecords:
    """A file as records, which are read once. `count` is the number of units read so far."""

    unit: Literal["line", "row", "record"]
    records: Iterator[DocumentRecord]
    encoding: str | None = None
    notes: list[str] = field(default_factory=list)
    count: int = 0

    def __iter__(self) -> Iterator[DocumentRecord]:
        """Yield every record, including blank and unreadable ones."""
        for record in self.records:
            self.count += 1
            yield record


def span(first: Line, last: Line) -> str:
    """Return the place of consecutive lines: `lines 3-7`, `page 2 line 9 to page 3 line 1`."""
    if first.section != last.section or first.unit != last.unit:
        return f"{_place(first)} to {_place(last)}"
    if first.number == last.number:
        return _place(first)
    return f"{first.section} {first.unit}s {first.number}-{last.number}".strip()


def _place(line: Line) -> str:
    return f"{line.section} {line.unit} {line.number}".strip()


def is_page_number(text: str) -> bool:
    """Whether a line is clearly a page number: `第 3 页`, `Page 3 of 9`, `- 3 -`."""
    return _PAGE_NUMBER.fullmatch(text) is not None


def read_text(path: Path, encoding: str | None = None) -> DocumentLines:
    """Return a text file's lines. Raises InvalidInput if it is empty or not text."""
    raw = path.read_bytes()
    if not raw.strip():
        raise InvalidInput(Problem("the file is empty: give one with questions", str(path)))
    text, encoding = decode(raw, str(path), named=encoding)
    parts = _LINE_END.split(text)
    if not parts[-1]:
        parts.pop()
    lines = [
        Line(part.strip("\x0c"), number, furniture=is_page_number(part))
        for number, part in enumerate(parts, 1)
    ]
    return DocumentLines(lines, encoding=encoding)
