"""`assay board` of a keyed suite, with simulated models over HTTP: text, JSON, CSV, exclusions, privacy."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from command_line import Assay, Ended
from judged_files import write_judged_suite
from keyed_suite import write_keyed_suite
from ladder_suite import write_ladder_suite
from schemas import valid

MODELS = ("-m", "simulated/steady", "-m", "simulated/collapsing")
SECRETS = {
    "stem": "zq-stem-5c1d7be04f",
    "option": "zq-option-90ab33e7d2",
    "said": "zq-answer-f4417c8e61",
}
EXCLUDED = """\
models:
  - name: simulated/collapsing
    exclusions: [{suite: causal, reason: retired API}]
"""


def shown(ended: Ended) -> str:
    """Return what a command printed, after it went well."""
    assert ended.status == 0, ended.err
    return ended.out + ended.err


def test_a_keyed_board(folder: Path, assay: Assay) -> None:
    """Every row of the document adds up, and simulated models are marked as simulated."""
    write_keyed_suite(folder)
    shown(assay("run", "./causal", *MODELS, "--epochs", "2"))
    document = valid("board-keyed", assay("board", "causal", "--json"))
    assert (document["questions"], document["concepts"], document["epochs"]) == (20, 4, 2)
    assert (document["chance"], document["simulated"], document["beside"]) == (0.25, True, None)
    for model in document["models"]:
        assert model["n"] == 40 == model["ok"] + model["invalid"] + model["error"] + model["ungraded"]
        assert sum(part["right"] for part in model["variants"]) == model["right"]
        assert (
            sum(part["bundles"] for part in model["consistency"]["spread"])
            == model["consistency"]["bundles"]
            == 8
        )
    text = shown(assay("board", "causal"))
    assert "Number of bundles by questions right" in text
    assert "say nothing about real models" in text
    assert max(map(len, assay("board", "causal").out.splitlines())) <= 120


def test_by_concept_and_variant(folder: Path, assay: Assay) -> None:
    """Right of valid with an interval; groups of the other kind of board are refused."""
    write_keyed_suite(folder)
    shown(assay("run", "./causal", *MODELS))
    assert "front-door" in shown(assay("board", "causal", "--by", "concept"))
    assert "transfer" in shown(assay("board", "causal", "--by", "variant"))
    refused = assay("board", "causal", "--by", "category")
    assert refused.status == 2
    assert "use concept, variant, rung or level" in refused.err


def test_rows_as_csv(folder: Path, assay: Assay) -> None:
    """There is one row for each model, with its accuracy on each variant."""
    write_keyed_suite(folder)
    shown(assay("run", "./causal", *MODELS))
    rows = list(csv.DictReader(io.StringIO(assay("board", "causal", "--csv").out)))
    assert {row["model"] for row in rows} == {"simulated/steady", "simulated/collapsing"}
    assert all(0.0 <= float(row["variant:trap"]) <= 1.0 for row in rows)


def test_an_excluded_model_is_listed_with_its_reason(folder: Path, assay: Assay) -> None:
    """In text and JSON, and it has no rank; running it again is refused with the same reason."""
    write_keyed_suite(folder)
    shown(assay("run", "./causal", *MODELS))
    (folder / "assay.yaml").write_text(EXCLUDED)
    document = valid("board-keyed", assay("board", "causal", "--json"))
    assert document["excluded"] == [{"model": "simulated/collapsing", "reason": "retired API", "runs": [1]}]
    assert [model["model"] for model in document["models"]] == ["simulated/steady"]
    text = shown(assay("board", "causal"))
    assert "Excluded from ranking" in text
    assert "retired API" in text
    again = assay("run", "./causal", "-m", "simulated/collapsing")
    assert (again.status, "retired API" in again.err) == (2, True)


@pytest.mark.slow
def test_causal_beside_generalist_and_the_other_way_round(
    folder: Path, assay: Assay, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each board has the other suite in a column of its own, with its version and counts."""
    monkeypatch.setenv("COLUMNS", "240")  # slow answers widen the seconds' column, and headings then fold
    write_keyed_suite(folder)
    write_judged_suite(folder, name="generalist")
    shown(assay("run", "./causal", *MODELS))
    shown(assay("run", "./generalist", "-m", "simulated/steady"))
    judged = valid("board", assay("board", "generalist", "--json"))
    assert (judged["beside"]["suite"], judged["beside"]["version"]) == ("causal", "1.0.0")
    assert [(line["model"], line["n"]) for line in judged["beside"]["models"]] == [("simulated/steady", 20)]
    assert "causal: valid" in shown(assay("board", "generalist"))
    assert "beside:causal:all" in assay("board", "generalist", "--csv").out
    keyed = valid("board-keyed", assay("board", "causal", "--json"))
    assert [line["model"] for line in keyed["beside"]["models"]] == ["simulated/steady"]
    assert "generalist 1.0.0 is shown for comparison" in shown(assay("board", "causal"))
    assert valid("board", assay("board", "generalist", "--beside", "none", "--json"))["beside"] is None
    assert assay("board", "causal", "--beside", "nowhere").status == 2


