"""Decoding a reply's JSON, also where it is not quite JSON: what can be decoded is, once, and marked."""

from __future__ import annotations

import json
import math
import re
from typing import Any, Final, NamedTuple

import orjson

LEAST_LOGPROB: Final = -9999.0
"""OpenAI's way of writing the logarithm of a probability of 0."""

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_COMMENTS: Final = re.compile(r"(?:\s|:[^\n]*(?:\n|\Z))*")
_REPLACEMENT: Final = "\ufffd"
_DIGITS: Final = 30


class Decoded(NamedTuple):
    """A reply's JSON, None where there is none, and what had to be repaired to read it."""

    body: Any
    repairs: tuple[str, ...] = ()

    @property
    def note(self) -> str | None:
        """Say what was repaired; None where nothing was."""
        return f"the reply was repaired: {', '.join(self.repairs)}" if self.repairs else None


def decode(raw: bytes) -> Decoded:
    """Decode a reply.

    A byte order mark, and blank lines and comments (`: ...`) around the JSON, are no faults. Invalid bytes
    and lone surrogates are replaced by U+FFFD; `NaN` and `Infinity` are read; what follows the JSON is left
    out. An impossible log-probability (`-Infinity`) becomes -9999, and one that is no number is left out.
    """
    try:
        return Decoded(orjson.loads(raw))
    except orjson.JSONDecodeError:
        pass
    try:
        return _repaired(raw)
    except (ValueError, RecursionError):
        return Decoded(None)


def _repaired(raw: bytes) -> Decoded:
    """Decode what is not strict JSON. Raises ValueError or RecursionError where that cannot be done."""
    encoding = json.detect_encoding(raw)
    text = raw.decode(encoding, "replace")
    repairs = []
    if _REPLACEMENT in text and not _decodes(raw, encoding):
        repairs.append("invalid bytes were replaced")
    start = _match_end(text, 0)
    body, end = json.JSONDecoder(strict=False, parse_int=_number).raw_decode(text, start)
    if _match_end(text, end) != len(text):
        repairs.append("what followed the JSON was left out")
    found: set[str] = set()
    body = _cleaned(body, found)
    return Decoded(body, (*repairs, *sorted(found)))


def _number(digits: str) -> int | float:
    """Read a whole number; Python refuses to read thousands of digits as one."""
    return int(digits) if len(digits) <= _DIGITS else float(digits)


def _match_end(text: str, start: int) -> int:
    match = _COMMENTS.match(text, start)
    return start if match is None else match.end()


def _decodes(raw: bytes, encoding: str) -> bool:
    try:
        raw.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _cleaned(value: Any, found: set[str]) -> Any:
    """Return a value without lone surrogates and without log-probabilities that are not finite."""
    if isinstance(value, str):
        return _whole(value, found)
    if isinstance(value, dict):
        cleaned = {_whole(key, found): _cleaned(inner, found) for key, inner in value.items()}
        if isinstance(number := cleaned.get("logprob"), float) and not math.isfinite(number):
            found.add("log-probabilities that are not finite were replaced")
            cleaned["logprob"] = LEAST_LOGPROB if number < 0 else None
        if isinstance(alternatives := cleaned.get("top_logprobs"), list):
            cleaned["top_logprobs"] = [entry for entry in alternatives if not _unweighable(entry)]
        return cleaned
    if isinstance(value, list):
        return [_cleaned(inner, found) for inner in value]
    return value


def _unweighable(alternative: Any) -> bool:
    """Return whether an alternative has lost its log-probability."""
    return isinstance(alternative, dict) and alternative.get("logprob", 0) is None


def _whole(text: str, found: set[str]) -> str:
    if _SURROGATE.search(text) is None:
        return text
    found.add("lone surrogates were replaced")
    return _SURROGATE.sub(_REPLACEMENT, text)
