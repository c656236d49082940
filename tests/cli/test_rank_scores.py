"""`assay rank absolute` and `relative`: from tables, runs and boards, in every form."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from command_line import Assay
from schemas import valid

TABLE = "prompt,model,quality\np,a,1\np,b,0\nq,a,1\nq,b,1\nr,a,0\nr,b,0\n"


def written(folder: Path) -> str:
    """Write a table of two models and three prompts, and return its name."""
    (folder / "scores.csv").write_text(TABLE)
    return "scores.csv"


def test_the_document_and_the_csv_agree(assay: Assay, folder: Path) -> None:
    """Both contain S, R and their intervals under the same names."""
    source = written(folder)
    document = valid("rank-scores", assay("rank", "relative", source, "--json"))
    rows = list(csv.DictReader(io.StringIO(assay("rank", "relative", source, "--csv").out)))
    assert [row["model"] for row in document["ranking"]] == [row["model"] for row in rows] == ["a", "b"]
    assert [float(row["relative"]) for row in rows] == pytest.approx([100.0, 50.0])
    assert document["reference"] == "a"


def test_the_reference_can_be_chosen(assay: Assay, folder: Path) -> None:
    """R of the better model is then above 100."""
    document = assay("rank", "relative", written(folder), "--reference", "b", "--json").json
    assert document["ranking"][0]["relative"] == pytest.approx(200.0)


@pytest.mark.parametrize("model", ["rasch", "2pl"])
def test_scores_on_different_items_are_equated(assay: Assay, folder: Path, model: str) -> None:
    """The document and the CSV name the item response model; a complete table has no equated score."""
    written(folder)
    (folder / "part.csv").write_text(TABLE.replace("r,b,0\n", "s,b,1\n"))
    call = ("rank", "absolute", "part.csv", "--equating", model)
    document = valid("rank-scores", assay(*call, "--json"))
    assert [row["equating"] for row in document["ranking"]] == [model, model]
    assert all(row["equated_low"] < row["equated"] < row["equated_high"] for row in document["ranking"])
    assert [row["equating"] for row in csv.DictReader(io.StringIO(assay(*call, "--csv").out))] == [model] * 2
    whole = assay("rank", "relative", "scores.csv", "--equating", model, "--json").json
    assert [row["equated"] for row in whole["ranking"]] == [None, None]


@pytest.mark.parametrize("name", ["scores.html", "out.csv", "out.parquet", "out.json"])
def test_every_ending_is_written(assay: Assay, folder: Path, name: str) -> None:
    """The file is there, and its address is printed."""
    ended = assay("rank", "absolute", written(folder), "--out", name)
    assert ended.status == 0
    assert (folder / name).stat().st_size > 0
    assert f"wrote {(folder / name).as_uri()}" in ended.err


def test_bad_input_is_one_message(assay: Assay, folder: Path) -> None:
    """Exit status 2, what is wrong, and what to give."""
    (folder / "one.csv").write_text("prompt,model,quality\np,a,1\n")
    ended = assay("rank", "absolute", "one.csv")
    assert (ended.status, ended.out) == (2, "")
    assert "1 models with scores: a ranking needs at least two" in ended.err


def test_runs_are_a_source(assay: Assay, folder: Path) -> None:
    """Simulated runs are ranked, and the result says that they are simulated."""
    models = ("--model", "simulated/steady", "--model", "simulated/degrading")
    assert assay("run", "small", *models).status == 0
    document = valid("rank-scores", assay("rank", "absolute", "run:1", "--json"))
    assert document["simulated"] is True
    assert document["items"] == 10
