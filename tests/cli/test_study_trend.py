"""`assay study trend`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from command_line import Assay
from schemas import valid


def written(folder: Path) -> str:
    """Write 40 models whose scores level off at 90, some of them open; return the table's name."""
    rng = np.random.default_rng(2)
    rows = []
    for place in range(40):
        month = place // 2 + 1
        score = 90 - 50 * np.exp(-0.2 * month) + rng.normal(0, 1)
        day = f"{2024 + (month - 1) // 12}-{(month - 1) % 12 + 1:02d}-15"
        rows.append(f"m{place},{day},{score:.3f},{'true' if place % 2 else 'false'}")
    (folder / "models.csv").write_text("\n".join(["model,date,score,open", *rows]) + "\n")
    return "models.csv"


def test_growth_that_levels_off(assay: Assay, folder: Path) -> None:
    """The interval of the asymptote holds 90, and the page has the chart and the gap."""
    call = ("study", "trend", written(folder))
    document = valid("study-trend", assay(*call, "--json"))
    curve = document["curve"]
    assert curve["asymptote_low"] <= 90 <= curve["asymptote_high"]
    assert document["gap"]["open_models"] == 20
    ended = assay(*call, "--out", "t.html")
    assert "levels off at" in ended.out
    page = (folder / "t.html").read_text()
    assert 'data-chart="scores-by-release-date"' in page
    assert 'id="open-and-closed-models"' in page


def test_several_rows_of_a_model_are_joined(assay: Assay, folder: Path) -> None:
    """The earliest date is the release; the score is the latest; other names are mapped."""
    rows = "name,day,elo\na,20240501,1000\na,20240601,1050\nb,2024-07,900\nc,1719792000000,950\n"
    (folder / "elo.csv").write_text(rows)
    call = ("--column", "model=name", "--column", "date=day", "--column", "score=elo", "--json")
    document = assay("study", "trend", "elo.csv", *call).json
    assert [(row["model"], row["date"], row["score"]) for row in document["models"]] == [
        ("a", "2024-05-01", 1050),
        ("c", "2024-07-01", 950),
        ("b", "2024-07-01", 900),
    ]
    assert document["curve"] is None
    assert any("1 model with several rows" in note for note in document["notes"])


def test_bad_input_is_explained(assay: Assay, folder: Path) -> None:
    """A missing column, no readable row, an unknown kind, a score above the scale."""
    tables = {
        "a.csv": ("model,score\na,1\n", (), "no column 'date'"),
        "b.csv": ("model,date,score\na,3/4,1\n", (), "Invalid date '3/4'"),
        "c.csv": ("model,date,score,open\na,2024-01-01,1,maybe\n", (), "'open' is 'maybe'"),
        "d.csv": ("model,date,score\na,2024-01-01,120\n", ("--most", "100"), "above the scale's end"),
        "e.csv": ("model,date,score,open\na,2024-01-01,1,true\na,2024-01-02,1,false\n", (), "two values"),
    }
    for name, (text, more, message) in tables.items():
        (folder / name).write_text(text)
        ended = assay("study", "trend", name, *more)
        assert ended.status == 2, name
        assert message.lower() in " ".join(ended.err.split()).lower(), name
    assert assay("study", "trend", "none.csv").status == 2
