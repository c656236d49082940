"""`assay causal calibrate`: text, JSON and CSV, and the warning about simulated models."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from command_line import Assay
from ladder_suite import write_ladder_suite
from schemas import valid

SIMULATED = "SIMULATED MODELS: these figures say nothing about real models"
ALLOWED = ("causal", "calibrate", "1", "--allow-simulated")


@pytest.fixture
def measured(folder: Path, assay: Assay) -> None:
    """A finished run of two simulated models."""
    write_ladder_suite(folder)
    ended = assay("run", "./ladder", "-m", "simulated/steady", "-m", "simulated/collapsing")
    assert ended.status == 0, ended.err


@pytest.mark.usefixtures("measured")
def test_simulated_models_are_refused_or_named_first(assay: Assay) -> None:
    """In the text the warning comes before the figures; with JSON and CSV it is on stderr."""
    refused = assay("causal", "calibrate", "1")
    assert (refused.status, refused.out) == (2, "")
    assert "the models of run 1 are simulated" in refused.err
    text = assay(*ALLOWED).out
    assert text.startswith(SIMULATED)
    assert "level 4" in text
    assert "No level fits" in text
    assert SIMULATED in assay(*ALLOWED, "--json").err
    assert SIMULATED in assay(*ALLOWED, "--csv").err


@pytest.mark.usefixtures("measured")
def test_the_document_and_the_rows(assay: Assay) -> None:
    """Four levels of six questions; CSV has a row for each level and model."""
    document = valid("causal-calibrate", assay(*ALLOWED, "--json"))
    assert (document["suite"], document["simulated"], document["runs"]) == ("ladder", True, [1])
    assert [(level["level"], level["questions"]) for level in document["levels"]] == [
        (1, 6),
        (2, 6),
        (3, 6),
        (4, 6),
    ]
    assert len(document["levels"][0]["items"]) == 6
    rows = list(csv.DictReader(io.StringIO(assay(*ALLOWED, "--csv").out)))
    assert len(rows) == 8
    assert {row["model"] for row in rows} == {"simulated/steady", "simulated/collapsing"}
    assert {row["simulated"] for row in rows} == {"True"}
    assert all(int(row["n"]) == 6 for row in rows)
    within = {(row["level"], row["model"]): row["within"] for row in rows}
    assert within["1", "simulated/steady"] == "False"


@pytest.mark.usefixtures("measured")
def test_a_run_that_does_not_exist(assay: Assay) -> None:
    """One message."""
    ended = assay("causal", "calibrate", "7")
    assert (ended.status != 0, ended.out) == (True, "")
    assert "7" in ended.err
