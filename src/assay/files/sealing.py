"""The key that the bank's answers are sealed with, from a file or the environment, and sealing with it."""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

from assay.core.errors import Conflict, Denied
from assay.files.atomic import write_whole

KEY_ENV = "ASSAY_BANK_KEY"
FILE_ENV = "ASSAY_BANK_KEY_FILE"
KEY_BYTES, NONCE_BYTES, NAME_BYTES = 32, 12, 4
VERSION = b"\x01"
_HEAD = len(VERSION) + NAME_BYTES + NONCE_BYTES


class KeySealer:
    """Seals texts with AES-256-GCM: version, key's name, nonce, ciphertext. `about` is authenticated too."""

    def __init__(self, key: bytes) -> None:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        self._cipher = AESGCM(key)
        self._name = hashlib.sha256(b"assay bank key\0" + key).digest()[:NAME_BYTES]
        self._top = VERSION + self._name

    @property
    def name(self) -> str:
        """The first 8 hexadecimal digits of the key's hash."""
        return self._name.hex()

    def seal(self, text: str, about: str) -> bytes:
        """Return a text sealed for what `about` names; the same text never looks the same twice."""
        nonce = os.urandom(NONCE_BYTES)
        sealed = self._cipher.encrypt(
            nonce, text.encode("utf-8", "surrogatepass"), self._top + about.encode()
        )
        return self._top + nonce + sealed

    def open(self, sealed: bytes, about: str) -> str:
        """Return the text. Raises Denied for another key, altered bytes, or what was sealed for another."""
        from cryptography.exceptions import InvalidTag

        if sealed[:1] != VERSION or len(sealed) < _HEAD:
            raise Denied("what is stored is no sealed text: the database was altered or cut short")
        if sealed[: len(self._top)] != self._top:
            name = sealed[1 : 1 + NAME_BYTES].hex()
            raise Denied(
                f"this was sealed with another key (its name is {name}, the one given is {self.name}): "
                f"set {KEY_ENV} or {FILE_ENV} to that one"
            )
        try:
            nonce = sealed[len(self._top) : _HEAD]
            return self._cipher.decrypt(nonce, sealed[_HEAD:], self._top + about.encode()).decode(
                "utf-8", "surrogatepass"
            )
        except InvalidTag:
            raise Denied("a sealed text was altered, or belongs to another question or answer") from None


def new_bank_key() -> str:
    """Return a fresh key as text: 32 random bytes in URL-safe base64."""
    return base64.urlsafe_b64encode(os.urandom(KEY_BYTES)).decode()


def write_bank_key(path: Path) -> None:
    """Write a fresh key into a new file that only its owner may read. Raises Conflict where one stands."""
    if path.exists():
        raise Conflict(f"{str(path)!r} exists: a key that was used must be kept; name a new file")
    write_whole(path, f"{new_bank_key()}\n".encode(), mode=0o600)


def bank_sealer(environment: Mapping[str, str]) -> KeySealer:
    """Return what seals with the key in `ASSAY_BANK_KEY`, or in the file that `ASSAY_BANK_KEY_FILE` names.

    Raises Denied where there is none, it is no key, or its file is open to others; never shows it.
    """
    advice = f"`assay bank new-key FILE` writes one: then set {FILE_ENV} to that file"
    text = environment.get(KEY_ENV, "").strip()
    name = environment.get(FILE_ENV, "").strip()
    if not text and name:
        path = Path(name).expanduser()
        try:
            if os.name == "posix" and path.stat().st_mode & 0o077:
                raise Denied(f"the key file {name!r} can be read by others: chmod 600 it", status=401)
            text = path.read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError):
            raise Denied(f"the key file {name!r} cannot be read: {advice}", status=401) from None
    if not text:
        raise Denied(
            f"the bank's keys are sealed, and neither {KEY_ENV} nor {FILE_ENV} is set: {advice}", status=401
        )
    try:
        key = base64.urlsafe_b64decode(text)
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise Denied(
            f"{KEY_ENV} or the file in {FILE_ENV} holds no key of 32 bytes in base64: {advice}", status=401
        )
    return KeySealer(key)
