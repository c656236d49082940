"""`assay judge agreement` on tables and on runs: figures worked by hand, errors, and the document."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from command_line import Assay
from schemas import valid
from workbench_files import row, write_rows

BY_HAND = """\
item,judge,mark
1,a,5
1,b,5
2,a,4
2,b,3
3,a,4
3,b,4
4,a,3
4,b,3
"""
"""Agreement 3/4; shares a: 5 1/4, 4 1/2, 3 1/4; b: 5 1/4, 4 1/4, 3 1/2; p_e = 5/16; kappa = 7/11."""


def test_figures_by_hand(folder: Path, assay: Assay) -> None:
    """Agreement is 0.75, kappa 7/11, and leniency a quarter of a mark in each direction."""
    (folder / "marks.csv").write_text(BY_HAND)
    document = valid("judge-agreement", assay("judge", "agreement", "marks.csv", "--json"))
    pair = document["pairs"][0]
    assert (pair["n"], pair["agreement"], pair["within_one"]) == (4, 0.75, 1.0)
    assert pair["kappa"]["value"] == pytest.approx(7 / 11)
    assert [judge["above_others"]["value"] for judge in document["judges"]] == [0.25, -0.25]
    assert [alpha["distance"] for alpha in document["alpha"]] == ["nominal", "ordinal", "interval"]
    assert [category["category"] for category in document["categories"]] == ["3", "4", "5"]


def test_tables_and_notes_are_printed(folder: Path, assay: Assay) -> None:
    """Tables are on stdout; bad rows with their line and unread columns are on stderr."""
    (folder / "marks.csv").write_text(
        BY_HAND.replace("item", "note,item").replace("\n", "\nx,", 8) + "x,5,a\n"
    )
    ended = assay("judge", "agreement", "marks.csv")
    assert ended.status == 0
    assert "marks.csv, 2 judges, 4 answers, 4 of them marked by two or more" in ended.out
    assert "0.636" in ended.out
    assert "refused: marks.csv:10: the row has 3 cells, the header 4" in ended.err
    assert "1 row of 9 refused; the others count" in ended.err
    assert "columns not read: note" in ended.err


def test_own_models_and_lengths_are_printed(folder: Path, assay: Assay) -> None:
    """A judge that gives its own model 5 and the other 3, where the others give 4, has an excess of 2."""
    lines = [
        f"{item},{model},{judge},{mark},{100 + 10 * item + 50 * (model == 'claude-x')}"
        for item in range(4)
        for model, own in (("gpt-9", 5), ("claude-x", 3))
        for judge, mark in (("gpt-9", own), ("k", 4), ("l", 4))
    ]
    (folder / "own.csv").write_text("\n".join(["item,model,judge,mark,length", *lines]) + "\n")
    ended = assay("judge", "agreement", "own.csv", "--category", "3", "--category", "4", "--category", "5")
    assert "Own models: marks above the other judges', on own answers minus on others' answers" in ended.out
    assert re.search(r"gpt-9 +model +4 +\+2\.00 +\+2\.00 to \+2\.00 ", ended.out)
    assert "Length: extra marks for each doubling of the length" in ended.out


def test_two_codings_of_the_same_labels_are_refused(folder: Path, assay: Assay) -> None:
    """For labels 1 and 2 against 0 and 1 there is no kappa, and the error shows both codings and a remedy."""
    rows = [
        (item, judge, mark)
        for item in range(4)
        for judge, mark in (("gold", 1 + item % 2), ("won", item % 2))
    ]
    (folder / "two.csv").write_text("item,judge,mark\n" + "".join(f"{i},{j},{m}\n" for i, j, m in rows))
    ended = assay("judge", "agreement", "two.csv")
    assert (ended.status, ended.out) == (2, "")
    assert "gold uses the marks {1, 2}, won uses {0, 1}: these look like two codings" in ended.err
    assert "--category 0 --category 1 --category 2" in ended.err
    declared = assay(
        "judge", "agreement", "two.csv", "--category", "0", "--category", "1", "--category", "2", "--json"
    )
    assert valid("judge-agreement", declared)["pairs"][0]["agreement"] == 0.0


def test_a_judge_with_another_coding_affects_only_its_pairs(folder: Path, assay: Assay) -> None:
    """Two judges with the same coding are compared, and mixed figures are left out with a remark."""
    marks = {"a": "yes", "b": "yes", "c": "true"}
    lines = [f"{item},{judge},{mark}" for item in range(3) for judge, mark in marks.items()]
    lines += [f"9,{judge},{mark}" for judge, mark in {"a": "no", "b": "no", "c": "false"}.items()]
    (folder / "three.csv").write_text("\n".join(["item,judge,mark", *lines]) + "\n")
    document = valid("judge-agreement", assay("judge", "agreement", "three.csv", "--json"))
    by_pair = {(pair["first"], pair["second"]): pair for pair in document["pairs"]}
    assert by_pair["a", "b"]["kappa"]["value"] == 1.0
    assert by_pair["a", "c"]["kappa"] is None
    assert "a uses the marks {no, yes}, c uses {false, true}" in by_pair["a", "c"]["refused"]
    assert document["alpha"] == []
    assert any("--judge" in remark["text"] for remark in document["remarks"])
    same_coding = valid(
        "judge-agreement", assay("judge", "agreement", "three.csv", "--judge", "a", "--judge", "b", "--json")
    )
    assert [alpha["value"] for alpha in same_coding["alpha"]] == [1.0]


def test_a_column_for_each_judge(folder: Path, assay: Assay) -> None:
    """The columns are named with --judge, and the error without it says so."""
    (folder / "wide.csv").write_text("item,a,b\n1,5,5\n2,4,3\n3,4,4\n4,3,3\n")
    document = valid(
        "judge-agreement", assay("judge", "agreement", "wide.csv", "--judge", "a", "--judge", "b", "--json")
    )
    assert document["pairs"][0]["kappa"]["value"] == pytest.approx(7 / 11)
    refused = assay("judge", "agreement", "wide.csv")
    assert refused.status == 2
    assert "--judge" in refused.err


def test_verdicts_in_both_orders(folder: Path, assay: Assay) -> None:
    """A judge that always prefers the first answer flips on every pair; one that names a side never does."""
    lines = ["item,judge,order,verdict"]
    for item in range(6):
        for order in ("AB", "BA"):
            lines += [f"{item},first,{order},first", f"{item},sure,{order},A"]
    (folder / "pairs.csv").write_text("\n".join(lines) + "\n")
    document = valid("judge-agreement", assay("judge", "agreement", "pairs.csv", "--json"))
    first, sure = (judge["position"] for judge in document["judges"])
    assert (first["flips"], first["kept_first"], first["p"]) == (6, 6, 2 / 64)
    assert (sure["flips"], sure["items"]) == (0, 6)
    assert document["pairs"][0]["agreement"] == 1.0
    alone = assay("judge", "agreement", "pairs.csv", "--judge", "first")
    assert alone.status == 0
    assert "Position" in alone.out


def test_a_run_by_its_number(folder: Path, assay: Assay) -> None:
    """Marks, families and lengths come from the database; the metric is the one that most judges marked."""
    marks = {"gpt-x": {"a": 5, "b": 3, "c": 4}, "other": {"a": 3, "b": 4, "c": 4}}
    lines = [
        row(f"{model}-{place}", prompt, response="word " * (place + 2), judges={"gpt-9": 3 + place, **judges})
        for place in range(2)
        for model, judges in marks.items()
        for prompt in ("C01", "C02", "W01")
    ]
    write_rows(folder / "results.jsonl", lines)
    assay("import", "workbench", "results.jsonl")
    document = valid("judge-agreement", assay("judge", "agreement", "1", "--json"))
    assert (document["run"], document["metric"], document["file"], document["answers"]) == (
        1,
        "rubric",
        None,
        12,
    )
    assert [other["metric"] for other in document["other_metrics"]] == [
        "coherence",
        "correctness",
        "instruction_following",
    ]
    judges = {judge["judge"]: judge for judge in document["judges"]}
    assert judges["gpt-9"]["family"] == "openai"
    assert judges["gpt-9"]["own_family"]["own"]["n"] == 6
    assert judges["gpt-9"]["own_model"] is None
    assert judges["gpt-9"]["verbosity"]["slope"]["value"] > 0
    assert [category["category"] for category in document["categories"]] == ["1", "2", "3", "4", "5"]
    assert "word" not in assay("judge", "agreement", "1").out


@pytest.mark.usefixtures("no_database")
def test_a_file_whose_name_is_a_number(folder: Path, assay: Assay) -> None:
    """A file has priority over a run, and an unknown run is reported."""
    (folder / "7").write_text(BY_HAND)
    assert "give .csv, .parquet or .jsonl" in assay("judge", "agreement", "7").err
    assert "no database" in assay("judge", "agreement", "8").err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "item,judge\n1,a\n",
            "missing column 'mark' (or 'score', 'label', 'quality'): add it (the table has 'item', 'judge')",
        ),
        ("", "has no header"),
        ("item,judge,mark\n", "has no rows"),
        ("item,judge,mark\n,a,1\n", "marks.csv:2: 'item' is blank"),
        ("item,judge,mark\n1,a,1\n2,a,2\n", "only 'a' gave marks"),
        ("item,judge,mark\n1,a,1\n2,b,2\n", "no answer was marked by two judges"),
    ],
    ids=["columns", "empty", "no rows", "no good row", "one judge", "nothing shared"],
)
def test_invalid_tables_end_with_2(folder: Path, assay: Assay, text: str, message: str) -> None:
    """The message says what is missing."""
    (folder / "marks.csv").write_text(text)
    ended = assay("judge", "agreement", "marks.csv")
    assert ended.status == 2
    assert message in ended.err


def test_options_of_the_other_source_are_refused(folder: Path, assay: Assay) -> None:
    """A table has no metric, and a run's graders declare their scale."""
    (folder / "marks.csv").write_text(BY_HAND)
    assert "--metric is for runs" in assay("judge", "agreement", "marks.csv", "--metric", "rubric").err
    assert "--category is for tables" in assay("judge", "agreement", "1", "--category", "1").err
