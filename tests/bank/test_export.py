"""Exporting questions."""

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


def test_an_export_contains_questions_but_no_keys(bank: Engine, tmp_path: Path) -> None:
    """It contains every question with its options, but no answer."""
    path = tmp_path / "bank.jsonl"
    assert export(bank, path) == 2
    first = lines(path)[0]
    assert (first["uuid"], first["options"], "answers" in first) == (CHOICE.uuid, list(CHOICE.options), False)
    assert NONCE.encode() not in path.read_bytes()


def test_an_export_with_keys_is_private(bank: Engine, tmp_path: Path) -> None:
    """Only the owner may read it, and it contains answers and explanations."""
    path = tmp_path / "keys.jsonl"
    export(bank, path, sealer=SEALER)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert (lines(path)[0]["answers"], lines(path)[0]["explanation"]) == (["C"], NONCE)


def test_keys_are_not_written_into_an_existing_file(bank: Engine, tmp_path: Path) -> None:
    """The file, which others may be able to read, is unchanged."""
    path = tmp_path / "open.jsonl"
    path.write_text("mine")
    with pytest.raises(Conflict, match="give a new file"):
        export(bank, path, sealer=SEALER)
    assert path.read_text() == "mine"


def test_another_sealing_key_leaves_no_file(bank: Engine, tmp_path: Path) -> None:
    """The export is Denied, and no partial file remains."""
    with pytest.raises(Denied, match="another key"):
        export(bank, tmp_path / "keys.csv", sealer=KeySealer(b"y" * 32))
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".csv"] == []


def test_figure_8_has_the_fields_of_the_paper(bank: Engine, tmp_path: Path) -> None:
    """Category, sub-category, uuid, dialog and hint."""
    path = tmp_path / "figure8.jsonl"
    export(bank, path, layout=Layout.FIGURE_8)
    first = lines(path)[0]
    assert list(first) == ["category", "sub_category", "question_uuid", "dialog", "hint"]
    assert (first["category"], first["hint"], first["dialog"][0]["role"]) == ("Engineering", False, "user")
    assert CHOICE.stem in first["dialog"][0]["content"]


def test_csv_has_a_header_and_lists_as_json(bank: Engine, tmp_path: Path) -> None:
    """The table can be read back without loss."""
    path = tmp_path / "bank.csv"
    export(bank, path)
    with path.open(newline="", encoding="utf-8") as file:
        first = next(csv.DictReader(file))
    assert json.loads(first["options"]) == list(CHOICE.options)


def test_an_export_can_be_limited_by_state_and_retirement(bank: Engine, tmp_path: Path) -> None:
    """Retired questions are left out unless `retired`."""
    ids = fill(bank, [choice(2), choice(3)], state=QuestionState.ACCEPTED)
    with writing(bank) as connection:
        retire(connection, ids[:1], "leaked", revision=next_revision(connection, "retire", "leaked", NOW))
    accepted = {"states": [QuestionState.ACCEPTED]}
    assert export(bank, tmp_path / "a.jsonl", **accepted) == 1
    assert export(bank, tmp_path / "b.jsonl", **accepted, retired=True) == 2


def test_another_suffix_is_refused(bank: Engine, tmp_path: Path) -> None:
    """The message names the supported suffixes."""
    with pytest.raises(InvalidInput, match=r"bank.xlsx'.*\.jsonl or \.csv"):
        export(bank, tmp_path / "bank.xlsx")
