"""The SQL of sitting an exam, one step a function: who holds a session, what is served, what was answered.

These run for every request of a candidate, so they go to the driver itself: a statement costs a sixth of
what it costs through SQLAlchemy. Each is part of the caller's transaction, which holds the session's row.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Connection

from assay.store.exam.access import Access, AccessRow, access_rows

POSTGRESQL = "postgresql"


Asking = tuple[str, str, str | None]
"""A token's jti and user, and the session that is asked for."""


class SessionRow(NamedTuple):
    """A session as it stands; the columns of `sessions` that serving needs."""

    id: str
    organisation: int
    candidate: str
    prompting: str
    draw: int
    quota: int
    allocated: int
    pending: int
    completed: int
    state: str
    deadline: float
    question_seconds: float
    served_at: float | None
    holder: str | None
    held_until: float | None


class AnswerRow(NamedTuple):
    """An answer as it is kept: the columns of `answers`."""

    session: str
    position: int
    status: str
    text: str | None
    digest: str
    receipt: str
    prompt_tokens: int | None
    completion_tokens: int | None
    seconds: float | None
    finish_reason: str | None
    received_at: float


class Kept(NamedTuple):
    """What tells a repeated answer from another one, and what is told about it."""

    status: str
    digest: str
    receipt: str
    received_at: float


class Raw:
    """A transaction's statements, written with `?` for each value, sent to the driver itself.

    `accesses` are written down with all that was done, before the transaction ends. `known` and `standing`
    are what `look_ahead` found: users with their tokens, and sessions as long as nothing has changed them.
    """

    __slots__ = ("_cursor", "accesses", "connection", "known", "postgresql", "standing")

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.postgresql = connection.dialect.name == POSTGRESQL
        self.accesses: list[Access] = []
        self.known: dict[Asking, AccessRow] = {}
        self.standing: dict[str, SessionRow] = {}
        self._cursor = connection.connection.cursor()

    def row(self, text: str, values: tuple[Any, ...]) -> Any:
        """Return the first row that a query finds, None for none."""
        self._cursor.execute(_marked(text) if self.postgresql else text, values)
        return self._cursor.fetchone()

    def rows(self, text: str, values: Sequence[Any]) -> list[Any]:
        """Return all rows that a query finds."""
        self._cursor.execute(_marked(text) if self.postgresql else text, values)
        return list(self._cursor.fetchall())

    def insert_and_change(
        self, insert: str, inserted: tuple[Any, ...], text: str, values: tuple[Any, ...]
    ) -> int:
        """Insert a row, then change others; return how many. One way to the server where that takes time."""
        if self.postgresql:
            return self.change(f"WITH inserted AS ({insert}) {text}", (*inserted, *values))
        self._cursor.execute(insert, inserted)
        return self.change(text, values)

    def change(self, text: str, values: tuple[Any, ...]) -> int:
        """Carry out a statement and return how many rows it changed."""
        self._cursor.execute(_marked(text) if self.postgresql else text, values)
        count: int = self._cursor.rowcount
        return count

    def close(self) -> None:
        """Give the cursor back."""
        self._cursor.close()


@cache
def _marked(text: str) -> str:
    return text.replace("?", "%s")


_SESSION = f"SELECT {','.join(SessionRow._fields)} FROM sessions WHERE id = ?"
_AHEAD = f"""\
SELECT x.column1, x.column2, x.column3, u.organisation, o.operator, u.role, u.disabled_at, u.reviewer,
 t.user_id, t.session, t.kid, t.expires_at, t.revoked_at, k.withdrawn_at,
 s.organisation, s.candidate, s.state, s.deadline, s.holder, s.held_until,
 {",".join(f"s.{name}" for name in SessionRow._fields)}
FROM (VALUES {{}}) AS x
LEFT JOIN tokens AS t ON t.jti = x.column1
LEFT JOIN signing_keys AS k ON k.kid = t.kid
LEFT JOIN users AS u ON u.id = x.column2
LEFT JOIN organisations AS o ON o.id = u.organisation
LEFT JOIN sessions AS s ON s.id = x.column3"""
_OWN = 3 + len(AccessRow._fields)
_ANSWER = f"INSERT INTO answers ({','.join(AnswerRow._fields)}) VALUES (?,?,?,?,?,?,?,?,?,?,?)"


