"""A pattern's parts, to reason about: sets of characters, repetitions, choices, groups."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, ClassVar

_SAMPLE = "".join(map(chr, range(32, 127))) + "\n\t\u00e9\u00c9\u4e2d\u2019\u00a0\u0664"
"""The characters that sets are compared by: ASCII, and one of each sort beyond it."""

_CLASSES = {"CATEGORY_DIGIT": r"\d", "CATEGORY_SPACE": r"\s", "CATEGORY_WORD": r"\w"}


class Kind(Enum):
    """What a piece is. A PLACE takes no character (an anchor, a look-around); a REST can take anything."""

    SET = auto()
    REPEAT = auto()
    CHOICE = auto()
    GROUP = auto()
    PLACE = auto()
    REST = auto()


@dataclass(frozen=True, slots=True)
class Piece:
    """One part of a pattern. `characters` are those of a SET or REST, among a sample, of either case."""

    kind: Kind
    characters: frozenset[str] = frozenset()
    children: tuple[Piece, ...] = ()
    least: int = 1
    most: int = 1

    ANYTHING: ClassVar[frozenset[str]] = frozenset(_SAMPLE)

    @property
    def repeats(self) -> bool:
        """Whether it is a repetition of more than a few rounds."""
        return self.kind is Kind.REPEAT and self.most > 3

    @property
    def unlimited(self) -> bool:
        """Whether it is a repetition without a limit to speak of."""
        return self.kind is Kind.REPEAT and self.most > 2000


def pieces(parsed: Iterable[Any], *, dot_spans: bool) -> tuple[Piece, ...]:
    """Return the pieces of a pattern parsed by `re`; `dot_spans`: whether `.` matches a line's end."""
    return tuple(_piece(str(name), value, dot_spans) for name, value in parsed)


def _piece(name: str, value: Any, dot_spans: bool) -> Piece:
    match name:
        case "LITERAL":
            return Piece(Kind.SET, frozenset({chr(value).lower(), chr(value).upper()}))
        case "NOT_LITERAL":
            return Piece(Kind.SET, Piece.ANYTHING - {chr(value)})
        case "ANY":
            return Piece(Kind.SET, Piece.ANYTHING if dot_spans else Piece.ANYTHING - {"\n"})
        case "IN":
            return Piece(Kind.SET, _set(value))
        case "MAX_REPEAT" | "MIN_REPEAT":
            least, most, body = value
            return Piece(
                Kind.REPEAT, children=pieces(body, dot_spans=dot_spans), least=int(least), most=int(most)
            )
        case "POSSESSIVE_REPEAT":
            return Piece(Kind.GROUP, children=pieces(value[2], dot_spans=dot_spans))
        case "SUBPATTERN":
            return Piece(Kind.GROUP, children=pieces(value[3], dot_spans=dot_spans))
        case "ATOMIC_GROUP":
            return Piece(Kind.GROUP, children=pieces(value, dot_spans=dot_spans))
        case "BRANCH":
            branches = (
                Piece(Kind.GROUP, children=pieces(branch, dot_spans=dot_spans)) for branch in value[1]
            )
            return Piece(Kind.CHOICE, children=tuple(branches))
        case "ASSERT" | "ASSERT_NOT":
            return Piece(Kind.PLACE, children=pieces(value[1], dot_spans=dot_spans))
        case "AT":
            return Piece(Kind.PLACE)
        case _:
            return Piece(Kind.REST, Piece.ANYTHING)


def _set(members: Iterable[tuple[Any, Any]]) -> frozenset[str]:
    found: set[str] = set()
    negated = False
    for sort, value in members:
        match str(sort):
            case "NEGATE":
                negated = True
            case "LITERAL":
                found.add(chr(value))
            case "RANGE":
                found |= {character for character in _SAMPLE if value[0] <= ord(character) <= value[1]}
            case "CATEGORY":
                found |= _category(str(value))
    if negated:
        return Piece.ANYTHING - found
    return frozenset(found | {mark.swapcase() for mark in found})


def _category(name: str) -> frozenset[str]:
    """Return the sample characters of a class such as `\\w`."""
    plain = name.replace("_NOT", "")
    members = frozenset(re.findall(_CLASSES[plain], _SAMPLE))
    return members if plain == name else Piece.ANYTHING - members
