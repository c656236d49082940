"""Tables in files: CSV, Parquet and JSON lines, read as a stream through DuckDB and written whole."""

from __future__ import annotations

import csv
import io
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import duckdb
import orjson

from assay.core.errors import InvalidInput, NotFound, Problem
from assay.files.atomic import write_whole

KINDS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".parquet": "parquet",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
}
PACKED = (".gz", ".zst")
SqlType = Literal["VARCHAR", "DOUBLE", "BIGINT", "BOOLEAN"]
SETTINGS = (
    "SET autoinstall_known_extensions = false",
    "SET autoload_known_extensions = false",
    "SET TimeZone = 'UTC'",
    "SET enable_progress_bar = false",
)


@dataclass(frozen=True, slots=True)
class Table:
    """A table in a file. `source` is what SQL selects from: every column of CSV and JSON is text there."""

    path: Path
    source: str
    columns: tuple[str, ...]


def open_table(path: Path) -> Table:
    """Find out what a table holds. Raises NotFound without a file, InvalidInput for one that is no table."""
    if not path.is_file():
        raise NotFound(f"there is no table at {str(path)!r}")
    if re.search(r"[*?\[\]]", str(path)):
        raise InvalidInput(Problem("the path holds one of * ? [ ]: rename or copy the file", str(path)))
    suffix = path.with_suffix("").suffix if path.suffix in PACKED else path.suffix
    kind = KINDS.get(suffix.lower())
    if kind is None:
        raise InvalidInput(Problem(f"ends in {path.suffix!r}: give .csv, .parquet or .jsonl", str(path)))
    file = text(str(path))
    if kind == "parquet":
        source = f"read_parquet({file})"
    elif kind == "csv":
        return _csv(path, file)
    else:
        shape = "newline_delimited" if kind == "jsonl" else "auto"
        wide = f"read_json({file}, format = '{shape}', sample_size = -1)"
        names = _columns(path, wide)
        kept = ", ".join(f"{text(name)}: 'VARCHAR'" for name in names)
        return Table(path, f"read_json({file}, format = '{shape}', columns = {{{kept}}})", names)
    return Table(path, source, _columns(path, source))


def _csv(path: Path, file: str) -> Table:
    """Return a CSV table. The header tells the separator; DuckDB's own guess hides rows that do not fit."""
    # Quotes are not looked at, so that line ends of two kinds may meet: strict DuckDB refuses such a file.
    plain = (
        "auto_detect = false, strict_mode = false, quote = '', escape = '', header = false, "
        "columns = {'line': 'VARCHAR'}"
    )
    with querying(path) as connection:
        first = connection.execute(
            f"SELECT line FROM read_csv({file}, delim = '\x01', {plain}) LIMIT 1"
        ).fetchone()
    line = "" if first is None else str(first[0] or "").lstrip("\ufeff")
    if not line.strip():
        raise InvalidInput(Problem("has no header: write the columns' names into its first line", str(path)))
    delimiter = max(",;\t|", key=line.count)
    names = [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter))]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InvalidInput(Problem(f"has two columns {twice[0]!r}: rename one", str(path), 1))
    kept = ", ".join(f"{text(name)}: 'VARCHAR'" for name in names)
    dialect = f"auto_detect = false, header = true, delim = {text(delimiter)}, quote = '\"', escape = '\"'"
    return Table(path, f"read_csv({file}, {dialect}, columns = {{{kept}}})", tuple(names))


@contextmanager
def querying(path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Give a connection for queries on a file's table; DuckDB's refusals become InvalidInput."""
    with duckdb.connect() as connection:
        for setting in SETTINGS:
            connection.execute(setting)
        try:
            yield connection
        except duckdb.Error as error:
            raise InvalidInput(_told(error, path)) from error


def text(value: str) -> str:
    """Return a text as an SQL literal."""
    return "'" + value.replace("'", "''") + "'"


def name(value: str) -> str:
    """Return a column's name as SQL quotes it."""
    return '"' + value.replace('"', '""') + '"'


def write_table(path: Path, columns: Mapping[str, SqlType], rows: Iterable[Sequence[Any]]) -> None:
    """Write rows, in the order of the columns, to a .csv, .jsonl or .parquet file, whole or not at all.

    Values are text, numbers, booleans or None. CSV and JSON lines are held in memory while written.
    """
    kind = KINDS.get(path.suffix.lower())
    if kind == "csv":
        held = io.StringIO(newline="")
        writer = csv.writer(held, delimiter="\t" if path.suffix == ".tsv" else ",", lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)
        write_whole(path, held.getvalue().encode())
    elif kind == "jsonl":
        write_whole(path, b"".join(_json_lines(columns, rows)))
    elif kind == "parquet":
        _write_parquet(path, columns, rows)
    else:
        raise InvalidInput(Problem(f"ends in {path.suffix!r}: name it .csv, .jsonl or .parquet", str(path)))


def _json_lines(columns: Mapping[str, SqlType], rows: Iterable[Sequence[Any]]) -> Iterator[bytes]:
    for row in rows:
        yield orjson.dumps(dict(zip(columns, row, strict=True))) + b"\n"


def _write_parquet(path: Path, columns: Mapping[str, SqlType], rows: Iterable[Sequence[Any]]) -> None:
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as folder:
        lines, made = Path(folder) / "rows.jsonl", Path(folder) / "rows.parquet"
        with lines.open("wb") as file:
            file.writelines(_json_lines(columns, rows))
        types = ", ".join(f"{text(column)}: '{kind}'" for column, kind in columns.items())
        source = f"read_json({text(str(lines))}, format = 'newline_delimited', columns = {{{types}}})"
        with querying(path) as connection:
            connection.execute(f"COPY (SELECT * FROM {source}) TO {text(str(made))} (FORMAT parquet)")
        made.replace(path)


def _columns(path: Path, source: str) -> tuple[str, ...]:
    with querying(path) as connection:
        return tuple(row[0] for row in connection.execute(f"DESCRIBE SELECT * FROM {source}").fetchall())


def _told(error: duckdb.Error, path: Path) -> Problem:
    """Return a problem with the telling lines of DuckDB's message and the line of the file it names."""
    message = str(error).replace(f'"{path}"', "it").replace(str(path), "it")
    line = re.search(r"(?:Line:|in line|line) (\d+)", message)
    telling = [
        part.rstrip(". ")
        for part in re.split(r"\nPossible|\n  file =", message)[0].split("\n")
        if not re.match(r"Original Line|Possible|\*|.*unsuccessful or closed|.*CSV Error on Line", part)
    ]
    said = "; ".join(part for part in telling if part) or "a row does not end as it should"
    said = re.sub(r"^(?:\w+ )+Error: ", "", said).replace("in file it", "")
    return Problem(
        f"cannot be read as a table: {said}; check the columns, the quotes and that it is UTF-8",
        str(path),
        None if line is None else int(line[1]),
    )
