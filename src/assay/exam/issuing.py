"""Issuing tokens, for a user's secret or by the operator, and revoking them."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy import Connection, Engine

from assay.core.errors import Conflict, InvalidInput, NotFound
from assay.core.exam import Permission, Role
from assay.exam.access import AccessRequest, Claims, Refusal, Refused, check_session, permissions_of
from assay.exam.keys import Keyring
from assay.exam.people import find_user, is_user_id, verify_secret
from assay.exam.token import LONGEST_LIFE, sign
from assay.store.engine import writing
from assay.store.exam.access import (
    Access,
    access_rows,
    begin_attempt,
    failed_attempts,
    settle_attempt,
)
from assay.store.exam.people import secret_hash
from assay.store.exam.tokens import TokenRow, keep_token, revoke_token, revoke_tokens_of

LOGIN = ("POST", "/api/v1/tokens")
"""Method and path of a login in the access log."""
TOKEN_SECONDS: Final = 3600.0
MOST_FAILURES: Final = 10
WINDOW_SECONDS: Final = 60.0
WRONG = "wrong user id or secret, or too many attempts: check both and wait a minute"
WRONG_SECRET = "wrong secret"
TOO_MANY = "too many wrong secrets"
_REFUSED: Final = 401
_DONE: Final = 200


@dataclass(frozen=True, slots=True)
class IssuedToken:
    """A token, which is shown once and not stored, with its claims."""

    claims: Claims
    token: str = field(repr=False)


def exchange(
    engine: Engine,
    keyring: Keyring,
    user_id: str,
    secret: str,
    session_id: str | None,
    *,
    now: float,
    life: float = TOKEN_SECONDS,
) -> IssuedToken:
    """Return a new token for a user's secret; a candidate's token is bound to its own open session.

    Raises Refused in Algorithm 1's order: Unauthorized for an unknown user, a wrong secret, or more than
    `MOST_FAILURES` wrong secrets in `WINDOW_SECONDS` (with the same text); Forbidden for a disabled user;
    Session Invalid for a session that is over or not the user's. The attempt is logged before its secret is
    checked, so that parallel guesses count too; the caller logs nothing more. This takes about 50 ms of CPU
    time: call it in a thread.
    """
    known = is_user_id(user_id)
    session = session_id if session_id is not None and is_user_id(session_id) else None
    attempt = Access(now, user_id if known else None, session, None, *LOGIN, _REFUSED, WRONG_SECRET)
    with writing(engine) as connection:
        number = begin_attempt(connection, attempt)
        hashed = secret_hash(connection, user_id) if known else None
        blocked = known and _failures(connection, user_id, now) > MOST_FAILURES
        if blocked:
            settle_attempt(connection, number, attempt._replace(told=TOO_MANY))
    if blocked or not verify_secret(hashed, secret):
        raise Refused(Refusal.UNAUTHORIZED, WRONG)
    kid, key = keyring.signing(now=now)
    with writing(engine) as connection:
        # The write comes first because it locks SQLite. The hash is read again because the secret may have
        # been renewed while it was checked.
        settle_attempt(connection, number, attempt)
        if secret_hash(connection, user_id) != hashed:
            raise Refused(Refusal.UNAUTHORIZED, WRONG)
        issued = _issue(connection, user_id, session_id, kid, key, now=now, until=now + life)
        if isinstance(issued, Refused):
            outcome = attempt._replace(status=issued.status, told=issued.title)
        else:
            outcome = attempt._replace(status=_DONE, told=None, jti=issued.claims.jti)
        settle_attempt(connection, number, outcome)
    if isinstance(issued, Refused):
        raise issued
    return issued


def issue(
    engine: Engine,
    keyring: Keyring,
    named: str,
    session_id: str | None = None,
    *,
    now: float,
    life: float = TOKEN_SECONDS,
) -> IssuedToken:
    """Return a new token for a user on behalf of the operator, without the user's secret.

    Raises NotFound for an unknown user, Conflict for a disabled user or a session that is over or not the
    user's, InvalidInput for a candidate without a session and for a life of more than 31 days.
    """
    if not 0 < life <= LONGEST_LIFE:
        raise InvalidInput(
            f"invalid life of {life / 3600:g} hours: use more than 0, at most {LONGEST_LIFE / 3600:g} hours"
        )
    user = find_user(engine, named)
    if user.disabled_at is not None:
        raise Conflict(f"user {named!r} is disabled: enable it with `assay exam user enable`")
    if user.role is Role.CANDIDATE and session_id is None:
        raise InvalidInput(
            f"user {named!r} is a candidate, whose tokens are for one session: give it with --session"
        )
    kid, key = keyring.signing(now=now)
    with writing(engine) as connection:
        issued = _issue(connection, user.id, session_id, kid, key, now=now, until=now + life)
    if isinstance(issued, Refused):
        raise Conflict(
            f"session {session_id!r} is over or does not belong to {named!r}: list sessions with "
            "`assay exam sessions`"
        )
    return issued


def revoke(engine: Engine, jti: str, *, now: float) -> None:
    """Revoke a token by its jti. Raises NotFound for an unknown one."""
    with writing(engine) as connection:
        if "\x00" in jti or not revoke_token(connection, jti, now):
            raise NotFound(f"unknown token {jti!r}: list the ids with `assay exam token list`")


def revoke_all(engine: Engine, named: str, *, now: float) -> int:
    """Revoke all valid tokens of a user and return how many there were."""
    user = find_user(engine, named)
    with writing(engine) as connection:
        return revoke_tokens_of(connection, user.id, now)


def _failures(connection: Connection, user: str, now: float) -> int:
    """Count the wrong secrets of the last minute, including this attempt and those still being checked."""
    return failed_attempts(connection, user, LOGIN[1], since=now - WINDOW_SECONDS, told=WRONG_SECRET)


def _issue(
    connection: Connection,
    user: str,
    session: str | None,
    kid: str,
    key: bytes,
    *,
    now: float,
    until: float,
) -> IssuedToken | Refused:
    """Record and return a token, or the refusal of one for this user and session."""
    stored = access_rows(connection, "", user, session)
    if stored.role is None or stored.disabled_at is not None:
        return Refused(Refusal.FORBIDDEN)
    role = Role(stored.role)
    permissions = sorted(permissions_of(role, operator=bool(stored.operator)))
    claims = Claims(user, now, until, session, tuple(permissions), secrets.token_hex(16), kid)
    candidate = role is Role.CANDIDATE
    wanted = AccessRequest((Permission.SIT,) if candidate else (), session, open=candidate)
    try:
        check_session(claims, role, stored, wanted, now=now)
    except Refused as refused:
        return refused
    keep_token(connection, TokenRow(claims.jti, user, session, kid, now, until, None))
    return IssuedToken(claims, sign(claims, key))
