"""Reading JSON, JSON lines and CSV as records."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from assay.core.csv_cells import plain_text
from assay.core.errors import InvalidInput, Problem
from assay.core.unpacking import LONGEST_LINE
from assay.files.documents.decoding import decode, known_encoding, sampled_encoding
from assay.files.documents.document import DocumentRecord, DocumentRecords
from assay.files.lines import read_lines, read_whole

HEADER, BLANK = "header", "blank"


def read_json_lines(path: Path, encoding: str | None = None) -> DocumentRecords:
    """Return the lines of a .jsonl file (.gz, .zst) as records. Each line may have its own encoding."""
    name = "utf-8" if encoding is None else known_encoding(encoding)
    records = DocumentRecords("line", iter(()), encoding=name)
    records.records = _json_lines(path, records.notes, encoding)
    return records


def _json_lines(path: Path, notes: list[str], named: str | None) -> Iterator[DocumentRecord]:
    loads = orjson.loads
    recoded: set[str] = set()
    for number, raw in read_lines(path):
        try:
            if named is None or raw.isascii():
                yield DocumentRecord(f"line {number}", loads(raw), raw)
                continue
        except orjson.JSONDecodeError:
            if not raw.strip():
                yield DocumentRecord(f"line {number}", None, raw, other=BLANK)
                continue
        try:
            text, encoding = decode(raw, "the line", named=named)
        except InvalidInput as error:
            yield DocumentRecord(f"line {number}", None, raw, fault=str(error).removeprefix("the line: "))
            continue
        try:
            yield DocumentRecord(f"line {number}", loads(text), text)
            if named is None and encoding not in recoded:
                recoded.add(encoding)
                notes.append(f"line {number}, and possibly others, were read as {encoding}")
        except orjson.JSONDecodeError as error:
            yield DocumentRecord(
                f"line {number}", None, raw, fault=f"invalid JSON ({error.msg} at character {error.colno})"
            )


def read_json(path: Path, encoding: str | None = None) -> DocumentRecords:
    """Return the items of a JSON array, or of the only array in an object, as records."""
    raw = read_whole(path)
    if not raw.strip():
        raise InvalidInput(Problem("the file is empty: give one with questions", str(path)))
    text, encoding = decode(raw, str(path), named=encoding)
    try:
        items = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise InvalidInput(Problem(f"invalid JSON: {error.msg}", str(path), error.lineno)) from None
    notes = []
    if isinstance(items, dict):
        lists = [key for key, value in items.items() if isinstance(value, list) and value]
        if len(lists) == 1:
            notes.append(f"the records were read from {lists[0]!r}; other parts of the file were not read")
            items = items[lists[0]]
    if not isinstance(items, list) or not items:
        fault = "the file is not an array of objects: give an array, or an object with one array in it"
        raise InvalidInput(Problem(fault, str(path)))
    records = (
        DocumentRecord(f"record {number}", item, orjson.dumps(item)) for number, item in enumerate(items, 1)
    )
    return DocumentRecords("record", records, encoding=encoding, notes=notes)


def read_csv(path: Path, encoding: str | None = None) -> DocumentRecords:
    """Return a CSV or TSV file's rows as records by the header's names. The header counts as a row."""
    name = sampled_encoding(path, named=encoding)
    records = DocumentRecords("row", iter(()), encoding=name.removesuffix("-sig"))
    records.records = _refuse_undecodable(
        _csv_rows(path, name, "replace" if encoding is None else "strict"), path
    )
    return records


def _refuse_undecodable(rows: Iterator[DocumentRecord], path: Path) -> Iterator[DocumentRecord]:
    try:
        yield from rows
    except UnicodeDecodeError as error:
        raise InvalidInput(
            Problem(f"the text is not {error.encoding} ({error.reason}): check --encoding", str(path))
        ) from None


def _csv_rows(path: Path, encoding: str, errors: str) -> Iterator[DocumentRecord]:
    csv.field_size_limit(LONGEST_LINE)
    with path.open(encoding=encoding, errors=errors, newline="") as file:
        head = file.readline()
        while head and not head.strip():
            head = file.readline()
        if not head:
            raise InvalidInput(Problem("the file is empty: give one with questions", str(path)))
        delimiter = max(",;\t|", key=head.count)
        file.seek(0)
        reader = csv.reader(file, delimiter=delimiter, strict=True)
        header: list[str] | None = None
        number = 0
        while True:
            start, number = reader.line_num + 1, number + 1
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                yield DocumentRecord(
                    _lines(start, reader.line_num), None, "", fault=f"cannot read the row: {error}"
                )
                continue
            place = _lines(start, reader.line_num)
            if header is None and any(cells):
                header = unique_names(cells, path)
                yield DocumentRecord(place, None, "", other=HEADER)
            else:
                yield row(place, header or [], [plain_text(cell) for cell in cells])


def row(place: str, header: list[str], cells: list[Any]) -> DocumentRecord:
    """Return a table's row as a record. A row with cells beyond the header is unreadable."""
    filled = [cell for cell in cells if cell is not None and str(cell).strip()]
    raw = "\t".join("" if cell is None else str(cell) for cell in cells)
    if not filled:
        return DocumentRecord(place, None, raw, other=BLANK)
    over = [cell for cell in cells[len(header) :] if cell is not None and str(cell).strip()]
    if over:
        return DocumentRecord(
            place, None, raw, fault=f"the row has {len(cells)} cells, the header {len(header)}"
        )
    return DocumentRecord(place, dict(zip(header, cells, strict=False)), raw)


def unique_names(cells: list[Any], path: Path) -> list[str]:
    """Return a header's names. Raises InvalidInput if two columns have the same name."""
    names = [str(cell or "").strip() for cell in cells]
    double = {name for name in names if name and names.count(name) > 1}
    if double:
        raise InvalidInput(Problem(f"two columns are called {min(double)!r}: rename one", str(path)))
    return names


def _lines(first: int, last: int) -> str:
    return f"line {first}" if first >= last else f"lines {first}-{last}"
