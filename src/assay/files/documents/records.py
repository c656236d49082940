"""JSON, JSON lines and CSV as records, one by one."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from assay.core.errors import InvalidInput, Problem
from assay.files.documents.decoding import decode, sampled_encoding
from assay.files.documents.document import Found, Records
from assay.files.lines import LONGEST, read_lines

HEADER, BLANK = "header", "blank"


def read_json_lines(path: Path) -> Records:
    """Return the lines of a .jsonl file (.gz, .zst) as records, whatever encoding a line is in."""
    records = Records("line", iter(()), encoding="utf-8")
    records.found = _json_lines(path, records.notes)
    return records


def _json_lines(path: Path, notes: list[str]) -> Iterator[Found]:
    loads = orjson.loads
    recoded: set[str] = set()
    for number, raw in read_lines(path):
        try:
            yield Found(f"line {number}", loads(raw), raw)
            continue
        except orjson.JSONDecodeError:
            if not raw.strip():
                yield Found(f"line {number}", None, raw, other=BLANK)
                continue
        text, encoding = decode(raw, f"{path} line {number}") if raw else ("", "utf-8")
        try:
            yield Found(f"line {number}", loads(text), text)
            if encoding not in recoded:
                recoded.add(encoding)
                notes.append(f"line {number} and perhaps others were read as {encoding}")
        except orjson.JSONDecodeError as error:
            yield Found(
                f"line {number}", None, raw, fault=f"no JSON ({error.msg} at character {error.colno})"
            )


def read_json(path: Path) -> Records:
    """Return the objects of a JSON array, or of the only array in an object, as records."""
    raw = b"\n".join(line for _, line in read_lines(path))
    if not raw.strip():
        raise InvalidInput(Problem("is empty", str(path)))
    text, encoding = decode(raw, str(path))
    try:
        found = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise InvalidInput(Problem(f"is no JSON: {error.msg}", str(path), error.lineno)) from None
    notes = []
    if isinstance(found, dict):
        lists = [key for key, value in found.items() if isinstance(value, list) and value]
        if len(lists) != 1:
            raise InvalidInput(
                Problem("is no array of objects, nor an object with one array in it", str(path))
            )
        notes.append(f"the records are those at {lists[0]!r}; what stands beside them was not read")
        found = found[lists[0]]
    if not isinstance(found, list) or not found:
        raise InvalidInput(Problem("holds no array with objects", str(path)))
    records = (Found(f"record {place}", each, orjson.dumps(each)) for place, each in enumerate(found, 1))
    return Records("record", records, encoding=encoding, notes=notes)


def read_csv(path: Path) -> Records:
    """Return a CSV or TSV file's rows as records by the header's names; the header is counted too."""
    encoding = sampled_encoding(path)
    records = Records("row", iter(()), encoding=encoding.removesuffix("-sig"))
    records.found = _csv_rows(path, encoding)
    return records


def _csv_rows(path: Path, encoding: str) -> Iterator[Found]:
    csv.field_size_limit(LONGEST)
    with path.open(encoding=encoding, errors="replace", newline="") as file:
        head = file.readline()
        while head and not head.strip():
            head = file.readline()
        if not head:
            raise InvalidInput(Problem("is empty", str(path)))
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
                yield Found(_lines(start, reader.line_num), None, "", fault=f"no row: {error}")
                continue
            place = _lines(start, reader.line_num)
            if header is None and any(cells):
                header = unique_names(cells, path)
                yield Found(place, None, "", other=HEADER)
            else:
                yield row(place, header or [], cells)


def row(place: str, header: list[str], cells: list[Any]) -> Found:
    """Return a table's row as a record; cells beyond the header make it unreadable."""
    filled = [cell for cell in cells if cell is not None and str(cell).strip()]
    raw = "\t".join("" if cell is None else str(cell) for cell in cells)
    if not filled:
        return Found(place, None, raw, other=BLANK)
    over = [cell for cell in cells[len(header) :] if cell is not None and str(cell).strip()]
    if over:
        return Found(place, None, raw, fault=f"{len(cells)} cells under {len(header)} columns")
    return Found(place, dict(zip(header, cells, strict=False)), raw)


def unique_names(cells: list[Any], path: Path) -> list[str]:
    """Return a header's names. Raises InvalidInput where two columns have the same one."""
    names = [str(cell or "").strip() for cell in cells]
    twice = {name for name in names if name and names.count(name) > 1}
    if twice:
        raise InvalidInput(Problem(f"has two columns {min(twice)!r}: rename one", str(path)))
    return names


def _lines(first: int, last: int) -> str:
    return f"line {first}" if first >= last else f"lines {first}-{last}"
