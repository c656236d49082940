"""`assay board --pairs`: the list of significant differences is what the pairs test says."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from command_line import Assay
from judged_files import write_judged_suite
from keyed_suite import write_keyed_suite
from schemas import valid

MODELS = ("-m", "simulated/steady", "-m", "simulated/noisy", "-m", "simulated/collapsing")


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal in which no name is folded."""
    monkeypatch.setenv("COLUMNS", "160")


def listed(assay: Assay, suite: str) -> set[frozenset[str]]:
    """Return the pairs that the terminal lists."""
    ended = assay("board", suite, "--pairs")
    assert ended.status == 0, ended.err
    lines = [line.split() for line in ended.out.splitlines()]
    return {frozenset(words[:2]) for words in lines if words and words[0].startswith("simulated/")}


def significant(assay: Assay, suite: str, schema: str) -> set[frozenset[str]]:
    """Return the pairs whose corrected p in the document is at most its alpha."""
    document = valid(schema, assay("board", suite, "--json"))
    for pair in document["comparisons"]:
        assert pair["significant"] == (pair["p_holm"] <= document["alpha"])
    return {
        frozenset((pair["first"], pair["second"]))
        for pair in document["comparisons"]
        if pair["p_holm"] <= document["alpha"]
    }


@pytest.mark.slow
def test_a_judged_board_lists_what_the_pairs_test_says(folder: Path, assay: Assay) -> None:
    """Terminal and JSON name the same pairs; the board says where they are listed and what a rank is."""
    write_judged_suite(folder, cases=40)
    assert assay("run", "./judged", *MODELS).status == 0
    pairs = significant(assay, "judged", "board")
    assert pairs
    assert listed(assay, "judged") == pairs
    notes = assay("board", "judged").err
    assert f"{len(pairs)} of 3 pairs differ significantly" in notes
    assert "`assay board judged --pairs` lists them" in notes
    assert "cannot be told apart" not in notes


def test_a_keyed_board_lists_them_too(folder: Path, assay: Assay) -> None:
    """The same table for multiple choice; with --by it is refused."""
    write_keyed_suite(folder)
    assert assay("run", "./causal", *MODELS).status == 0
    assert listed(assay, "causal") == significant(assay, "causal", "board-keyed")
    refused = assay("board", "causal", "--pairs", "--by", "concept")
    assert refused.status == 2
    assert "--pairs and --by exclude each other" in refused.err


def test_models_that_are_not_ranked_stand_apart_everywhere(folder: Path, assay: Assay) -> None:
    """Terminal, JSON, CSV and page name the same model, reason and command, and give it no rank."""
    write_judged_suite(folder)
    assert assay("run", "./judged", "-m", "simulated/steady").status == 0
    assert assay("run", "./judged", "-m", "simulated/noisy", "--limit", "2").status == 0
    reason, command = "run 2 asked for 2 of 6 cases", "assay run judged --model simulated/noisy"
    document = valid("board", assay("board", "judged", "--json"))
    assert [each["model"] for each in document["models"]] == ["simulated/steady"]
    assert document["not_ranked"] == [
        {"model": "simulated/noisy", "run": 2, "reasons": [{"reason": reason, "command": command}]}
    ]
    text = assay("board", "judged", "--out", "board.html").out
    page = (folder / "board.html").read_text()
    for shown in (text, page):
        assert "Not ranked" in shown
        assert reason in shown
        assert command in shown
    rows = list(csv.DictReader(io.StringIO(assay("board", "judged", "--csv").out)))
    assert [(row["model"], row["rank_low"], row["not_ranked"]) for row in rows] == [
        ("simulated/steady", "1", ""),
        ("simulated/noisy", "", reason),
    ]


def test_a_run_whose_whole_panel_failed_ends_badly(folder: Path, assay: Assay) -> None:
    """G-Eval alone is no mark of the panel: all answers are ungraded, status 3, and the command is named."""
    write_judged_suite(folder)
    ended = assay(
        "run",
        "./judged",
        *("-m", "simulated/steady", "--judge", "simulated/judge-refusing"),
        *("--geval-judge", "simulated/judge"),
    )
    assert ended.status == 3
    assert "(0 ok, 0 invalid, 0 error, 6 ungraded)" in ended.err
    assert "6 answers without a judge's mark; try again with: assay grade 1 --only ungraded" in ended.err
    assert assay("run", "./judged", "-m", "simulated/steady", "--judge", "none").status == 0
