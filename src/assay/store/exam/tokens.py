"""The record of all issued tokens, and the sealed keys that sign them."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, Engine, case, func, insert, select, update

from assay.results.exam_service import ListedToken, TokenState
from assay.store.engine import reading
from assay.store.schema_exam import organisations, sessions, signing_keys, tokens, users


class TokenRow(NamedTuple):
    """An issued token: the columns of `tokens`. The token itself is not stored."""

    jti: str
    user_id: str
    session: str | None
    kid: str
    issued_at: float
    expires_at: float
    revoked_at: float | None


def keep_token(connection: Connection, token: TokenRow) -> None:
    """Record an issued token."""
    connection.execute(insert(tokens).values(token._asdict()))


def revoke_token(connection: Connection, jti: str, now: float) -> bool:
    """Revoke one token; return False for an unknown one. A token revoked earlier keeps its time."""
    if not connection.execute(select(tokens.c.jti).where(tokens.c.jti == jti)).first():
        return False
    _revoke(connection, tokens.c.jti == jti, now)
    return True


def revoke_tokens_of(connection: Connection, user: str, now: float) -> int:
    """Revoke all valid tokens of a user; return their number."""
    return _revoke(connection, (tokens.c.user_id == user) & (tokens.c.expires_at >= now), now)


def _revoke(connection: Connection, condition: ColumnElement[bool], now: float) -> int:
    """Revoke tokens, and release the sessions that clients hold with them."""
    bound = select(tokens.c.session).where(condition, tokens.c.session.is_not(None))
    held = update(sessions).where(sessions.c.id.in_(bound), sessions.c.holder.is_not(None))
    connection.execute(held.values(holder=None, held_until=None))
    query = update(tokens).where(condition, tokens.c.revoked_at.is_(None)).values(revoked_at=now)
    return connection.execute(query).rowcount


def list_tokens(
    engine: Engine, *, now: float, user: str | None = None, session: str | None = None, expired: bool = True
) -> list[ListedToken]:
    """Return tokens with their state at `now`, newest first; of one user or session, or unexpired ones."""
    state = case(
        (signing_keys.c.withdrawn_at.is_not(None), TokenState.KEY_WITHDRAWN.value),
        (tokens.c.revoked_at.is_not(None), TokenState.REVOKED.value),
        (tokens.c.expires_at < now, TokenState.EXPIRED.value),
        else_=TokenState.VALID.value,
    )
    query = (
        select(
            tokens.c.jti,
            organisations.c.name + "/" + users.c.name,
            *(tokens.c[name] for name in ("session", "kid", "issued_at", "expires_at", "revoked_at")),
            state,
        )
        .join(users, users.c.id == tokens.c.user_id)
        .join(organisations, organisations.c.id == users.c.organisation)
        .join(signing_keys, signing_keys.c.kid == tokens.c.kid)
        .order_by(tokens.c.issued_at.desc(), tokens.c.jti)
    )
    if user is not None:
        query = query.where(tokens.c.user_id == user)
    if session is not None:
        query = query.where(tokens.c.session == session)
    if not expired:
        query = query.where(tokens.c.expires_at >= now)
    with reading(engine) as connection:
        rows = connection.execute(query).all()
    return [ListedToken(*(*values, TokenState(state))) for *values, state in rows]


class SigningKey(NamedTuple):
    """A sealed signing key. Tokens of a retired key stay valid; those of a withdrawn key do not."""

    kid: str
    sealed: bytes
    created_at: float
    retired_at: float | None
    withdrawn_at: float | None


def keep_key(connection: Connection, kid: str, sealed: bytes, now: float) -> None:
    """Store a new signing key."""
    connection.execute(insert(signing_keys).values(kid=kid, secret=sealed, created_at=now))


def list_keys(connection: Connection) -> list[SigningKey]:
    """Return all signing keys, newest first."""
    query = select(signing_keys).order_by(signing_keys.c.created_at.desc(), signing_keys.c.kid)
    return [SigningKey(kid, bytes(sealed), *rest) for kid, sealed, *rest in connection.execute(query)]


def retire_keys(connection: Connection, *, keep: str, now: float) -> int:
    """Retire every active key except one; return the number of retired keys."""
    query = update(signing_keys).where(signing_keys.c.kid != keep, signing_keys.c.retired_at.is_(None))
    return connection.execute(query.values(retired_at=now)).rowcount


def withdraw_key(connection: Connection, kid: str, now: float) -> bool:
    """Withdraw a key; return False for an unknown one. A key withdrawn earlier keeps its time."""
    query = (
        update(signing_keys)
        .where(signing_keys.c.kid == kid)
        .values(
            retired_at=func.coalesce(signing_keys.c.retired_at, now),
            withdrawn_at=func.coalesce(signing_keys.c.withdrawn_at, now),
        )
    )
    return connection.execute(query).rowcount > 0


def live_tokens(connection: Connection, now: float) -> dict[str, int]:
    """Return the number of valid tokens that each key has signed, by kid."""
    query = (
        select(tokens.c.kid, func.count())
        .where(tokens.c.expires_at >= now, tokens.c.revoked_at.is_(None))
        .group_by(tokens.c.kid)
    )
    return {str(row.kid): int(row[1]) for row in connection.execute(query)}
