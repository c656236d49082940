"""Finding the JSON document in an answer: fenced, bare or in prose."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

_FENCE = re.compile(r"```[ \t]*([A-Za-z0-9_+-]*)[^\n]*\n(.*?)(?:```|\Z)", re.DOTALL)
_JSON_TAGS = frozenset(("", "json", "jsonc", "json5", "javascript", "js"))
_OBJECT = re.compile(r"\{\s*(?=[\"}])")
_ARRAY = re.compile(r"\[\s*(?=[\"{\[\]\-\dtfn])")
_PARTS = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]]', re.DOTALL)
_TRAILING = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])', re.DOTALL)
_MOST_BLOCKS = 64


@dataclass(frozen=True, slots=True)
class DuplicateValues:
    """The different values that one object gives for the same key."""

    values: tuple[Any, ...]

    def __str__(self) -> str:
        return f"several values: {', '.join(map(str, self.values))}"


@dataclass(frozen=True, slots=True)
class Document:
    """A JSON document. Decimals are exact (`Decimal`); unequal values of one key are `DuplicateValues`.

    `root` is meaningless if `error` is set. `documents` is the number of documents that parse; the last
    counts.
    """

    root: Any = None
    where: str = "nowhere"
    error: str = ""
    duplicates: list[str] = field(default_factory=list)
    documents: int = 0
    repaired: bool = False


def find_document(text: str, *, array: bool = False, trailing_commas: bool = False) -> Document:
    """Return the JSON object (or, with `array`, the array) in an answer.

    That is the whole answer, else the last fenced block that parses, else the last block in prose. A block
    that does not parse is not searched for smaller ones, since a truncated document is none. With
    `trailing_commas` commas before a closing bracket are ignored.
    """
    stripped = text.strip()
    if stripped[:1] in "{[" and stripped:
        whole = _parse(stripped, "the whole answer", trailing_commas)
        if not whole.error and isinstance(whole.root, list if array else dict):
            return whole
    wanted = list if array else dict
    error = ""
    for candidates in (_fenced(text), _in_prose(text, array)):
        documents: list[Document] = []
        for source, where in candidates:
            document = _parse(source, where, trailing_commas)
            if document.error:
                error = error or document.error
            elif isinstance(document.root, wanted):
                documents.append(document)
        if documents:
            last = documents[-1]
            return Document(last.root, last.where, "", last.duplicates, len(documents), last.repaired)
    kind = "array" if array else "object"
    return Document(error=f"no JSON {kind} parses: {error}" if error else f"no JSON {kind} in the answer")


def _fenced(text: str) -> Iterator[tuple[str, str]]:
    if "```" not in text:
        return
    for match in _FENCE.finditer(text):
        if match[1].lower() in _JSON_TAGS and match[2].strip()[:1] in ("{", "["):
            yield match[2], "a fenced block"


def _in_prose(text: str, array: bool) -> Iterator[tuple[str, str]]:
    start = _ARRAY if array else _OBJECT
    at = 0
    for _ in range(_MOST_BLOCKS):
        match = start.search(text, at)
        if match is None:
            return
        at = _block_end(text, match.start())
        yield text[match.start() : at], "in the text"


def _block_end(text: str, start: int) -> int:
    """Return the end of the block that opens at `start`; the end of the text if it is unclosed."""
    depth = 0
    for match in _PARTS.finditer(text, start):
        part = match[0]
        if part in "{[":
            depth += 1
        elif part in "}]":
            depth -= 1
            if depth <= 0:
                return match.end()
    return len(text)


def _parse(source: str, where: str, trailing_commas: bool) -> Document:
    duplicates: list[str] = []

    def pairs(members: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(members)
        if len(made) != len(members):
            _mark_duplicates(made, members, duplicates)
        return made

    repaired = False
    for attempt in (source, None):
        if attempt is None:
            attempt = _TRAILING.sub(lambda match: match[1] or "", source)
            repaired = True
        try:
            root = json.loads(attempt, object_pairs_hook=pairs, parse_float=Decimal, parse_constant=_refuse)
        except RecursionError:
            return Document(where=where, error="it is nested too deeply")
        except ValueError as failure:
            if trailing_commas and not repaired:
                duplicates.clear()
                continue
            return Document(where=where, error=_explained(failure, source))
        return Document(root, where, "", duplicates, 1, repaired)
    raise AssertionError("every attempt returns")


def _mark_duplicates(made: dict[str, Any], members: list[tuple[str, Any]], duplicates: list[str]) -> None:
    for key in made:
        values = [value for name, value in members if name == key]
        if len(values) > 1:
            duplicates.append(key)
            if any(value != values[0] for value in values):
                made[key] = DuplicateValues(tuple(values))


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")


def _explained(failure: ValueError, source: str) -> str:
    if not isinstance(failure, json.JSONDecodeError):
        return str(failure)[:120]
    place = f"line {failure.lineno} column {failure.colno}"
    before = source[: failure.pos].rstrip()
    if failure.pos >= len(source.rstrip()):
        return f"it breaks off at {place}"
    if source[failure.pos : failure.pos + 1] in "}]" and before.endswith(","):
        return f"a trailing comma at {place}"
    if source[failure.pos : failure.pos + 1] == "," and source[failure.pos + 1 :].lstrip()[:1] in ("}", "]"):
        return f"a trailing comma at {place}"
    return f"{failure.msg} at {place}"
