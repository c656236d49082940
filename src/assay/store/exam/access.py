"""The data behind an access decision, in one query, and the access log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, Engine, delete, exists, func, insert, select, update
from sqlalchemy.exc import DBAPIError

from assay.core.exam import SessionState
from assay.results.exam_service import ListedAccess
from assay.store.engine import driver_sql, reading
from assay.store.schema_exam import access_log, organisations, sessions, users

SHOWN = 200
_LOGGED = ("at", "user_id", "session", "jti", "method", "path", "status", "told")


class AccessRow(NamedTuple):
    """The current user, token, signing key and session of a request; all None for each that does not exist.

    `organisation`, `operator`, `role`, `disabled_at` and `reviewer` belong to the user, `token_*` to the
    token's record, `withdrawn_at` to its signing key, and `session_*` to the requested session.
    """

    organisation: int | None
    operator: int | None
    role: str | None
    disabled_at: float | None
    reviewer: int | None
    token_user: str | None
    token_session: str | None
    token_kid: str | None
    token_expires_at: float | None
    token_revoked_at: float | None
    withdrawn_at: float | None
    session_organisation: int | None
    session_candidate: str | None
    session_state: str | None
    session_deadline: float | None


_QUERY = """\
SELECT u.organisation, o.operator, u.role, u.disabled_at, u.reviewer,
 t.user_id, t.session, t.kid, t.expires_at, t.revoked_at, k.withdrawn_at,
 s.organisation, s.candidate, s.state, s.deadline
FROM (SELECT 1 AS one) AS x
LEFT JOIN tokens AS t ON t.jti = {mark}
LEFT JOIN signing_keys AS k ON k.kid = t.kid
LEFT JOIN users AS u ON u.id = {mark}
LEFT JOIN organisations AS o ON o.id = u.organisation
LEFT JOIN sessions AS s ON s.id = {mark}"""


def access_rows(connection: Connection, jti: str, user_id: str, session_id: str | None) -> AccessRow:
    """Return the stored token, user and requested session, in one query on primary keys.

    It sees every revocation committed before its transaction. `session_id` may be any text from an address.
    Every request runs this query, so it bypasses SQLAlchemy, which takes six times as long.
    """
    if session_id is not None and not (session_id.isascii() and session_id.isprintable()):
        session_id = None
    text = driver_sql(_QUERY, connection.dialect.name)
    cursor = connection.connection.cursor()
    try:
        cursor.execute(text, (jti, user_id, session_id))
        row = cursor.fetchone()
        assert row is not None
        return AccessRow._make(row)
    except connection.dialect.loaded_dbapi.Error as error:
        raise DBAPIError(text, None, error) from error
    finally:
        cursor.close()


class Access(NamedTuple):
    """One access: time, user (if proven), request and HTTP status.

    `told` is the title of the refusal or another short reason; never a secret, token or answer.
    """

    at: float
    user_id: str | None
    session: str | None
    jti: str | None
    method: str
    path: str
    status: int
    told: str | None


def keep_accesses(connection: Connection, accesses: Sequence[Access]) -> None:
    """Store accesses. Session, method and path come from outside: they are shortened and escaped to ASCII."""
    if not accesses:
        return
    text = f"INSERT INTO access_log ({','.join(_LOGGED)}) VALUES ({{marks}})"
    rows = [
        access._replace(
            session=None if access.session is None else _plain(access.session, 36),
            method=_plain(access.method, 8),
            path=_plain(access.path, SHOWN),
        )
        for access in accesses
    ]
    statement = driver_sql(text, connection.dialect.name, len(_LOGGED))
    connection.exec_driver_sql(statement, [tuple(row) for row in rows])


def _plain(text: str, most: int) -> str:
    if text.isascii() and text.isprintable() and len(text) <= most:
        return text
    return ascii(text[:most])[1:-1][:most]


def begin_attempt(connection: Connection, attempt: Access) -> int:
    """Log an attempt to log in as refused, before its secret is checked; return its number in the log."""
    row = connection.execute(insert(access_log).values(attempt._asdict()).returning(access_log.c.id))
    return int(row.scalar_one())


def settle_attempt(connection: Connection, number: int, attempt: Access) -> None:
    """Replace the log entry of an attempt to log in by its outcome."""
    connection.execute(update(access_log).where(access_log.c.id == number).values(attempt._asdict()))


def failed_attempts(connection: Connection, user: str, path: str, *, since: float, told: str) -> int:
    """Return the number of a user's accesses to a path since a time that have this `told`."""
    query = select(func.count()).where(
        access_log.c.at > since,
        access_log.c.user_id == user,
        access_log.c.path == path,
        access_log.c.told == told,
    )
    return int(connection.execute(query).scalar_one())


def delete_accesses(connection: Connection, *, before: float, now: float, most: int) -> int:
    """Delete at most `most` accesses from before a time, oldest first; return their number.

    Accesses of running sessions are kept. Rows that another process is deleting are skipped.
    """
    running = exists().where(
        sessions.c.id == access_log.c.session,
        sessions.c.state == SessionState.OPEN,
        sessions.c.deadline >= now,
    )
    old = (
        select(access_log.c.id)
        .where(access_log.c.at < before, ~running)
        .order_by(access_log.c.at)
        .limit(most)
        .with_for_update(skip_locked=True, of=access_log)
    )
    # This is a separate query: PostgreSQL may run a subquery once for each row and delete more than `most`.
    chosen = connection.execute(old).scalars().all()
    connection.execute(delete(access_log).where(access_log.c.id.in_(chosen)))
    return len(chosen)


def list_accesses(
    engine: Engine, *, session: str | None = None, user: str | None = None, limit: int | None = None
) -> list[ListedAccess]:
    """Return accesses, newest first; of one session or user."""
    query = (
        select(
            access_log.c.at,
            access_log.c.user_id,
            organisations.c.name + "/" + users.c.name,
            *(access_log.c[name] for name in _LOGGED[2:]),
        )
        .join(users, users.c.id == access_log.c.user_id, isouter=True)
        .join(organisations, organisations.c.id == users.c.organisation, isouter=True)
        .order_by(access_log.c.id.desc())
    )
    if session is not None:
        query = query.where(access_log.c.session == session)
    if user is not None:
        query = query.where(access_log.c.user_id == user)
    if limit is not None:
        query = query.limit(limit)
    with reading(engine) as connection:
        return [ListedAccess(*row) for row in connection.execute(query)]
