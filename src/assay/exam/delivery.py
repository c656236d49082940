"""Serving a session: one question after another, each answered once, by one client, in time.

Every function here runs within a job of the desk: it checks before it writes and returns refusals as values.
No view that leaves this file has a field for a key, an explanation or a rationale.
"""

from __future__ import annotations

import hashlib
import math
import secrets
from dataclasses import dataclass
from typing import Final

import orjson
from sqlalchemy import Connection

from assay.core.ask import Message
from assay.core.errors import AssayError, Conflict, NotFound
from assay.core.exam import AnswerStatus, Prompting, SessionState
from assay.exam.access import Refusal, Refused
from assay.questions.prompting import messages
from assay.results.exam_service import SessionView
from assay.store.exam.serving import (
    AnswerRow,
    RawStatements,
    SessionRow,
    close_session,
    hold,
    kept_answer,
    questions_from,
    serve_next,
    session_row,
    take_answer,
)
from assay.store.exam.sessions import StoredSession, session_by_id

MOST_CHARACTERS: Final = 65_536
"""The longest answer that is accepted."""
HOLD_SECONDS: Final = 60.0
"""Seconds for which a session stays reserved after its client's last request."""
_RENEW_SECONDS: Final = 10.0
_READ_AHEAD: Final = 16
_MOST_CACHED: Final = 20_000


class SessionInUse(Refused):
    """Another client uses the session; it is free after `retry_after` seconds without requests."""

    def __init__(self, retry_after: int) -> None:
        text = "another client uses this session: stop that client, or try again after"
        super().__init__(Refusal.SESSION, f"{text} {retry_after} s without its requests")
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True)
class QuestionView:
    """The pending question of a session as it is put to the model.

    `position` counts from 1 to `of`. `seconds_left` is the time until an answer is late.
    """

    position: int
    of: int
    messages: tuple[Message, ...]
    max_answer_characters: int
    seconds_left: float


@dataclass(frozen=True, slots=True)
class ReceiptView:
    """The receipt of a stored answer; the same answer sent again gets the same one. `received_at` is UTC."""

    receipt: str
    position: int
    status: AnswerStatus
    received_at: float


@dataclass(frozen=True, slots=True)
class Sitter:
    """The client that sits a session, and the candidate named by its token. `holder` is from `holder_of`."""

    session: str
    user_id: str
    holder: str


@dataclass(frozen=True, slots=True)
class SubmittedAnswer:
    """An answer as a candidate submits it; fields that it does not declare are None."""

    text: str
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    seconds: float | None = None
    finish_reason: str | None = None

    def digest(self) -> str:
        """Return a hash of the answer and everything sent with it."""
        parts = [self.text, self.prompt_tokens, self.completion_tokens, self.seconds, self.finish_reason]
        return hashlib.sha256(orjson.dumps(parts)).hexdigest()


def session_view(stored: StoredSession) -> SessionView:
    """Return the public view of a session, without its draw and its seed."""
    return SessionView(
        id=stored.id,
        candidate=stored.candidate,
        model=stored.model,
        prompting=Prompting(stored.prompting),
        state=SessionState(stored.state),
        quota=stored.quota,
        allocated=stored.allocated,
        pending=stored.pending,
        completed=stored.completed,
        revision=stored.revision,
        simulated=bool(stored.simulated),
        series=stored.series_name,
        opened_at=stored.opened_at,
        started_at=stored.started_at,
        closed_at=stored.closed_at,
        deadline=stored.deadline,
        question_seconds=stored.question_seconds,
    )


def view_of(connection: Connection, session: str) -> SessionView:
    """Return the public view of an existing session."""
    stored = session_by_id(connection, session)
    assert stored is not None
    return session_view(stored)


def holder_of(jti: str, client: str) -> str:
    """Return a client's identity: a hash of its token's id and of the name that it gives itself."""
    return hashlib.sha256(f"{jti} {client}".encode()).hexdigest()