@pytest.fixture
def secret(folder: Path, assay: Assay) -> Path:
    """A folder with a run of a private keyed suite with nonces in all its texts."""
    write_keyed_suite(folder, visibility="private", **SECRETS)
    shown(assay("run", "./causal", *MODELS))
    return folder


COMMANDS: list[list[str]] = [
    ["board", "causal"],
    ["board", "causal", "--json"],
    ["board", "causal", "--csv"],
    ["board", "causal", "--by", "concept"],
    ["board", "causal", "--by", "variant"],
    ["board", "causal", "--out", "board.html"],
]


def keys(value: Any) -> set[str]:
    """Return every key of a document."""
    if isinstance(value, dict):
        return {*value, *(key for part in value.values() for key in keys(part))}
    return {key for part in value for key in keys(part)} if isinstance(value, list) else set()


def test_nothing_of_a_private_suite_is_shown(secret: Path, assay: Assay) -> None:
    """No stem, option or answer in what any form of the command prints, though they are stored."""
    for command in COMMANDS:
        printed = shown(assay(*command)) + "".join(page.read_text() for page in secret.glob("*.html"))
        assert [name for name, nonce in SECRETS.items() if nonce in printed] == []
    revealed = assay("show", "1.0", "--reveal", "--json").out
    assert [name for name, nonce in SECRETS.items() if nonce not in revealed] == []


def test_the_document_has_no_place_for_a_key(secret: Path, assay: Assay) -> None:
    """No field holds a letter, a question's id or what was expected."""
    document = assay("board", "causal", "--json").json
    assert document["visibility"] == "private"
    assert keys(document).isdisjoint({"key", "letter", "expected_letter", "id", "answer", "question"})


def test_a_board_with_levels_and_twins(folder: Path, assay: Assay) -> None:
    """Twins have tables of their own and columns in CSV; rungs and levels are groups."""
    write_ladder_suite(folder)
    shown(assay("run", "./ladder", *MODELS))
    document = valid("board-keyed", assay("board", "ladder", "--json"))
    assert (document["questions"], document["chance"]) == (24, 0.1875)
    assert [line["model"] for line in document["twins"]] == [model["model"] for model in document["models"]]
    text = shown(assay("board", "ladder"))
    for title in ("Renamed twins", "Pressured twins", "Undeterminable twins"):
        assert title in text
    assert max(map(len, assay("board", "ladder").out.splitlines())) <= 130
    assert "counterfactual (12)" in shown(assay("board", "ladder", "--by", "rung"))
    assert "4 (6)" in shown(assay("board", "ladder", "--by", "level"))
    (first, *_) = csv.DictReader(io.StringIO(assay("board", "ladder", "--csv").out))
    assert {
        "level:4",
        "rung:association",
        "twins:renamed:drop",
        "twins:pressured:flip_rate_interval_low",
    } <= set(first)
    page = assay("board", "ladder", "--out", "board.html")
    assert 'id="twins"' in (folder / "board.html").read_text(), page.err


def test_a_suite_without_levels_and_twins_has_none(folder: Path, assay: Assay) -> None:
    """No column or section is added, and a grouping that it does not state is refused."""
    write_keyed_suite(folder)
    shown(assay("run", "./causal", *MODELS))
    document = valid("board-keyed", assay("board", "causal", "--json"))
    assert (document["twins"], document["models"][0]["levels"]) == ([], [])
    assert "win" not in assay("board", "causal", "--csv").out
    assert "Twins" not in shown(assay("board", "causal"))
    refused = assay("board", "causal", "--by", "level")
    assert (refused.status, "no question of suite 'causal' 1.0.0 states its level" in refused.err) == (
        2,
        True,
    )
