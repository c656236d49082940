"""`assay import workbench` prints the imported and refused rows, and how to replay them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from command_line import Assay
from workbench_files import attempt, causal_attempt, layout, row, rows, write_layout, write_rows


def test_the_report_counts_what_was_taken_and_left_out(folder: Path, assay: Assay) -> None:
    """Rows, models, cases, judges, marks; causal answers apart; attempts that do not count."""
    content = layout(C01=[attempt(), attempt()], B01_Q1=[causal_attempt("The best reading is C.")])
    write_layout(folder / "m-1.json", content)
    ended = assay("import", "workbench", "m-1.json")
    assert ended.status == 0
    lines = ended.out.splitlines()
    assert re.fullmatch(r"generalist [0-9a-f]{12}: 3 rows added; 1 model, 3 cases, 2 judges", lines[0])
    assert lines[1:] == [
        "3 ok, 0 invalid, 0 ungraded",
        "15 marks, 0 of them without a value",
        lines[3],
        "1 ok, 0 invalid, 0 error, 0 ungraded",
        "graded by Assay, which read another letter than the project in 1 answer",
        "1 earlier attempt left out: the last one counts",
    ]
    assert re.fullmatch(r"causal-workbench [0-9a-f]{12}: 1 row added; 1 model, 1 case", lines[3])
    assert "assay board generalist" in ended.err
    assert "assay board causal-workbench" in ended.err


def test_wrong_rows_are_told_on_stderr_and_the_good_ones_kept(folder: Path, assay: Assay) -> None:
    """Each with file and line; the command succeeds."""
    write_rows(folder / "results.jsonl", [row(), "{broken", row(prompt="C02", judges={"j-1": 7})])
    ended = assay("import", "workbench", "results.jsonl")
    assert ended.status == 0
    assert "2 of 3 rows refused" in ended.out
    assert "refused: results.jsonl:2: invalid JSON" in ended.err
    assert "refused: results.jsonl:3: 'judges.j-1' is 7" in ended.err


def test_nothing_good_is_wrong_input(folder: Path, assay: Assay) -> None:
    """Exit status 2, for a file without a good row as for one that is not there."""
    write_rows(folder / "results.jsonl", ["{broken"])
    assert assay("import", "workbench", "results.jsonl").status == 2
    assert assay("import", "workbench", "none.jsonl").status == 2


@pytest.mark.slow
def test_the_command_that_it_prints_replays_what_was_imported(
    folder: Path, assay: Assay, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command works as printed, with its variable."""
    write_rows(folder / "results.jsonl", rows("m-1", "m-2"))
    ended = assay("import", "workbench", "results.jsonl", "--recordings", "replay.jsonl", "--json")
    variable, program, *words = shlex.split(ended.json["suites"][0]["replay"]["command"])
    name, _, value = variable.partition("=")
    monkeypatch.setenv(name, value)
    assert program == "assay"
    assert words[:2] == ["run", "./replay-suite"]
    replayed = assay(*words, "--json")
    assert replayed.status == 0
    one, two = (
        {sample["case"]: sample["score"] for sample in assay("show", run, "--json").json["samples"]}
        for run in ("1", "2")
    )
    assert one == pytest.approx(two, abs=1e-4)
