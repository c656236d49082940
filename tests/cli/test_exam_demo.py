"""`assay exam demo`."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest
from command_line import Assay

KNOWS = re.compile(r"^(simulated/\w+) +([\d.]+) \(\d+ of 150\) +([\d.]+) ", re.MULTILINE)


@pytest.mark.slow
def test_the_demonstration_finds_what_was_simulated(script: Assay, folder: Path) -> None:
    """Three models are published with S near what they know, and everything is kept to be looked at."""
    done = script("exam", "demo", "--out", "kept", COLUMNS="200")
    assert done.status == 0, done.err
    assert "no real model was measured" in done.out
    assert "do not publish" in done.out
    assert "9 of 9 sittings marked" in done.err
    compared = {model: (float(known), float(score)) for model, known, score in KNOWS.findall(done.out)}
    assert sorted(compared) == ["simulated/collapsing", "simulated/rerouted", "simulated/steady"]
    for known, score in compared.values():
        assert abs(known - score) < 25, done.out
    assert "Sittings to review" not in done.out
    assert "180 questions of these sittings came from the public example bank" in done.err
    with (folder / "kept" / "manifest.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 3 * 3 * 20
    assert {row["stars"] for row in rows} == {"0", "3"}
    later = script(
        *("--workspace", "kept/assay.yaml", "exam", "results", "--judge", "simulated/judge", "--json"),
        ASSAY_DATABASE=str(folder / "kept" / "assay.db"),
    )
    results = json.loads(later.out)
    assert results["example_questions"] == len(rows)
    (series,) = results["series"]
    assert series["models"][0]["model"] == "simulated/steady"


def test_a_folder_that_holds_something_is_left_alone(assay: Assay, folder: Path) -> None:
    """Nothing is written there."""
    (folder / "mine").mkdir()
    (folder / "mine" / "thesis.txt").write_text("words")
    ended = assay("exam", "demo", "--out", "mine")
    assert (ended.status, "--out 'mine' is not empty" in ended.err) == (2, True)
    assert [each.name for each in (folder / "mine").iterdir()] == ["thesis.txt"]
