"""The steps of serving, each of which needs a session in the right state."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from exam_room import NOW, Room, room
from sqlalchemy import Engine

from assay.store.engine import reading, writing
from assay.store.exam.serving import (
    AnswerRow,
    RawStatements,
    close_session,
    hold,
    kept_answer,
    serve_next,
    session_row,
    take_answer,
)


def answer(session: str, position: int) -> AnswerRow:
    """Return an answer."""
    return AnswerRow(session, position, "answered", "True", "d", "r", 1, 2, 3.0, "stop", NOW)


@pytest.fixture
def made(engine: Engine) -> Room:
    """A room with a bank."""
    return room(engine)


def steps(made: Room, *deeds: Callable[[RawStatements], object]) -> None:
    """Run actions in one transaction."""
    with writing(made.engine) as connection:
        raw = RawStatements(connection)
        for deed in deeds:
            deed(raw)


def test_the_counts_follow_each_step(made: Room) -> None:
    """Serving moves a question from allocated to pending, and an answer from pending to completed."""
    session = made.open(10)
    counts = []

    def look(raw: RawStatements) -> None:
        row = session_row(raw, session)
        assert row is not None
        counts.append((row.allocated, row.pending, row.completed, row.served_at))

    serve: Callable[[RawStatements], object] = lambda raw: serve_next(raw, session, 1, NOW)  # noqa: E731
    take: Callable[[RawStatements], object] = lambda raw: take_answer(raw, answer(session, 1))  # noqa: E731
    steps(made, look, serve, look, take, look)
    assert counts == [(10, 0, 0, None), (9, 1, 0, NOW), (9, 0, 1, None)]


@pytest.mark.parametrize("position", [2, 10])
def test_nothing_is_served_out_of_order(made: Room, position: int) -> None:
    """A question out of order is refused, and the failed step is undone."""
    session = made.open(10)
    with pytest.raises(RuntimeError, match="out of order"):
        steps(made, lambda raw: serve_next(raw, session, position, NOW))
    assert made.count("SELECT count(*) FROM served") == 0


def test_nothing_is_served_while_one_is_pending(made: Room) -> None:
    """Two questions cannot be pending at once."""
    session = made.open(10)
    steps(made, lambda raw: serve_next(raw, session, 1, NOW))
    with pytest.raises(RuntimeError, match="out of order"):
        steps(made, lambda raw: serve_next(raw, session, 2, NOW))


def test_an_answer_is_kept_as_given(made: Room) -> None:
    """It has the fields that identify it; a question without an answer has None."""
    session = made.open(10)
    steps(
        made, lambda raw: serve_next(raw, session, 1, NOW), lambda raw: take_answer(raw, answer(session, 1))
    )
    with reading(made.engine) as connection:
        raw = RawStatements(connection)
        assert kept_answer(raw, session, 1) == ("answered", "d", "r", NOW)
        assert kept_answer(raw, session, 2) is None


def test_a_hold_is_kept(made: Room) -> None:
    """The client that uses the session is stored with its time limit."""
    session = made.open(10)
    steps(made, lambda raw: hold(raw, session, "me", NOW + 60))
    with reading(made.engine) as connection:
        row = session_row(RawStatements(connection), session)
    assert row is not None
    assert (row.holder, row.held_until) == ("me", NOW + 60)


def test_after_closing_served_questions_count_as_seen(made: Room) -> None:
    """The pending question counts as seen, and the nine others are released."""
    session = made.open(10)

    def end(raw: RawStatements) -> None:
        row = session_row(raw, session)
        assert row is not None
        close_session(raw, row, "closed", NOW)

    steps(made, lambda raw: serve_next(raw, session, 1, NOW), end)
    assert made.count("SELECT count(*) FROM exposures") == 1
    assert made.count("SELECT count(*) FROM sessions WHERE state = 'closed'") == 1


def test_there_is_no_row_for_an_unknown_session(made: Room) -> None:
    """The result is None, not an error."""
    with reading(made.engine) as connection:
        assert session_row(RawStatements(connection), "nothing") is None
