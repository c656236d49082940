"""Reading a table row by row: bad rows are reported with their lines, good ones are yielded."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from assay.core.csv_cells import plain_text
from assay.core.errors import InvalidInput, NotFound, Problem
from assay.core.unpacking import LONGEST_LINE
from assay.files.lines import read_lines, read_whole
from assay.files.tables import KINDS, name, open_table, querying, split_header, suffix_of

SCANNED = 1000
"""Number of lines at the start of a JSON lines file that determine its columns."""

FETCHED = 10_000


@dataclass(frozen=True, slots=True)
class RowPlace:
    """The place of a row: its number and its line, both from 1.

    `line` is None in Parquet files and JSON arrays.
    """

    number: int
    line: int | None

    def __str__(self) -> str:
        return f"row {self.number}" if self.line is None else f"line {self.line}"


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row: the texts of its cells by column, None for blanks."""

    place: RowPlace
    cells: Mapping[str, str | None]


@dataclass(slots=True)
class RowReader:
    """A table that is read row by row, once. `count` counts all rows, and `problems` lists the bad ones."""

    path: Path
    columns: tuple[str, ...]
    problems: list[Problem] = field(default_factory=list)
    count: int = 0
    _rows: Iterator[TableRow] = field(default_factory=lambda: iter(()))

    def __iter__(self) -> Iterator[TableRow]:
        """Yield the good rows."""
        return self._rows

    def refuse(self, place: RowPlace, text: str) -> None:
        """Add a problem of a row."""
        self.problems.append(problem_at(self.path, place, text))


def problem_at(path: Path, place: RowPlace, text: str) -> Problem:
    """Return a problem of one row of a file."""
    return Problem(text if place.line is not None else f"{place}: {text}", str(path), place.line)


def open_rows(path: Path) -> RowReader:
    """Open a .csv, .tsv, .jsonl, .ndjson, .json or .parquet file; text files may be packed as .gz or .zst.

    Raises NotFound without a file, and InvalidInput if it is not a table. A row with too many or too few
    cells, an unclosed quote, invalid JSON or invalid UTF-8 is reported and left out.
    """
    if not path.is_file():
        raise NotFound(f"no table at {str(path)!r}: check the path")
    kind = KINDS.get(suffix_of(path))
    if kind == "csv":
        return _open_csv(path)
    if kind == "jsonl":
        return _open_json_lines(path)
    if kind == "json":
        return _open_json(path)
    table = open_table(path)
    rows = RowReader(path, table.columns)
    rows._rows = _parquet_rows(rows, table.source)
    return rows


def _open_csv(path: Path) -> RowReader:
    csv.field_size_limit(LONGEST_LINE)
    lines = _Lines(path)
    delimiter, columns = split_header(next((line for line in lines if line.strip()), ""), path)
    rows = RowReader(path, columns)
    rows._rows = _csv_rows(rows, lines, delimiter)
    return rows


class _Lines:
    """Decoded lines for the csv module, with the current line and the last one that is not UTF-8."""

    def __init__(self, path: Path) -> None:
        self._lines = read_lines(path)
        self.at = 0
        self.garbled = 0

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        self.at, raw = next(self._lines)
        try:
            return raw.decode() + "\n"
        except UnicodeDecodeError:
            self.garbled = self.at
            return raw.decode(errors="replace") + "\n"


def _csv_rows(rows: RowReader, lines: _Lines, delimiter: str) -> Iterator[TableRow]:
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        start = lines.at + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            rows.count += 1
            rows.refuse(RowPlace(rows.count, start), f"cannot read the row: {error}; check the quotes")
            continue
        if not cells:
            continue
        rows.count += 1
        if lines.garbled >= start:
            rows.refuse(RowPlace(rows.count, start), "the row is not UTF-8: save the file as UTF-8")
        elif len(cells) != len(rows.columns):
            rows.refuse(
                RowPlace(rows.count, start),
                f"the row has {len(cells)} cells, the header {len(rows.columns)}: check commas and quotes",
            )
        else:
            texts = (plain_text(cell).strip() or None for cell in cells)
            yield TableRow(RowPlace(rows.count, start), dict(zip(rows.columns, texts, strict=True)))


def _open_json_lines(path: Path) -> RowReader:
    columns: dict[str, None] = {}
    for number, raw in read_lines(path):
        if number > SCANNED:
            break
        try:
            value = orjson.loads(raw)
        except orjson.JSONDecodeError:
            continue
        columns.update(dict.fromkeys(value if isinstance(value, dict) else ()))
    rows = RowReader(path, tuple(columns))
    rows._rows = _json_line_rows(rows)
    return rows


def _json_line_rows(rows: RowReader) -> Iterator[TableRow]:
    for line, raw in read_lines(rows.path):
        if not raw.strip():
            continue
        rows.count += 1
        try:
            value = orjson.loads(raw)
        except orjson.JSONDecodeError as error:
            rows.refuse(RowPlace(rows.count, line), f"invalid JSON: {error.msg}")
            continue
        yield from _object_row(rows, value, line)


def _open_json(path: Path) -> RowReader:
    try:
        values = orjson.loads(read_whole(path))
    except orjson.JSONDecodeError as error:
        raise InvalidInput(Problem(f"invalid JSON: {error.msg}", str(path), error.lineno)) from error
    if not isinstance(values, list):
        raise InvalidInput(Problem("the file is not an array of objects: give one, or .jsonl", str(path)))
    columns = dict.fromkeys(key for value in values if isinstance(value, dict) for key in value)
    rows = RowReader(path, tuple(columns))

    def read() -> Iterator[TableRow]:
        for value in values:
            rows.count += 1
            yield from _object_row(rows, value, None)

    rows._rows = read()
    return rows


def _object_row(rows: RowReader, value: Any, line: int | None) -> Iterator[TableRow]:
    place = RowPlace(rows.count, line)
    if isinstance(value, dict):
        yield TableRow(place, {column: _text(cell) for column, cell in value.items()})
    else:
        rows.refuse(place, "the row is not a JSON object: write one with the columns as keys")


def _text(value: Any) -> str | None:
    """Return a JSON value as text; None for null and blanks."""
    if value is None or isinstance(value, str):
        return (value or "").strip() or None
    return orjson.dumps(value).decode()


def _parquet_rows(rows: RowReader, source: str) -> Iterator[TableRow]:
    parts = ", ".join(f"CAST({name(column)} AS VARCHAR)" for column in rows.columns)
    with querying(rows.path) as connection:
        cursor = connection.execute(f"SELECT {parts} FROM {source}")
        while batch := cursor.fetchmany(FETCHED):
            for values in batch:
                rows.count += 1
                cells = {
                    column: None if value is None else value.strip() or None
                    for column, value in zip(rows.columns, values, strict=True)
                }
                yield TableRow(RowPlace(rows.count, None), cells)
