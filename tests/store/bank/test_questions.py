"""The bank's questions on both kinds of databases."""

from __future__ import annotations

import pytest
from bank_rows import add_source, fill, row
from sqlalchemy import Engine, select

from assay.core.errors import NotFound
from assay.core.question import QuestionState
from assay.store.bank.questions import (
    keep_questions,
    keep_rejects,
    question_by_uuid,
    questions_by_id,
    source_of_file,
    walk_questions,
)
from assay.store.engine import reading, writing
from assay.store.schema_bank import passages, rejects, sources


def test_an_original_is_its_own_family_and_a_variant_is_its_parents(engine: Engine) -> None:
    """Variants of variants belong to the original's family, too."""
    with writing(engine) as connection:
        source = add_source(connection)
        (first,) = keep_questions(connection, [row(source, "an original")])
        (second,) = keep_questions(connection, [row(source, "a variant", parent=first)])
        (third,) = keep_questions(connection, [row(source, "a variant of that", parent=second)])
    stored = list(walk_questions(engine))
    assert [entry.id for entry in stored] == [first, second, third]
    assert [entry.family for entry in stored] == [first, first, first]
    assert stored[2].question.parent == stored[1].question.uuid


def test_a_question_that_is_known_is_not_taken_in_again(engine: Engine) -> None:
    """A question with a known digest or uuid is not stored, neither in the same batch nor later."""
    with writing(engine) as connection:
        source = add_source(connection)
        same = row(source, "one")
        (first, again) = keep_questions(connection, [same, same._replace(uuid="0" * 36)])
        (later, new) = keep_questions(connection, [same._replace(digest=b"another"), row(source, "two")])
    assert first is not None and again is None
    assert later is None and new is not None


def test_questions_over_one_passage_share_it(engine: Engine) -> None:
    """A passage is stored once and comes back with each of its questions."""
    with writing(engine) as connection:
        source = add_source(connection)
        keep_questions(
            connection,
            [row(source, "first", passage="The text."), row(source, "second", passage="The text.")],
        )
        assert len(connection.execute(select(passages)).all()) == 1
    assert [entry.question.passage for entry in walk_questions(engine)] == ["The text.", "The text."]


def test_more_questions_than_fit_one_statement_are_all_stored(engine: Engine) -> None:
    """1,201 rows take three statements, and each gets its own id in order."""
    with writing(engine) as connection:
        source = add_source(connection)
        ids = keep_questions(connection, [row(source, f"question {number}") for number in range(1201)])
    assert len(set(ids)) == 1201
    assert [entry.question.stem for entry in walk_questions(engine)] == [
        f"question {number}" for number in range(1201)
    ]


def test_walking_can_be_limited_by_state_and_discipline(engine: Engine) -> None:
    """Other states and disciplines are left out."""
    ids = fill(engine, {"law": 3, "history": 2})
    assert [entry.id for entry in walk_questions(engine, disciplines=["history"])] == ids["history"]
    assert not list(walk_questions(engine, states=[QuestionState.RAW]))


def test_a_question_is_found_by_uuid_and_by_id(engine: Engine) -> None:
    """The error names an unknown uuid; unknown ids are left out."""
    (number, *_) = fill(engine, {"law": 2})["law"]
    known = questions_by_id(engine, [number, 10**6])
    assert list(known) == [number]
    assert question_by_uuid(engine, known[number].question.uuid).id == number
    with pytest.raises(NotFound, match="'nowhere'"):
        question_by_uuid(engine, "nowhere")


def test_a_stored_question_does_not_print_its_sealed_key(engine: Engine) -> None:
    """Not even the ciphertext is in a log line."""
    fill(engine, {"law": 1})
    assert "sealed" not in repr(next(walk_questions(engine)))


def test_rejects_and_sources_are_kept(engine: Engine) -> None:
    """An imported file is recognised by its hash; a reject is stored with its reason."""
    with writing(engine) as connection:
        source = add_source(connection, name="a file")
        keep_rejects(connection, source, [("line 4", 2, "no key", b"sealed text")])
    with reading(engine) as connection:
        assert connection.execute(select(rejects.c.place, rejects.c.lines, rejects.c.reason)).all() == [
            ("line 4", 2, "no key")
        ]
        digest = connection.execute(select(sources.c.sha256)).scalar()
    assert source_of_file(engine, str(digest)) == source
    assert source_of_file(engine, "unknown") is None
