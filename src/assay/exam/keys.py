"""The keys that sign tokens: creating, rotating, withdrawing and opening them."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Mapping

from sqlalchemy import Engine

from assay.core.errors import NotFound
from assay.core.sealed import Sealer, signing_key_about
from assay.exam.token import KEY_BYTES, LONGEST_LIFE, kid_named
from assay.results.exam_service import KeyState, ListedKey
from assay.store.engine import reading, writing
from assay.store.exam.tokens import SigningKey, keep_key, list_keys, live_tokens, retire_keys, withdraw_key


class Keyring:
    """The opened keys that verify tokens. One keyring serves a process; threads may share it.

    It reads the database again when a token names an unknown key, so a key that another process made works at
    once. A key that another process withdrew is noticed on each request, by `access_rows`.
    """

    def __init__(self, engine: Engine, sealer: Sealer) -> None:
        self._engine = engine
        self._sealer = sealer
        self._known: Mapping[str, bytes] = {}

    def knows(self, text: str) -> bool:
        """Whether `verifying` needs no database for this token: it names a known key, or is no token."""
        kid = kid_named(text)
        return kid is None or kid in self._known

    def verifying(self, text: str, *, now: float) -> Mapping[str, bytes]:
        """Return the keys by kid, after reading the database again if the token names an unknown one."""
        if not self.knows(text):
            self.reload(now=now)
        return self._known

    def reload(self, *, now: float) -> None:
        """Read and open all keys that can still verify tokens.

        Raises Denied if one was sealed with another bank key; a service calls this first.
        """
        with reading(self._engine) as connection:
            stored = list_keys(connection)
        self._known = {key.kid: _open(key, self._sealer) for key in stored if _verifies(key, now)}

    def signing(self, *, now: float) -> tuple[str, bytes]:
        """Return the kid and the secret of the active key; the first one is created here."""
        newest = self._newest()
        if newest is None:
            rotate(self._engine, self._sealer, now=now)
            newest = self._newest()
            assert newest is not None
        return newest.kid, _open(newest, self._sealer)

    def _newest(self) -> SigningKey | None:
        with reading(self._engine) as connection:
            return next((key for key in list_keys(connection) if key.retired_at is None), None)


def rotate(engine: Engine, sealer: Sealer, *, now: float) -> str:
    """Create a key that signs from now on and return its kid; older keys still verify their tokens."""
    kid = secrets.token_hex(4)
    secret = base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode()
    with writing(engine) as connection:
        keep_key(connection, kid, sealer.seal(secret, signing_key_about(kid)), now)
        retire_keys(connection, keep=kid, now=now)
    return kid


def withdraw(engine: Engine, kid: str, *, now: float) -> None:
    """Withdraw a key: every token that it signed is refused from now on. Raises NotFound."""
    with writing(engine) as connection:
        if not withdraw_key(connection, kid, now):
            raise NotFound(f"unknown signing key {kid!r}: list the keys with `assay exam key list`")


def list_signing_keys(engine: Engine, *, now: float) -> list[ListedKey]:
    """Return all signing keys, newest first."""
    with reading(engine) as connection:
        stored, live = list_keys(connection), live_tokens(connection, now)
    return [
        ListedKey(
            key.kid,
            _state(key),
            live.get(key.kid, 0),
            key.created_at,
            key.retired_at,
            key.withdrawn_at,
        )
        for key in stored
    ]


def _verifies(key: SigningKey, now: float) -> bool:
    """Whether a token signed with the key may still be valid."""
    return key.withdrawn_at is None and (key.retired_at is None or now <= key.retired_at + LONGEST_LIFE)


def _open(key: SigningKey, sealer: Sealer) -> bytes:
    return base64.b64decode(sealer.open(key.sealed, signing_key_about(key.kid)))


def _state(key: SigningKey) -> KeyState:
    if key.withdrawn_at:
        return KeyState.WITHDRAWN
    return KeyState.RETIRED if key.retired_at else KeyState.SIGNS
