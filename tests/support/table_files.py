"""Tables that tests write: CSV, JSON lines and Parquet."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import duckdb
import orjson

from assay.core.csv_cells import safe_cell
from assay.files.tables import text


def write_table(path: Path, columns: Mapping[str, str], rows: Iterable[Sequence[object]]) -> None:
    """Write rows, in the order of the columns and their SQL types, to a .csv, .tsv, .jsonl or .parquet."""
    if path.suffix in (".csv", ".tsv"):
        with path.open("w", newline="") as file:
            writer = csv.writer(file, delimiter="," if path.suffix == ".csv" else "\t")
            writer.writerow(columns)
            writer.writerows([safe_cell(cell) for cell in row] for row in rows)
        return
    lines = path.with_suffix(".jsonl")
    lines.write_bytes(b"".join(orjson.dumps(dict(zip(columns, row, strict=True))) + b"\n" for row in rows))
    if path.suffix == ".parquet":
        types = ", ".join(f"{text(column)}: '{kind}'" for column, kind in columns.items())
        source = f"read_json({text(str(lines))}, format = 'newline_delimited', columns = {{{types}}})"
        duckdb.sql(f"COPY (SELECT * FROM {source}) TO {text(str(path))} (FORMAT parquet)")
