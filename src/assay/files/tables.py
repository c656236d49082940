"""Tables in CSV, Parquet and JSON files, read as a stream with DuckDB."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import duckdb

from assay.core.errors import InvalidInput, NotFound, Problem

KINDS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".parquet": "parquet",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
}
PACKED = (".gz", ".zst")
# All columns, without the apostrophes that `assay.core.csv_cells` puts before texts like formulas.
PLAIN_TEXT = (
    "CASE WHEN starts_with(COLUMNS(*), '''') "
    r"THEN regexp_replace(COLUMNS(*), '^''(''*[=+\-@\t\r\n])', '\1') ELSE COLUMNS(*) END"
)
SETTINGS = (
    "SET autoinstall_known_extensions = false",
    "SET autoload_known_extensions = false",
    "SET TimeZone = 'UTC'",
    "SET enable_progress_bar = false",
)


@dataclass(frozen=True, slots=True)
class FileTable:
    """A table in a file. `source` is the SQL to select from; all columns of CSV and JSON are text there."""

    path: Path
    kind: Literal["csv", "json", "parquet"]
    source: str
    columns: tuple[str, ...]


def suffix_of(path: Path) -> str:
    """Return the ending of a file in lower case, without `.gz` and `.zst`."""
    packed = path.suffix.lower() in PACKED
    return (path.with_suffix("").suffix if packed else path.suffix).lower()


def open_table(path: Path) -> FileTable:
    """Find the columns of a table. Raises NotFound without a file, and InvalidInput if it is not a table."""
    if not path.is_file():
        raise NotFound(f"no table at {str(path)!r}: check the path")
    if re.search(r"[*?\[\]]", str(path)):
        raise InvalidInput(Problem("the path contains one of * ? [ ]: rename or copy the file", str(path)))
    suffix = suffix_of(path)
    kind = KINDS.get(suffix)
    if kind is None:
        raise InvalidInput(
            Problem(f"unknown kind of table {suffix!r}: give .csv, .parquet or .jsonl", str(path))
        )
    file = text(str(path))
    if kind == "csv":
        return _open_csv(path, file)
    if kind == "parquet":
        source = f"read_parquet({file})"
        return FileTable(path, "parquet", source, _columns(path, source))
    form = "newline_delimited" if kind == "jsonl" else "auto"
    names = _columns(path, f"read_json({file}, format = '{form}', sample_size = -1)")
    types = ", ".join(f"{text(name)}: 'VARCHAR'" for name in names)
    return FileTable(path, "json", f"read_json({file}, format = '{form}', columns = {{{types}}})", names)


def _open_csv(path: Path, file: str) -> FileTable:
    """Return a CSV table with the separator of its header; DuckDB's own guess hides rows that do not fit."""
    # Quotes are ignored, as DuckDB in strict mode refuses files with two kinds of line ends.
    plain = (
        "auto_detect = false, strict_mode = false, quote = '', escape = '', header = false, "
        "columns = {'line': 'VARCHAR'}"
    )
    with querying(path) as connection:
        first = connection.execute(
            f"SELECT line FROM read_csv({file}, delim = '\x01', {plain}) LIMIT 1"
        ).fetchone()
    line = "" if first is None else str(first[0] or "").lstrip("\ufeff")
    delimiter, names = split_header(line, path)
    types = ", ".join(f"{text(name)}: 'VARCHAR'" for name in names)
    dialect = f"auto_detect = false, header = true, delim = {text(delimiter)}, quote = '\"', escape = '\"'"
    rows = f"read_csv({file}, {dialect}, columns = {{{types}}})"
    return FileTable(path, "csv", f"(SELECT {PLAIN_TEXT} FROM {rows})", names)


def split_header(line: str, path: Path) -> tuple[str, tuple[str, ...]]:
    """Return the separator of a CSV file's header, and the columns' names. Raises InvalidInput."""
    if not line.strip():
        text = "the file has no header: write the columns' names into its first line"
        raise InvalidInput(Problem(text, str(path)))
    delimiter = max(",;\t|", key=line.count)
    names = tuple(cell.strip() for cell in next(csv.reader([line], delimiter=delimiter)))
    double = sorted({name for name in names if names.count(name) > 1})
    if double:
        raise InvalidInput(Problem(f"two columns are called {double[0]!r}: rename one", str(path), 1))
    return delimiter, names


@contextmanager
def querying(path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a connection for queries on a file's table. Errors of DuckDB become InvalidInput."""
    with duckdb.connect() as connection:
        for setting in SETTINGS:
            connection.execute(setting)
        try:
            yield connection
        except duckdb.Error as error:
            raise InvalidInput(_explain_database_error(error, path)) from error


def text(value: str) -> str:
    """Return a text as an SQL literal."""
    return "'" + value.replace("'", "''") + "'"


def name(value: str) -> str:
    """Return a column's name quoted for SQL."""
    return '"' + value.replace('"', '""') + '"'


def _columns(path: Path, source: str) -> tuple[str, ...]:
    with querying(path) as connection:
        return tuple(row[0] for row in connection.execute(f"DESCRIBE SELECT * FROM {source}").fetchall())


def _explain_database_error(error: duckdb.Error, path: Path) -> Problem:
    """Return a problem with the relevant part of DuckDB's message and the line of the file that it names."""
    message = str(error).replace(f'"{path}"', "it").replace(str(path), "it")
    line = re.search(r"(?:Line:|in line|line) (\d+)", message)
    relevant = [
        part.rstrip(". ")
        for part in re.split(r"\nPossible|\n  file =", message)[0].split("\n")
        if not re.match(r"Original Line|Possible|\*|.*unsuccessful or closed|.*CSV Error on Line", part)
    ]
    reason = "; ".join(part for part in relevant if part) or "a row ends in the wrong place"
    reason = re.sub(r"^(?:\w+ )+Error: ", "", reason).replace("in file it", "")
    return Problem(
        f"cannot read the table: {reason}; check the columns, the quotes and that the text is UTF-8",
        str(path),
        None if line is None else int(line[1]),
    )
