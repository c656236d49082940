"""The record of tokens and of the keys that signed them."""

from __future__ import annotations

from exam_people import NOW, OTHER, populate
from sqlalchemy import Engine

from assay.store.engine import reading, writing
from assay.store.exam.tokens import (
    TokenRow,
    keep_key,
    keep_token,
    list_keys,
    list_tokens,
    live_tokens,
    retire_keys,
    revoke_token,
    revoke_tokens_of,
    withdraw_key,
)


def test_tokens_are_listed_with_whose_they_are(engine: Engine) -> None:
    """They are listed newest first, for a user, a session, or only unexpired ones."""
    people = populate(engine)
    user, other = people.users[OTHER, "candidate"], people.users[OTHER, "viewer"]
    session = people.sessions[OTHER, "candidate"]
    old = TokenRow("a" * 32, user, session, "k1", NOW, NOW + 10, None)
    new = TokenRow("b" * 32, other, None, "k1", NOW + 5, NOW + 20, None)
    with writing(engine) as connection:
        keep_key(connection, "k1", b"sealed", NOW)
        for token in (old, new):
            keep_token(connection, token)
    (second, first) = list_tokens(engine, now=NOW + 11)
    assert (first.jti, first.user, first.state) == (old.jti, f"{OTHER}/candidate", "expired")
    assert (second.jti, second.user, second.state) == (new.jti, f"{OTHER}/viewer", "valid")
    assert list_tokens(engine, now=NOW + 11, user=user) == [first]
    assert list_tokens(engine, now=NOW + 11, session=session) == [first]
    assert list_tokens(engine, now=NOW + 11, expired=False) == [second]


def test_a_token_is_revoked_once_and_for_all(engine: Engine) -> None:
    """A second revocation keeps the first time; revoking a user's tokens affects valid ones only."""
    people = populate(engine)
    user = people.users[OTHER, "viewer"]
    with writing(engine) as connection:
        keep_key(connection, "k1", b"sealed", NOW)
        for name, until in (("a", NOW + 10), ("b", NOW + 20), ("c", NOW + 1)):
            keep_token(connection, TokenRow(name * 32, user, None, "k1", NOW, until, None))
        assert [revoke_token(connection, jti, NOW + 2) for jti in ("a" * 32, "f" * 32)] == [True, False]
        assert revoke_token(connection, "a" * 32, NOW + 3)
        assert live_tokens(connection, NOW + 4) == {"k1": 1}
        assert revoke_tokens_of(connection, user, NOW + 5) == 1
        assert live_tokens(connection, NOW + 6) == {}
    revoked = {token.jti[0]: token.revoked_at for token in list_tokens(engine, now=NOW)}
    assert revoked == {"a": NOW + 2, "b": NOW + 5, "c": None}


def test_keys_are_retired_and_withdrawn_apart(engine: Engine) -> None:
    """Retiring leaves one active key; withdrawing also retires; both keep their first time."""
    with writing(engine) as connection:
        for place, kid in enumerate(("k1", "k2", "k3")):
            keep_key(connection, kid, kid.encode(), NOW + place)
        assert retire_keys(connection, keep="k3", now=NOW + 5) == 2
        assert [withdraw_key(connection, kid, NOW + 6) for kid in ("k1", "k9")] == [True, False]
        assert withdraw_key(connection, "k1", NOW + 7)
    with reading(engine) as connection:
        assert list_keys(connection) == [
            ("k3", b"k3", NOW + 2, None, None),
            ("k2", b"k2", NOW + 1, NOW + 5, None),
            ("k1", b"k1", NOW, NOW + 5, NOW + 6),
        ]
