"""The SQL of sitting an exam: holding a session, serving questions and taking answers.

These statements run for every request of a candidate and bypass SQLAlchemy, which takes six times as long.
Each is part of the caller's transaction, which has locked the session's row.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import orjson
from sqlalchemy import Connection

from assay.core.question import Language, Question, QuestionKind
from assay.store.exam.access import Access, AccessRow, access_rows

AccessKey = tuple[str, str, str | None]
"""A token's jti and user, and the requested session."""
_OWN = 3 + len(AccessRow._fields)


class SessionRow(NamedTuple):
    """A session: the columns of `sessions` that serving needs."""

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
    """An answer: the columns of `answers`."""

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


class KeptAnswer(NamedTuple):
    """The stored part of an answer that identifies a repetition and makes up its receipt."""

    status: str
    digest: str
    receipt: str
    received_at: float


class RawStatements:
    """The statements of a transaction, run on the driver's own cursor; they have `?` for each value.

    `accesses` are logged at the end of the transaction. `prefetch` fills `access_rows` and `session_rows`; a
    session's row is used once, because it is outdated after a change.
    """

    __slots__ = ("_cursor", "access_rows", "accesses", "connection", "postgresql", "session_rows")

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.postgresql = connection.dialect.name == "postgresql"
        self.accesses: list[Access] = []
        self.access_rows: dict[AccessKey, AccessRow] = {}
        self.session_rows: dict[str, SessionRow] = {}
        self._cursor = connection.connection.cursor()

    def row(self, text: str, values: tuple[Any, ...]) -> Any:
        """Return the first row of a query, None if there is none."""
        self._cursor.execute(_for_psycopg(text) if self.postgresql else text, values)
        return self._cursor.fetchone()

    def rows(self, text: str, values: Sequence[Any]) -> list[Any]:
        """Return all rows of a query."""
        self._cursor.execute(_for_psycopg(text) if self.postgresql else text, values)
        return list(self._cursor.fetchall())

    def insert_and_change(
        self, insert: str, inserted: tuple[Any, ...], text: str, values: tuple[Any, ...]
    ) -> int:
        """Insert a row, then change others; return their number. PostgreSQL does both in one round trip."""
        if self.postgresql:
            return self.change(f"WITH inserted AS ({insert}) {text}", (*inserted, *values))
        self._cursor.execute(insert, inserted)
        return self.change(text, values)

    def change(self, text: str, values: tuple[Any, ...]) -> int:
        """Execute a statement and return the number of rows that it changed."""
        self._cursor.execute(_for_psycopg(text) if self.postgresql else text, values)
        count: int = self._cursor.rowcount
        return count

    def close(self) -> None:
        """Close the cursor."""
        self._cursor.close()


@cache
def _for_psycopg(text: str) -> str:
    return text.replace("?", "%s")


_SESSION = f"SELECT {','.join(SessionRow._fields)} FROM sessions WHERE id = ?"
_PREFETCH = f"""\
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
_ANSWER = f"INSERT INTO answers ({','.join(AnswerRow._fields)}) VALUES (?,?,?,?,?,?,?,?,?,?,?)"


def prefetch(raw: RawStatements, keys: Sequence[AccessKey], locked: Sequence[str]) -> None:
    """Lock the sessions that a batch of requests uses, and read its access data in one query.

    Sessions are locked in the order of their ids, which prevents deadlocks between workers.
    """
    if raw.postgresql and locked:
        lock = "SELECT id FROM sessions WHERE id = ANY(?) ORDER BY id FOR UPDATE"
        raw.rows(lock, (list(dict.fromkeys(locked)),))
    distinct = list(dict.fromkeys(keys))
    if not distinct:
        return
    used = set(locked)
    values = [value for key in _padded(distinct) for value in key]
    for row in raw.rows(_prefetch_sql(len(values) // 3), tuple(values)):
        raw.access_rows[row[0], row[1], row[2]] = AccessRow._make(row[3:_OWN])
        if row[_OWN] in used:
            raw.session_rows[row[_OWN]] = SessionRow._make(row[_OWN:])


def _padded(keys: list[AccessKey]) -> list[AccessKey]:
    """Repeat the last key up to a power of two, so that the server prepares few different statements."""
    return keys + keys[-1:] * ((1 << (len(keys) - 1).bit_length()) - len(keys))


@cache
def _prefetch_sql(count: int) -> str:
    return _PREFETCH.format(",".join(["(?,?,?)"] * count))


def access_of(raw: RawStatements, key: AccessKey) -> AccessRow:
    """Return the stored token, user and requested session of a request."""
    return raw.access_rows.get(key) or access_rows(raw.connection, *key)


def session_row(raw: RawStatements, session: str) -> SessionRow | None:
    """Return a session and lock it until the transaction ends; None for an unknown id.

    On SQLite a writing transaction excludes all others anyway.
    """
    prefetched = raw.session_rows.pop(session, None)
    if prefetched is not None:
        return prefetched
    row = raw.row(f"{_SESSION} FOR UPDATE" if raw.postgresql else _SESSION, (session,))
    return None if row is None else SessionRow._make(row)


def serve_next(raw: RawStatements, session: str, position: int, at: float) -> None:
    """Serve the question after the last answer. Raises RuntimeError if `position` is not the next one."""
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


def take_answer(raw: RawStatements, answer: AnswerRow) -> None:
    """Store the answer to the pending question; the last answer finishes the session.

    Raises RuntimeError if the answered question is not pending.
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


