"""Records of the exam service besides answers: users, tokens, requests, sessions, limits and exposure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Final

from assay.core.documented import DocumentedStrEnum, HelpText
from assay.core.exam import Prompting, Role, SessionState
from assay.results.figure import Figure, Flat, Hidden, Timestamp
from assay.results.table import Column, Table


@dataclass(frozen=True, slots=True)
class Organisation:
    """An organisation that takes part; the `operator` runs this service."""

    id: Annotated[int, Hidden()]
    name: Annotated[str, Figure("organisation")]
    operator: Annotated[bool, Figure("operator", meaning="whether it runs this service")]
    users: Annotated[int, Figure("users", meaning="users that are not disabled")]
    created_at: Annotated[Timestamp, Figure("since")]


@dataclass(frozen=True, slots=True)
class User:
    """A user, who is a person or a program, with the role in the organisation."""

    id: Annotated[str, Figure("id")]
    name: Annotated[str, Figure("name")]
    role: Annotated[Role, Figure("role")]
    organisation: Annotated[int, Hidden()]
    organisation_name: Annotated[str, Figure("organisation", name="organisation")]
    operator: Annotated[bool, Hidden()]
    reviewer: Annotated[int | None, Hidden()]
    created_at: Annotated[Timestamp, Figure("created")]
    disabled_at: Annotated[Timestamp | None, Figure("disabled", missing="")]


@dataclass(frozen=True, slots=True)
class NewUser:
    """A user with the secret, which is shown once and not stored."""

    user: Annotated[User, Flat()]
    secret: Annotated[str, Figure("secret", meaning="shown once and not stored")] = field(repr=False)


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token, which is shown once and not stored, with its claims."""

    token: Annotated[str, Figure("token", meaning="shown once and not stored")]
    jti: Annotated[str, Figure("jti", meaning="the token's id")]
    user: Annotated[str, Figure("user", meaning="the user's id")]
    session: Annotated[str | None, Figure("session", meaning="the session that it is valid for")]
    permissions: Annotated[tuple[str, ...], Figure("permissions")]
    expires_at: Annotated[Timestamp, Figure("expires")]


class TokenState(DocumentedStrEnum):
    """Whether a token can be used."""

    VALID = (
        "valid",
        HelpText("""
            The token proves who its user is, until the time shown under `expires`.

            Each request is checked again: it needs the token's permission, and the user's current role must
            allow it too.

            Nothing. If someone else may have seen it, revoke it with `assay exam token revoke` and issue
            another one.
        """),
    )
    EXPIRED = (
        "expired",
        HelpText("""
            The token has expired. Requests with it are refused as Token Expired.

            Tokens are valid for a limited time, so a stolen or forgotten one does no harm for long.

            The user gets a new one with its secret, or you issue one with `assay exam token issue`.
        """),
    )
    REVOKED = (
        "revoked",
        HelpText("""
            The token was revoked before it expired. Requests with it are refused as Forbidden.

            Revoking takes effect at once, and a session that a client held with the token is free for another
            client.

            If it was a mistake, issue a new token with `assay exam token issue`: a revoked one cannot be
            restored.
        """),
    )
    KEY_WITHDRAWN = (
        "key withdrawn",
        HelpText("""
            The key that signed the token was withdrawn, so the token proves nothing. Requests with it are
            refused as Unauthorized.

            A key is withdrawn when it may have leaked. Anyone who has it could forge tokens, so nothing that
            it signed is trusted any more.

            Issue new tokens: `assay exam token issue`. Users with a secret get them by themselves.
        """),
    )


class KeyState(DocumentedStrEnum):
    """The use of a signing key."""

    SIGNS = (
        "signs",
        HelpText("""
            The key signs new tokens, and its tokens are accepted.

            There is one such key at a time. It is stored encrypted with the bank's key.

            Nothing. To change it as a precaution use `assay exam key rotate`: earlier tokens stay valid.
        """),
    )
    RETIRED = (
        "retired",
        HelpText("""
            The key signs nothing new, but tokens that it signed are still accepted until they expire.

            Rotating keys in this way interrupts no user, even in the middle of an exam.

            Nothing. When its number of live tokens is 0 the key no longer matters.
        """),
    )
    WITHDRAWN = (
        "withdrawn",
        HelpText("""
            The key is no longer trusted: every token that it signed is refused, even if it has not expired.

            It is the answer to a leaked key. All users whose tokens it signed have to get new ones, also in
            the middle of an exam; their answers are kept.

            Look through `assay exam access` for requests that none of your users made while the key was in
            use.
        """),
    )


