"""Records in files: the columns of all, and nothing half-written."""

from __future__ import annotations

import csv
from pathlib import Path

import duckdb
import pytest

from assay.core.errors import InvalidInput
from assay.files.record_file import write_records

RECORDS = [{"model": "a", "score": 0.5, "n": 3}, {"model": "b\n'c'", "n": 4, "note": "late"}]


def test_csv_has_the_columns_of_all_records(tmp_path: Path) -> None:
    """A record without one is empty there."""
    write_records(tmp_path / "board.csv", RECORDS)
    with (tmp_path / "board.csv").open(newline="") as file:
        assert list(csv.reader(file)) == [
            ["model", "score", "n", "note"],
            ["a", "0.5", "3", ""],
            ["b\n'c'", "", "4", "late"],
        ]


def test_parquet_keeps_numbers(tmp_path: Path) -> None:
    """As DuckDB and every data frame library read it."""
    write_records(tmp_path / "board.parquet", RECORDS)
    rows = duckdb.sql(f"SELECT * FROM '{tmp_path / 'board.parquet'}'").fetchall()
    assert rows == [("a", 0.5, 3, None), ("b\n'c'", None, 4, "late")]


def test_another_ending_and_an_empty_parquet_file_are_refused(tmp_path: Path) -> None:
    """With what to do."""
    with pytest.raises(InvalidInput, match=r"ends in \.csv or \.parquet"):
        write_records(tmp_path / "board.xlsx", RECORDS)
    with pytest.raises(InvalidInput, match="at least one record"):
        write_records(tmp_path / "board.parquet", [])
    assert list(tmp_path.iterdir()) == []
