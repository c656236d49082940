"""Reading Excel workbooks as records: the first non-empty row of each sheet is its header."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

from assay.core.errors import InvalidInput, Problem
from assay.core.unpacking import MIB, Limit
from assay.files.documents.document import DocumentRecord, DocumentRecords
from assay.files.documents.office import XmlPart, damage_refused, part_beside, relations_of, scan_package
from assay.files.documents.records import HEADER, row, unique_names

XML = Limit(total=256 * MIB)
MOST_NODES = 4_000_000
MOST_CELLS = 20_000_000
LONGEST_CELL = 32_767
"""Excel's own limit on characters in a cell."""

_ERRORS = frozenset(["#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A", "#GETTING_DATA"])
_IN_CELL = "=DISPIMG("
"""The beginning of a cell with a picture in files of WPS Office."""
MOST_ROWS = 1_048_576
MOST_COLUMNS = 16_384
MOST_IN_ROW = 8 * MOST_COLUMNS
"""The limit on nodes of one row: a reader holds one row at a time."""
HEAVY = 8
"""The weight of a node outside sheets and their texts, which becomes a Python object of this size."""
_REFERENCE = re.compile(r"([A-Z]{1,3})(\d{1,7})")
_ANCHORS = ("twoCellAnchor", "oneCellAnchor", "absoluteAnchor")
_DRAWING = "/relationships/drawing"


def read_workbook(path: Path) -> DocumentRecords:
    """Return the rows of all sheets of an .xlsx file as records, formulas with their stored results.

    A row is unreadable if a cell has a date (Excel turns texts like `1-2` into dates), an error, or a formula
    without a stored result. A row is marked if it has a picture, or if one is below it in rows without text.
    Raises InvalidInput if the file is damaged or empty.
    """
    parts = scan_package(path, xml=XML, most_nodes=MOST_NODES, part=part_of_book)
    records = DocumentRecords("row", iter(()))
    records.records = _rows(path, parts, records.notes)
    return records


def _rows(path: Path, parts: Mapping[str, XmlPart], notes: list[str]) -> Iterator[DocumentRecord]:
    from openpyxl import load_workbook

    seen = False
    with damage_refused(path):
        book = load_workbook(path, read_only=True, data_only=True, keep_links=False)
        try:
            sheets: Sequence[Any] = book.worksheets
            for sheet in sheets:
                size, spans = _scan_result(sheet, parts, path)
                for record in _with_pictures(_sheet_rows(sheet, size, path), spans, notes):
                    seen = seen or record.other == HEADER
                    yield record
        finally:
            book.close()
    if not seen:
        raise InvalidInput(Problem("the file is empty: fill a sheet", str(path)))


def _scan_result(
    sheet: Any, parts: Mapping[str, XmlPart], path: Path
) -> tuple[ScannedSheet, list[tuple[int, int]]]:
    """Return the scan of a sheet, and the rows that its pictures cover."""
    name = sheet._worksheet_path.lstrip("/")
    size, spans = parts.get(name), picture_spans(name, parts)
    if not isinstance(size, ScannedSheet):
        raise ValueError(f"its sheet {sheet.title!r} is in an unexpected part")
    if size.rows * size.columns > MOST_CELLS:
        fault = f"spans more than {MOST_CELLS:,} cells: delete cells far from the table"
    elif spans is None:
        fault = "has a picture that is not fixed to a row: move it to its row, or delete it"
    else:
        return size, spans
    raise InvalidInput(Problem(f"the sheet {sheet.title!r} {fault}", str(path)))


def _sheet_rows(sheet: Any, size: ScannedSheet, path: Path) -> Iterator[tuple[int, DocumentRecord]]:
    """Yield a sheet's rows with their numbers."""
    header: list[str] | None = None
    if not size.rows:
        return
    rows = sheet.iter_rows(max_row=size.rows, max_col=max(1, size.columns), values_only=True)
    for number, cells in enumerate(rows, 1):
        place = f"sheet {sheet.title!r} row {number}"
        filled = [cell for cell in cells if cell is not None and str(cell).strip()]
        if header is None and len(filled) == 1 and len(cells) > 1:
            yield number, DocumentRecord(place, None, "", other=HEADER)
        elif header is None and filled:
            header = unique_names(list(cells), path)
            yield number, DocumentRecord(place, None, "", other=HEADER)
        elif fault := _fault(filled, unfinished=number in size.unfinished):
            raw = "\t".join(str(cell)[:LONGEST_CELL] for cell in filled)
            yield number, DocumentRecord(place, None, raw, fault=fault)
        else:
            record = row(place, header or [], [_plain(cell) for cell in cells])
            picture = any(isinstance(cell, str) and cell.startswith(_IN_CELL) for cell in filled)
            yield number, record._replace(picture=picture)