@dataclass(frozen=True, slots=True)
class ListedToken:
    """A token that was issued, by its id."""

    jti: Annotated[str, Figure("token", meaning="the token's id")]
    user: Annotated[str, Figure("user", meaning="ORGANISATION/NAME")]
    session: Annotated[str | None, Figure("session", meaning="the session that it is valid for", missing="")]
    kid: Annotated[str, Figure("key", meaning="the id of the key that signed it")]
    issued_at: Annotated[Timestamp, Figure("issued")]
    expires_at: Annotated[Timestamp, Figure("expires")]
    revoked_at: Annotated[Timestamp | None, Figure("revoked")]
    state: Annotated[TokenState, Figure("state")]


@dataclass(frozen=True, slots=True)
class ListedKey:
    """A signing key. Tokens of a retired key are still accepted, and those of a withdrawn key are refused."""

    kid: Annotated[str, Figure("key", meaning="the key's id")]
    state: Annotated[KeyState, Figure("state")]
    live_tokens: Annotated[int, Figure("live tokens", meaning="tokens neither expired nor revoked")]
    created_at: Annotated[Timestamp, Figure("since")]
    retired_at: Annotated[Timestamp | None, Figure("retired")]
    withdrawn_at: Annotated[Timestamp | None, Figure("withdrawn")]


@dataclass(frozen=True, slots=True)
class ListedAccess:
    """A request to the service, with its user if one is proven, and the HTTP status of the response."""

    at: Annotated[Timestamp, Figure("time")]
    user_id: Annotated[str | None, Figure("user id")]
    user: Annotated[str | None, Figure("user", meaning="ORGANISATION/NAME of a user that is known")]
    session: Annotated[str | None, Figure("session", missing="")]
    jti: Annotated[str | None, Figure("token", meaning="the token's id")]
    method: Annotated[str, Figure("method")]
    path: Annotated[str, Figure("path")]
    status: Annotated[int, Figure("status")]
    told: Annotated[
        str | None, Figure("outcome", meaning="title of the refusal, or what happened", missing="")
    ]


@dataclass(frozen=True, slots=True)
class SessionView:
    """The progress of a session; the quota is allocated + pending + completed."""

    id: Annotated[str, Figure("session")]
    candidate: Annotated[str, Figure("candidate", meaning="the candidate's user id")]
    model: Annotated[str, Figure("model")]
    prompting: Annotated[Prompting, Figure("prompting")]
    state: Annotated[SessionState, Figure("state")]
    quota: Annotated[int, Figure("of", meaning="questions of the session")]
    allocated: Annotated[int, Figure("allocated", meaning="questions that were not served yet", of="quota")]
    pending: Annotated[int, Figure("pending", meaning="questions served and not answered", of="quota")]
    completed: Annotated[int, Figure("done", meaning="questions that are completed", of="quota")]
    revision: Annotated[int, Figure("revision", meaning="the bank's revision when questions were drawn")]
    simulated: Annotated[bool, Figure("simulated")]
    series: Annotated[
        str | None, Figure("series", meaning="the official series; none for an unofficial sitting")
    ]
    opened_at: Annotated[Timestamp, Figure("opened")]
    started_at: Annotated[Timestamp | None, Figure("started")]
    closed_at: Annotated[Timestamp | None, Figure("closed")]
    deadline: Annotated[Timestamp, Figure("deadline")]
    question_seconds: Annotated[float, Figure("time for a question", unit="seconds")]


@dataclass(frozen=True, slots=True)
class ListedSession:
    """A session with the names of its candidate, organisation and draw."""

    session: Annotated[SessionView, Flat()]
    candidate_name: Annotated[str, Figure("candidate")]
    organisation: Annotated[str, Figure("organisation")]
    draw: Annotated[str | None, Figure("draw", meaning="name of the draw, if it has one")]


@dataclass(frozen=True, slots=True)
class ExamLimits:
    """The limits under which sessions are opened."""

    exposure_rate: Annotated[
        float,
        Figure("exposure rate", meaning="largest share of exams that may contain one question", share=True),
    ] = 0.2
    quota: Annotated[
        int,
        Figure("quota", unit="questions", meaning="questions that an organisation may get in one period"),
    ] = 3000
    period_days: Annotated[int, Figure("period", unit="days", meaning="length of the period")] = 30
    drain_share: Annotated[
        float,
        Figure(
            "drain share",
            meaning="share of a discipline's questions that one organisation may see before an alarm",
            share=True,
        ),
    ] = 0.25