def hold(raw: RawStatements, session: str, holder: str, until: float) -> None:
    """Reserve a session for one client until a time."""
    raw.change("UPDATE sessions SET holder = ?, held_until = ? WHERE id = ?", (holder, until, session))


def kept_answer(raw: RawStatements, session: str, position: int) -> KeptAnswer | None:
    """Return the stored answer to a question, None if it has none."""
    query = "SELECT status,digest,receipt,received_at FROM answers WHERE session = ? AND position = ?"
    row = raw.row(query, (session, position))
    return None if row is None else KeptAnswer._make(row)


def close_session(raw: RawStatements, session: SessionRow, state: str, at: float) -> None:
    """End a session; its unserved questions no longer count as seen and can be drawn again."""
    raw.change(
        "UPDATE sessions SET state = ?, closed_at = ?, holder = NULL, held_until = NULL WHERE id = ?",
        (state, at, session.id),
    )
    raw.change(
        "DELETE FROM exposures WHERE organisation = ? AND draw = ? AND family IN "
        "(SELECT family FROM draw_questions WHERE draw = ? AND position > ?)",
        (session.organisation, session.draw, session.draw, session.completed + session.pending),
    )


def questions_from(raw: RawStatements, draw: int, position: int, count: int) -> dict[int, Question]:
    """Return `count` questions of a draw from a position on, without keys, in the version that was drawn."""
    query = (
        "SELECT d.position, d.question, d.version, q.version, q.uuid, q.kind, q.discipline, q.secondary, "
        "q.language, q.stem, q.options, p.text FROM draw_questions d JOIN questions q ON q.id = d.question "
        "LEFT JOIN passages p ON p.id = q.passage WHERE d.draw = ? AND d.position BETWEEN ? AND ?"
    )
    drawn = {}
    for place, number, version, newest, uuid, *content in raw.rows(
        query, (draw, position, position + count - 1)
    ):
        drawn_content = content if newest == version else _older_content(raw, number, version)
        drawn[place] = _question(uuid, *drawn_content)
    return drawn


def _older_content(raw: RawStatements, number: int, version: int) -> list[Any]:
    """Return the content of an earlier version of a question."""
    query = "SELECT content FROM question_versions WHERE question = ? AND version = ?"
    content = orjson.loads(raw.row(query, (number, version))[0])
    passage = raw.row("SELECT text FROM passages WHERE id = ?", (content["passage"],))
    names = ("kind", "discipline", "secondary", "language", "stem", "options")
    return [*(content[name] for name in names), None if passage is None else passage[0]]


def _question(
    uuid: str,
    kind: str,
    discipline: str,
    secondary: str | None,
    language: Language,
    stem: str,
    options: str,
    passage: str | None,
) -> Question:
    return Question(
        uuid=uuid,
        kind=QuestionKind(kind),
        stem=stem,
        discipline=discipline,
        options=tuple(orjson.loads(options)),
        passage=passage,
        secondary=secondary,
        language=language,
    )
