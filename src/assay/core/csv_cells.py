"""CSV for people: spreadsheets take no cell for a formula, and every text can be read back.

Source: OWASP, "CSV Injection": a cell that begins with one of `= + - @`, a tab or a line end may be run.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

_FORMULA = re.compile(r"'*[=+\-@\t\r\n]")
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")


class TextFile(Protocol):
    """Something that text can be written to."""

    def write(self, text: str, /) -> object:
        """Write a text."""


class _LineEnds:
    """A file with its own line end: csv quotes a carriage return only if rows end in one."""

    def __init__(self, file: TextFile, line_end: str) -> None:
        self._file, self._line_end = file, line_end

    def write(self, row: str, /) -> object:
        return self._file.write(row.removesuffix("\r\n") + self._line_end)


class CsvWriter:
    """A writer of rows whose texts are made safe by `safe_cell`."""

    def __init__(self, file: TextFile, *, line_end: str = "\n") -> None:
        self._writer = csv.writer(_LineEnds(file, line_end), lineterminator="\r\n")

    def row(self, cells: Iterable[object]) -> None:
        """Write one row."""
        self._writer.writerow([safe_cell(cell) for cell in cells])

    def table(self, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
        """Write a header and rows by its names; a name missing from a row gives an empty cell."""
        self.row(columns)
        for row in rows:
            self.row(row.get(column) for column in columns)


def safe_cell(value: object) -> object:
    """Return a cell that no spreadsheet takes for a formula: a text like one gets an apostrophe in front.

    Numbers stay as they are, also as texts: `-5`, `+3.2e5`. `plain_text` removes the apostrophe.
    """
    if isinstance(value, str) and _FORMULA.match(value) and not _NUMBER.fullmatch(value):
        return f"'{value}"
    return value


def plain_text(cell: str) -> str:
    """Return the text from which `safe_cell` made a cell."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell
