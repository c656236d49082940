"""Sessions and draws as they are opened, listed and looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import orjson
from sqlalchemy import ColumnElement, Connection, insert, select, update

from assay.store.bank.draw import Drawn
from assay.store.schema_exam import draw_questions, draws, exposures, organisations, sessions, users


class StoredSession(NamedTuple):
    """A session with the names of whom it belongs to; the other fields are the columns of `sessions`."""

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


class Taker(NamedTuple):
    """A user whom a session may be opened for, with the organisation; `operator` is 1 for the operator's."""

    id: str
    name: str
    role: str
    disabled_at: float | None
    organisation: int
    organisation_name: str
    operator: int


class StoredDraw(NamedTuple):
    """A draw that can be sat. `organisation` is None for one that counts as seen by nobody."""

    id: int
    n: int
    revision: int
    organisation: int | None
    allocation: dict[str, int]


def session_by_id(connection: Connection, session: str) -> StoredSession | None:
    """Return a session, None where there is none."""
    row = connection.execute(_whole().where(sessions.c.id == session)).first()
    return None if row is None else StoredSession._make(row)


def list_sessions(
    connection: Connection,
    *,
    organisation: int | None = None,
    state: str | None = None,
    before: tuple[float, str] | None = None,
    limit: int,
) -> list[StoredSession]:
    """Return sessions, the newest first; `before` is opening time and id of the last one listed already."""
    query = _whole().order_by(sessions.c.opened_at.desc(), sessions.c.id.desc()).limit(limit)
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
    """Return the sessions that are open though their time is over."""
    query = select(sessions.c.id).where(sessions.c.state == "open", sessions.c.deadline < now)
    return list(connection.execute(query.order_by(sessions.c.id)).scalars())


def taker(connection: Connection, user_id: str) -> Taker | None:
    """Return a user with the organisation, None where there is none."""
    query = (
        select(
            users.c.id,
            users.c.name,
            users.c.role,
            users.c.disabled_at,
            users.c.organisation,
            organisations.c.name,
            organisations.c.operator,
        )
        .join(organisations, organisations.c.id == users.c.organisation)
        .where(users.c.id == user_id)
    )
    row = connection.execute(query).first()
    return None if row is None else Taker._make(row)


def lock_organisation(connection: Connection, organisation: int) -> None:
    """Let nobody else open a session for an organisation until this transaction ends.

    On SQLite nobody else writes at all until then.
    """
    change = update(organisations).where(organisations.c.id == organisation)
    connection.execute(change.values(operator=organisations.c.operator))


def named_draw(connection: Connection, name: str) -> StoredDraw | None:
    """Return a draw by its name, None where there is none."""
    return _draw(connection, draws.c.name == name)


def draw_by_id(connection: Connection, number: int) -> StoredDraw:
    """Return a draw that a session rests on."""
    found = _draw(connection, draws.c.id == number)
    assert found is not None
    return found


def _draw(connection: Connection, which: ColumnElement[bool]) -> StoredDraw | None:
    query = select(draws.c.id, draws.c.n, draws.c.revision, draws.c.organisation, draws.c.allocation)
    row = connection.execute(query.where(which)).first()
    if row is None:
        return None
    return StoredDraw(row.id, row.n, row.revision, row.organisation, orjson.loads(row.allocation))


def new_draw(
    connection: Connection,
    drawn: Sequence[Drawn],
    *,
    name: str | None,
    organisation: int | None,
    revision: int,
    allocation: Mapping[str, int],
    seed: str,
    now: float,
) -> int:
    """Store a draw in serving order, positions from 1, and return its number.

    With an organisation, what is drawn counts as met by it: an IntegrityError where it was met already.
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
    placed = [
        {
            "draw": number,
            "position": position,
            "question": each.question,
            "version": each.version,
            "family": each.family,
            "discipline": each.discipline,
        }
        for position, each in enumerate(drawn, 1)
    ]
    connection.execute(insert(draw_questions), placed)
    if organisation is not None:
        met = [{"organisation": organisation, "family": each.family, "draw": number} for each in drawn]
        connection.execute(insert(exposures), met)
    return number


def new_session(
    connection: Connection,
    *,
    session: str,
    organisation: int,
    candidate: str,
    model: str,
    prompting: str,
    draw: int,
    revision: int,
    quota: int,
    simulated: bool,
    opened_at: float,
    deadline: float,
    question_seconds: float,
) -> None:
    """Store a session of which nothing was served yet."""
    connection.execute(
        insert(sessions).values(
            id=session,
            organisation=organisation,
            candidate=candidate,
            model=model,
            prompting=prompting,
            draw=draw,
            revision=revision,
            quota=quota,
            allocated=quota,
            pending=0,
            completed=0,
            state="open",
            simulated=int(simulated),
            opened_at=opened_at,
            deadline=deadline,
            question_seconds=question_seconds,
        )
    )


def _whole() -> Any:
    columns = {
        "organisation_name": organisations.c.name,
        "candidate_name": users.c.name,
        "draw_name": draws.c.name,
    }
    return (
        select(*(columns[name] if name in columns else sessions.c[name] for name in StoredSession._fields))
        .join(organisations, organisations.c.id == sessions.c.organisation)
        .join(users, users.c.id == sessions.c.candidate)
        .join(draws, draws.c.id == sessions.c.draw)
    )
