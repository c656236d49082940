"""The keys that sign tokens: made on demand, rotated, withdrawn, and opened where tokens are proven."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Mapping

from sqlalchemy import Engine

from assay.core.errors import NotFound
from assay.core.sealed import Sealer
from assay.exams.token import KEY_BYTES, LONGEST_LIFE, kid_named
from assay.store.engine import reading, writing
from assay.store.exam.keys import SigningKey, keep_key, list_keys, retire_keys, withdraw_key


def signing_key_about(kid: str) -> str:
    """Return what the secret of a signing key is sealed for."""
    return f"signing key {kid}"


class Keyring:
    """The keys that prove tokens, opened. One serves a process; threads may share it.

    It re-reads the database when a token names a key that it does not know, so a key that another process
    made is known at once. A key that another process withdrew is found by `access_rows` on each request.
    """

    def __init__(self, engine: Engine, sealer: Sealer) -> None:
        self._engine = engine
        self._sealer = sealer
        self._known: Mapping[str, bytes] = {}

    def knows(self, text: str) -> bool:
        """Whether `proving` needs no database for this token: it names a known key, or is no token."""
        kid = kid_named(text)
        return kid is None or kid in self._known

    def proving(self, text: str, *, now: float) -> Mapping[str, bytes]:
        """Return the keys by kid, after looking for the one that a token names where it is not known yet."""
        if not self.knows(text):
            self.reload(now=now)
        return self._known

    def reload(self, *, now: float) -> None:
        """Read and open all keys that still prove something.

        Raises Denied where one was sealed with another bank key: begin a service with this.
        """
        with reading(self._engine) as connection:
            stored = list_keys(connection)
        self._known = {key.kid: _opened(key, self._sealer) for key in stored if _proves(key, now)}

    def signing(self, *, now: float) -> tuple[str, bytes]:
        """Return the kid and the secret of the key that signs now; the first is made here."""
        newest = self._newest()
        if newest is None:
            rotate(self._engine, self._sealer, now=now)
            newest = self._newest()
            assert newest is not None
        return newest.kid, _opened(newest, self._sealer)

    def _newest(self) -> SigningKey | None:
        with reading(self._engine) as connection:
            return next((key for key in list_keys(connection) if key.retired_at is None), None)


def rotate(engine: Engine, sealer: Sealer, *, now: float) -> str:
    """Make a key that signs from now on and return its kid; older ones still prove what they signed."""
    kid = secrets.token_hex(4)
    secret = base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode()
    with writing(engine) as connection:
        keep_key(connection, kid, sealer.seal(secret, signing_key_about(kid)), now)
        retire_keys(connection, but=kid, now=now)
    return kid


def withdraw(engine: Engine, kid: str, *, now: float) -> None:
    """Let a key prove nothing from now on: every token that it signed is refused. NotFound for no key."""
    with writing(engine) as connection:
        if not withdraw_key(connection, kid, now):
            raise NotFound(f"there is no signing key {kid!r}: `assay exam key list` shows them")


def _proves(key: SigningKey, now: float) -> bool:
    """Whether a token that the key signed may still be valid."""
    return key.withdrawn_at is None and (key.retired_at is None or now <= key.retired_at + LONGEST_LIFE)


def _opened(key: SigningKey, sealer: Sealer) -> bytes:
    return base64.b64decode(sealer.open(key.sealed, signing_key_about(key.kid)))
