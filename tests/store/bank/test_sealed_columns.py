"""Sealing all texts again with another key."""

from __future__ import annotations

import pytest
from banked import CHOICE, CHOICE_KEY, NOW, SEALER, choice, fill
from sqlalchemy import Engine, text

from assay.core.errors import Conflict, Denied
from assay.core.sealed import key_about, read_key
from assay.exam.keys import rotate
from assay.files.sealing import KeySealer
from assay.questions.digest import content_digest
from assay.store.bank.changes import replace_content
from assay.store.bank.questions import question_by_uuid, walk_questions
from assay.store.bank.sealed_columns import rekey
from assay.store.engine import reading, writing

NEW = KeySealer(b"n" * 32)


@pytest.fixture
def bank(engine: Engine) -> Engine:
    """A bank of five questions, one of them edited, and a signing key."""
    ids = fill(engine, [(CHOICE, CHOICE_KEY), *map(choice, range(1, 5))])
    sealed = SEALER.seal(CHOICE_KEY.written(), key_about(CHOICE.uuid, 2))
    digest = content_digest(CHOICE)[::-1]
    with writing(engine) as connection:
        replace_content(connection, ids[0], CHOICE, sealed, digest, by="ada", reason="test", now=NOW)
    rotate(engine, SEALER, now=NOW)
    return engine


def test_every_text_opens_with_the_new_key_only(bank: Engine) -> None:
    """Questions, earlier versions and signing keys are sealed again; the old key opens nothing."""
    assert rekey(bank, SEALER, NEW) == {
        "questions.key": 5,
        "question_versions.key": 1,
        "exam_marks.rationale": 0,
        "exam_marks.reply": 0,
        "exam_remarks.rationale": 0,
        "human_marks.rationale": 0,
        "rejects.text": 0,
        "signing_keys.secret": 1,
    }
    stored = question_by_uuid(bank, CHOICE.uuid)
    about = key_about(CHOICE.uuid, 2)
    assert read_key(NEW.open(stored.sealed, about)) == CHOICE_KEY
    with pytest.raises(Denied):
        SEALER.open(stored.sealed, about)
    with reading(bank) as connection:
        earlier = connection.execute(text("SELECT key FROM question_versions")).scalar_one()
    assert read_key(NEW.open(bytes(earlier), key_about(CHOICE.uuid, 1))) == CHOICE_KEY


def test_a_text_that_does_not_open_changes_nothing(bank: Engine) -> None:
    """After one failure all texts stay sealed with the old key."""
    with writing(bank) as connection:
        last = max(entry.id for entry in walk_questions(bank))
        change = text("UPDATE questions SET key = :key WHERE id = :id")
        connection.execute(change, {"key": SEALER.seal("x", "elsewhere"), "id": last})
    with pytest.raises(Denied):
        rekey(bank, SEALER, NEW)
    stored = question_by_uuid(bank, CHOICE.uuid)
    assert read_key(SEALER.open(stored.sealed, key_about(CHOICE.uuid, 2))) == CHOICE_KEY


def test_the_same_key_is_refused(bank: Engine) -> None:
    """The message names the key."""
    with pytest.raises(Conflict, match="same"):
        rekey(bank, SEALER, SEALER)
