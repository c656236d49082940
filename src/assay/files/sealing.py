"""Encrypting short texts with a key, and reading the bank's key from a file or the environment."""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from assay.core.errors import Conflict, Denied
from assay.files.atomic import write_whole

KEY_ENV = "ASSAY_BANK_KEY"
FILE_ENV = "ASSAY_BANK_KEY_FILE"
KEY_BYTES, NONCE_BYTES, NAME_BYTES = 32, 12, 4
VERSION = b"\x01"
_HEAD = len(VERSION) + NAME_BYTES + NONCE_BYTES


class KeySealer:
    """An encrypter of texts with AES-256-GCM, which also authenticates `about`.

    A sealed text is the version, the key's name, the nonce and the ciphertext.

    `source` is the setting that holds the key, for messages.
    """

    def __init__(self, key: bytes, *, source: str = f"{KEY_ENV} or {FILE_ENV}") -> None:
        self._cipher = AESGCM(key)
        self._name = hashlib.sha256(b"assay bank key\0" + key).digest()[:NAME_BYTES]
        self._top = VERSION + self._name
        self._source = source

    @property
    def name(self) -> str:
        """The first 8 hexadecimal digits of the key's hash."""
        return self._name.hex()

    def seal(self, text: str, about: str) -> bytes:
        """Return a text encrypted for `about`. The same text is encrypted differently each time."""
        nonce = os.urandom(NONCE_BYTES)
        sealed = self._cipher.encrypt(
            nonce, text.encode("utf-8", "surrogatepass"), self._top + about.encode()
        )
        return self._top + nonce + sealed

    def open(self, sealed: bytes, about: str) -> str:
        """Return the text. Raises Denied for another key, altered bytes, or another `about`."""
        if sealed[:1] != VERSION or len(sealed) < _HEAD:
            raise Denied("invalid sealed text: the database was altered or is incomplete")
        if sealed[: len(self._top)] != self._top:
            name = sealed[1 : 1 + NAME_BYTES].hex()
            raise Denied(
                f"the text was sealed with another key, named {name}, not with the given one, named "
                f"{self.name}: set {self._source} to the first"
            )
        try:
            nonce = sealed[len(self._top) : _HEAD]
            return self._cipher.decrypt(nonce, sealed[_HEAD:], self._top + about.encode()).decode(
                "utf-8", "surrogatepass"
            )
        except InvalidTag:
            raise Denied("the sealed text was altered, or belongs to another question or answer") from None


def new_key() -> str:
    """Return a new key as text: 32 random bytes in URL-safe base64."""
    return base64.urlsafe_b64encode(os.urandom(KEY_BYTES)).decode()


def decode_key(text: str) -> bytes | None:
    """Return the key in a text from `new_key`, or None for any other text."""
    try:
        key = base64.urlsafe_b64decode(text)
    except ValueError:
        return None
    return key if len(key) == KEY_BYTES else None


def write_bank_key(path: Path) -> None:
    """Write a new key into a new file that only its owner may read. Raises Conflict if the file exists."""
    if path.exists():
        raise Conflict(f"the file {str(path)!r} already exists and may hold a key in use: give a new file")
    write_whole(path, f"{new_key()}\n".encode(), mode=0o600)


def bank_sealer(environment: Mapping[str, str]) -> KeySealer:
    """Return the sealer with the key in `ASSAY_BANK_KEY`, or in the file named in `ASSAY_BANK_KEY_FILE`.

    Raises Denied if there is no key, it is invalid, or other users can read its file; never shows the key.
    """
    advice = f"create one with `assay bank new-key --out FILE` and set {FILE_ENV} to that file"
    text = environment.get(KEY_ENV, "").strip()
    name = environment.get(FILE_ENV, "").strip()
    if not text and name:
        path = Path(name).expanduser()
        try:
            if os.name == "posix" and path.stat().st_mode & 0o077:
                raise Denied(f"other users can read the key file {name!r}: run chmod 600 on it", status=401)
            text = path.read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError):
            raise Denied(f"cannot read the key file {name!r}: {advice}", status=401) from None
    if not text:
        raise Denied(f"no key for the bank's sealed answers in {KEY_ENV} or {FILE_ENV}: {advice}", status=401)
    key = decode_key(text)
    if key is None:
        raise Denied(
            f"invalid key in {KEY_ENV} or in the file of {FILE_ENV}: it must be 32 bytes in base64; {advice}",
            status=401,
        )
    return KeySealer(key)
