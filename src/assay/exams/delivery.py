"""Sitting an exam: one question after the other, each answered once, by one client, in time.

Every function here is part of a job of the desk: it looks before it writes and returns refusals as values.
"""

from __future__ import annotations

import hashlib
import math
import secrets
from dataclasses import dataclass
from typing import Final

import orjson

from assay.core.ask import Message
from assay.core.errors import AssayError, Conflict, NotFound
from assay.core.exam import AnswerStatus, Prompting, SessionState
from assay.exams.refused import Refusal, Refused
from assay.exams.view import QuestionView, ReceiptView, SessionView, session_view
from assay.questions.prompting import messages
from assay.store.exam.posed import questions_from
from assay.store.exam.serving import (
    AnswerRow,
    Raw,
    SessionRow,
    close_session,
    hold,
    kept_answer,
    serve_next,
    session_row,
    take_answer,
)
from assay.store.exam.sessions import session_by_id

MOST_CHARACTERS: Final = 65_536
"""How long an answer may be."""
HOLD_SECONDS: Final = 60.0
"""How long a session is one client's after its last request."""
_RENEW_SECONDS: Final = 10.0
_READ_AHEAD: Final = 16
_MOST_CACHED: Final = 20_000


class Held(Refused):
    """Another client uses the session; it is free after `retry_after` seconds of rest."""

    def __init__(self, retry_after: int) -> None:
        told = "another client uses this session: stop it, or try again when it has rested"
        super().__init__(Refusal.SESSION, f"{told} {retry_after} s")
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sits: the session, the candidate that the token names, and the client (`holder_of`)."""

    session: str
    user_id: str
    holder: str


@dataclass(frozen=True, slots=True)
class Given:
    """An answer as a candidate gives it. None where the candidate does not tell."""

    text: str
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    seconds: float | None = None
    finish_reason: str | None = None

    def digest(self) -> str:
        """Return what names this answer and everything told with it."""
        told = [self.text, self.prompt_tokens, self.completion_tokens, self.seconds, self.finish_reason]
        return hashlib.sha256(orjson.dumps(told)).hexdigest()


def holder_of(jti: str, client: str) -> str:
    """Return what names a client: its token and the name that it gives itself."""
    return hashlib.sha256(f"{jti} {client}".encode()).hexdigest()


class Delivery:
    """Serves questions and takes answers; remembers how questions read, which never changes."""

    def __init__(self) -> None:
        self._read: dict[tuple[int, int, str], tuple[Message, ...]] = {}

    def question(self, raw: Raw, sitter: Sitter, at: float) -> QuestionView | AssayError:
        """Return the pending question, or serve the next: asking again gives the same one.

        A pending question whose time is over is closed without an answer, and the next one is served.
        Conflict when there is none left.
        """
        row = _entered(raw, sitter, at)
        if isinstance(row, AssayError):
            return row
        if row.state == SessionState.FINISHED:
            return _all_done(row)
        if row.state != SessionState.OPEN:
            return _over(row)
        position, served = row.completed + 1, row.served_at
        if served is not None and at > served + row.question_seconds:
            _time_out(raw, row, at)
            if row.allocated == 0:
                return _all_done(row)
            position, served = position + 1, None
        if served is None:
            serve_next(raw, row.id, position, at)
            served = at
        left = min(served + row.question_seconds, row.deadline) - at
        told = self._messages(raw, row, position)
        return QuestionView(position, row.quota, told, MOST_CHARACTERS, round(left, 1))

    def answer(
        self, raw: Raw, sitter: Sitter, position: int, given: Given, at: float
    ) -> ReceiptView | AssayError:
        """Keep the answer to the pending question and return its receipt; sent again, it gets the same one.

        Conflict for another answer to an answered question, and for a question that was not given yet.
        """
        row = _entered(raw, sitter, at)
        if isinstance(row, AssayError):
            return row
        if not 1 <= position <= row.quota:
            return NotFound(f"question {position} does not exist: this session has 1 to {row.quota}")
        digest = given.digest()
        if position <= row.completed:
            return _again(raw, row.id, position, digest)
        if row.state != SessionState.OPEN:
            return _over(row)
        if position > row.completed + 1 or row.served_at is None:
            wanted = "is to be answered" if row.served_at is not None else "is to be asked for"
            return Conflict(
                f"question {position} was not given yet: question {row.completed + 1} {wanted} first"
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

    def finish(self, raw: Raw, sitter: Sitter, at: float) -> SessionView | AssayError:
        """End a session and return how it stands; one that has ended stays as it is."""
        row = _entered(raw, sitter, at)
        if isinstance(row, AssayError):
            return row
        if row.state == SessionState.OPEN:
            end(raw, row, SessionState.CLOSED, at)
        stored = session_by_id(raw.connection, row.id)
        assert stored is not None
        return session_view(stored)

    def _messages(self, raw: Raw, row: SessionRow, position: int) -> tuple[Message, ...]:
        """Return how a question reads; those after it are read with it."""
        wanted = (row.draw, position, row.prompting)
        if wanted not in self._read:
            if len(self._read) >= _MOST_CACHED:
                self._read.clear()
            for place, question in questions_from(raw, row.draw, position, _READ_AHEAD).items():
                told = messages(question, Prompting(row.prompting))
                self._read[row.draw, place, row.prompting] = told
        return self._read[wanted]


def end(raw: Raw, row: SessionRow, state: SessionState, at: float) -> None:
    """End an open session: its pending question is timed out; what was not served can be drawn again."""
    if row.served_at is not None:
        _time_out(raw, row, at)
        if row.allocated == 0:
            return
        row = row._replace(pending=0, completed=row.completed + 1, served_at=None)
    close_session(raw, row, state.value, at)


def _entered(raw: Raw, sitter: Sitter, at: float) -> SessionRow | AssayError:
    """Return the session for its candidate's one client; an expired one is ended first."""
    row = session_row(raw, sitter.session)
    if row is None or row.candidate != sitter.user_id:
        return Refused(Refusal.SESSION)
    if row.state != SessionState.OPEN:
        return row
    if at > row.deadline:
        end(raw, row, SessionState.EXPIRED, at)
        found = session_row(raw, sitter.session)
        assert found is not None
        return found
    until = row.held_until or 0.0
    if row.holder != sitter.holder and row.holder is not None and until > at:
        seconds = math.ceil(until - at)
        return Held(seconds)
    if row.holder != sitter.holder or until < at + HOLD_SECONDS - _RENEW_SECONDS:
        hold(raw, row.id, sitter.holder, at + HOLD_SECONDS)
    return row


def _time_out(raw: Raw, row: SessionRow, at: float) -> None:
    status = AnswerStatus.TIMED_OUT.value
    take_answer(raw, AnswerRow(row.id, row.completed + 1, status, None, "", "", None, None, None, None, at))


def _again(raw: Raw, session: str, position: int, digest: str) -> ReceiptView | AssayError:
    kept = kept_answer(raw, session, position)
    assert kept is not None
    if kept.status == AnswerStatus.TIMED_OUT:
        return Conflict(f"the time for question {position} was over before an answer came: go on to the next")
    if kept.digest != digest:
        return Conflict(f"question {position} was answered, and differently: an answer is written once")
    return ReceiptView(kept.receipt, position, AnswerStatus(kept.status), kept.received_at)


def _all_done(row: SessionRow) -> Conflict:
    return Conflict(f"all {row.quota} questions of this session are done: none is left to ask for")


def _over(row: SessionRow) -> Refused:
    why = "its time is over" if row.state == SessionState.EXPIRED else "it was closed"
    return Refused(Refusal.SESSION, f"this session takes no more answers: {why}")
