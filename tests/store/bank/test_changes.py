"""Changes of the bank update the drawable questions and lose nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from bank_rows import NOW, fill
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, Engine, select

from assay.core.errors import Conflict
from assay.core.question import QuestionState
from assay.store.bank.changes import current_revision, next_revision, replace_content, retire, set_state
from assay.store.bank.questions import questions_by_id, walk_questions
from assay.store.bank.units import count_units
from assay.store.engine import reading, writing
from assay.store.schema_bank import question_versions, questions, units


def numbering(connection: Connection) -> dict[str, list[tuple[int, int]]]:
    stored: dict[str, list[tuple[int, int]]] = {}
    for row in connection.execute(select(units).order_by(units.c.discipline, units.c.ordinal)):
        stored.setdefault(row.discipline, []).append((row.ordinal, row.family))
    return stored


def drawable(connection: Connection) -> dict[str, set[int]]:
    stored: dict[str, set[int]] = {}
    query = select(questions.c.discipline, questions.c.family).where(
        questions.c.state == "accepted", questions.c.retired.is_(None)
    )
    for row in connection.execute(query):
        stored.setdefault(row.discipline, set()).add(row.family)
    return stored


def test_accepted_families_are_numbered_without_a_gap(engine: Engine) -> None:
    """Each discipline counts from 0, with one number for each family."""
    ids = fill(engine, {"law": 4, "history": 2}, variants=2)
    with reading(engine) as connection:
        assert count_units(connection) == {"law": 4, "history": 2}
        assert numbering(connection)["law"] == list(enumerate(ids["law"]))


def test_retiring_takes_the_whole_family_out(engine: Engine) -> None:
    """Its variants are retired with it, revision and reason are kept, and the numbering has no gap."""
    ids = fill(engine, {"law": 4}, variants=2)["law"]
    with writing(engine) as connection:
        revision = next_revision(connection, "retire", "replayed", NOW)
        assert retire(connection, [ids[0]], "replayed", revision=revision) == 3
        assert retire(connection, [ids[0]], "again", revision=revision + 1) == 0
        assert {family for _, family in numbering(connection)["law"]} == set(ids[1:])
        assert [ordinal for ordinal, _ in numbering(connection)["law"]] == [0, 1, 2]
    held = questions_by_id(engine, [ids[0]])[ids[0]]
    assert (held.retired, held.retired_why) == (revision, "replayed")


def test_a_family_can_be_drawn_while_one_of_it_is_accepted(engine: Engine) -> None:
    """A family stays drawable until its original and all variants are rejected."""
    fill(engine, {"law": 1}, variants=1)
    original, variant = (entry.id for entry in walk_questions(engine))
    with writing(engine) as connection:
        set_state(connection, [original], QuestionState.REJECTED, revision=2)
        assert count_units(connection) == {"law": 1}
        set_state(connection, [variant], QuestionState.REJECTED, revision=3)
        assert count_units(connection) == {}


def test_an_edit_keeps_the_original_and_is_reviewed_anew(engine: Engine) -> None:
    """The old version is kept with its editor; the question is raw and cannot be drawn."""
    number = fill(engine, {"law": 1})["law"][0]
    held = questions_by_id(engine, [number])[number]
    edited = replace(held.question, stem="What is a tort, in one sentence?")
    with writing(engine) as connection:
        version = replace_content(
            connection, number, edited, b"new", b"d" * 16, by="Ada", reason="unclear", now=NOW
        )
        earlier = connection.execute(select(question_versions)).one()
        assert count_units(connection) == {}
    assert version == 2
    assert (earlier.version, earlier.edited_by, earlier.reason, bytes(earlier.key)) == (
        1,
        "Ada",
        "unclear",
        b"sealed",
    )
    assert held.question.stem in earlier.content
    again = questions_by_id(engine, [number])[number]
    assert (again.question, again.state, again.version) == (edited, QuestionState.RAW, 2)


def test_an_edit_into_another_question_is_refused(engine: Engine) -> None:
    """The error names the other question."""
    first, second = fill(engine, {"law": 2})["law"]
    stored = questions_by_id(engine, [first, second])
    with reading(engine) as connection:
        digest = connection.execute(select(questions.c.digest).where(questions.c.id == second)).scalar_one()
    with pytest.raises(Conflict, match=stored[second].question.uuid), writing(engine) as connection:
        replace_content(
            connection, first, stored[second].question, b"x", bytes(digest), by="Ada", reason="", now=NOW
        )


def test_revisions_count_up(engine: Engine) -> None:
    """Revisions are 0 before the first change, then 1, 2, …"""
    with writing(engine) as connection:
        assert current_revision(connection) == 0
        assert [next_revision(connection, "import", "a file", NOW) for _ in range(2)] == [1, 2]
        assert current_revision(connection) == 2


STATES = ["accepted", "rejected", "raw", "retired"]


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    deeds=st.lists(
        st.tuples(st.sampled_from(["accepted", "rejected", "raw", "retired"]), st.integers(0, 11)),
        max_size=25,
    )
)
def test_the_numbering_follows_any_changes(sqlite: Engine, deeds: list[tuple[str, int]]) -> None:
    """After any changes the numbers are 0, 1, 2 … over exactly the drawable families."""
    with sqlite.connect() as connection:
        if connection.execute(select(questions.c.id)).first() is None:
            fill(sqlite, {"law": 4, "history": 4}, variants=1)
    with sqlite.connect() as connection, connection.begin() as transaction:
        ids = list(connection.execute(select(questions.c.id).order_by(questions.c.id)).scalars())
        for deed, place in deeds:
            if deed == "retired":
                retire(connection, [ids[place]], "test", revision=9)
            else:
                set_state(connection, [ids[place]], QuestionState(deed), revision=9)
        stored = numbering(connection)
        for rows in stored.values():
            assert [ordinal for ordinal, _ in rows] == list(range(len(rows)))
        assert {name: {family for _, family in rows} for name, rows in stored.items()} == drawable(connection)
        transaction.rollback()
