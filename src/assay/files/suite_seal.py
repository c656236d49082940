"""Private suites as encrypted files. The header with suite, version and digest is not encrypted."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from assay.core.errors import Denied, InvalidInput, NotFound, Problem
from assay.core.suite import Suite
from assay.core.unpacking import MIB, Limit, unpack_zlib
from assay.files.atomic import write_whole
from assay.files.form_record import SEALED_SUFFIX, asked, check_content
from assay.files.marked_yaml import read
from assay.files.sealing import NONCE_BYTES, KeySealer, decode_key
from assay.files.suite_folder import MANIFEST, Graders, SuiteTexts, build_suite, load_suite

MAGIC = "assay sealed suite 1"
KEY_ENV = "ASSAY_SUITE_KEY"
SEALED = Limit(total=256 * MIB, ratio=1000)


@dataclass(frozen=True, slots=True)
class Header:
    """The unencrypted header of a sealed file. `key` is the first 8 hex digits of the key's SHA-256."""

    name: str
    version: str
    digest: str
    key: str


def environment_key(environment: Mapping[str, str]) -> bytes:
    """Return the key in `ASSAY_SUITE_KEY`. Raises Denied if it is missing or invalid; never shows it."""
    text = environment.get(KEY_ENV, "").strip()
    advice = f"set {KEY_ENV} to a key of 32 bytes in base64 (`assay suite seal --new-key` prints one)"
    if not text:
        raise Denied(f"{KEY_ENV} is not set: {advice}", status=401)
    key = decode_key(text)
    if key is None:
        raise Denied(f"invalid key in {KEY_ENV}: {advice}", status=401)
    return key


def suite_sealer(environment: Mapping[str, str]) -> KeySealer:
    """Return the sealer of the rows of sealed suites, with the key in `ASSAY_SUITE_KEY`.

    Raises Denied if the key is missing or invalid.
    """
    return KeySealer(environment_key(environment), source=KEY_ENV)


def seal(folder: Path, into: Path, *, key: bytes, graders: Graders) -> Header:
    """Encrypt a private suite's folder into one file (AES-256-GCM; the header is authenticated too).

    The file contains the manifest and the files it lists. The suite is checked first; a public one is
    refused.
    """
    load_suite(folder, graders=graders)
    texts = {name: (folder / name).read_text(encoding="utf-8-sig") for name in _files(folder)}
    return seal_texts(SuiteTexts(str(folder), texts), into, key=key, graders=graders)


def seal_texts(texts: SuiteTexts, into: Path, *, key: bytes, graders: Graders) -> Header:
    """Encrypt a private suite held in memory, so that its files never lie unencrypted on disk."""
    suite = build_suite(texts, graders=graders)
    if suite.visibility != "private":
        place = f"{texts.label}/{MANIFEST}"
        raise InvalidInput(Problem("only private suites can be sealed: write `visibility: private`", place))
    header = Header(suite.name, suite.version, suite.digest, _key_name(key))
    top = _top(header)
    nonce = os.urandom(NONCE_BYTES)
    packed = zlib.compress(json.dumps(dict(texts.texts), ensure_ascii=False).encode(), 9)
    body = base64.encodebytes(nonce + AESGCM(key).encrypt(nonce, packed, top.encode()))
    write_whole(into, top.encode() + body)
    return header


def unseal(path: Path, *, key: bytes) -> SuiteTexts:
    """Return the files of a sealed suite. Raises Denied for another key or an altered file."""
    header, top, body = _split(path)
    if header.key != _key_name(key):
        raise Denied(
            f"{path.name} was sealed with another key, named {header.key}: set {KEY_ENV} to that key"
        )
    try:
        packed = AESGCM(key).decrypt(body[:NONCE_BYTES], body[NONCE_BYTES:], top.encode())
    except (InvalidTag, ValueError):
        raise Denied(f"{path.name} was altered after it was sealed: get it again from its source") from None
    texts: dict[str, str] = json.loads(unpack_zlib(packed, str(path), SEALED))
    return SuiteTexts(str(path), texts)


def unseal_into(path: Path, folder: Path, *, key: bytes) -> None:
    """Write the files of a sealed suite into a folder that does not exist yet or is empty."""
    texts = unseal(path, key=key).texts
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InvalidInput(f"the folder {str(folder)!r} is not empty: give a new folder")
    for name, text in texts.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, text.encode(), mode=0o600)


def open_suite(path: Path, *, graders: Graders, environment: Mapping[str, str]) -> Suite:
    """Load a suite from its folder, or from a sealed file with the key in the environment."""
    if path.suffix == SEALED_SUFFIX and path.is_file():
        suite = build_suite(unseal(path, key=environment_key(environment)), graders=graders)
        check_content(path, asked(suite.cases))
        return replace(suite, sealed=True)
    return load_suite(path, graders=graders)


def _files(folder: Path) -> list[str]:
    manifest = read(folder / MANIFEST, MANIFEST).value
    return [MANIFEST, *manifest["use_cases"]]


def _top(header: Header) -> str:
    fields = {"name": header.name, "version": header.version, "digest": header.digest, "key": header.key}
    return f"{MAGIC}\n{json.dumps(fields)}\n"


def _split(path: Path) -> tuple[Header, str, bytes]:
    try:
        magic, fields, body = path.read_text(encoding="ascii").split("\n", 2)
        if magic != MAGIC:
            raise InvalidInput(f"{path.name} is not a sealed suite: its first line must be {MAGIC!r}")
        return Header(**json.loads(fields)), f"{magic}\n{fields}\n", base64.b64decode(body)
    except FileNotFoundError:
        raise NotFound(f"no sealed suite at {str(path)!r}: check the path") from None
    except (ValueError, TypeError):
        raise InvalidInput(
            f"{path.name} is not a sealed suite, or is incomplete: get it again from its source"
        ) from None


def _key_name(key: bytes) -> str:
    return hashlib.sha256(key).hexdigest()[:8]