@dataclass(frozen=True, slots=True)
class QuotaStanding:
    """An organisation's quota, and the questions that it got in the present period."""

    organisation: Annotated[str, Figure("organisation")]
    quota: Annotated[int, Figure("quota", unit="questions", meaning="questions that it may get in a period")]
    own: Annotated[bool, Figure("own", meaning="whether the quota is its own, not the common one")]
    used: Annotated[int, Figure("used", unit="questions", of="quota")]


@dataclass(frozen=True, slots=True)
class Exposure:
    """The questions that were served to an organisation's sessions with one vendor's models."""

    organisation: Annotated[str, Figure("organisation")]
    vendor: Annotated[str, Figure("vendor", meaning="from the model's name: openai for openrouter/openai/o3")]
    models: Annotated[tuple[str, ...], Figure("models")]
    sessions: Annotated[int, Figure("sessions", meaning="sessions that were served a question")]
    questions: Annotated[int, Figure("questions", meaning="different questions that were served")]
    last_at: Annotated[Timestamp, Figure("last", meaning="when the last question was served")]
    retention: Annotated[
        str | None,
        Figure(
            "vendor keeps",
            meaning="the vendor's data retention, as the operator registered it",
            missing="not registered",
        ),
    ]


@dataclass(frozen=True, slots=True)
class Drain:
    """A discipline of which an organisation has seen more than the drain share."""

    organisation: Annotated[str, Figure("organisation")]
    discipline: Annotated[str, Figure("discipline")]
    met: Annotated[int, Figure("seen", unit="questions", of="drawable")]
    drawable: Annotated[int, Figure("drawable", unit="questions")]


@dataclass(frozen=True, slots=True)
class ExposureLedger:
    """The bank's questions that organisations and vendors have seen."""

    exposures: tuple[Exposure, ...]
    most_draws: Annotated[int, Figure("most exams", meaning="number of exams with the most exposed question")]
    draws: Annotated[int, Figure("exams", meaning="exams that have exposed a question")]
    limits: ExamLimits
    alarms: tuple[Drain, ...]


ORGANISATIONS: Final = Table(Organisation, ("name", "operator", "users", "created_at"), "organisations")
USERS: Final = Table(
    User,
    (
        Column("user", lambda user: f"{user.organisation_name}/{user.name}"),
        *("role", "id", "disabled_at"),
    ),
    "users",
)
TOKENS: Final = Table(ListedToken, ("jti", "user", "session", "kid", "expires_at", "state"), "tokens")
KEYS: Final = Table(ListedKey, ("kid", "state", "live_tokens", "created_at"), "keys")
ACCESSES: Final = Table(
    ListedAccess,
    (
        "at",
        Column("user", lambda access: access.user or access.user_id or ""),
        "session",
        Column("request", lambda access: f"{access.method} {access.path}"),
        *("status", "told"),
    ),
    "accesses",
)
SESSIONS: Final = Table(
    ListedSession,
    (
        Column("candidate", lambda listed: f"{listed.organisation}/{listed.candidate_name}"),
        *("id", "model", "prompting", "state", "completed", "quota", "deadline"),
    ),
    "sessions",
)
EXPOSURES: Final = Table(
    Exposure, ("organisation", "vendor", "sessions", "questions", "last_at", "retention")
)
LIMITS: Final = Table(ExamLimits)
QUOTAS: Final = Table(QuotaStanding)
DRAINS: Final = Table(Drain)
SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "exam-access": (ACCESSES, "assay exam access --json"),
    "exam-exposure": (ExposureLedger, "assay exam exposure --json"),
    "exam-keys": (KEYS, "assay exam key list --json"),
    "exam-limits": (ExamLimits, "assay exam limits --json"),
    "exam-organisations": (ORGANISATIONS, "assay exam organisation list --json"),
    "exam-session": (SessionView, "assay exam open --json, assay exam close --json"),
    "exam-sessions": (SESSIONS, "assay exam sessions --json"),
    "exam-token": (NewToken, "assay exam token issue --json"),
    "exam-tokens": (TOKENS, "assay exam token list --json"),
    "exam-user": (NewUser, "assay exam user add --json"),
    "exam-users": (USERS, "assay exam user list --json"),
}
