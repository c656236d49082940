"""Who takes part in exams, what each may do, and how a session stands."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

EXAM_JUDGE: Final = "openai/gpt-4o-2024-11-20"
"""The judge of exams where none is named: seed 003's (section 2.3), as a dated snapshot."""


class Role(StrEnum):
    """What a user is to its organisation."""

    ADMIN = "admin"
    EXAMINER = "examiner"
    REVIEWER = "reviewer"
    CANDIDATE = "candidate"
    VIEWER = "viewer"


class Permission(StrEnum):
    """One thing that a token may allow."""

    SIT = "sit"
    OPEN_SESSIONS = "sessions:open"
    READ_SESSIONS = "sessions:read"
    READ_RESULTS = "results:read"
    SCREEN = "bank:screen"
    MARK = "answers:mark"
    MANAGE = "users:manage"


PERMISSIONS: Final[dict[Role, frozenset[Permission]]] = {
    Role.ADMIN: frozenset(
        {Permission.MANAGE, Permission.OPEN_SESSIONS, Permission.READ_SESSIONS, Permission.READ_RESULTS}
    ),
    Role.EXAMINER: frozenset({Permission.OPEN_SESSIONS, Permission.READ_SESSIONS, Permission.READ_RESULTS}),
    Role.REVIEWER: frozenset({Permission.SCREEN, Permission.MARK}),
    Role.CANDIDATE: frozenset({Permission.SIT}),
    Role.VIEWER: frozenset({Permission.READ_RESULTS}),
}
"""What each role may do, inside its own organisation only. Reviewing is for the operator's reviewers."""


class Prompting(StrEnum):
    """How a question is put to a model (seed 003, figures 9 and 10); each asks for reasons."""

    ZERO_SHOT = "zero-shot"
    FEW_SHOT = "few-shot"
    CHAIN_OF_THOUGHT = "cot"


class SessionState(StrEnum):
    """How a session stands. A closed one takes no more answers, whatever ended it."""

    OPEN = "open"
    FINISHED = "finished"
    EXPIRED = "expired"
    CLOSED = "closed"


class AnswerStatus(StrEnum):
    """What a recorded answer is: given in time, given late, or never given before its time was over."""

    ANSWERED = "answered"
    LATE = "late"
    TIMED_OUT = "timed-out"
