"""Importing files of records."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, text

from assay.bank.ingest import IngestOptions, find_profile, import_file, read_disciplines
from assay.core.errors import AssayError, InvalidInput, NotFound
from assay.core.question import QuestionKind, SourceKind
from assay.core.sealed import key_about, read_key, reject_about
from assay.files.sealing import KeySealer
from assay.questions.refusal import Reason
from assay.results.bank_import import Account, Fate
from assay.store.bank.questions import walk_questions
from assay.store.engine import reading

SEALER = KeySealer(bytes(32))
LAW = IngestOptions(discipline="law", secondary="sociology", kind=SourceKind.POSTGRADUATE)
CHOICE = {"question": "Which is even?", "options": ["1", "2", "3"], "answer": "B"}


def write(path: Path, records: Sequence[Any]) -> Path:
    """Write records as JSON lines, and texts unchanged."""
    lines = [each if isinstance(each, str) else json.dumps(each) for each in records]
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def take(engine: Engine, path: Path, wish: IngestOptions = LAW) -> Account:
    """Import a file at a fixed time."""
    return import_file(engine, path, wish, sealer=SEALER, clock=lambda: 1.0)


def test_a_record_becomes_a_question_with_its_key_sealed(engine: Engine, tmp_path: Path) -> None:
    """Content, discipline, place and source are stored; the key opens for its own question only."""
    record = CHOICE | {"explanation": "2 = 2 x 1", "passage": "On numbers."}
    account = take(engine, write(tmp_path / "one.jsonl", [record]))
    (stored,) = walk_questions(engine)
    question = stored.question
    assert (question.kind, question.stem) == (QuestionKind.MULTIPLE_CHOICE, "Which is even?")
    assert (question.options, question.passage) == (("1", "2", "3"), "On numbers.")
    assert (question.discipline, question.secondary) == ("law", "sociology")
    assert (stored.place, stored.source) == ("line 1", account.source)
    key = read_key(SEALER.open(stored.sealed, key_about(question.uuid, 1)))
    assert (key.answers, key.explanation) == (("B",), "2 = 2 x 1")


def test_every_record_has_one_fate(engine: Engine, tmp_path: Path) -> None:
    """Questions, repetitions, rejects and blank lines add up to the lines of the file."""
    records = [
        CHOICE,
        CHOICE | {"question": "which IS even? "},
        CHOICE | {"answer": "C"},
        "",
        CHOICE | {"question": "Another?", "answer": "D"},
        "{not json",
        "[1]",
    ]
    account = take(engine, write(tmp_path / "mixed.jsonl", records))
    assert account.read == account.fates.total() == 7
    assert account.fates == {Fate.QUESTION: 1, Fate.REPEATED: 1, Fate.REJECT: 4, Fate.BLANK: 1}
    assert account.reasons == {
        str(Reason.OTHER_KEY): 1,
        str(Reason.KEY_BEYOND): 1,
        str(Reason.UNREADABLE): 1,
        str(Reason.NO_OBJECT): 1,
    }


def test_rejects_are_stored_sealed(engine: Engine, tmp_path: Path) -> None:
    """The sealed text is the line that was read; nothing of it is stored unsealed."""
    secret = "plantedanswerofareject"
    account = take(engine, write(tmp_path / "bad.jsonl", [CHOICE | {"answer": secret}]))
    assert account.source is not None
    with reading(engine) as connection:
        row = connection.execute(text("SELECT place, reason, text FROM rejects")).one()
    assert secret in SEALER.open(bytes(row.text), reject_about(account.source, row.place))
    assert secret.encode() not in bytes(row.text)
    assert secret not in row.reason


def test_a_file_is_imported_once(engine: Engine, tmp_path: Path) -> None:
    """The second time nothing is read; with `again` all its questions are known."""
    path = write(tmp_path / "one.jsonl", [CHOICE])
    first = take(engine, path)
    second = take(engine, path)
    assert (second.known_as, second.read, second.source) == (first.source, 0, None)
    third = take(engine, path, IngestOptions(discipline="law", again=True))
    assert (third.added, third.known, third.fates) == (0, 1, {Fate.KNOWN: 1})


def test_a_file_that_fails_leaves_nothing(engine: Engine, tmp_path: Path) -> None:
    """A record without a discipline ends the import: neither source nor questions are stored."""
    path = write(tmp_path / "two.jsonl", [CHOICE | {"discipline": "law"}, CHOICE | {"question": "And odd?"}])
    with pytest.raises(InvalidInput, match="no discipline at line 2"):
        take(engine, path, IngestOptions())
    with reading(engine) as connection:
        assert connection.execute(text("SELECT count(*) FROM sources")).scalar() == 0
    assert list(walk_questions(engine)) == []


def test_an_account_that_does_not_balance_is_refused() -> None:
    """A line without a fate is a defect, and nothing is imported."""
    account = Account("x.txt", "0" * 64, read=2)
    account.fates[Fate.QUESTION] = 1
    with pytest.raises(AssayError, match="2 lines read, 1 accounted for"):
        account.check()


def test_a_dry_run_stores_nothing(engine: Engine, tmp_path: Path) -> None:
    """The account equals that of the real import; the bank stays empty."""
    path = write(tmp_path / "one.jsonl", [CHOICE, CHOICE | {"answer": "E"}])
    tried = take(engine, path, IngestOptions(discipline="law", dry_run=True))
    assert list(walk_questions(engine)) == []
    done = take(engine, path)
    assert (tried.fates, tried.reasons, tried.source) == (done.fates, done.reasons, None)


def test_exported_questions_keep_uuids_and_parents(engine: Engine, tmp_path: Path) -> None:
    """A variant may precede its parent; an unknown parent, an invalid and a repeated uuid are rejected."""
    one, two, none = (f"{digit * 8}-0000-4000-8000-000000000000" for digit in "123")
    records = [
        {"stem": "2 is even", "answers": ["True"], "kind": "true-or-false", "parent": one, "made_by": "x"},
        CHOICE | {"uuid": one},
        CHOICE | {"uuid": one, "question": "Other?"},
        CHOICE | {"uuid": "17", "question": "Third?"},
        {"stem": "3 is even", "answers": ["False"], "kind": "true-or-false", "parent": none, "uuid": two},
    ]
    account = take(engine, write(tmp_path / "export.jsonl", records))
    assert account.fates == {Fate.QUESTION: 2, Fate.REJECT: 3}
    assert account.reasons == {str(reason): 1 for reason in (Reason.UUID_TAKEN, Reason.UUID, Reason.PARENT)}
    variant = next(each for each in walk_questions(engine) if each.made_by == "x")
    assert variant.question.parent == one


def test_a_uuid_of_another_question_is_refused(engine: Engine, tmp_path: Path) -> None:
    """The same uuid with the same content is known; with other content it is rejected."""
    named = CHOICE | {"uuid": "11111111-0000-4000-8000-000000000000"}
    take(engine, write(tmp_path / "first.jsonl", [named]))
    account = take(engine, write(tmp_path / "second.jsonl", [named, named | {"question": "Else?"}]))
    assert account.fates == {Fate.KNOWN: 1, Fate.REJECT: 1}


def test_compressed_and_mixed_encodings_are_read(sqlite: Engine, tmp_path: Path) -> None:
    """A .gz file with lines in GB18030 and UTF-8 is read, and the account has a note about it."""
    chinese = {"question": "下列哪一项是正确的答案？", "options": ["甲", "乙"], "answer": "A"}
    raw = json.dumps(chinese, ensure_ascii=False).encode("gb18030") + b"\n" + json.dumps(CHOICE).encode()
    path = tmp_path / "old.jsonl.gz"
    path.write_bytes(gzip.compress(raw))
    account = take(sqlite, path)
    assert account.added == 2
    assert any("gb18030" in note for note in account.notes)


def test_the_account_names_the_columns_read_and_not_read(sqlite: Engine, tmp_path: Path) -> None:
    """The notes list what each column was read as, and the unread columns."""
    account = take(sqlite, write(tmp_path / "one.jsonl", [CHOICE | {"Colour": "red"}]))
    assert account.notes == [
        "read: question from 'question'; options from 'options'; key from 'answer'",
        "not read: 'Colour'",
    ]


def test_a_users_profile_is_read(sqlite: Engine, tmp_path: Path) -> None:
    """A JSON file names the columns and says that numeric keys count from 0."""
    profile = {
        "name": "mine",
        "format": "records",
        "stem": ["q"],
        "options": ["o"],
        "key": ["k"],
        "index_from": 0,
    }
    (tmp_path / "mine.json").write_text(json.dumps(profile))
    path = write(tmp_path / "one.jsonl", [{"q": "Which?", "o": ["x", "y"], "k": 1}])
    account = take(sqlite, path, IngestOptions("law", profile=find_profile(str(tmp_path / "mine.json"))))
    (stored,) = walk_questions(sqlite)
    assert read_key(SEALER.open(stored.sealed, key_about(stored.question.uuid, 1))).answers == ("B",)
    assert account.profile == "mine"


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("{", "invalid JSON"),
        ('{"format": "table"}', 'write "format" as'),
        ('{"format": "records", "name": "x", "stem": ["q"]}', "'key' is missing: add it"),
        (
            '{"format": "records", "name": "x", "stem": ["q"], "key": ["a"], "remove": ["("]}',
            "regular expression",
        ),
        ('{"format": "records", "name": "x", "stem": [], "key": [], "colour": 1}', "colour"),
    ],
)
def test_an_invalid_profile_is_refused(tmp_path: Path, written: str, message: str) -> None:
    """The message names the file and the fault."""
    (tmp_path / "mine.json").write_text(written)
    with pytest.raises(InvalidInput, match=rf"mine\.json.*{message}"):
        find_profile(str(tmp_path / "mine.json"))


def test_an_unknown_profile_is_refused() -> None:
    """The message lists the built-in ones."""
    with pytest.raises(NotFound, match=r"'alien'.*agieval, gsm8k"):
        find_profile("alien")


def test_a_secondary_discipline_implies_its_primary_one() -> None:
    """Both can be given in any spelling."""
    assert read_disciplines(None, "Computer Science") == ("engineering", "computer-science-and-technology")
    assert read_disciplines("Med.", None) == ("medicine", None)
