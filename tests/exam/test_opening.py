"""Opening sessions with unseen questions in random order, and closing them."""

from __future__ import annotations

import uuid

import pytest
from exam_room import NOW, Room, add_organisation, add_user, room
from sqlalchemy import Engine, text

from assay.core.errors import AssayError, Conflict, Denied, InvalidInput, NotFound
from assay.core.exam import SessionState
from assay.exam.opening import Opening, close, expire, open_session
from assay.store.engine import reading, writing
from assay.store.exam.serving import RawStatements


def drawn(engine: Engine, session: str) -> list[int]:
    """Return the families of a session in serving order."""
    query = (
        "SELECT d.family FROM draw_questions d JOIN sessions s ON s.draw = d.draw "
        "WHERE s.id = :session ORDER BY d.position"
    )
    with reading(engine) as connection:
        return list(connection.execute(text(query), {"session": session}).scalars())


def opened(room: Room, opening: Opening, *, within: int | None = None) -> str:
    """Open a session as described and return its id."""
    session = str(uuid.uuid4())
    with writing(room.engine) as connection:
        open_session(connection, opening, session=session, seed=1, now=NOW, within=within)
    return session


@pytest.fixture
def filled(engine: Engine) -> Room:
    """Return a room whose bank has three families of each subject."""
    return room(engine)


def test_no_organisation_meets_a_question_twice(filled: Room) -> None:
    """Three sessions of ten, of two candidates, share no family; a fourth is refused."""
    sessions = [filled.open(10), filled.open(10, candidate=filled.bob), filled.open(10, seed=9)]
    families = [family for session in sessions for family in drawn(filled.engine, session)]
    assert len(set(families)) == 30
    with pytest.raises(Conflict, match="law has 0 of 1"):
        filled.open(10)


def test_each_subject_has_a_tenth(filled: Room) -> None:
    """A session of twenty has two of each of the ten subjects, in mixed order."""
    filled.open(20)
    with reading(filled.engine) as connection:
        query = text("SELECT discipline FROM draw_questions ORDER BY position")
        order = list(connection.execute(query).scalars())
    assert sorted(order) == sorted(sorted(set(order)) * 2)
    assert len(set(order)) == 10
    assert order != sorted(order)


def test_the_seed_determines_the_order(filled: Room) -> None:
    """Two draws of the whole bank contain the same questions in different order."""
    operator = add_organisation(filled.engine, "The house", operator=True)
    user = add_user(filled.engine, operator, "reference")
    one, other = (drawn(filled.engine, filled.open(30, candidate=user, seed=seed)) for seed in (1, 2))
    assert sorted(one) == sorted(other)
    assert one != other


def test_the_operator_may_sit_a_named_draw_again(filled: Room) -> None:
    """The same name gives the same questions in the same order, and they do not count as met."""
    operator = add_organisation(filled.engine, "The house", operator=True)
    user = add_user(filled.engine, operator, "reference")
    one, again = (filled.open(10, candidate=user, draw="spring", seed=seed) for seed in (1, 2))
    assert drawn(filled.engine, one) == drawn(filled.engine, again)
    assert filled.count("SELECT count(*) FROM exposures") == 0
    with pytest.raises(Conflict, match="has 10 questions, not 20"):
        filled.open(20, candidate=user, draw="spring")


def test_a_participant_may_not_name_a_draw(filled: Room) -> None:
    """Only the operator's own candidates may."""
    with pytest.raises(Denied, match="operator"):
        filled.open(10, draw="spring")


def test_a_participant_cannot_use_the_operators_draw(filled: Room) -> None:
    """It is refused although the draw exists."""
    operator = add_organisation(filled.engine, "The house", operator=True)
    filled.open(10, candidate=add_user(filled.engine, operator, "reference"), draw="spring")
    with pytest.raises(Denied):
        filled.open(10, draw="spring")


