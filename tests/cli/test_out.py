"""`--out FILE`: the ending says what is written."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import duckdb
import pytest
from command_line import Assay, Served


@pytest.fixture
def watched(upstream: Served, assay: Assay) -> Assay:
    """The document describes one day of a watch."""
    assay("watch", "--suite", "small", "-m", "mine/a/b")
    return assay


@pytest.mark.slow
def test_verdicts_are_a_page_a_table_or_a_document(watched: Assay, folder: Path) -> None:
    """Each names the model and its state."""
    for name in ("day.html", "day.csv", "day.parquet", "day.json"):
        ended = watched("verdict", "--suite", "small", "--out", name)
        assert (ended.status, "wrote file://" in ended.err) == (0, True)
    assert "mine/a/b" in (folder / "day.html").read_text()
    (row,) = csv.DictReader((folder / "day.csv").read_text().splitlines())
    assert (row["model"], row["state"]) == ("mine/a/b", "CALIBRATING")
    packed = duckdb.sql(f"SELECT model, state FROM '{folder / 'day.parquet'}'").fetchall()
    assert packed == [("mine/a/b", "CALIBRATING")]
    document = json.loads((folder / "day.json").read_text())
    assert document == watched("verdict", "--suite", "small", "--json").json


@pytest.mark.slow
def test_another_ending_and_a_missing_folder_are_refused(watched: Assay) -> None:
    """Status 2, with the endings there are; the verdict is printed all the same."""
    wrong = watched("verdict", "--suite", "small", "--out", "day.xlsx")
    assert (wrong.status, "ends in .html, .csv, .parquet or .json" in wrong.err) == (2, True)
    nowhere = watched("verdict", "--suite", "small", "--out", "none/day.html")
    assert (nowhere.status, "a folder that exists" in nowhere.err) == (2, True)
    assert "mine/a/b" in watched("verdict", "--suite", "small").out
