"""Canonical bytes and digests of plain values, so that equal content has equal hashes everywhere."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Mapping, Sequence


def canonical(value: object) -> bytes:
    """Return JSON bytes with sorted keys, no spaces, NFC text and integral floats as integers.

    Accepts mappings with text keys, sequences, text, numbers, booleans and None; raises TypeError
    for anything else and ValueError for NaN and infinities.
    """
    plain = _plain(value)
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode()


def digest(value: object) -> str:
    """Return the SHA-256 of `canonical(value)` in hexadecimal."""
    return hashlib.sha256(canonical(value)).hexdigest()


def _plain(value: object) -> object:
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value)
    if isinstance(value, Mapping):
        return {unicodedata.normalize("NFC", str(key)): _plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [_plain(item) for item in value]
    raise TypeError(f"value of type {type(value).__name__} has no canonical form: {value!r}")
