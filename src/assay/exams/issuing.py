"""Tokens are issued for a user's secret or by the operator, and every one of them can be revoked."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy import Connection, Engine

from assay.core.errors import Conflict, InvalidInput, NotFound
from assay.core.exam import Permission, Role
from assay.exams.access import Wanted, check_session, permissions_of
from assay.exams.keys import Keyring
from assay.exams.people import find_user, is_user_id, verify_secret
from assay.exams.refused import Refusal, Refused
from assay.exams.token import LONGEST_LIFE, Claims, sign
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
"""How a login stands in the access log."""
TOKEN_SECONDS: Final = 3600.0
MOST_FAILURES: Final = 10
WINDOW_SECONDS: Final = 60.0
WRONG = "user id or secret is wrong, or too many were tried: check them, wait a minute"
WRONG_SECRET = "wrong secret"
TOO_MANY = "too many wrong secrets"
_REFUSED: Final = 401
_DONE: Final = 200


@dataclass(frozen=True, slots=True)
class Issued:
    """A token, told once and stored nowhere, and what it says."""

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
) -> Issued:
    """Return a fresh token for a user's secret; a candidate's is bound to its own open session.

    Raises Refused in Algorithm 1's order: Unauthorized for an unknown user, a wrong secret, or after
    `MOST_FAILURES` wrong ones in `WINDOW_SECONDS` (all with one text, and after the same work); Forbidden
    for a disabled user; Session Invalid for a session that is not the user's or is over. The attempt is in
    the access log before its secret is looked at, so parallel guesses are counted too; whoever calls this
    logs nothing more. Takes some 50 ms of a processor: call it in a thread.
    """
    known = is_user_id(user_id)
    session = session_id if session_id is not None and is_user_id(session_id) else None
    attempt = Access(now, user_id if known else None, session, None, *LOGIN, _REFUSED, WRONG_SECRET)
    with writing(engine) as connection:
        number = begin_attempt(connection, attempt)
        hashed = secret_hash(connection, user_id) if known else None
        barred = known and _failures(connection, user_id, now) > MOST_FAILURES
        if barred:
            settle_attempt(connection, number, attempt._replace(told=TOO_MANY))
    if barred or not verify_secret(hashed, secret):
        raise Refused(Refusal.UNAUTHORIZED, WRONG)
    kid, key = keyring.signing(now=now)
    with writing(engine) as connection:
        # A write first, which makes SQLite this transaction's alone; then the hash again, as the secret may
        # have been renewed while this one was looked at.
        settle_attempt(connection, number, attempt)
        if secret_hash(connection, user_id) != hashed:
            raise Refused(Refusal.UNAUTHORIZED, WRONG)
        issued = _issue(connection, user_id, session_id, kid, key, now=now, until=now + life)
        if isinstance(issued, Refused):
            ended = attempt._replace(status=issued.status, told=issued.title)
        else:
            ended = attempt._replace(status=_DONE, told=None, jti=issued.claims.jti)
        settle_attempt(connection, number, ended)
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
) -> Issued:
    """Return a fresh token for a user by the operator's will, without its secret.

    Raises NotFound for nobody, Conflict for a disabled user or a session that is over or not the user's,
    InvalidInput for a candidate without a session and for a life that is not within 31 days.
    """
    if not 0 < life <= LONGEST_LIFE:
        raise InvalidInput(
            f"a life of {life / 3600:g} hours cannot be: give more than 0, at most {LONGEST_LIFE / 3600:g}"
        )
    user = find_user(engine, named)
    if user.disabled_at is not None:
        raise Conflict(f"user {named!r} is disabled: `assay exam user enable` lets it take part again")
    if user.role is Role.CANDIDATE and session_id is None:
        raise InvalidInput(
            f"user {named!r} is a candidate, whose tokens hold for one session: name it with --session"
        )
    kid, key = keyring.signing(now=now)
    with writing(engine) as connection:
        issued = _issue(connection, user.id, session_id, kid, key, now=now, until=now + life)
    if isinstance(issued, Refused):
        raise Conflict(f"session {session_id!r} is over, or not one that {named!r} may use")
    return issued


def revoke(engine: Engine, jti: str, *, now: float) -> None:
    """Revoke a token at once, by its jti. Raises NotFound; what was revoked before stays so."""
    with writing(engine) as connection:
        if "\x00" in jti or not revoke_token(connection, jti, now):
            raise NotFound(f"there is no token {jti!r}: `assay exam token list` shows their ids")


def revoke_all(engine: Engine, named: str, *, now: float) -> int:
    """Revoke all tokens of a user at once and return how many there were."""
    user = find_user(engine, named)
    with writing(engine) as connection:
        return revoke_tokens_of(connection, user.id, now)


def _failures(connection: Connection, user: str, now: float) -> int:
    """Count the wrong secrets of the last minute, this attempt and those still being looked at included."""
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
) -> Issued | Refused:
    """Return a token after writing it down, or why this user gets none for that session."""
    found = access_rows(connection, "", user, session)
    if found.role is None or found.disabled_at is not None:
        return Refused(Refusal.FORBIDDEN)
    role = Role(found.role)
    permissions = sorted(permissions_of(role, operator=bool(found.operator)))
    claims = Claims(user, now, until, session, tuple(permissions), secrets.token_hex(16), kid)
    sits = role is Role.CANDIDATE
    wanted = Wanted((Permission.SIT,) if sits else (), session, open=sits)
    try:
        check_session(claims, role, found, wanted, now=now)
    except Refused as refused:
        return refused
    keep_token(connection, TokenRow(claims.jti, user, session, kid, now, until, None))
    return Issued(claims, sign(claims, key))
