"""The keys that sign tokens, as they are stored: sealed, retired, withdrawn."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, func, insert, select, update

from assay.store.schema_exam import signing_keys, tokens


class SigningKey(NamedTuple):
    """A signing key, sealed. A retired one proves what it signed; a withdrawn one proves nothing."""

    kid: str
    sealed: bytes
    created_at: float
    retired_at: float | None
    withdrawn_at: float | None


def keep_key(connection: Connection, kid: str, sealed: bytes, now: float) -> None:
    """Write a new signing key down."""
    connection.execute(insert(signing_keys).values(kid=kid, secret=sealed, created_at=now))


def list_keys(connection: Connection) -> list[SigningKey]:
    """Return all signing keys, the newest first."""
    query = select(signing_keys).order_by(signing_keys.c.created_at.desc(), signing_keys.c.kid)
    return [SigningKey(kid, bytes(sealed), *rest) for kid, sealed, *rest in connection.execute(query)]


def retire_keys(connection: Connection, *, but: str, now: float) -> int:
    """Retire every key that still signs, except one; return how many."""
    query = update(signing_keys).where(signing_keys.c.kid != but, signing_keys.c.retired_at.is_(None))
    return connection.execute(query.values(retired_at=now)).rowcount


def withdraw_key(connection: Connection, kid: str, now: float) -> bool:
    """Withdraw a key; False where there is none. One that was withdrawn before keeps its time."""
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
    """Return how many tokens that are neither expired nor revoked each key has signed, by kid."""
    query = (
        select(tokens.c.kid, func.count())
        .where(tokens.c.expires_at >= now, tokens.c.revoked_at.is_(None))
        .group_by(tokens.c.kid)
    )
    return {str(row.kid): int(row[1]) for row in connection.execute(query)}
