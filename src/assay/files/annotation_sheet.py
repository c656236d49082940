"""Spreadsheets for people who mark answers: writing .xlsx and .csv files, and reading filled ones."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from openpyxl import Workbook
from openpyxl.styles import Alignment, Font

from assay.core.csv_cells import CsvWriter, safe_cell
from assay.core.errors import InvalidInput, NotFound, Problem
from assay.files.atomic import write_whole
from assay.files.documents.sheets import LONGEST_CELL, read_workbook
from assay.files.rows import open_rows

MARKS_SHEET, SCALE_SHEET = "Marks", "Scale"
COLUMNS: Final = ("code", "item", "prompt", "answer", "criteria", "scale", "mark", "comment")
WIDTHS: Final = {
    "code": 14,
    "item": 18,
    "prompt": 50,
    "answer": 70,
    "criteria": 40,
    "scale": 24,
    "comment": 40,
}
CUT: Final = " [cut here: a cell holds no more text; the .csv file has all of it]"
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
PRIVATE_MODE = 0o600


@dataclass(frozen=True, slots=True)
class SheetAnswer:
    """One answer to mark. `scale` says which marks there are, and `rubric` what each of them means."""

    code: str
    item: str
    prompt: str
    answer: str
    criteria: str
    scale: str
    rubric: str


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One row of a filled sheet: its place, and the texts of its cells by column, None for blanks."""

    place: str
    cells: Mapping[str, str | None]


def write_sheet(path: Path, answers: Sequence[SheetAnswer]) -> int:
    """Write answers to a .xlsx or .csv file that only its owner may read; return the number of cut cells.

    No cell can run as a formula. Raises InvalidInput for another ending.
    """
    ending = path.suffix.lower()
    if path.is_dir() or not path.parent.is_dir():
        raise InvalidInput(f"cannot write to {str(path)!r}: give a file in a folder that exists")
    if ending == ".csv":
        text = io.StringIO(newline="")
        writer = CsvWriter(text, line_end="\r\n")
        writer.row((*COLUMNS, "rubric"))
        for answer in answers:
            writer.row((*_cells(answer), answer.rubric))
        # Spreadsheet programs read UTF-8 reliably only after a byte order mark.
        write_whole(path, "\ufeff".encode() + text.getvalue().encode(), mode=PRIVATE_MODE)
        return 0
    if ending == ".xlsx":
        return _write_workbook(path, answers)
    raise InvalidInput(f"cannot write to {str(path)!r}: give a file that ends in .xlsx or .csv")


def _cells(answer: SheetAnswer) -> tuple[str, ...]:
    return tuple(getattr(answer, column, "") for column in COLUMNS)


def _write_workbook(path: Path, answers: Sequence[SheetAnswer]) -> int:
    book = Workbook()
    sheet: Any = book.active
    sheet.title = MARKS_SHEET
    sheet.append(list(COLUMNS))
    wrapped, cut = Alignment(wrap_text=True, vertical="top"), 0
    for number, answer in enumerate(answers, 2):
        for column, text in enumerate(_cells(answer), 1):
            fitting = _fitting(text)
            cut += fitting != safe_cell(_CONTROLS.sub("\ufffd", text))
            _put(sheet, number, column, fitting, wrapped)
    scale: Any = book.create_sheet(SCALE_SHEET)
    scale.append(["scale", "rubric"])
    for number, (marks, rubric) in enumerate(dict.fromkeys((row.scale, row.rubric) for row in answers), 2):
        _put(scale, number, 1, _fitting(marks), wrapped)
        _put(scale, number, 2, _fitting(rubric), wrapped)
    scale.column_dimensions["A"].width, scale.column_dimensions["B"].width = 40, 100
    for column, name in enumerate(COLUMNS, 1):
        sheet.column_dimensions[sheet.cell(1, column).column_letter].width = WIDTHS.get(name, 10)
    for header in (*sheet[1], *scale[1]):
        header.font = Font(bold=True)
    sheet.freeze_panes = "A2"
    content = io.BytesIO()
    book.save(content)
    write_whole(path, content.getvalue(), mode=PRIVATE_MODE)
    return cut


def _put(sheet: Any, row: int, column: int, text: str, alignment: Any) -> None:
    cell = sheet.cell(row, column, text or None)
    if text:
        cell.data_type = "s"
    cell.alignment = alignment


def _fitting(text: str) -> str:
    """Return a text that a cell can hold and that is no formula."""
    safe = str(safe_cell(_CONTROLS.sub("\ufffd", text)))
    return safe if len(safe) <= LONGEST_CELL else safe[: LONGEST_CELL - len(CUT)] + CUT


def read_sheet(path: Path) -> tuple[list[SheetRow], list[Problem]]:
    """Return the rows of a filled .xlsx file or table, and the problems of rows that cannot be read.

    Of a workbook only sheets with a column `mark` are read. Raises NotFound without a file, InvalidInput for
    a file that is not a table.
    """
    if not path.is_file():
        raise NotFound(f"no file {str(path)!r}: give the filled sheet of `assay export marks`")
    if path.suffix.lower() == ".xlsx":
        return _read_workbook(path)
    reader = open_rows(path)
    rows = [
        SheetRow(str(row.place), {column.strip().lower(): cell for column, cell in row.cells.items()})
        for row in reader
    ]
    return rows, list(reader.problems)


def _read_workbook(path: Path) -> tuple[list[SheetRow], list[Problem]]:
    rows, problems = [], []
    for record in read_workbook(path).records:
        if record.fault:
            problems.append(Problem(f"{record.place}: {record.fault}", str(path)))
        elif isinstance(record.value, Mapping):
            cells = dict(_texts(record.value))
            if "mark" in cells:
                rows.append(SheetRow(record.place, cells))
    return rows, problems


def _texts(cells: Mapping[str, Any]) -> Iterator[tuple[str, str | None]]:
    for column, value in cells.items():
        text = "" if value is None else str(value).strip()
        yield str(column).strip().lower(), text or None
