"""A private suite as one encrypted file, whose header names suite, version and digest in the clear."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from assay.core.errors import Denied, InvalidInput, NotFound, Problem
from assay.core.suite import Suite
from assay.files.atomic import write_whole
from assay.files.suite_folder import MANIFEST, Graders, Texts, build_suite, load_suite

MAGIC = "assay sealed suite 1"
KEY_ENV = "ASSAY_SUITE_KEY"
SUFFIX = ".sealed"
NONCE_BYTES = 12


@dataclass(frozen=True, slots=True)
class Header:
    """What a sealed file tells without its key. `key` is the first 8 hex digits of the key's SHA-256."""

    name: str
    version: str
    digest: str
    key: str


def new_key() -> str:
    """Return a fresh key as text to put into the environment: 32 random bytes in URL-safe base64."""
    return base64.urlsafe_b64encode(os.urandom(32)).decode()


def environment_key(environment: Mapping[str, str]) -> bytes:
    """Return the key in `ASSAY_SUITE_KEY`. Raises Denied where it is missing or no key; never shows it."""
    text = environment.get(KEY_ENV, "").strip()
    advice = f"set {KEY_ENV} to a key of 32 bytes in base64 (`assay suite seal --new-key` prints one)"
    if not text:
        raise Denied(f"{KEY_ENV} is not set: {advice}", status=401)
    try:
        key = base64.urlsafe_b64decode(text)
    except ValueError:
        key = b""
    if len(key) != 32:
        raise Denied(f"{KEY_ENV} does not hold a key: {advice}", status=401)
    return key


def seal(folder: Path, into: Path, *, key: bytes, graders: Graders) -> Header:
    """Encrypt a private suite's folder into one file (AES-256-GCM, the header authenticated too).

    Only the manifest and the files it lists go in. The suite is checked first; a public one is refused,
    as sealing what is already published hides nothing.
    """
    load_suite(folder, graders=graders)
    texts = {name: (folder / name).read_text(encoding="utf-8-sig") for name in _files(folder)}
    return seal_texts(Texts(str(folder), texts), into, key=key, graders=graders)


def seal_texts(texts: Texts, into: Path, *, key: bytes, graders: Graders) -> Header:
    """Encrypt a private suite that stands in no folder yet, so that its files never lie in the clear."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    suite = build_suite(texts, graders=graders)
    if suite.visibility != "private":
        place = f"{texts.label}/{MANIFEST}"
        raise InvalidInput(Problem("only private suites are sealed: write `visibility: private`", place))
    header = Header(suite.name, suite.version, suite.digest, _key_name(key))
    top = _top(header)
    nonce = os.urandom(NONCE_BYTES)
    packed = zlib.compress(json.dumps(dict(texts.texts), ensure_ascii=False).encode(), 9)
    body = base64.encodebytes(nonce + AESGCM(key).encrypt(nonce, packed, top.encode()))
    write_whole(into, top.encode() + body)
    return header


def read_header(path: Path) -> Header:
    """Return what a sealed file says of itself. Without the key, nothing of it is proven."""
    return _split(path)[0]


def unseal(path: Path, *, key: bytes) -> Texts:
    """Return the files of a sealed suite. Raises Denied for another key or a file that was altered."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    header, top, body = _split(path)
    if header.key != _key_name(key):
        raise Denied(
            f"{path.name} was sealed with another key (its name is {header.key}): set {KEY_ENV} to that one"
        )
    try:
        packed = AESGCM(key).decrypt(body[:NONCE_BYTES], body[NONCE_BYTES:], top.encode())
    except (InvalidTag, ValueError):
        raise Denied(f"{path.name} was altered after it was sealed: get it again from its source") from None
    texts: dict[str, str] = json.loads(zlib.decompress(packed))
    return Texts(str(path), texts)


def unseal_into(path: Path, folder: Path, *, key: bytes) -> None:
    """Write the files of a sealed suite into a folder that does not exist yet or is empty."""
    texts = unseal(path, key=key).texts
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InvalidInput(f"{str(folder)!r} is not empty: name a new folder")
    for name, text in texts.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, text.encode(), mode=0o600)


def open_suite(path: Path, *, graders: Graders, environment: Mapping[str, str]) -> Suite:
    """Load a suite from its folder, or from a sealed file with the key in the environment."""
    if path.suffix == SUFFIX and path.is_file():
        return build_suite(unseal(path, key=environment_key(environment)), graders=graders)
    return load_suite(path, graders=graders)


def _files(folder: Path) -> list[str]:
    from assay.files.marked import read

    manifest = read(folder / MANIFEST, MANIFEST).value
    return [MANIFEST, *manifest["use_cases"]]


def _top(header: Header) -> str:
    told = {"name": header.name, "version": header.version, "digest": header.digest, "key": header.key}
    return f"{MAGIC}\n{json.dumps(told)}\n"


def _split(path: Path) -> tuple[Header, str, bytes]:
    try:
        magic, told, body = path.read_text(encoding="ascii").split("\n", 2)
        if magic != MAGIC:
            raise InvalidInput(f"{path.name} is no sealed suite: its first line must be {MAGIC!r}")
        return Header(**json.loads(told)), f"{magic}\n{told}\n", base64.b64decode(body)
    except FileNotFoundError:
        raise NotFound(f"there is no sealed suite at {str(path)!r}") from None
    except (ValueError, TypeError):
        raise InvalidInput(
            f"{path.name} is no sealed suite, or was cut short: get it again from its source"
        ) from None


def _key_name(key: bytes) -> str:
    return hashlib.sha256(key).hexdigest()[:8]
