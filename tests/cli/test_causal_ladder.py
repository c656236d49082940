"""`assay causal` on ladder forms: generated, checked, explained, linted, run and shown on a board."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import Assay
from schemas import valid

from assay.causal.form import GENERATOR

SMALL = ("--questions", "10", "--concepts", "confounding,unit-counterfactuals", "--twins", "1")


@pytest.fixture
def ladder(assay: Assay, folder: Path) -> Path:
    """A public form of ten questions with three twins."""
    made = assay("causal", "generate", "--public", "--seed", "test", *SMALL, "--out", "ladder")
    assert made.status == 0, made.err
    assert made.out.startswith("10 questions on 2 concepts")
    return folder / "ladder"


@pytest.mark.slow
def test_a_ladder_is_a_suite(assay: Assay, ladder: Path) -> None:
    """It passes the check of suites, its exemplars included, and the lint."""
    assert assay("suite", "check", "./ladder").status == 0
    linted = assay("causal", "lint", "./ladder", "--json")
    assert linted.status == 0, linted.err
    assert json.loads(linted.out)["passed"]


@pytest.mark.slow
def test_every_question_can_be_explained(assay: Assay, ladder: Path) -> None:
    """Drawn again from the seed, with the results of both proofs; one that was altered is refused."""
    record = json.loads((ladder / "form.json").read_text())
    assert record["generator"] == GENERATOR
    text = "".join(file.read_text() for file in sorted(ladder.glob("*.yaml")) if file.name != "suite.yaml")
    names = [line.removeprefix("- id: ") for line in text.splitlines() if line.startswith("- id: ")]
    assert len(names) == 13
    for name in names:
        explained = assay("causal", "explain", name, "--form", "./ladder", "--json")
        assert explained.status == 0, explained.err
        assert sum(option["right"] for option in json.loads(explained.out)["options"]) == 1
    base = ladder / "base.yaml"
    base.write_text(base.read_text().replace("direct", "plain", 1))
    (ladder / "form.json").write_text(json.dumps({**record, "content_sha256": ""}))
    refused = assay("causal", "explain", "confounding-base-1", "--form", "./ladder")
    assert refused.status == 2


@pytest.mark.slow
def test_a_ladder_is_run_and_ranked(assay: Assay, ladder: Path) -> None:
    """A simulated model answers it, and its board can be shown."""
    run = assay("run", "./ladder", "--model", "simulated/steady", "--json")
    assert run.status == 0, run.err
    board = assay("board", "causal-ladder", "--json")
    assert board.status == 0, board.err
    assert assay("board", "causal-ladder").status == 0


@pytest.mark.slow
def test_a_concept_is_checked(assay: Assay, folder: Path) -> None:
    """Its claims and how often each is true; an unknown concept is refused."""
    checked = valid("causal-concept", assay("causal", "lint", "--concept", "positivity", "--json"))
    assert checked["passed"]
    assert checked["questions"] == 16
    assert assay("causal", "lint", "--concept", "nonsense").status == 2
    assert assay("causal", "lint").status == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--level", "9"), "invalid --level 9: choose from 1 to 4"),
        (("--rungs", "seeing"), "invalid --rungs 'seeing': choose from association"),
        (("--concepts", "nonsense"), "invalid --concepts 'nonsense': choose from"),
        (("--questions", "2"), "invalid --questions 2: give 5 to 1000"),
        (("--twins", "-1"), "invalid --twins -1"),
    ],
)
def test_what_does_not_exist_is_refused(
    assay: Assay, folder: Path, arguments: tuple[str, ...], message: str
) -> None:
    """Exit 2 with one message, and nothing is written."""
    refused = assay("causal", "generate", "--out", "x", *arguments)
    assert refused.status == 2
    assert message in " ".join(refused.err.split())
    assert not (folder / "x").exists()
