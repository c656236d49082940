"""Sessions and draws: opening, finding and listing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import orjson
from sqlalchemy import ColumnElement, Connection, insert, select, update

from assay.store.bank.draw import DrawnItem
from assay.store.schema_exam import (
    draw_questions,
    draws,
    exam_series,
    exposures,
    organisations,
    sessions,
    users,
)


class StoredSession(NamedTuple):
    """A session: columns of `sessions` and the names of its organisation, candidate, draw and series."""

    id: str
    organisation: int
    organisation_name: str
    candidate: str
    candidate_name: str
    model: str
    prompting: str
    draw: int
    draw_name: str | None
    revision: int
    quota: int
    allocated: int
    pending: int
    completed: int
    state: str
    simulated: int
    opened_at: float
    started_at: float | None
    closed_at: float | None
    deadline: float
    question_seconds: float
    series: int | None
    series_name: str | None


class CandidateRow(NamedTuple):
    """A user who may get a session, with the organisation; `operator` is 1 for the operator's."""

    id: str
    name: str
    role: str
    disabled_at: float | None
    organisation: int
    organisation_name: str
    operator: int


class NewSession(NamedTuple):
    """A session to open; the fields are columns of `sessions`. `series` is None for an unofficial sitting."""

    id: str
    organisation: int
    candidate: str
    model: str
    prompting: str
    draw: int
    revision: int
    quota: int
    simulated: int
    opened_at: float
    deadline: float
    question_seconds: float
    series: int | None


class StoredDraw(NamedTuple):
    """A draw. `organisation` is None if its questions do not count as seen by any organisation."""

    id: int
    n: int
    revision: int
    organisation: int | None
    allocation: dict[str, int]


def session_by_id(connection: Connection, session: str) -> StoredSession | None:
    """Return a session, None for an unknown id."""
    row = connection.execute(_select_sessions().where(sessions.c.id == session)).first()
    return None if row is None else StoredSession._make(row)


def list_sessions(
    connection: Connection,
    *,
    organisation: int | None = None,
    state: str | None = None,
    before: tuple[float, str] | None = None,
    limit: int,
) -> list[StoredSession]:
    """Return sessions, newest first; `before` is the opening time and id of the last one already listed."""
    query = _select_sessions().order_by(sessions.c.opened_at.desc(), sessions.c.id.desc()).limit(limit)
    if organisation is not None:
        query = query.where(sessions.c.organisation == organisation)
    if state is not None:
        query = query.where(sessions.c.state == state)
    if before is not None:
        at, last = before
        query = query.where(
            (sessions.c.opened_at < at) | ((sessions.c.opened_at == at) & (sessions.c.id < last))
        )
    return [StoredSession._make(row) for row in connection.execute(query)]


def overdue_sessions(connection: Connection, now: float) -> list[str]:
    """Return the open sessions whose deadline has passed."""
    query = select(sessions.c.id).where(sessions.c.state == "open", sessions.c.deadline < now)
    return list(connection.execute(query.order_by(sessions.c.id)).scalars())


def candidate_row(connection: Connection, user_id: str) -> CandidateRow | None:
    """Return a user with the organisation, None for an unknown id."""
    columns = (users.c[name] for name in ("id", "name", "role", "disabled_at", "organisation"))
    query = (
        select(*columns, organisations.c.name, organisations.c.operator)
        .join(organisations, organisations.c.id == users.c.organisation)
        .where(users.c.id == user_id)
    )
    row = connection.execute(query).first()
    return None if row is None else CandidateRow._make(row)


def lock_organisation(connection: Connection, organisation: int) -> None:
    """Lock an organisation until the transaction ends, so that only one session is opened for it at a time.

    On SQLite this locks the whole database for writing.
    """
    change = update(organisations).where(organisations.c.id == organisation)
    connection.execute(change.values(operator=organisations.c.operator))


def named_draw(connection: Connection, name: str) -> StoredDraw | None:
    """Return a draw by name, None for an unknown name."""
    return _draw(connection, draws.c.name == name)


def draw_by_id(connection: Connection, number: int) -> StoredDraw:
    """Return the draw of a session."""
    draw = _draw(connection, draws.c.id == number)
    assert draw is not None
    return draw


def _draw(connection: Connection, condition: ColumnElement[bool]) -> StoredDraw | None:
    query = select(draws.c.id, draws.c.n, draws.c.revision, draws.c.organisation, draws.c.allocation)
    row = connection.execute(query.where(condition)).first()
    if row is None:
        return None
    return StoredDraw(row.id, row.n, row.revision, row.organisation, orjson.loads(row.allocation))


def new_draw(
    connection: Connection,
    drawn: Sequence[DrawnItem],
    *,
    name: str | None,
    organisation: int | None,
    revision: int,
    allocation: Mapping[str, int],
    seed: str,
    now: float,
) -> int:
    """Store a draw in serving order, positions from 1, and return its id.

    With an organisation the drawn families count as seen by it; raises IntegrityError if one was seen before.
    """
    values: dict[str, Any] = {
        "name": name,
        "organisation": organisation,
        "revision": revision,
        "n": len(drawn),
        "allocation": orjson.dumps(dict(allocation)).decode(),
        "seed": seed,
        "made_at": now,
    }
    number: int | None = connection.execute(insert(draws).values(values).returning(draws.c.id)).scalar()
    assert number is not None
    items = [
        {
            "draw": number,
            "position": position,
            "question": item.question,
            "version": item.version,
            "family": item.family,
            "discipline": item.discipline,
        }
        for position, item in enumerate(drawn, 1)
    ]
    connection.execute(insert(draw_questions), items)
    if organisation is not None:
        seen = [{"organisation": organisation, "family": item.family, "draw": number} for item in drawn]
        connection.execute(insert(exposures), seen)
    return number


def new_session(connection: Connection, session: NewSession) -> None:
    """Store an open session from which no question has been served yet."""
    progress = {"allocated": session.quota, "pending": 0, "completed": 0, "state": "open"}
    connection.execute(insert(sessions).values({**session._asdict(), **progress}))


def _select_sessions() -> Any:
    columns = {
        "organisation_name": organisations.c.name,
        "candidate_name": users.c.name,
        "draw_name": draws.c.name,
        "series_name": exam_series.c.name,
    }
    return (
        select(*(columns[name] if name in columns else sessions.c[name] for name in StoredSession._fields))
        .join(organisations, organisations.c.id == sessions.c.organisation)
        .join(users, users.c.id == sessions.c.candidate)
        .join(draws, draws.c.id == sessions.c.draw)
        .join(exam_series, exam_series.c.id == sessions.c.series, isouter=True)
    )
