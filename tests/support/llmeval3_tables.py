"""The tables of seed 003 as typed in from the paper, in tests/support/llmeval3."""

from __future__ import annotations

import csv
from pathlib import Path

FOLDER = Path(__file__).parent / "llmeval3"
SUBJECTS = (
    *("engineering", "economics", "education", "law", "literature"),
    *("management", "science", "history", "medicine", "military"),
)


def table(number: int) -> dict[str, dict[str, str]]:
    """Return the rows of a table by their first cell."""
    with (FOLDER / f"table{number}.csv").open(encoding="utf-8") as lines:
        reader = csv.DictReader(lines)
        first = (reader.fieldnames or [""])[0]
        return {row[first]: row for row in reader}


def numbers(row: dict[str, str], columns: tuple[str, ...]) -> list[float]:
    """Return some cells as numbers."""
    return [float(row[column]) for column in columns]