def _fault(filled: Sequence[Any], *, unfinished: bool) -> str:
    """Return the reason why a row cannot be read, or an empty text."""
    if unfinished:
        return "a cell has a formula without a result: open the file in Excel and save it"
    if any(isinstance(cell, datetime | date | time) for cell in filled):
        return "a cell has a date: format the column as text"
    error = next((cell for cell in filled if isinstance(cell, str) and cell in _ERRORS), None)
    if error is not None:
        return f"a cell has the error {error}: correct its formula"
    if any(len(cell) > LONGEST_CELL for cell in filled if isinstance(cell, str)):
        return f"a cell has more than {LONGEST_CELL:,} characters: shorten it"
    return ""


def _with_pictures(
    rows: Iterator[tuple[int, DocumentRecord]], spans: Sequence[tuple[int, int]], notes: list[str]
) -> Iterator[DocumentRecord]:
    """Yield rows, marked with `picture` if one covers them; a picture in blank rows marks the row before.

    A picture above all rows with text is noted. `spans` are first and last rows, in order, without overlap.
    """
    remaining, marked = list(reversed(spans)), False
    pending: list[DocumentRecord] = []
    for number, record in rows:
        while remaining and remaining[-1][1] < number:
            remaining.pop()
            if not marked:
                _mark_first(pending, notes)
            marked = False
        if _has_text(record) or record.other == HEADER:
            yield from pending
            pending = []
        if remaining and remaining[-1][0] <= number and _has_text(record):
            record, marked = record._replace(picture=True), True
        pending.append(record)
    for _ in remaining[1:] if marked else remaining:
        _mark_first(pending, notes)
    yield from pending


def _mark_first(pending: list[DocumentRecord], notes: list[str]) -> None:
    if pending and _has_text(pending[0]):
        pending[0] = pending[0]._replace(picture=True)
    else:
        place = pending[0].place if pending else "a sheet without text"
        notes.append(f"{place} contains a picture, which was not read")


def _has_text(record: DocumentRecord) -> bool:
    return record.value is not None or bool(record.fault)


def _plain(cell: Any) -> Any:
    return int(cell) if isinstance(cell, float) and cell.is_integer() else cell


