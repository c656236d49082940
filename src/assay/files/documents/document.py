"""What a file of questions holds, before anybody knows which: lines of a text, or records of a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple


@dataclass(frozen=True, slots=True)
class Line:
    """One line with where it stands: the `number`-th `unit` of a `section` (`page 3`), which may be empty.

    `furniture` marks page numbers and running heads, `picture` a line that holds one. A row of a table in a
    document has its `cells` and the number of its `table`.
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
class Lines:
    """A document as lines. `wrapped` says that a line's end is the page's, not the writer's."""

    lines: list[Line]
    wrapped: bool = False
    encoding: str | None = None
    notes: list[str] = field(default_factory=list)


class Found(NamedTuple):
    """One record: where it stands, its value, and the text that it was read from.

    `value` is None for a blank or heading line, which `other` names, and for what cannot be read, for which
    `fault` says why.
    """

    place: str
    value: Any
    raw: str | bytes
    fault: str = ""
    other: str = ""


@dataclass(slots=True)
class Records:
    """A file as records, read once. `unit` names what is counted; `count` grows while they are read."""

    unit: str
    found: Iterator[Found]
    encoding: str | None = None
    notes: list[str] = field(default_factory=list)
    count: int = 0

    def __iter__(self) -> Iterator[Found]:
        """Yield every record, blank and unreadable ones too."""
        for each in self.found:
            self.count += 1
            yield each


def span(first: Line, last: Line) -> str:
    """Return where a run of lines stands: `lines 3-7`, `page 2 line 9 to page 3 line 1`."""
    if first.section != last.section or first.unit != last.unit:
        return f"{_place(first)} to {_place(last)}"
    if first.number == last.number:
        return _place(first)
    return f"{first.section} {first.unit}s {first.number}-{last.number}".strip()


def _place(line: Line) -> str:
    return f"{line.section} {line.unit} {line.number}".strip()
