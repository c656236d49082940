"""Exports of the bank."""

from __future__ import annotations

import csv
import json
import stat
from pathlib import Path
from typing import Any

import pytest
from banked import CHOICE, NOW, SEALER, choice, fill
from sqlalchemy import Engine

from assay.bank.export import Layout, export
from assay.core.errors import Conflict, Denied, InvalidInput
from assay.core.question import QuestionState
from assay.core.sealed import AnswerKey
from assay.files.sealing import KeySealer
from assay.store.bank.changes import next_revision, retire
from assay.store.engine import writing

NONCE = "q7f3-this-answer-is-nobodys-business-9d1c"


@pytest.fixture
def bank(sqlite: Engine) -> Engine:
    """A bank of two questions; the explanation of one is a long nonce."""
    fill(sqlite, [(CHOICE, AnswerKey(("C",), NONCE)), choice(1)])
    return sqlite


def lines(path: Path) -> list[dict[str, Any]]:
    """Return the objects of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_an_export_holds_questions_and_no_keys(bank: Engine, tmp_path: Path) -> None:
    """Every question is there with its options; no byte of an answer is."""
    path = tmp_path / "bank.jsonl"
    assert export(bank, path) == 2
    first = lines(path)[0]
    assert (first["uuid"], first["options"], "answers" in first) == (CHOICE.uuid, list(CHOICE.options), False)
    assert NONCE.encode() not in path.read_bytes()


def test_an_export_with_keys_is_for_its_owner_alone(bank: Engine, tmp_path: Path) -> None:
    """It is readable by nobody else from the start, and holds answers and explanations."""
    path = tmp_path / "keys.jsonl"
    export(bank, path, sealer=SEALER)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert (lines(path)[0]["answers"], lines(path)[0]["explanation"]) == (["C"], NONCE)


def test_keys_never_go_into_a_file_that_is_there(bank: Engine, tmp_path: Path) -> None:
    """It may be open to others: the file is left as it is."""
    path = tmp_path / "open.jsonl"
    path.write_text("mine")
    with pytest.raises(Conflict, match="name a new file"):
        export(bank, path, sealer=SEALER)
    assert path.read_text() == "mine"


def test_another_sealing_key_leaves_no_file(bank: Engine, tmp_path: Path) -> None:
    """What cannot be opened ends the export, and nothing half-written stays."""
    with pytest.raises(Denied, match="another key"):
        export(bank, tmp_path / "keys.csv", sealer=KeySealer(b"y" * 32))
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".csv"] == []


def test_figure_8s_fields_are_offered(bank: Engine, tmp_path: Path) -> None:
    """Category, sub-category, uuid, dialog and hint, as the seed names them."""
    path = tmp_path / "figure8.jsonl"
    export(bank, path, layout=Layout.FIGURE_8)
    first = lines(path)[0]
    assert list(first) == ["category", "sub_category", "question_uuid", "dialog", "hint"]
    assert (first["category"], first["hint"], first["dialog"][0]["role"]) == ("Engineering", False, "user")
    assert CHOICE.stem in first["dialog"][0]["content"]


def test_csv_has_a_header_and_lists_as_json(bank: Engine, tmp_path: Path) -> None:
    """A spreadsheet can be read back without loss."""
    path = tmp_path / "bank.csv"
    export(bank, path)
    with path.open(newline="", encoding="utf-8") as file:
        first = next(csv.DictReader(file))
    assert json.loads(first["options"]) == list(CHOICE.options)


def test_states_and_retirement_choose_what_is_written(bank: Engine, tmp_path: Path) -> None:
    """Only accepted ones on demand; retired ones are left out unless asked for."""
    ids = fill(bank, [choice(2), choice(3)], state=QuestionState.ACCEPTED)
    with writing(bank) as connection:
        retire(connection, ids[:1], "leaked", revision=next_revision(connection, "retire", "leaked", NOW))
    accepted = {"states": [QuestionState.ACCEPTED]}
    assert export(bank, tmp_path / "a.jsonl", **accepted) == 1
    assert export(bank, tmp_path / "b.jsonl", **accepted, retired=True) == 2


def test_another_suffix_is_refused(bank: Engine, tmp_path: Path) -> None:
    """The message says which there are."""
    with pytest.raises(InvalidInput, match=r"'.xlsx'.*\.jsonl or \.csv"):
        export(bank, tmp_path / "bank.xlsx")
