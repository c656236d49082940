"""Listing and finding sessions."""

from __future__ import annotations

import pytest
from exam_room import NOW, add_organisation, add_user, room
from sqlalchemy import Engine

from assay.store.engine import reading
from assay.store.exam.sessions import candidate_row, list_sessions, overdue_sessions, session_by_id


def test_sessions_are_listed_newest_first_in_pages(engine: Engine) -> None:
    """Paging lists every session once, including those that were opened at the same time."""
    made = room(engine)
    opened = [made.open(10, now=NOW + (number > 0)) for number in range(3)]
    stored, before = [], None
    with reading(engine) as connection:
        while page := list_sessions(connection, before=before, limit=1):
            stored += [row.id for row in page]
            before = (page[-1].opened_at, page[-1].id)
    assert stored[-1] == opened[0]
    assert sorted(stored) == sorted(opened)


def test_sessions_are_listed_by_organisation_and_state(engine: Engine) -> None:
    """Sessions of other organisations and states are left out."""
    made = room(engine)
    made.open(10)
    other = add_organisation(engine, "Elsewhere")
    theirs = made.open(10, candidate=add_user(engine, other, "eve"))
    with reading(engine) as connection:
        assert [row.id for row in list_sessions(connection, organisation=other, limit=9)] == [theirs]
        assert list_sessions(connection, organisation=other, state="closed", limit=9) == []


def test_a_session_tells_whose_it_is(engine: Engine) -> None:
    """The result has names and ids; it is None for an unknown session."""
    made = room(engine)
    session = made.open(10)
    with reading(engine) as connection:
        stored = session_by_id(connection, session)
        missing = session_by_id(connection, "nothing")
    assert stored is not None
    assert (stored.organisation_name, stored.candidate_name, stored.quota) == ("Lovelace Labs", "ada", 10)
    assert missing is None


def test_overdue_sessions_are_the_open_ones_past_their_end(engine: Engine) -> None:
    """A session whose deadline has not passed is left out."""
    made = room(engine)
    over = made.open(10, hours=1)
    made.open(10, hours=3)
    with reading(engine) as connection:
        assert overdue_sessions(connection, NOW + 7200) == [over]


@pytest.mark.parametrize("known", [True, False])
def test_a_candidate_is_found_by_id(engine: Engine, known: bool) -> None:
    """The row has role and organisation; it is None for an unknown id."""
    made = room(engine)
    with reading(engine) as connection:
        stored = candidate_row(connection, made.ada if known else "nobody")
    assert (stored is not None and stored.role == "candidate") is known
