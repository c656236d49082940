"""The SQL of sitting an exam, one step a function: who holds a session, what is served, what was answered.

These run for every request of a candidate, so they go to the driver itself: a statement costs a sixth of
what it costs through SQLAlchemy. Each is part of the caller's transaction, which holds the session's row.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import orjson
from sqlalchemy import Connection

from assay.core.question import Question, QuestionKind
from assay.store.exam.access import Access

POSTGRESQL = "postgresql"


class Raw:
    """A transaction's statements, written with `?` for each value, sent to the driver itself.

    `accesses` are written down with all that was done, before the transaction ends.
    """

    __slots__ = ("_cursor", "accesses", "connection", "postgresql")

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.postgresql = connection.dialect.name == POSTGRESQL
        self.accesses: list[Access] = []
        self._cursor = connection.connection.cursor()

    def row(self, text: str, values: tuple[Any, ...]) -> Any:
        """Return the first row that a query finds, None for none."""
        self._cursor.execute(_marked(text) if self.postgresql else text, values)
        return self._cursor.fetchone()

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


_SESSION = f"SELECT {','.join(SessionRow._fields)} FROM sessions WHERE id = ?"
_ANSWER = f"INSERT INTO answers ({','.join(AnswerRow._fields)}) VALUES (?,?,?,?,?,?,?,?,?,?,?)"


def session_row(raw: Raw, session: str, *, held: bool = True) -> SessionRow | None:
    """Return a session, None where there is none; nobody else changes it before this transaction ends.

    On SQLite every transaction that writes is alone. With `held` false it is only read.
    """
    text = f"{_SESSION} FOR UPDATE" if raw.postgresql and held else _SESSION
    found = raw.row(text, (session,))
    return None if found is None else SessionRow._make(found)


def serve_next(raw: Raw, session: str, position: int, at: float) -> None:
    """Serve the question after the last answer. Raises RuntimeError where `position` is another one."""
    raw.change("INSERT INTO served (session,position,at) VALUES (?,?,?)", (session, position, at))
    changed = raw.change(
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
    raw.change(_ANSWER, answer)
    changed = raw.change(
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


def place(raw: Raw, draw: int, position: int) -> tuple[int, int]:
    """Return the question at a position of a draw, and its version when it was drawn."""
    query = "SELECT question, version FROM draw_questions WHERE draw = ? AND position = ?"
    found: tuple[int, int] = raw.row(query, (draw, position))
    return found


def question_at(raw: Raw, number: int, version: int) -> Question:
    """Return a question without its key as it was in a version."""
    query = (
        "SELECT q.uuid, q.kind, q.discipline, q.secondary, q.language, q.stem, q.options, p.text, q.version "
        "FROM questions q LEFT JOIN passages p ON p.id = q.passage WHERE q.id = ?"
    )
    uuid, kind, discipline, secondary, language, stem, options, passage, newest = raw.row(query, (number,))
    if newest != version:
        old = "SELECT content FROM question_versions WHERE question = ? AND version = ?"
        content = orjson.loads(raw.row(old, (number, version))[0])
        kind, discipline, secondary = content["kind"], content["discipline"], content["secondary"]
        language, stem, options = content["language"], content["stem"], content["options"]
        found = raw.row("SELECT text FROM passages WHERE id = ?", (content["passage"],))
        passage = None if found is None else found[0]
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
