"""`assay rank items` and `assay rank fragility`."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Assay
from schemas import valid

ROWS = {"a": (1, 1, 1, 0, 1), "b": (1, 1, 0, 0, 1), "c": (1, 0, 0, 1, 0)}


def written(folder: Path) -> str:
    """Write a table of three models and five items, and return its name."""
    lines = [f"i{item},{model},{score}" for model, row in ROWS.items() for item, score in enumerate(row)]
    (folder / "scores.csv").write_text("\n".join(["prompt,model,quality", *lines]) + "\n")
    return "scores.csv"


def test_items_are_listed_with_their_counts(assay: Assay, folder: Path) -> None:
    """The document counts what the rows mark."""
    document = valid("rank-items", assay("rank", "items", written(folder), "--json", "--leaders", "2"))
    assert [row["item"] for row in document["statistics"]] == [f"i{item}" for item in range(5)]
    assert document["constant"] == 1
    assert document["ceiling"] == sum(row["ceiling"] for row in document["statistics"]) == 3


def test_the_terminal_says_how_many_separate_nobody(
    assay: Assay, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first line counts, and the table names the items."""
    monkeypatch.setenv("COLUMNS", "200")
    out = assay("rank", "items", written(folder), "--leaders", "2").out
    assert "3 at the ceiling of all 2 leaders, 1 with one score for all models" in out
    assert "same score for all models" in out


def test_fragility_names_the_items(assay: Assay, folder: Path) -> None:
    """b is behind a on one item only and ahead on none; c is ahead on i3."""
    document = valid("rank-fragility", assay("rank", "fragility", written(folder), "--json"))
    assert (document["first"], document["removals"]) == ("a", 3)
    assert [row["removals"] for row in document["rivals"]] == [3, None]
    assert sorted(document["rivals"][0]["items"]) == ["i1", "i2", "i4"]


@pytest.mark.parametrize("command", ["items", "fragility"])
def test_pages_are_written(assay: Assay, folder: Path, command: str) -> None:
    """A page with its chart."""
    assert assay("rank", command, written(folder), "--out", "page.html").status == 0
    assert 'data-chart="' in (folder / "page.html").read_text()
