"""`assay rank bradley-terry` and `elo`: from comparisons, scores and runs, in every form."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from command_line import Assay
from schemas import valid

HEAD = "item,a,b,winner,order,length_a,length_b\n"
ROWS = (
    "1,a,b,a,AB,30,10\n2,a,b,a,BA,10,30\n3,b,a,b,AB,20,10\n4,a,b,a,AB,10,20\n5,a,b,tie,BA,30,20\n"
    "6,a,<i>top</i>,b,AB,10,10\n"
)


def written(folder: Path, rows: str = ROWS) -> str:
    """Write a table of comparisons and return its name."""
    (folder / "verdicts.csv").write_text(HEAD + rows)
    return "verdicts.csv"


def test_the_document_and_the_csv_agree(assay: Assay, folder: Path) -> None:
    """Ratings of two models that the data can rate; the third is reported with the reason."""
    source = written(folder)
    document = valid("rank-comparisons", assay("rank", "elo", source, "--json"))
    rows = list(csv.DictReader(io.StringIO(assay("rank", "elo", source, "--csv").out)))
    assert [row["model"] for row in document["ranking"]] == [row["model"] for row in rows] == ["a", "b"]
    assert [float(row["rating"]) for row in rows] == [row["rating"] for row in document["ranking"]]
    assert [(row["model"], row["wins"]) for row in document["not_ranked"]] == [("<i>top</i>", 1)]
    assert "NaN" not in assay("rank", "elo", source, "--json").out


def test_the_table_names_models_without_a_rating(
    assay: Assay, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the reason, and stderr says how many comparisons count."""
    monkeypatch.setenv("COLUMNS", "200")
    ended = assay("rank", "bradley-terry", written(folder))
    assert ended.status == 0
    assert "it won all 1 comparison, so its rating has no upper limit" in ended.out
    assert "5 comparisons between ranked models" in ended.err


def test_effects_are_printed(assay: Assay, folder: Path) -> None:
    """An adjusted ranking shows what it adjusted for."""
    rows = "".join(
        f"{item},a,b,{'aab'[item % 3]},{('AB', 'BA')[item // 3 % 2]},{10 + item % 7},{10 + item % 5}\n"
        for item in range(60)
    )
    document = assay(
        "rank",
        "bradley-terry",
        written(folder, rows),
        "--covariate",
        "length",
        "--covariate",
        "position",
        "--json",
    ).json
    assert [effect["covariate"] for effect in document["effects"]] == ["length", "position"]


@pytest.mark.parametrize("name", ["elo.html", "out.csv", "out.parquet", "out.json"])
def test_every_ending_is_written(assay: Assay, folder: Path, name: str) -> None:
    """The page escapes names and has the table of models without a rating."""
    ended = assay("rank", "elo", written(folder), "--out", name)
    assert ended.status == 0
    text = (folder / name).read_bytes()
    if name.endswith(".html"):
        assert b"<i>top</i>" not in text
        assert b"Models without a rating" in text


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        ("1,a,b,a,,,\n", (), "no two models have each beaten the other"),
        ("1,a,b,a,,,\n1,a,b,b,,,\n", (), "have another verdict at line 2"),
        (ROWS, ("--baseline", "c"), "unknown baseline 'c': give one of a, b"),
        (ROWS, ("--covariate", "judge"), "add one of them by --covariate"),
        ("1,a,b,a,,,\n2,a,b,b,,,\n", ("--covariate", "length"), "2 of 2 comparisons have no lengths"),
    ],
)
def test_bad_input_is_one_message(
    assay: Assay, folder: Path, rows: str, options: tuple[str, ...], message: str
) -> None:
    """Exit status 2, what is wrong, and what to do."""
    ended = assay("rank", "bradley-terry", written(folder, rows), *options)
    assert (ended.status, ended.out) == (2, "")
    assert message in ended.err


def test_runs_are_a_source(assay: Assay, folder: Path) -> None:
    """Comparisons come from the scores of simulated runs, which the result says."""
    models = ("--model", "simulated/steady", "--model", "simulated/degrading")
    assert assay("run", "small", *models).status == 0
    ended = assay("rank", "elo", "run:1", "--json")
    if ended.status == 0:
        document = valid("rank-comparisons", ended)
        assert document["simulated"] is True
    else:
        assert "no two models have each beaten the other" in ended.err
