"""Rows of a table one by one, each with the line it stands on: wrong ones are told, good ones are kept."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from assay.core.errors import InvalidInput, NotFound, Problem
from assay.files.lines import LONGEST, read_lines
from assay.files.tables import KINDS, PACKED, name, open_table, querying

SCANNED = 1000
"""The columns of JSON lines are those of so many lines at the start."""

FETCHED = 10_000


@dataclass(frozen=True, slots=True)
class Place:
    """Where a row stands: its number, from 1, and its line, None in a file without lines.

    Parquet files and JSON arrays have none.
    """

    number: int
    line: int | None

    def __str__(self) -> str:
        return f"row {self.number}" if self.line is None else f"line {self.line}"


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its text by column, None where it is blank."""

    place: Place
    cells: Mapping[str, str | None]


@dataclass(slots=True)
class Rows:
    """A table that is read row by row, once. `problems` grows while it is read; `count` counts all rows."""

    path: Path
    columns: tuple[str, ...]
    problems: list[Problem] = field(default_factory=list)
    count: int = 0
    _found: Iterator[Row] = field(default_factory=lambda: iter(()))

    def __iter__(self) -> Iterator[Row]:
        """Yield the good rows."""
        return self._found

    def refuse(self, place: Place, text: str) -> None:
        """Take note of what is wrong with a row."""
        self.problems.append(told(self.path, place, text))


def told(path: Path, place: Place, text: str) -> Problem:
    """Return a problem of one row of a file."""
    return Problem(text if place.line is not None else f"{place}: {text}", str(path), place.line)


def open_rows(path: Path) -> Rows:
    """Open a .csv, .tsv, .jsonl, .ndjson, .json or .parquet file; text may be packed as .gz or .zst.

    Raises NotFound without a file, InvalidInput for one that is no table. A row with too many or too few
    cells, an unclosed quote, no JSON or no UTF-8 is told and passed over.
    """
    suffix = path.with_suffix("").suffix if path.suffix in PACKED else path.suffix
    kind = KINDS.get(suffix.lower())
    if not path.is_file():
        raise NotFound(f"there is no table at {str(path)!r}")
    if kind == "csv":
        return _csv(path)
    if kind == "jsonl":
        return _json_lines(path)
    if kind == "json":
        return _json(path)
    table = open_table(path)
    rows = Rows(path, table.columns)
    rows._found = _parquet(rows, table.source)
    return rows


def _csv(path: Path) -> Rows:
    csv.field_size_limit(LONGEST)
    lines = _Lines(path)
    first = next((line for line in lines if line.strip()), None)
    if first is None:
        raise InvalidInput(Problem("has no header: write the columns' names into its first line", str(path)))
    delimiter = max(",;\t|", key=first.count)
    columns = tuple(cell.strip() for cell in next(csv.reader([first], delimiter=delimiter)))
    twice = sorted({column for column in columns if columns.count(column) > 1})
    if twice:
        raise InvalidInput(Problem(f"has two columns {twice[0]!r}: rename one", str(path), 1))
    rows = Rows(path, columns)
    rows._found = _csv_rows(rows, lines, delimiter)
    return rows


class _Lines:
    """Decoded lines for the csv module; remembers the line it is at and which lines are no UTF-8."""

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


def _csv_rows(rows: Rows, lines: _Lines, delimiter: str) -> Iterator[Row]:
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        start = lines.at + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            rows.count += 1
            rows.refuse(Place(rows.count, start), f"cannot be read as a row: {error}")
            continue
        if not cells:
            continue
        rows.count += 1
        if lines.garbled >= start:
            rows.refuse(Place(rows.count, start), "is not UTF-8: save the file as UTF-8")
        elif len(cells) != len(rows.columns):
            rows.refuse(
                Place(rows.count, start),
                f"has {len(cells)} cells where the header has {len(rows.columns)}: check commas and quotes",
            )
        else:
            blanked = {column: cell.strip() or None for column, cell in zip(rows.columns, cells, strict=True)}
            yield Row(Place(rows.count, start), blanked)


def _json_lines(path: Path) -> Rows:
    columns: dict[str, None] = {}
    for place, (_, raw) in enumerate(read_lines(path)):
        if place == SCANNED:
            break
        try:
            found = orjson.loads(raw)
        except orjson.JSONDecodeError:
            continue
        columns.update(dict.fromkeys(found if isinstance(found, dict) else ()))
    rows = Rows(path, tuple(columns))
    rows._found = _json_rows(rows)
    return rows


def _json_rows(rows: Rows) -> Iterator[Row]:
    for line, raw in read_lines(rows.path):
        if not raw.strip():
            continue
        rows.count += 1
        try:
            found = orjson.loads(raw)
        except orjson.JSONDecodeError as error:
            rows.refuse(Place(rows.count, line), f"is no JSON: {error.msg}")
            continue
        yield from _object(rows, found, line)


def _json(path: Path) -> Rows:
    try:
        found = orjson.loads(b"\n".join(raw for _, raw in read_lines(path)))
    except orjson.JSONDecodeError as error:
        raise InvalidInput(Problem(f"is no JSON: {error.msg}", str(path), error.lineno)) from error
    if not isinstance(found, list):
        raise InvalidInput(Problem("is not an array of objects: give one, or .jsonl", str(path)))
    columns = dict.fromkeys(key for each in found if isinstance(each, dict) for key in each)
    rows = Rows(path, tuple(columns))

    def read() -> Iterator[Row]:
        for each in found:
            rows.count += 1
            yield from _object(rows, each, None)

    rows._found = read()
    return rows


def _object(rows: Rows, found: Any, line: int | None) -> Iterator[Row]:
    if not isinstance(found, dict):
        rows.refuse(Place(rows.count, line), "is no JSON object")
        return
    yield Row(Place(rows.count, line), {column: _text(value) for column, value in found.items()})


def _text(value: Any) -> str | None:
    """Return a JSON value as text, None for null and blanks."""
    if value is None or isinstance(value, str):
        return (value or "").strip() or None
    return orjson.dumps(value).decode()


def _parquet(rows: Rows, source: str) -> Iterator[Row]:
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
                yield Row(Place(rows.count, None), cells)