@dataclass(slots=True)
class OtherPart(XmlPart):
    """A part that is neither a sheet nor the table of texts."""

    def begin(self, tag: str, attributes: list[str]) -> None:
        """Count an element and its attributes."""
        self.nodes += HEAVY * (1 + len(attributes) // 2)


@dataclass(slots=True)
class Relations(OtherPart):
    """The relationships of a part. `drawings` are those to drawings."""

    drawings: list[str] = field(default_factory=list)

    def begin(self, tag: str, attributes: list[str]) -> None:
        """Record a relationship."""
        OtherPart.begin(self, tag, attributes)
        values = dict(zip(attributes[::2], attributes[1::2], strict=True))
        if values.get("Type", "").endswith(_DRAWING):
            self.drawings.append(values.get("Target", ""))


@dataclass(slots=True)
class Drawing(OtherPart):
    """A drawing. `spans` are the first and last rows, from 1, of its pictures; None for one without a row."""

    spans: list[tuple[int, int] | None] = field(default_factory=list)
    _corner: str = ""
    _read: str = ""
    _numbers: dict[str, str] = field(default_factory=dict)

    def begin(self, tag: str, attributes: list[str]) -> None:
        """Record an anchor, one of its corners, or the row of a corner."""
        OtherPart.begin(self, tag, attributes)
        name = local_name(tag)
        if name in _ANCHORS:
            self._numbers = {}
        elif name in ("from", "to"):
            self._corner = name
        elif name in ("row", "rowOff") and self._corner:
            self._read = f"{self._corner} {name}"

    def text(self, text: str) -> None:
        """Record a number."""
        if self._read:
            self._numbers[self._read] = self._numbers.get(self._read, "") + text

    def end(self, tag: str) -> None:
        """Record the end of an anchor."""
        name = local_name(tag)
        if name in ("from", "to"):
            self._corner = ""
        elif name in ("row", "rowOff"):
            self._read = ""
        elif name in _ANCHORS:
            self.spans.append(self._span())

    def _span(self) -> tuple[int, int] | None:
        """Return an anchor's rows, without a last row of which it only touches the upper edge."""
        if "from row" not in self._numbers:
            return None
        first = int(self._numbers["from row"])
        last = int(self._numbers.get("to row", first))
        if last > first and int(self._numbers.get("to rowOff", 0)) == 0:
            last -= 1
        return first + 1, max(first, last) + 1


@dataclass(slots=True)
class ScannedSheet(XmlPart):
    """A sheet. `rows` and `columns` are the last ones with a value.

    Rows in `unfinished` have a formula without a stored result, rows in `pictures` a picture in a cell.
    """

    rows: int = 0
    columns: int = 0
    unfinished: set[int] = field(default_factory=set)
    pictures: set[int] = field(default_factory=set)
    _row: int = 0
    _column: int = 0
    _row_nodes: int = 0
    _in_row: bool = False
    _formula: bool = False
    _in_value: bool = False
    _value: bool = False

    def begin(self, tag: str, attributes: list[str]) -> None:
        """Count nodes outside of rows and within a row; record rows and cells."""
        name, size = local_name(tag), 1 + len(attributes) // 2
        if not self._in_row:
            self.nodes += HEAVY * size
            if name == "row":
                self._begin_row(attributes)
            return
        self._row_nodes += size
        if self._row_nodes > MOST_IN_ROW:
            raise ValueError(f"row {self._row:,} has more cells than Excel allows")
        if name == "c":
            self._begin_cell(attributes)
        elif name == "f":
            self._formula = True
        elif name in ("v", "t"):
            self._in_value = True

    def text(self, text: str) -> None:
        """Record that a cell has a value."""
        if self._in_value and text:
            self._value = True

    def end(self, tag: str) -> None:
        """Record the end of a cell or a row."""
        name = local_name(tag)
        if name in ("v", "t"):
            self._in_value = False
        elif name == "c" and self._in_row:
            if self._value:
                self.rows, self.columns = self._row, max(self.columns, self._column)
            elif self._formula:
                self.rows = self._row
                self.unfinished.add(self._row)
        elif name == "row":
            self._in_row = False

    def _begin_row(self, attributes: list[str]) -> None:
        self.nodes -= HEAVY * (1 + len(attributes) // 2)
        before, self._row = self._row, self._row + 1
        if "r" in attributes[::2]:
            self._row = int(attributes[attributes[::2].index("r") * 2 + 1])
        if not before < self._row <= MOST_ROWS:
            raise ValueError(f"its rows are out of order: {self._row:,} after {before:,}")
        self._in_row, self._row_nodes, self._column = True, 0, 0

    def _begin_cell(self, attributes: list[str]) -> None:
        self._formula = self._value = False
        self._column += 1
        for place in range(0, len(attributes), 2):
            if attributes[place] == "vm":
                self.pictures.add(self._row)
            elif attributes[place] == "r":
                self._column = self._column_of(attributes[place + 1])

    def _column_of(self, reference: str) -> int:
        match = _REFERENCE.fullmatch(reference)
        column = 0
        for letter in match[1] if match is not None else "":
            column = 26 * column + ord(letter) - ord("A") + 1
        if match is None or int(match[2]) != self._row or column > MOST_COLUMNS:
            raise ValueError(f"row {self._row:,} has a cell {reference!r}")
        return column


def part_of_book(name: str) -> XmlPart:
    """Return the record of a part of a workbook, by its name."""
    if name.startswith("xl/worksheets/") and name.endswith(".xml"):
        return ScannedSheet(name)
    if name == "xl/sharedStrings.xml":
        return XmlPart(name)
    if name.endswith(".rels"):
        return Relations(name)
    return Drawing(name) if name.startswith("xl/drawings/") else OtherPart(name)


def picture_spans(name: str, parts: Mapping[str, XmlPart]) -> list[tuple[int, int]] | None:
    """Return the first and last rows that a sheet's pictures cover, in order and without overlap.

    Returns None if a picture is not fixed to a row.
    """
    sheet, relations = parts.get(name), parts.get(relations_of(name))
    covered = [(row, row) for row in sheet.pictures] if isinstance(sheet, ScannedSheet) else []
    for target in relations.drawings if isinstance(relations, Relations) else ():
        drawing = parts.get(part_beside(name, target))
        spans = drawing.spans if isinstance(drawing, Drawing) else [None]
        for span in spans:
            if span is None:
                return None
            covered.append(span)
    merged: list[tuple[int, int]] = []
    for first, last in sorted(covered):
        if merged and first <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(last, merged[-1][1])
        else:
            merged.append((first, last))
    return merged


def local_name(tag: str) -> str:
    """Return an element's name without its prefix."""
    return tag.rpartition(":")[2]
