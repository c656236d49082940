"""Redaction of the API key in replies, in every form in which an endpoint may repeat it."""

from __future__ import annotations

import base64
import html
import json
import re
import sys
from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import unquote

import orjson

from assay.core.ask import ModelReply, Served

STRUCK: Final = "[key]"
WITHHELD: Final = "[withheld: it repeats the API key]"
PIECE: Final = 8
"""The least number of consecutive characters of a key that are redacted; fewer reveal nothing useful."""

_SECRET: Final = 16
_WORD: Final = 4
_ALNUM: Final = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_LOWER: Final = bytes(range(256)).lower()
_ESCAPED: Final = re.compile(rb"%[2-7][0-9A-Fa-f]|&#|\\[ux]")
_LABELS: Final = 256
_BACKSLASHED: Final = re.compile(r"\\(?:u00|x)([2-7][0-9A-Fa-f])")


class Redactor:
    """A redactor of one key.

    It finds pieces of eight characters of the key: in upper or lower case, reversed, with other characters in
    between, in hexadecimal, in percent, HTML or backslash escapes, or in base64 at any offset. A key that is
    not a secret (a short word such as `EMPTY`, or only one kind of letters) is redacted only as a whole, and
    one of fewer than eight characters only in details.
    """

    def __init__(self, key: str | None) -> None:
        self._key = key or ""
        raw = self._key.encode()
        kept = frozenset(_ALNUM + raw)
        self._deleted = bytes(code for code in range(256) if code not in kept)
        self._kept = frozenset(chr(code) for code in kept if code < 128)
        self._harmless: set[tuple[str | None, ...]] = set()
        self._windows: dict[int, frozenset[bytes]] = {}
        if len(raw) >= PIECE:
            secret = _is_secret(self._key)
            windows: dict[int, set[bytes]] = {}
            for form, piece in _forms(raw):
                plain = self._plain(form)
                length = min(piece, len(plain)) if secret else len(plain)
                windows.setdefault(length, set()).update(_cuts(plain, length))
            self._windows = {length: frozenset(found) for length, found in windows.items()}
        self._words = frozenset(
            int.from_bytes(word, sys.byteorder)
            for pieces in self._windows.values()
            for piece in pieces
            for word in _cuts(piece, _WORD)
        )

    def suspects(self, raw: bytes) -> bool:
        """Return whether bytes may contain a piece of the key, so that a full check is needed.

        Eight consecutive characters contain one whole word of four that begins at a multiple of four. Bytes
        without such a word of any form of the key, and without escapes, contain no piece of it.
        """
        if not self._words:
            return False
        if self._repeats(raw.translate(_LOWER, self._deleted)):
            return True
        return (b"\\" in raw or b"%" in raw or b"&" in raw) and _ESCAPED.search(raw) is not None

    def strike(self, text: str) -> str:
        """Return a text without the key."""
        if not self._windows:
            return text
        for form in _unescaped(text):
            if self._holds(form):
                struck = self._struck(form)
                return WITHHELD if any(self._holds(again) for again in _unescaped(struck)) else struck
        return text

    def detail(self, text: str) -> str:
        """Return an error's text without the key, even if the key is short."""
        text = self.strike(text)
        return text.replace(self._key, STRUCK) if self._key else text

    def clean(self, reply: ModelReply) -> ModelReply:
        """Return a reply without the key in any field; the same object if no field contained it."""
        served = reply.served
        labels = (
            served.provider,
            served.model,
            served.fingerprint,
            reply.finish_reason,
            reply.native_finish_reason,
        )
        if labels not in self._harmless:
            if any(label and self.suspects(label.encode()) for label in labels):
                return self._cleaned(reply)
            if len(self._harmless) < _LABELS:
                self._harmless.add(labels)
        suspected = (
            reply.detail is not None
            or (reply.text is not None and self.suspects(reply.text.encode()))
            or (reply.logprobs is not None and self.suspects(_dumped(reply.logprobs)))
        )
        return self._cleaned(reply) if suspected else reply

    def _cleaned(self, reply: ModelReply) -> ModelReply:
        def struck(text: str | None) -> str | None:
            return None if text is None else self.strike(text)

        served, logprobs = reply.served, reply.logprobs
        if logprobs is not None and self.suspects(_dumped(logprobs)):
            logprobs = None
        return reply._replace(
            text=struck(reply.text),
            detail=None if reply.detail is None else self.detail(reply.detail),
            served=Served(struck(served.provider), struck(served.model), struck(served.fingerprint)),
            finish_reason=struck(reply.finish_reason),
            native_finish_reason=struck(reply.native_finish_reason),
            logprobs=logprobs,
        )

    def _plain(self, data: bytes) -> bytes:
        return data.translate(_LOWER, self._deleted)

    def _holds(self, text: str) -> bool:
        return self._repeats(self._plain(text.encode("utf-8", "replace")))

    def _repeats(self, plain: bytes) -> bool:
        """Return whether a text contains a piece of the key, around a word that it shares with the key."""
        shared = self._words.intersection(memoryview(plain)[: len(plain) & -_WORD].cast("I"))
        return bool(shared) and any(self._around(plain, word) for word in shared)

    def _around(self, plain: bytes, word: int) -> bool:
        """Return whether there is a piece of the key around any occurrence of a word."""
        sought = word.to_bytes(_WORD, sys.byteorder)
        at = plain.find(sought)
        while at >= 0:
            for length, pieces in self._windows.items():
                for start in range(max(0, at + _WORD - length), at + 1):
                    if plain[start : start + length] in pieces:
                        return True
            at = plain.find(sought, at + 1)
        return False

    def _struck(self, text: str) -> str:
        """Return a text in which every piece is replaced, with the characters in between."""
        places = [place for place, character in enumerate(text) if character in self._kept]
        plain = self._plain("".join(text[place] for place in places).encode())
        spans: list[tuple[int, int]] = []
        for length, pieces in self._windows.items():
            spans.extend(
                (start, start + length)
                for start in range(len(plain) - length + 1)
                if plain[start : start + length] in pieces
            )
        parts, done = [], 0
        for start, end in _merged(spans):
            parts += [text[done : places[start]], STRUCK]
            done = places[end - 1] + 1
        return "".join((*parts, text[done:]))