def look_ahead(raw: Raw, asking: Sequence[Asking], held: Sequence[str]) -> None:
    """Look up at once what the requests of a batch rest on, after locking the sessions that are used.

    The locks are taken in the order of the sessions' ids, so that no two workers wait for each other.
    """
    if raw.postgresql and held:
        lock = "SELECT id FROM sessions WHERE id = ANY(?) ORDER BY id FOR UPDATE"
        raw.rows(lock, (list(dict.fromkeys(held)),))
    wanted = list(dict.fromkeys(asking))
    if not wanted:
        return
    used = set(held)
    values = [value for each in _padded(wanted) for value in each]
    for row in raw.rows(_ahead(len(values) // 3), tuple(values)):
        raw.known[row[0], row[1], row[2]] = AccessRow._make(row[3:_OWN])
        if row[_OWN] in used:
            raw.standing[row[_OWN]] = SessionRow._make(row[_OWN:])


def _padded(asking: list[Asking]) -> list[Asking]:
    """Repeat the last one up to a power of two: few lengths are few statements for the server to prepare."""
    return asking + asking[-1:] * ((1 << (len(asking) - 1).bit_length()) - len(asking))


@cache
def _ahead(count: int) -> str:
    return _AHEAD.format(",".join(["(?,?,?)"] * count))


def access_of(raw: Raw, asking: Asking) -> AccessRow:
    """Return what there is of a token, its user and the session asked for."""
    return raw.known.get(asking) or access_rows(raw.connection, *asking)


def session_row(raw: Raw, session: str) -> SessionRow | None:
    """Return a session, None where there is none; nobody else changes it before this transaction ends.

    On SQLite every transaction that writes is alone.
    """
    ahead = raw.standing.pop(session, None)
    if ahead is not None:
        return ahead
    found = raw.row(f"{_SESSION} FOR UPDATE" if raw.postgresql else _SESSION, (session,))
    return None if found is None else SessionRow._make(found)


def serve_next(raw: Raw, session: str, position: int, at: float) -> None:
    """Serve the question after the last answer. Raises RuntimeError where `position` is another one."""
    changed = raw.insert_and_change(
        "INSERT INTO served (session,position,at) VALUES (?,?,?)",
        (session, position, at),
        "UPDATE sessions SET allocated = allocated - 1, pending = pending + 1, served_at = ?, "
        "started_at = COALESCE(started_at, ?) "
        "WHERE id = ? AND state = 'open' AND pending = 0 AND completed = ?",
        (at, at, session, position - 1),
    )
    if changed != 1:
        raise RuntimeError("a question was served out of order")


def take_answer(raw: Raw, answer: AnswerRow) -> None:
    """Keep the answer to the pending question; the last one finishes the session.

    Raises RuntimeError where another question is pending, or none.
    """
    changed = raw.insert_and_change(
        _ANSWER,
        answer,
        "UPDATE sessions SET pending = pending - 1, completed = completed + 1, served_at = NULL, "
        "state = CASE WHEN allocated = 0 THEN 'finished' ELSE state END, "
        "closed_at = CASE WHEN allocated = 0 THEN ? ELSE closed_at END "
        "WHERE id = ? AND pending = 1 AND completed = ?",
        (answer.received_at, answer.session, answer.position - 1),
    )
    if changed != 1:
        raise RuntimeError("an answer was taken out of order")


def hold(raw: Raw, session: str, holder: str, until: float) -> None:
    """Let a client hold a session until then."""
    raw.change("UPDATE sessions SET holder = ?, held_until = ? WHERE id = ?", (holder, until, session))


def kept_answer(raw: Raw, session: str, position: int) -> Kept | None:
    """Return what is kept of an answer, None for a question that has none."""
    query = "SELECT status,digest,receipt,received_at FROM answers WHERE session = ? AND position = ?"
    found = raw.row(query, (session, position))
    return None if found is None else Kept._make(found)


def close_session(raw: Raw, session: SessionRow, state: str, at: float) -> None:
    """End a session and give back the questions that were never served, so that they can be drawn again."""
    raw.change(
        "UPDATE sessions SET state = ?, closed_at = ?, holder = NULL, held_until = NULL WHERE id = ?",
        (state, at, session.id),
    )
    raw.change(
        "DELETE FROM exposures WHERE organisation = ? AND draw = ? AND family IN "
        "(SELECT family FROM draw_questions WHERE draw = ? AND position > ?)",
        (session.organisation, session.draw, session.draw, session.completed + session.pending),
    )