class Delivery:
    """Serves questions and takes answers. Caches the messages of drawn questions, which never change."""

    def __init__(self) -> None:
        self._cache: dict[tuple[int, int, str], tuple[Message, ...]] = {}

    def question(self, raw: RawStatements, sitter: Sitter, at: float) -> QuestionView | AssayError:
        """Return the pending question, or serve the next one; a repeated request gets the same question.

        A pending question whose time is over is closed without an answer, and the next one is served.
        Returns Conflict if no question is left.
        """
        row = _enter(raw, sitter, at)
        if isinstance(row, AssayError):
            return row
        if row.state == SessionState.FINISHED:
            return _all_done(row)
        if row.state != SessionState.OPEN:
            return _ended(row)
        position, served = row.completed + 1, row.served_at
        if served is not None and at > served + row.question_seconds:
            _time_out(raw, row, at)
            if row.allocated == 0:
                return _all_done(row)
            position, served = position + 1, None
        if served is None:
            serve_next(raw, row.id, position, at)
            served = at
        seconds_left = min(served + row.question_seconds, row.deadline) - at
        messages = self._messages(raw, row, position)
        return QuestionView(position, row.quota, messages, MOST_CHARACTERS, round(seconds_left, 1))

    def answer(
        self, raw: RawStatements, sitter: Sitter, position: int, given: SubmittedAnswer, at: float
    ) -> ReceiptView | AssayError:
        """Store the answer to the pending question and return its receipt; repeated, it gets the same one.

        Returns Conflict for a different answer to an answered question, and for a question not served yet.
        """
        row = _enter(raw, sitter, at)
        if isinstance(row, AssayError):
            return row
        if not 1 <= position <= row.quota:
            return NotFound(f"question {position} does not exist: this session has 1 to {row.quota}")
        digest = given.digest()
        if position <= row.completed:
            return _repeated_receipt(raw, row.id, position, digest)
        if row.state != SessionState.OPEN:
            return _ended(row)
        if position > row.completed + 1 or row.served_at is None:
            step = "answer" if row.served_at is not None else "request"
            return Conflict(
                f"question {position} was not served yet: {step} question {row.completed + 1} first"
            )
        late = at > row.served_at + row.question_seconds
        status = AnswerStatus.LATE if late else AnswerStatus.ANSWERED
        receipt = secrets.token_hex(16)
        take_answer(
            raw,
            AnswerRow(
                row.id,
                position,
                status.value,
                given.text,
                digest,
                receipt,
                given.prompt_tokens,
                given.completion_tokens,
                given.seconds,
                given.finish_reason,
                at,
            ),
        )
        return ReceiptView(receipt, position, status, at)

    def finish(self, raw: RawStatements, sitter: Sitter, at: float) -> SessionView | AssayError:
        """End a session and return it; one that has ended is unchanged."""
        row = _enter(raw, sitter, at)
        if isinstance(row, AssayError):
            return row
        if row.state == SessionState.OPEN:
            end(raw, row, SessionState.CLOSED, at)
        return view_of(raw.connection, row.id)

    def _messages(self, raw: RawStatements, row: SessionRow, position: int) -> tuple[Message, ...]:
        """Return the messages of a question; those of the next questions are cached with them."""
        key = (row.draw, position, row.prompting)
        if key not in self._cache:
            if len(self._cache) >= _MOST_CACHED:
                self._cache.clear()
            for number, question in questions_from(raw, row.draw, position, _READ_AHEAD).items():
                self._cache[row.draw, number, row.prompting] = messages(question, Prompting(row.prompting))
        return self._cache[key]


def end(raw: RawStatements, row: SessionRow, state: SessionState, at: float) -> None:
    """End an open session: its pending question is timed out, and unserved questions can be drawn again."""
    if row.served_at is not None:
        _time_out(raw, row, at)
        if row.allocated == 0:
            return
        row = row._replace(pending=0, completed=row.completed + 1, served_at=None)
    close_session(raw, row, state.value, at)


def _enter(raw: RawStatements, sitter: Sitter, at: float) -> SessionRow | AssayError:
    """Lock the session and reserve it for its candidate's one client; an expired session is ended first."""
    row = session_row(raw, sitter.session)
    if row is None or row.candidate != sitter.user_id:
        return Refused(Refusal.SESSION)
    if row.state != SessionState.OPEN:
        return row
    if at > row.deadline:
        end(raw, row, SessionState.EXPIRED, at)
        expired = session_row(raw, sitter.session)
        assert expired is not None
        return expired
    until = row.held_until or 0.0
    if row.holder != sitter.holder and row.holder is not None and until > at:
        return SessionInUse(math.ceil(until - at))
    if row.holder != sitter.holder or until < at + HOLD_SECONDS - _RENEW_SECONDS:
        hold(raw, row.id, sitter.holder, at + HOLD_SECONDS)
    return row


def _time_out(raw: RawStatements, row: SessionRow, at: float) -> None:
    status = AnswerStatus.TIMED_OUT.value
    take_answer(raw, AnswerRow(row.id, row.completed + 1, status, None, "", "", None, None, None, None, at))


def _repeated_receipt(
    raw: RawStatements, session: str, position: int, digest: str
) -> ReceiptView | AssayError:
    kept = kept_answer(raw, session, position)
    assert kept is not None
    if kept.status == AnswerStatus.TIMED_OUT:
        return Conflict(
            f"the time for question {position} ran out without an answer: request the next question"
        )
    if kept.digest != digest:
        return Conflict(f"question {position} has a different answer already: an answer cannot be changed")
    return ReceiptView(kept.receipt, position, AnswerStatus(kept.status), kept.received_at)


def _all_done(row: SessionRow) -> Conflict:
    return Conflict(f"all {row.quota} questions of this session are done: no question is left")


def _ended(row: SessionRow) -> Refused:
    reason = "has expired" if row.state == SessionState.EXPIRED else "was closed"
    return Refused(Refusal.SESSION, f"this session {reason}: ask for a new session")
