"""What leaves the exam service. No type here has a field for a key, an explanation or a rationale."""

from __future__ import annotations

from dataclasses import dataclass

from assay.core.ask import Message
from assay.core.exam import AnswerStatus, Prompting, SessionState
from assay.store.exam.sessions import StoredSession


@dataclass(frozen=True, slots=True)
class QuestionView:
    """The pending question of a session, as it is put to the model.

    `position` counts from 1 to `of`. `seconds_left` is the time to answer it before the answer is late.
    """

    position: int
    of: int
    messages: tuple[Message, ...]
    max_answer_characters: int
    seconds_left: float


@dataclass(frozen=True, slots=True)
class ReceiptView:
    """That an answer is kept; the same for the same answer sent again. `received_at` is UTC seconds."""

    receipt: str
    position: int
    status: AnswerStatus
    received_at: float


@dataclass(frozen=True, slots=True)
class SessionView:
    """How a session stands. Times are UTC seconds; allocated + pending + completed is the quota."""

    id: str
    candidate: str
    model: str
    prompting: Prompting
    state: SessionState
    quota: int
    allocated: int
    pending: int
    completed: int
    revision: int
    simulated: bool
    opened_at: float
    started_at: float | None
    closed_at: float | None
    deadline: float
    question_seconds: float


def session_view(stored: StoredSession) -> SessionView:
    """Return what is told of a session: neither its draw nor its seed."""
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
        opened_at=stored.opened_at,
        started_at=stored.started_at,
        closed_at=stored.closed_at,
        deadline=stored.deadline,
        question_seconds=stored.question_seconds,
    )
