"""`assay export marks` and `assay import marks`: a sheet for people, and their marks beside the judges'."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from command_line import Assay
from schemas import valid
from workbench_files import rows, write_rows


@pytest.fixture
def imported(assay: Assay, folder: Path) -> Path:
    """A workspace with one private run: two models, three prompts, two judges."""
    write_rows(folder / "r.jsonl", rows("m-1", "m-2"))
    assert assay("import", "workbench", "r.jsonl").status == 0
    return folder


def test_from_the_sheet_to_the_choice_of_a_judge(assay: Assay, imported: Path) -> None:
    """Export, fill in, import twice; then judges are compared with people."""
    refused = assay("export", "marks", "1", "--out", "m.csv")
    assert (refused.status, (imported / "m.csv").exists()) == (2, False)
    assert "--reveal" in refused.err
    document = valid(
        "export-marks", assay("export", "marks", "run:1", "--out", "m.csv", "--reveal", "--json")
    )
    assert (document["answers"], document["visible"]) == (6, 6)
    with (imported / "m.csv").open(encoding="utf-8-sig", newline="") as file:
        sheet = list(csv.DictReader(file))
    with (imported / "m.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(sheet[0]))
        writer.writeheader()
        writer.writerows({**row, "mark": 1 + place % 5} for place, row in enumerate(sheet))
    first = valid("import-marks", assay("import", "marks", "m.csv", "--run", "1", "--json"))
    assert (first["judge"], first["added"], first["known"]) == ("human", 6, 0)
    again = assay("import", "marks", "m.csv", "--run", "1")
    assert "0 marks of human added to run 1, 6 imported before, 0 blank" in again.out
    chosen = assay("judge", "choose", "1", "--json").json
    assert {judge["judge"] for judge in chosen["judges"]} == {"j-1", "j-2"}
    assert {judge["n"] for judge in chosen["judges"]} == {6}
    panel = assay("judge", "panel", "1", "--json").json
    assert (panel["panel_reference"], panel["best_judge"]) == ("human", None)


def test_a_board_names_the_independence_of_its_judges(assay: Assay, imported: Path) -> None:
    """In text and in JSON."""
    board = valid("board", assay("board", "generalist", "--json"))
    assert board["panel"]["panel_reference"] is None
    assert "ffective votes of the panel" in assay("board", "generalist").err


def test_bad_requests_are_named(assay: Assay, imported: Path) -> None:
    """Each with exit status 2 and the value."""
    for arguments, text in (
        (("export", "marks", "exam:x", "--out", "m.csv"), "'exam:x'"),
        (("export", "marks", "1", "--out", "m.txt", "--reveal"), "m.txt"),
        (("import", "marks", "gone.csv", "--run", "1"), "gone.csv"),
        (("import", "marks", "r.jsonl", "--run", "1"), "missing columns"),
        (("import", "marks", "r.jsonl", "--run", "1", "--judge", "robot"), "'robot'"),
    ):
        ended = assay(*arguments)
        assert ended.status == 2
        assert text in ended.err
