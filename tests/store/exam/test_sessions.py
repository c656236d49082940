"""Sessions as they are listed."""

from __future__ import annotations

import pytest
from exam_room import NOW, add_organisation, add_user, room
from sqlalchemy import Engine

from assay.store.engine import reading
from assay.store.exam.sessions import candidate_row, list_sessions, overdue_sessions, session_by_id


def test_sessions_are_listed_newest_first_in_pages(engine: Engine) -> None:
    """Walking from page to page meets every session once, also those that were opened at one instant."""
    made = room(engine)
    opened = [made.open(10, now=NOW + (number > 0)) for number in range(3)]
    found, before = [], None
    with reading(engine) as connection:
        while page := list_sessions(connection, before=before, limit=1):
            found += [each.id for each in page]
            before = (page[-1].opened_at, page[-1].id)
    assert found[-1] == opened[0]
    assert sorted(found) == sorted(opened)


def test_sessions_are_listed_by_organisation_and_state(engine: Engine) -> None:
    """Another organisation's and other states' are left out."""
    made = room(engine)
    made.open(10)
    other = add_organisation(engine, "Elsewhere")
    theirs = made.open(10, candidate=add_user(engine, other, "eve"))
    with reading(engine) as connection:
        assert [each.id for each in list_sessions(connection, organisation=other, limit=9)] == [theirs]
        assert list_sessions(connection, organisation=other, state="closed", limit=9) == []


def test_a_session_tells_whose_it_is(engine: Engine) -> None:
    """The names stand beside the numbers; None for a session that is not there."""
    made = room(engine)
    session = made.open(10)
    with reading(engine) as connection:
        found = session_by_id(connection, session)
        missing = session_by_id(connection, "nothing")
    assert found is not None
    assert (found.organisation_name, found.candidate_name, found.quota) == ("Lovelace Labs", "ada", 10)
    assert missing is None


def test_overdue_sessions_are_the_open_ones_past_their_end(engine: Engine) -> None:
    """One whose deadline is ahead is not among them."""
    made = room(engine)
    over = made.open(10, hours=1)
    made.open(10, hours=3)
    with reading(engine) as connection:
        assert overdue_sessions(connection, NOW + 7200) == [over]


@pytest.mark.parametrize("known", [True, False])
def test_a_candidate_is_found_by_id(engine: Engine, known: bool) -> None:
    """With role and organisation; None for an unknown id."""
    made = room(engine)
    with reading(engine) as connection:
        found = candidate_row(connection, made.ada if known else "nobody")
    assert (found is not None and found.role == "candidate") is known
