"""Excel workbooks as records: each sheet's first row that is not empty names its columns."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

from assay.core.errors import InvalidInput, Problem
from assay.files.documents.document import Found, Records
from assay.files.documents.records import HEADER, row, unique_names

if TYPE_CHECKING:
    from openpyxl.workbook import Workbook


def read_workbook(path: Path) -> Records:
    """Return the rows of all sheets of an .xlsx file as records; formulas as what they last came to.

    A cell with a date makes its row unreadable: Excel makes dates of texts like `1-2` on its own. Raises
    InvalidInput for a file that is damaged or empty.
    """
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        book = load_workbook(path, read_only=True, data_only=True)
    except (BadZipFile, InvalidFileException, KeyError, ValueError, OSError) as error:
        raise InvalidInput(Problem(f"is damaged, or no .xlsx file: {error}", str(path))) from None
    records = Records("row", iter(()))
    records.found = _rows(book, path)
    return records


def _rows(book: Workbook, path: Path) -> Iterator[Found]:
    seen = False
    try:
        for sheet in book.worksheets:
            header: list[str] | None = None
            for number, cells in enumerate(sheet.iter_rows(values_only=True), 1):
                place = f"sheet {sheet.title!r} row {number}"
                filled = [cell for cell in cells if cell is not None and str(cell).strip()]
                if header is None and len(filled) == 1 and len(cells) > 1:
                    yield Found(place, None, "", other=HEADER)
                elif header is None and filled:
                    header = unique_names(list(cells), path)
                    seen = True
                    yield Found(place, None, "", other=HEADER)
                elif any(isinstance(cell, datetime | date | time) for cell in filled):
                    raw = "\t".join(str(cell) for cell in filled)
                    yield Found(place, None, raw, fault="a cell holds a date: format the column as text")
                else:
                    yield row(place, header or [], [_plain(cell) for cell in cells])
    finally:
        book.close()
    if not seen:
        raise InvalidInput(Problem("is empty: no sheet has a filled cell", str(path)))


def _plain(cell: Any) -> Any:
    return int(cell) if isinstance(cell, float) and cell.is_integer() else cell