def test_the_reference_can_sit_a_participants_questions(filled: Room) -> None:
    """It gets the same questions in the same order, which nobody else has met by that."""
    session = filled.open(10)
    operator = add_organisation(filled.engine, "The house", operator=True)
    user = add_user(filled.engine, operator, "reference")
    exposed = filled.count("SELECT count(*) FROM exposures")
    same = opened(filled, Opening(user, "reference", None, like=session))
    assert drawn(filled.engine, same) == drawn(filled.engine, session)
    assert filled.count("SELECT count(*) FROM exposures") == exposed
    for opening, error in (
        (Opening(filled.bob, "theirs", None, like=session), Denied),
        (Opening(user, "reference", None, like="no session"), NotFound),
        (Opening(user, "reference", 20, like=session), Conflict),
        (Opening(user, "reference", None, like=session, draw="spring"), InvalidInput),
    ):
        with pytest.raises(error):
            opened(filled, opening)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"candidate": "nobody"}, NotFound),
        ({"n": 15}, InvalidInput),
        ({"n": 0}, InvalidInput),
        ({"model": ""}, InvalidInput),
        ({"model": "a\nb"}, InvalidInput),
        ({"hours": 0.0}, InvalidInput),
        ({"hours": float("nan")}, InvalidInput),
        ({"question_minutes": -1.0}, InvalidInput),
        ({"allocation": "all"}, InvalidInput),
    ],
)
def test_an_invalid_opening_is_refused(
    filled: Room, change: dict[str, object], error: type[AssayError]
) -> None:
    """Nothing is stored."""
    values: dict[str, object] = {"candidate": filled.ada, "model": "a/b", "n": 10, **change}
    with pytest.raises(error):
        opened(filled, Opening(**values))  # type: ignore[arg-type]
    assert filled.count("SELECT count(*) FROM sessions") == 0
    assert filled.count("SELECT count(*) FROM exposures") == 0


def test_sessions_are_for_candidates(filled: Room) -> None:
    """A viewer gets none."""
    viewer = add_user(filled.engine, filled.organisation, "vera", "viewer")
    with pytest.raises(Conflict, match="viewer"):
        filled.open(10, candidate=viewer)


def test_another_organisations_candidate_is_not_found(filled: Room) -> None:
    """The refusal does not reveal whether the candidate exists."""
    stranger = add_user(filled.engine, add_organisation(filled.engine, "Elsewhere"), "eve")
    opening = Opening(candidate=stranger, model="a/b", n=10)
    with pytest.raises(NotFound, match="unknown candidate"):
        opened(filled, opening, within=filled.organisation)


def test_closing_returns_unserved_questions(filled: Room) -> None:
    """The families of a session that was not begun can be drawn again."""
    session = filled.open(30)
    with writing(filled.engine) as connection:
        view = close(RawStatements(connection), session, now=NOW)
    assert view.state is SessionState.CLOSED
    assert filled.count("SELECT count(*) FROM exposures") == 0
    assert sorted(drawn(filled.engine, filled.open(30))) == sorted(drawn(filled.engine, session))


def test_closing_an_unknown_session_is_refused(filled: Room) -> None:
    """The message names the command that lists sessions."""
    with pytest.raises(NotFound, match=r"'nothing'.*exam sessions"), writing(filled.engine) as connection:
        close(RawStatements(connection), "nothing", now=NOW)


def test_sessions_expire(filled: Room) -> None:
    """Open sessions past their deadline are ended; the others are unchanged."""
    filled.open(10, hours=1)
    filled.open(10, hours=2)
    with writing(filled.engine) as connection:
        assert expire(RawStatements(connection), NOW + 5000) == 1
    assert filled.count("SELECT count(*) FROM sessions WHERE state = 'expired'") == 1


def test_a_session_records_the_banks_revision(filled: Room) -> None:
    """It is the revision from which its questions were drawn."""
    filled.open(10)
    assert filled.count("SELECT revision FROM sessions") == filled.count(
        "SELECT max(number) FROM bank_revisions"
    )
