"""What the decision about a request rests on, in one query; and the log of every access."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from sqlalchemy import Connection, Engine, func, insert, select, update
from sqlalchemy.exc import DBAPIError

from assay.store.engine import reading
from assay.store.schema_exam import access_log, organisations, users

SHOWN = 200
_LOGGED = ("at", "user_id", "session", "jti", "method", "path", "status", "told")


class AccessRow(NamedTuple):
    """User, token, signing key and session as they stand now; None throughout for each that is not there.

    `organisation`, `operator`, `role`, `disabled_at`, `reviewer` are the user's; `token_*` the record of
    the token, `withdrawn_at` of the key that signed it; `session_*` the session that is asked for.
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
LEFT JOIN tokens AS t ON t.jti = {0}
LEFT JOIN signing_keys AS k ON k.kid = t.kid
LEFT JOIN users AS u ON u.id = {0}
LEFT JOIN organisations AS o ON o.id = u.organisation
LEFT JOIN sessions AS s ON s.id = {0}"""


def access_rows(connection: Connection, jti: str, user_id: str, session_id: str | None) -> AccessRow:
    """Return what there is of a token, its user and the session asked for, in one query on primary keys.

    It sees what its transaction sees: every revocation that was committed before. `session_id` may be any
    text, as it stands in an address. Every request comes by here, so it goes to the driver itself: that
    takes a sixth of the time.
    """
    if session_id is not None and not (session_id.isascii() and session_id.isprintable()):
        session_id = None
    text = _text(connection.dialect.name)
    cursor = connection.connection.cursor()
    try:
        cursor.execute(text, (jti, user_id, session_id))
        found = cursor.fetchone()
        assert found is not None
        return AccessRow._make(found)
    except connection.dialect.loaded_dbapi.Error as error:
        raise DBAPIError(text, None, error) from error
    finally:
        cursor.close()


@cache
def _text(dialect: str) -> str:
    return _QUERY.format("?" if dialect == "sqlite" else "%s")


class Access(NamedTuple):
    """One access: what was asked, when, by whom as far as proven, and the HTTP status it got.

    `told` is the refusal's title, or another word on what happened; never a secret, token, or answer.
    """

    at: float
    user_id: str | None
    session: str | None
    jti: str | None
    method: str
    path: str
    status: int
    told: str | None


class ListedAccess(NamedTuple):
    """An access with the names of its user and organisation, None where the user is not known."""

    access: Access
    user: str | None
    organisation: str | None


def keep_accesses(connection: Connection, accesses: Sequence[Access]) -> None:
    """Write accesses down. Method and path come from outside: they are cut short and kept in plain ASCII."""
    if not accesses:
        return
    mark = "?" if connection.dialect.name == "sqlite" else "%s"
    text = f"INSERT INTO access_log ({','.join(_LOGGED)}) VALUES ({','.join([mark] * len(_LOGGED))})"
    rows = [
        each._replace(
            session=None if each.session is None else _plain(each.session, 36),
            method=_plain(each.method, 8),
            path=_plain(each.path, SHOWN),
        )
        for each in accesses
    ]
    connection.exec_driver_sql(text, [tuple(row) for row in rows])


def _plain(text: str, most: int) -> str:
    if text.isascii() and text.isprintable() and len(text) <= most:
        return text
    return ascii(text[:most])[1:-1][:most]


def begin_attempt(connection: Connection, attempt: Access) -> int:
    """Write down an attempt to log in before it is judged, as refused; return its number in the log."""
    row = connection.execute(insert(access_log).values(attempt._asdict()).returning(access_log.c.id))
    return int(row.scalar_one())


def settle_attempt(connection: Connection, number: int, attempt: Access) -> None:
    """Write down what an attempt to log in came to, over what was written of it before."""
    connection.execute(update(access_log).where(access_log.c.id == number).values(attempt._asdict()))


def failed_attempts(connection: Connection, user: str, path: str, *, since: float, told: str) -> int:
    """Count a user's accesses to a path since a time that were refused and say `told`."""
    query = select(func.count()).where(
        access_log.c.at > since,
        access_log.c.user_id == user,
        access_log.c.path == path,
        access_log.c.told == told,
    )
    return int(connection.execute(query).scalar_one())


def list_accesses(
    engine: Engine, *, session: str | None = None, user: str | None = None, limit: int | None = None
) -> list[ListedAccess]:
    """Return accesses, the newest first: to a session, by a user."""
    query = (
        select(*(access_log.c[name] for name in _LOGGED), users.c.name, organisations.c.name)
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
        return [ListedAccess(Access(*row[:8]), *row[8:]) for row in connection.execute(query)]
