"""`assay bank duplicates`: pairs that read nearly alike are listed and decided."""

from __future__ import annotations

from pathlib import Path

import pytest
from banked import NOW, fill
from command_line import Assay
from schemas import valid

from assay.bank.redundancy import find_duplicates
from assay.core.question import Question, QuestionKind, QuestionState
from assay.core.sealed import AnswerKey
from assay.store.bank.questions import question_by_uuid
from assay.store.bank.reviewers import add_reviewer
from assay.store.engine import open_database

STEM = "Which clause of the treaty of Westphalia ended the quarrel about the Rhine tolls?"
ONE, OTHER = "00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"


@pytest.fixture
def pair(folder: Path) -> Path:
    """A bank in which the second question repeats the first with a slip."""
    engine = open_database(str(folder / "assay.db"))
    key = AnswerKey(("the forty-fifth",))
    kind = QuestionKind.SHORT_ANSWER
    stems = {ONE: STEM, OTHER: STEM.replace("quarrel", "quarel")}
    fill(engine, [(Question(uuid, kind, stem, "history"), key) for uuid, stem in stems.items()])
    add_reviewer(engine, name="Grace", disciplines=(), daily_cap=10, hourly_rate=None, now=NOW)
    find_duplicates(engine, now=NOW)
    return folder


def test_a_pair_is_listed_until_it_is_decided(pair: Path, assay: Assay) -> None:
    """Pairs are listed with both stems and no key; a kept pair is listed only with --all."""
    listed = assay("bank", "duplicates", "list", "--json")
    (found,) = valid("bank-duplicates", listed)["pairs"]
    assert {found["question"], found["other"]} == {ONE, OTHER}
    assert "forty-fifth" not in listed.out
    assert assay("bank", "duplicates", "list").out.count("Westphalia") == 2
    assert assay("bank", "duplicates", "keep", OTHER, ONE).status == 0
    assert valid("bank-duplicates", assay("bank", "duplicates", "list", "--json"))["pairs"] == []
    (kept,) = valid("bank-duplicates", assay("bank", "duplicates", "list", "--all", "--json"))["pairs"]
    assert kept["resolution"] == "both"


def test_one_of_a_pair_is_dropped_in_a_reviewers_name(pair: Path, assay: Assay) -> None:
    """A raw question is rejected; a pair that is not flagged and an unknown reviewer are errors."""
    assert assay("bank", "duplicates", "drop", OTHER, ONE, "--reviewer", "Nobody").status == 2
    assert assay("bank", "duplicates", "drop", OTHER, ONE, "--reviewer", "Grace").status == 0
    stored = question_by_uuid(open_database(str(pair / "assay.db")), OTHER)
    assert stored.state is QuestionState.REJECTED
    assert assay("bank", "duplicates", "keep", ONE, ONE).status == 2
