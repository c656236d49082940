"""Patterns that a suite gives: compiled once, and refused when an answer could make them run for ever.

Python's `re` backtracks: where an unlimited repetition stands within another and both can take the same
characters, the time doubles with each character of the answer. `problem` finds that shape by walking the
parsed pattern; what it cannot exclude it refuses. Polynomial patterns remain, so readers cut the answer at
`LONGEST` characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any

LONGEST = 50_000
"""Characters of an answer that patterns are looked for in."""

# The parser behind `re.compile` has no public name since Python 3.11; `sre_parse` only warns.
_parser: Any = import_module("re._parser")

_SAMPLE = "".join(map(chr, range(32, 127))) + "\n\t\u00e9\u00c9\u4e2d\u2019\u00a0\u0664"
_ALL = frozenset(_SAMPLE)
_MANY = 100
"""A repetition that may exceed this counts as unlimited."""


@cache
def compiled(text: str, *, ignore_case: bool) -> re.Pattern[str]:
    """Return the compiled pattern; `^` and `$` match at lines."""
    return re.compile(text, re.MULTILINE | (re.IGNORECASE if ignore_case else 0))


def problem(text: object) -> str | None:
    """Return what is wrong with a pattern and what to write instead, or None."""
    if not isinstance(text, str) or not text:
        return f"pattern {text!r} is no text: write a Python regular expression"
    try:
        re.compile(text, re.MULTILINE)
        tree = list(_parser.parse(text, re.MULTILINE))
    except (re.error, OverflowError, RecursionError) as error:
        return f"pattern {text!r} does not compile: {error}"
    if any(_ambiguous(body) for body in _unlimited(tree)):
        return (
            f"pattern {text!r} repeats a repetition that overlaps with it and could run for ever: "
            "part the two by a character that the inner one cannot match, or give a limit such as {0,20}"
        )
    return None


def _name(operation: tuple[Any, Any]) -> str:
    return str(operation[0])


def _children(operation: tuple[Any, Any]) -> list[list[Any]]:
    """Return the sequences of operations inside one operation."""
    name, value = _name(operation), operation[1]
    if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return [list(value[2])]
    if name == "SUBPATTERN":
        return [list(value[3])]
    if name == "BRANCH":
        return [list(branch) for branch in value[1]]
    if name in ("ASSERT", "ASSERT_NOT"):
        return [list(value[1])]
    if name == "ATOMIC_GROUP":
        return [list(value)]
    if name == "GROUPREF_EXISTS":
        return [list(value[1]), list(value[2] or [])]
    return []


def _repeats(operation: tuple[Any, Any]) -> bool:
    return _name(operation) in ("MAX_REPEAT", "MIN_REPEAT") and int(operation[1][1]) > _MANY


def _unlimited(sequence: list[Any]) -> Iterator[list[Any]]:
    """Yield the body of every unlimited repetition, at any depth."""
    for operation in sequence:
        for child in _children(operation):
            if _repeats(operation):
                yield child
            yield from _unlimited(child)


def _ambiguous(body: list[Any]) -> bool:
    """Return whether a repeated body can take one text in more than one way, as far as this walk can tell."""
    if any(_branches_overlap(operation) for operation in _every(body)):
        return True
    walls = [characters for operation in body for characters in _musts(operation)]
    return any(not any(wall.isdisjoint(_characters(inner)) for wall in walls) for inner in _unlimited(body))


def _every(sequence: list[Any]) -> Iterator[Any]:
    for operation in sequence:
        yield operation
        for child in _children(operation):
            yield from _every(child)


def _branches_overlap(operation: tuple[Any, Any]) -> bool:
    if _name(operation) != "BRANCH":
        return False
    firsts = [_first(list(branch)) for branch in operation[1][1]]
    return any(not one.isdisjoint(other) for i, one in enumerate(firsts) for other in firsts[i + 1 :])


def _first(sequence: list[Any]) -> frozenset[str]:
    """Return the characters a sequence can begin with; all of them when it can be empty."""
    for operation in sequence:
        name, value = _name(operation), operation[1]
        if name in ("AT", "ASSERT", "ASSERT_NOT"):
            continue
        if name == "SUBPATTERN":
            return _first(list(value[3]))
        if name == "BRANCH":
            return frozenset().union(*(_first(list(branch)) for branch in value[1]))
        if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            return _first(list(value[2])) if value[0] > 0 else _ALL
        return _single(operation)
    return _ALL


def _musts(operation: tuple[Any, Any]) -> Iterator[frozenset[str]]:
    """Yield the character sets of which one character must stand in every match of the operation."""
    name, value = _name(operation), operation[1]
    if name in ("LITERAL", "NOT_LITERAL", "IN", "ANY"):
        yield _single(operation)
    elif name == "SUBPATTERN":
        for inner in value[3]:
            yield from _musts(inner)
    elif name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT") and value[0] > 0:
        for inner in value[2]:
            yield from _musts(inner)


def _characters(sequence: list[Any]) -> frozenset[str]:
    """Return all characters that a sequence can take anywhere."""
    singles = [
        _single(operation)
        for operation in _every(sequence)
        if not _children(operation) and _name(operation) != "AT"
    ]
    return frozenset().union(*singles)


def _single(operation: tuple[Any, Any]) -> frozenset[str]:
    """Return which sample characters, of either case, one operation can take; all where it cannot tell."""
    name, value = _name(operation), operation[1]
    match name:
        case "LITERAL":
            return frozenset({chr(value), chr(value).lower(), chr(value).upper()})
        case "NOT_LITERAL":
            return _ALL - {chr(value)}
        case "IN":
            return _set(value)
    return _ALL


def _set(members: list[Any]) -> frozenset[str]:
    found: set[str] = set()
    negated = False
    for kind, value in members:
        match str(kind):
            case "NEGATE":
                negated = True
            case "LITERAL":
                found |= {chr(value)}
            case "RANGE":
                found |= {character for character in _SAMPLE if value[0] <= ord(character) <= value[1]}
            case "CATEGORY":
                found |= _category(str(value))
            case _:
                return _ALL
    if negated:
        return _ALL - found
    return frozenset(found | {mark.swapcase() for mark in found})


def _category(name: str) -> frozenset[str]:
    """Return the sample characters of a class such as `\\w`."""
    positive = name.replace("_NOT", "")
    sort = {"CATEGORY_DIGIT": r"\d", "CATEGORY_SPACE": r"\s", "CATEGORY_WORD": r"\w"}[positive]
    members = frozenset(re.findall(sort, _SAMPLE))
    return members if positive == name else _ALL - members
