"""A recovering reader of JSON objects as language models write them, with bounded work on any text.

Beyond RFC 8259 it accepts a trailing comma, raw line breaks in strings, backslashes that begin no escape
(LaTeX), single and typographic quotation marks, keys without quotation marks, and Python's True, False and
None. It accepts no comments, no missing commas, no unescaped quotation marks and no unfinished objects:
each of these could take words of a quotation for a key.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

DEEPEST = 20
COST_OF_A_STEP = 20
"""Characters that a pair, an item or an attempt counts for in the budget, besides its length."""

_SPACE = re.compile(r"\s*+")
_PLAIN_PAIR = re.compile(
    r'"([^"\\]*+)"\s*+:\s*+(?:"([^"\\]*+)"|(0|[1-9][0-9]{0,17}))\s*+(?:,\s*+(?=")|(?=\}))'
)
"""The ordinary pair, read in one step; every other pair is read piece by piece, with the same result."""
_DOUBLE = re.compile(r'((?:[^"\\]++|\\.)*+)"', re.DOTALL)
_SINGLE = re.compile(r"((?:[^'\\]++|\\.)*+)'", re.DOTALL)
_CURLY = re.compile(r"((?:[^“”\\]++|\\.)*+)[“”]", re.DOTALL)
_CURLY_SINGLE = re.compile(r"((?:[^‘’\\]++|\\.)*+)[‘’]", re.DOTALL)
_STRINGS = {
    '"': _DOUBLE,
    "'": _SINGLE,
    **dict.fromkeys("“”„", _CURLY),
    **dict.fromkeys("‘’‚", _CURLY_SINGLE),
}
_BARE_KEY = re.compile(r"[A-Za-z_]\w{0,63}+", re.ASCII)
_ATOM = re.compile(
    r"(?:-?(?:0|[1-9]\d{0,18})(?P<fraction>\.\d{1,18})?(?P<exponent>[eE][+-]?\d{1,3})?"
    r"|true|false|null|True|False|None)(?=[\s,}\]])",
    re.ASCII,
)
_CONSTANTS = {"true": True, "True": True, "false": False, "False": False, "null": None, "None": None}
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_PLAIN = {'"': '"', "'": "'", "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_PLAIN |= {mark: mark for mark in "“”„‘’‚"}


class Malformed(Exception):
    """A text is no object even for this reader, or the budget of characters is spent."""


@dataclass(slots=True)
class Budget:
    """The characters that may still be looked at; every step and every failure counts."""

    left: int

    def spend(self, characters: int) -> None:
        """Count a step. Raises Malformed when nothing is left."""
        self.left -= characters + COST_OF_A_STEP
        if self.left < 0:
            raise Malformed


@dataclass(frozen=True, slots=True)
class LooseObject:
    """An object as pairs in the order of the text, doubled keys included, with its span in the text."""

    pairs: tuple[tuple[str, object], ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class LooseList:
    """A list of values."""

    items: tuple[object, ...]


def budget_for(text: str) -> Budget:
    """Return the budget for a text: proportional to its length, so that reading it takes linear time."""
    return Budget(2 * len(text) + 1_000_000)


def object_at(text: str, start: int, budget: Budget) -> LooseObject:
    """Return the object whose opening brace stands at `start`. Raises Malformed."""
    budget.spend(0)
    return _object(text, start, 1, budget)


def objects(text: str, budget: Budget) -> list[LooseObject]:
    """Return the outermost objects of a text, from left to right; what is broken is passed over."""
    found = []
    at = text.find("{")
    while at >= 0 and budget.left > 0:
        try:
            read = object_at(text, at, budget)
        except Malformed:
            at = text.find("{", at + 1)
        else:
            found.append(read)
            at = text.find("{", read.end)
    return found


def values_of(value: object, key: str) -> list[object]:
    """Return the values under a key, in small letters, at every depth of a value."""
    if isinstance(value, LooseList):
        return [inner for item in value.items for inner in values_of(item, key)]
    if not isinstance(value, LooseObject):
        return []
    own = [inner for name, inner in value.pairs if name.strip().lower() == key]
    return own + [deeper for _, inner in value.pairs for deeper in values_of(inner, key)]


def _object(text: str, start: int, depth: int, budget: Budget) -> LooseObject:
    pairs = []
    at = _skip(text, start + 1, budget)
    while text[at : at + 1] != "}":
        plain = _PLAIN_PAIR.match(text, at)
        if plain:
            pairs.append((plain[1], plain[2] if plain[3] is None else int(plain[3])))
            at = plain.end()
            budget.spend(at - plain.start())
            continue
        name, at = _key(text, at, budget)
        at = _skip(text, at, budget)
        if text[at : at + 1] != ":":
            raise Malformed
        value, at = _value(text, _skip(text, at + 1, budget), depth, budget)
        pairs.append((name, value))
        at = _next(text, at, "}", budget)
        budget.spend(0)
    return LooseObject(tuple(pairs), start, at + 1)


def _list(text: str, start: int, depth: int, budget: Budget) -> tuple[LooseList, int]:
    items = []
    at = _skip(text, start + 1, budget)
    while text[at : at + 1] != "]":
        value, at = _value(text, at, depth, budget)
        items.append(value)
        at = _next(text, at, "]", budget)
        budget.spend(0)
    return LooseList(tuple(items)), at + 1


def _value(text: str, at: int, depth: int, budget: Budget) -> tuple[object, int]:
    sign = text[at : at + 1]
    if sign in _STRINGS:
        return _string(text, at, budget)
    if sign in ("{", "["):
        if depth >= DEEPEST:
            raise Malformed
        if sign == "{":
            inner = _object(text, at, depth + 1, budget)
            return inner, inner.end
        return _list(text, at, depth + 1, budget)
    atom = _ATOM.match(text, at)
    if atom is None:
        raise Malformed
    if atom[0] in _CONSTANTS:
        return _CONSTANTS[atom[0]], atom.end()
    return (float if atom["fraction"] or atom["exponent"] else int)(atom[0]), atom.end()


def _key(text: str, at: int, budget: Budget) -> tuple[str, int]:
    if text[at : at + 1] in _STRINGS:
        return _string(text, at, budget)
    bare = _BARE_KEY.match(text, at)
    if bare is None:
        raise Malformed
    return bare[0], bare.end()


def _string(text: str, at: int, budget: Budget) -> tuple[str, int]:
    closed = _STRINGS[text[at]].match(text, at + 1)
    if closed is None:
        budget.spend(len(text) - at)
        raise Malformed
    budget.spend(closed.end() - at)
    return _unescaped(closed[1]), closed.end()


def _skip(text: str, at: int, budget: Budget) -> int:
    if text[at : at + 1] > " ":
        return at
    space = _SPACE.match(text, at)
    end = space.end() if space else at
    budget.spend(end - at)
    return end


def _next(text: str, at: int, close: str, budget: Budget) -> int:
    """Return where the next pair or item stands, or the closing bracket; a comma before it is optional."""
    at = _skip(text, at, budget)
    if text[at : at + 1] == ",":
        at = _skip(text, at + 1, budget)
        if text[at : at + 1] == ",":
            raise Malformed
        return at
    if text[at : at + 1] != close:
        raise Malformed
    return at


def _unescaped(body: str) -> str:
    if "\\" not in body:
        return body
    text = _ESCAPE.sub(_character, body)
    if any("\ud800" <= sign <= "\udfff" for sign in text):
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    return text


def _character(escape: re.Match[str]) -> str:
    said = escape[1]
    if len(said) == 5:
        return chr(int(said[1:], 16))
    return _PLAIN.get(said, escape[0])
