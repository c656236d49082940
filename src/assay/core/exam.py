"""Roles, permissions, prompting styles and the states of sessions and answers in exams."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from assay.core.documented import DocumentedStrEnum, HelpText

EXAM_JUDGE: Final = "openai/gpt-4o-2024-11-20"
"""The default judge of exams: that of seed 003 (section 2.3), as a dated snapshot."""
ACCESS_LOG_DAYS: Final = 180
"""Days for which entries of the access log are kept by default."""


class Role(StrEnum):
    """A user's role in its organisation."""

    ADMIN = "admin"
    EXAMINER = "examiner"
    REVIEWER = "reviewer"
    CANDIDATE = "candidate"
    VIEWER = "viewer"


class Permission(StrEnum):
    """An action that a token may allow."""

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
"""Each role's permissions, inside its own organisation only. Reviewing is for the operator's reviewers."""


class Prompting(StrEnum):
    """The style of a question's prompt (seed 003, figures 9 and 10); each asks for reasons."""

    ZERO_SHOT = "zero-shot"
    FEW_SHOT = "few-shot"
    CHAIN_OF_THOUGHT = "cot"


class SessionState(DocumentedStrEnum):
    """The state of a session. Only an open one accepts answers."""

    OPEN = (
        "open",
        HelpText("""
            The session accepts answers: its deadline has not passed, and questions are left.

            Its questions are reserved for this candidate until it ends. Nothing of it is marked, scored or
            published while it is open.

            Go on with `assay sit`. `assay exam sessions` shows the deadline. An operator can end it with
            `assay exam close`; the questions not yet served then return to the bank.
        """),
    )
    FINISHED = (
        "finished",
        HelpText("""
            Every question of the session has been served and is answered or timed out.

            Only finished sittings can be published in a series, because a sitting that was broken off may
            have been broken off for going badly.

            Have the answers marked with `assay exam mark SESSION`, then see `assay exam results`.
        """),
    )
    EXPIRED = (
        "expired",
        HelpText("""
            The deadline of the session passed before all questions were done.

            The questions without an answer get 0 stars by rule. In an official series such a sitting holds
            back the model's publication, since stopping early could be a way to choose good results.

            If there was a good reason, such as a power cut, the operator can declare the sitting void with
            its reason: `assay exam series void`. A new attempt needs a new session.
        """),
    )
    CLOSED = (
        "closed",
        HelpText("""
            The session was ended before its deadline with questions left: by the candidate, who finished it
            early, or by the operator.

            As for an expired one, questions without an answer get 0 stars, and questions that were never
            served can be drawn again.

            Answers that were given stay and can be marked. If the sitting should not count in a series,
            `assay exam series void` records why.
        """),
    )


class AnswerStatus(DocumentedStrEnum):
    """Whether an answer was given in time, given late, or missing when its time was over."""

    ANSWERED = (
        "answered",
        HelpText("""
            The answer arrived within the time of its question. It is final and will be marked.

            The receipt proves what was submitted and when. Submitting the same answer again returns the
            same receipt; a different one is refused as a Conflict.

            Nothing. An empty text is an answer too, and gets 0 stars.
        """),
    )
    LATE = (
        "late",
        HelpText("""
            The answer arrived after the time of its question was over, but before the next question was
            requested.

            It is recorded and gets 0 stars by rule, without asking a judge. A time limit that could be
            exceeded freely would favour slow systems that look things up.

            If many answers are late, the model is too slow for the question's minutes: choose a faster
            setting, or ask the examiner for a session with more time.
        """),
    )
    TIMED_OUT = (
        "timed-out",
        HelpText("""
            No answer was submitted before the question's time was over and the next one was requested, or
            the session ended.

            It counts as 0 stars, like a wrong answer. A question cannot be served again, since the
            candidate has seen it.

            Look for a client that stopped, or a model that failed to reply. `assay sit` never invents an
            answer when the model gives none.
        """),
    )
