"""The record of every token that was issued: whose, for which session, until when, and whether revoked."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, Engine, insert, select, update

from assay.store.engine import reading
from assay.store.schema_exam import organisations, sessions, signing_keys, tokens, users


class TokenRow(NamedTuple):
    """A token that was issued: the columns of `tokens`. The token itself is kept nowhere."""

    jti: str
    user_id: str
    session: str | None
    kid: str
    issued_at: float
    expires_at: float
    revoked_at: float | None


class ListedToken(NamedTuple):
    """A token with the names of its user and organisation; `withdrawn_at` is its signing key's."""

    token: TokenRow
    user: str
    organisation: str
    withdrawn_at: float | None


def keep_token(connection: Connection, token: TokenRow) -> None:
    """Write down that a token was issued."""
    connection.execute(insert(tokens).values(token._asdict()))


def revoke_token(connection: Connection, jti: str, now: float) -> bool:
    """Revoke one token; False where there is none. One that was revoked before keeps its time."""
    if not connection.execute(select(tokens.c.jti).where(tokens.c.jti == jti)).first():
        return False
    _revoke(connection, tokens.c.jti == jti, now)
    return True


def revoke_tokens_of(connection: Connection, user: str, now: float) -> int:
    """Revoke all tokens of a user that are not yet expired or revoked; return how many."""
    return _revoke(connection, (tokens.c.user_id == user) & (tokens.c.expires_at >= now), now)


def _revoke(connection: Connection, which: ColumnElement[bool], now: float) -> int:
    """Revoke tokens, and let whoever holds their sessions go."""
    bound = select(tokens.c.session).where(which, tokens.c.session.is_not(None))
    free = update(sessions).where(sessions.c.id.in_(bound), sessions.c.holder.is_not(None))
    connection.execute(free.values(holder=None, held_until=None))
    query = update(tokens).where(which, tokens.c.revoked_at.is_(None)).values(revoked_at=now)
    return connection.execute(query).rowcount


def list_tokens(
    engine: Engine, *, user: str | None = None, session: str | None = None, unexpired: float | None = None
) -> list[ListedToken]:
    """Return tokens, the newest first: of a user, of a session, those that expire at `unexpired` or later."""
    query = (
        select(*tokens.columns, users.c.name, organisations.c.name, signing_keys.c.withdrawn_at)
        .join(users, users.c.id == tokens.c.user_id)
        .join(organisations, organisations.c.id == users.c.organisation)
        .join(signing_keys, signing_keys.c.kid == tokens.c.kid)
        .order_by(tokens.c.issued_at.desc(), tokens.c.jti)
    )
    if user is not None:
        query = query.where(tokens.c.user_id == user)
    if session is not None:
        query = query.where(tokens.c.session == session)
    if unexpired is not None:
        query = query.where(tokens.c.expires_at >= unexpired)
    with reading(engine) as connection:
        return [ListedToken(TokenRow(*row[:7]), *row[7:]) for row in connection.execute(query)]