def _dumped(logprobs: Mapping[str, Any]) -> bytes:
    try:
        return orjson.dumps(logprobs)
    except TypeError:
        return json.dumps(logprobs, ensure_ascii=False).encode()


def _is_secret(key: str) -> bool:
    """Return whether a key looks like a secret: long, and with more than one kind of characters."""
    kinds = (
        any(character.islower() for character in key),
        any(character.isupper() for character in key),
        any(character.isdigit() for character in key),
    )
    return sum(character.isalnum() for character in key) >= _SECRET and sum(kinds) >= 2


def _forms(key: bytes) -> Iterator[tuple[bytes, int]]:
    """Yield the forms in which a key may be repeated, each with the length of eight characters in it."""
    yield key, PIECE
    yield key[::-1], PIECE
    yield key.hex().encode(), 2 * PIECE
    for offset in range(3):
        # The first characters also depend on the bytes before the key, so they are left out.
        encoded = base64.b64encode(bytes(offset) + key)[(0, 2, 3)[offset] :].rstrip(b"=")
        # Eight characters give ten of base64, of which two may be signs that are removed.
        yield encoded, PIECE
        yield encoded.translate(bytes.maketrans(b"+/", b"-_")), PIECE


def _cuts(data: bytes, length: int) -> Iterator[bytes]:
    return (data[start : start + length] for start in range(len(data) - length + 1))


def _unescaped(text: str) -> Iterator[str]:
    """Yield a text, and its decoded forms if it contains escapes, possibly nested."""
    yield text
    for _ in range(2):
        decoded = _BACKSLASHED.sub(lambda match: chr(int(match[1], 16)), text)
        decoded = html.unescape(unquote(decoded, errors="replace"))
        if decoded == text:
            return
        text = decoded
        yield text


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
