"""Writing records and questions to CSV, JSON lines and Parquet files."""

from __future__ import annotations

import codecs
import io
import json
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import orjson

from assay.core.csv_cells import CsvWriter
from assay.core.errors import Conflict, InvalidInput
from assay.files.atomic import open_whole, write_whole
from assay.files.tables import SETTINGS, text


def write_records(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    """Write records to a `.csv` or `.parquet` file.

    The columns are the names of all records, in the order of their first occurrence; a name missing from a
    record gives an empty cell. Raises InvalidInput for another ending, or a Parquet file without records.
    """
    rows = list(records)
    names = list(dict.fromkeys(name for row in rows for name in row))
    if path.suffix.lower() == ".csv":
        content = io.StringIO(newline="")
        CsvWriter(content).table(names, rows)
        write_whole(path, content.getvalue().encode())
    elif path.suffix.lower() == ".parquet":
        if not rows:
            raise InvalidInput(f"no records for {str(path)!r}: a Parquet file needs at least one record")
        write_whole(path, _parquet([{name: row.get(name) for name in names} for row in rows]))
    else:
        raise InvalidInput(f"unknown kind of file {str(path)!r}: give a file that ends in .csv or .parquet")


def _parquet(rows: list[dict[str, Any]]) -> bytes:
    with tempfile.TemporaryDirectory() as folder, duckdb.connect() as database:
        lines, packed = Path(folder) / "records.jsonl", Path(folder) / "records.parquet"
        lines.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
        for setting in SETTINGS:
            database.execute(setting)
        database.execute(
            f"COPY (SELECT * FROM read_json({text(str(lines))}, format = 'newline_delimited', "
            f"sample_size = -1)) TO {text(str(packed))} (FORMAT parquet)"
        )
        return packed.read_bytes()


def write_questions(
    path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, Any]], *, private: bool
) -> int:
    """Write questions to a `.jsonl` or `.csv` file that only its owner may read; return how many.

    In CSV, lists and objects are written as JSON. A `private` file contains answer keys and never replaces
    another. Raises InvalidInput for another ending, Conflict if a private file exists, and OSError as usual.
    """
    if path.suffix.lower() not in (".jsonl", ".csv"):
        raise InvalidInput(f"unknown kind of file {str(path)!r}: give a file that ends in .jsonl or .csv")
    if private and path.exists():
        raise Conflict(f"the file {str(path)!r} already exists: give a new file for questions with keys")
    as_csv, count = path.suffix.lower() == ".csv", 0
    with open_whole(path, mode=0o600) as binary:
        file = codecs.getwriter("utf-8")(binary, "surrogatepass")
        table = CsvWriter(file, line_end="\r\n")
        if as_csv:
            table.row(columns)
        for row in rows:
            count += 1
            if as_csv:
                table.row(_cell(row[column]) for column in columns)
            else:
                file.write(json.dumps({column: row[column] for column in columns}, ensure_ascii=False) + "\n")
    return count


def _cell(value: object) -> object:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict | bool) else value
