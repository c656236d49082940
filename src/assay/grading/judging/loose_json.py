"""A tolerant parser of JSON objects as language models write them, with bounded work for any text.

Beyond RFC 8259 it accepts a trailing comma, raw line breaks in strings, backslashes that begin no escape
(LaTeX), single and typographic quotation marks, keys without quotation marks, and Python's True, False and
None. It does not accept comments, missing commas, unescaped quotation marks or unfinished objects: with any
of these, words of a quotation could be read as a key.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

DEEPEST = 20
COST_OF_A_STEP = 20
"""The cost of a pair, an item or an attempt in characters of the budget, in addition to its length."""

_SPACE = re.compile(r"\s*+")
_PLAIN_PAIR = re.compile(
    r'"([^"\\]*+)"\s*+:\s*+(?:"([^"\\]*+)"|(0|[1-9][0-9]{0,17}))\s*+(?:,\s*+(?=")|(?=\}))'
)
"""An ordinary pair, which is read in one step; other pairs are read piece by piece, with the same result."""
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


class MalformedJson(Exception):
    """The text is not an object even for this parser, or the budget of characters is spent."""


@dataclass(slots=True)
class ParseBudget:
    """The number of characters that may still be examined; every step and every failure costs some."""

    left: int

    def spend(self, characters: int) -> None:
        """Pay for a step. Raises MalformedJson if the budget is spent."""
        self.left -= characters + COST_OF_A_STEP
        if self.left < 0:
            raise MalformedJson


@dataclass(frozen=True, slots=True)
class LooseObject:
    """An object as pairs in the order of the text, including duplicate keys, with its span in the text."""

    pairs: tuple[tuple[str, object], ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class LooseList:
    """A list of values."""

    items: tuple[object, ...]


def budget_for(text: str) -> ParseBudget:
    """Return the budget for a text: proportional to its length, so that reading it takes linear time."""
    return ParseBudget(2 * len(text) + 1_000_000)


def object_at(text: str, start: int, budget: ParseBudget) -> LooseObject:
    """Return the object whose opening brace is at `start`. Raises MalformedJson."""
    budget.spend(0)
    return _object(text, start, 1, budget)


def objects(text: str, budget: ParseBudget) -> list[LooseObject]:
    """Return the outermost objects of a text, from left to right; malformed objects are skipped."""
    every = []
    at = text.find("{")
    while at >= 0 and budget.left > 0:
        try:
            read = object_at(text, at, budget)
        except MalformedJson:
            at = text.find("{", at + 1)
        else:
            every.append(read)
            at = text.find("{", read.end)
    return every


def values_of(value: object, key: str) -> list[object]:
    """Return the values of a key, given in lower case, at every depth of a value."""
    if isinstance(value, LooseList):
        return [inner for item in value.items for inner in values_of(item, key)]
    if not isinstance(value, LooseObject):
        return []
    own = [inner for name, inner in value.pairs if name.strip().lower() == key]
    return own + [deeper for _, inner in value.pairs for deeper in values_of(inner, key)]


def _object(text: str, start: int, depth: int, budget: ParseBudget) -> LooseObject:
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
            raise MalformedJson
        value, at = _value(text, _skip(text, at + 1, budget), depth, budget)
        pairs.append((name, value))
        at = _next(text, at, "}", budget)
        budget.spend(0)
    return LooseObject(tuple(pairs), start, at + 1)


def _list(text: str, start: int, depth: int, budget: ParseBudget) -> tuple[LooseList, int]:
    items = []
    at = _skip(text, start + 1, budget)
    while text[at : at + 1] != "]":
        value, at = _value(text, at, depth, budget)
        items.append(value)
        at = _next(text, at, "]", budget)
        budget.spend(0)
    return LooseList(tuple(items)), at + 1


def _value(text: str, at: int, depth: int, budget: ParseBudget) -> tuple[object, int]:
    sign = text[at : at + 1]
    if sign in _STRINGS:
        return _string(text, at, budget)
    if sign in ("{", "["):
        if depth >= DEEPEST:
            raise MalformedJson
        if sign == "{":
            inner = _object(text, at, depth + 1, budget)
            return inner, inner.end
        return _list(text, at, depth + 1, budget)
    atom = _ATOM.match(text, at)
    if atom is None:
        raise MalformedJson
    if atom[0] in _CONSTANTS:
        return _CONSTANTS[atom[0]], atom.end()
    return (float if atom["fraction"] or atom["exponent"] else int)(atom[0]), atom.end()


def _key(text: str, at: int, budget: ParseBudget) -> tuple[str, int]:
    if text[at : at + 1] in _STRINGS:
        return _string(text, at, budget)
    bare = _BARE_KEY.match(text, at)
    if bare is None:
        raise MalformedJson
    return bare[0], bare.end()


def _string(text: str, at: int, budget: ParseBudget) -> tuple[str, int]:
    closed = _STRINGS[text[at]].match(text, at + 1)
    if closed is None:
        budget.spend(len(text) - at)
        raise MalformedJson
    budget.spend(closed.end() - at)
    return _unescaped(closed[1]), closed.end()


def _skip(text: str, at: int, budget: ParseBudget) -> int:
    if text[at : at + 1] > " ":
        return at
    space = _SPACE.match(text, at)
    end = space.end() if space else at
    budget.spend(end - at)
    return end


def _next(text: str, at: int, close: str, budget: ParseBudget) -> int:
    """Return the position of the next pair or item, or of the closing bracket with an optional comma."""
    at = _skip(text, at, budget)
    if text[at : at + 1] == ",":
        at = _skip(text, at + 1, budget)
        if text[at : at + 1] == ",":
            raise MalformedJson
        return at
    if text[at : at + 1] != close:
        raise MalformedJson
    return at


def _unescaped(body: str) -> str:
    if "\\" not in body:
        return body
    text = _ESCAPE.sub(_character, body)
    if any("\ud800" <= sign <= "\udfff" for sign in text):
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    return text


def _character(escape: re.Match[str]) -> str:
    code = escape[1]
    if len(code) == 5:
        return chr(int(code[1:], 16))
    return _PLAIN.get(code, escape[0])
