"""JSON documents of commands with judges match the committed schemas."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Assay
from judged_files import write_judged_suite
from schemas import valid

PANEL = ("--judge", "simulated/judge", "--judge", "simulated/judge-prose", "--geval-judge", "none")


@pytest.fixture
def judged(folder: Path) -> str:
    """A judged suite of six cases whose judges are simulated."""
    write_judged_suite(folder)
    return "./judged"


@pytest.mark.slow
def test_a_board(judged: str, assay: Assay) -> None:
    """The board's documents are valid with three judges, with a judge that fails, and without any judge."""
    models = ("-m", "simulated/steady", "-m", "simulated/noisy")
    assert valid("plan", assay("run", judged, *models, "--dry-run", "--json"))["parts"][1]["models"]
    assay("run", judged, *models)
    document = valid("board", assay("board", "judged", "--json"))
    assert [judge["marks"] for judge in document["judges"]] == [12, 12, 12]
    assert {group["by"] for group in document["models"][0]["groups"]} == {
        "category",
        "subcategory",
        "difficulty",
    }
    assert document["comparisons"][0]["difference"] is not None
    remarks = valid("run", assay("grade", "1", "--judge", "simulated/judge-refusing", "--json"))["remarks"]
    assert "marks missing (12)" in remarks[0]["text"]
    assert valid("board", assay("board", "judged", "--json"))["missing"]
    assay("run", judged, *models, *PANEL)
    document = valid("board", assay("board", "judged", "--json"))
    assert document["geval_judge"] is None
    assert {model["basis"] for model in document["models"]} == {"judges only"}
    assert [judge["judge"] for judge in document["models"][0]["judges"]] == ["simulated/judge"]
    assay("run", judged, *models, "--judge", "none")
    bare = valid("board", assay("board", "judged", "--run", "3", "--json"))
    assert [(model["composite"], model["rank_low"]) for model in bare["models"]] == [(None, None)] * 2
    assert bare["comparisons"] == []
    valid("show-run", assay("show", "1", "--json"))
    valid("show-sample", assay("show", "1.0", "--json"))


@pytest.mark.slow
def test_the_list_of_judges(judged: str, assay: Assay) -> None:
    """The list is valid for judges without a key in an empty database, and after a calibration."""
    before = valid("judge-list", assay("judge", "list", "--json"))["judges"]
    assert {judge["role"] for judge in before} == {"judge", "panel", "geval"}
    assert all(judge["absent"] is not None and judge["calibrated"] is None for judge in before)
    assay("judge", "calibrate", "--suite", judged, "--judge", "simulated/judge", "--freeze")
    call = ("judge", "list", "--suite", judged, "--json")
    after = valid("judge-list", assay(*call))["judges"]
    assert after[0]["calibrated"] is not None
    assert after[0]["marks"] == 18
    assert {run["kind"] for run in valid("runs", assay("runs", "--json"))["runs"]} == {"calibrate"}


def test_a_calibration(judged: str, assay: Assay) -> None:
    """The document is valid for the first calibration, for one without drift, and for one without marks."""
    call = ("judge", "calibrate", "--suite", judged, "--json", "--judge")
    first = valid("judge-calibrate", assay(*call, "simulated/judge"))
    assert first["reference"] == first["run"] == 1
    again = valid("judge-calibrate", assay(*call, "simulated/judge"))
    assert (again["reference"], again["may_flip"]) == (1, True)
    assert again["use_cases"][0]["n"] == 18
    nothing = valid("judge-calibrate", assay(*call, "simulated/judge-prose"))
    assert (nothing["reference"], nothing["may_flip"], nothing["missing"]) == (None, False, 18)
    assert (nothing["use_cases"][0]["shift"], nothing["use_cases"][0]["from_experts"]) == (None, None)


def test_a_watch_with_a_judge(judged: str, assay: Assay) -> None:
    """The day's document is valid and includes the calls of the calibration."""
    call = ("watch", "--suite", judged, "-m", "simulated/steady", "--judge", "simulated/judge", "--json")
    plan = valid("plan", assay(*call, "--dry-run"))
    announced = {part["part"]: part["calls"] for part in plan["parts"] if not part["up_to"]}
    ended = assay(*call)
    document = valid("watch", ended)
    assert document["run"]["ungraded"] == 0
    assert {part["part"]: part["calls"] for part in document["spent"]["parts"]} == announced
    assert f"in {plan['calls']} calls" in " ".join(ended.err.split())
    valid("verdict", assay("verdict", "--suite", "judged", "--json"))
