"""Patterns of suites: compiled once, and refused if an answer could make them run for ever.

Python's `re` backtracks. If a repetition of variable length is inside another repetition and both can match
the same characters, the time doubles with each character of the answer; several of them in a row add one
power each. `problem` finds both shapes in the parsed pattern, and refuses a pattern if it cannot exclude
them. The remaining patterns take polynomial time of low degree, so graders read at most `LONGEST` characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache
from importlib import import_module
from typing import Any, ClassVar

LONGEST = 50_000
"""The number of characters of an answer that are searched for patterns."""

_SAMPLE = "".join(map(chr, range(32, 127))) + "\n\t\u00e9\u00c9\u4e2d\u2019\u00a0\u0664"
"""The characters by which sets are compared: ASCII, and one of each kind beyond it."""

_CLASSES = {"CATEGORY_DIGIT": r"\d", "CATEGORY_SPACE": r"\s", "CATEGORY_WORD": r"\w"}


class PieceKind(Enum):
    """The kind of a piece. A POSITION matches no character (an anchor, a look-around), OTHER any."""

    SET = auto()
    REPEAT = auto()
    CHOICE = auto()
    GROUP = auto()
    POSITION = auto()
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class Piece:
    """One part of a pattern. `characters` of a SET or OTHER are from a sample, in both cases."""

    kind: PieceKind
    characters: frozenset[str] = frozenset()
    children: tuple[Piece, ...] = ()
    least: int = 1
    most: int = 1

    ANYTHING: ClassVar[frozenset[str]] = frozenset(_SAMPLE)

    @property
    def repeats(self) -> bool:
        """Whether it is a repetition of more than three rounds."""
        return self.kind is PieceKind.REPEAT and self.most > 3

    @property
    def unlimited(self) -> bool:
        """Whether it is a repetition without a limit, or with a very large one."""
        return self.kind is PieceKind.REPEAT and self.most > 2000


def pieces(parsed: Iterable[Any], *, dot_spans: bool) -> tuple[Piece, ...]:
    """Return the pieces of a pattern parsed by `re`; `dot_spans`: whether `.` matches a line's end."""
    return tuple(_piece(str(name), value, dot_spans) for name, value in parsed)


def _piece(name: str, value: Any, dot_spans: bool) -> Piece:
    match name:
        case "LITERAL":
            return Piece(PieceKind.SET, frozenset({chr(value).lower(), chr(value).upper()}))
        case "NOT_LITERAL":
            return Piece(PieceKind.SET, Piece.ANYTHING - {chr(value)})
        case "ANY":
            return Piece(PieceKind.SET, Piece.ANYTHING if dot_spans else Piece.ANYTHING - {"\n"})
        case "IN":
            return Piece(PieceKind.SET, _set(value))
        case "MAX_REPEAT" | "MIN_REPEAT":
            least, most, body = value
            return Piece(
                PieceKind.REPEAT, children=pieces(body, dot_spans=dot_spans), least=int(least), most=int(most)
            )
        case "POSSESSIVE_REPEAT":
            return Piece(PieceKind.GROUP, children=pieces(value[2], dot_spans=dot_spans))
        case "SUBPATTERN":
            return Piece(PieceKind.GROUP, children=pieces(value[3], dot_spans=dot_spans))
        case "ATOMIC_GROUP":
            return Piece(PieceKind.GROUP, children=pieces(value, dot_spans=dot_spans))
        case "BRANCH":
            branches = (
                Piece(PieceKind.GROUP, children=pieces(branch, dot_spans=dot_spans)) for branch in value[1]
            )
            return Piece(PieceKind.CHOICE, children=tuple(branches))
        case "ASSERT" | "ASSERT_NOT":
            return Piece(PieceKind.POSITION, children=pieces(value[1], dot_spans=dot_spans))
        case "AT":
            return Piece(PieceKind.POSITION)
        case _:
            return Piece(PieceKind.OTHER, Piece.ANYTHING)


def _set(members: Iterable[tuple[Any, Any]]) -> frozenset[str]:
    characters: set[str] = set()
    negated = False
    for kind, value in members:
        match str(kind):
            case "NEGATE":
                negated = True
            case "LITERAL":
                characters.add(chr(value))
            case "RANGE":
                characters |= {sign for sign in _SAMPLE if value[0] <= ord(sign) <= value[1]}
            case "CATEGORY":
                characters |= _category(str(value))
    if negated:
        return Piece.ANYTHING - characters
    return frozenset(characters | {sign.swapcase() for sign in characters})


def _category(name: str) -> frozenset[str]:
    """Return the sample characters of a class such as `\\w`."""
    plain = name.replace("_NOT", "")
    members = frozenset(re.findall(_CLASSES[plain], _SAMPLE))
    return members if plain == name else Piece.ANYTHING - members


_Before = tuple[Piece, tuple[frozenset[str], ...]]
"""An unlimited repetition, and the sets of characters that must follow it."""


@cache
def compiled(text: str, *, ignore_case: bool) -> re.Pattern[str]:
    """Return the compiled pattern; `^` and `$` match at lines."""
    return re.compile(text, re.MULTILINE | (re.IGNORECASE if ignore_case else 0))


def compiled_all(sources: Iterable[str]) -> Iterator[re.Pattern[str]]:
    """Yield the compiled patterns, which ignore case."""
    return (compiled(source, ignore_case=True) for source in sources)


def problem(text: object) -> str | None:
    """Return the problem of a pattern and what to write instead, or None."""
    if not isinstance(text, str) or not text:
        return f"pattern {text!r} is not a text: write a Python regular expression"
    try:
        re.compile(text, re.MULTILINE)
        # The parser behind `re.compile` has no public name since Python 3.11; `sre_parse` only warns.
        parsed = import_module("re._parser").parse(text, re.MULTILINE)
    except (re.error, OverflowError, RecursionError) as error:
        return f"pattern {text!r} does not compile: {error}"
    body = pieces(parsed, dot_spans=bool(re.search(r"\(\?[aiLmux]*s", text)))
    if any(_ambiguous(piece.children) for piece in _every(body) if piece.repeats):
        return (
            f"pattern {text!r} repeats a repetition that overlaps with it and could run for ever: separate "
            "the two by a character that the inner one cannot match, or write the pattern without the outer "
            "one"
        )
    if _in_a_row(body, []):
        return (
            f"pattern {text!r} has unlimited repetitions in a row that overlap and could run very long: "
            "give all but one of them a limit, such as .{0,300}"
        )
    return None


def _every(sequence: Iterable[Piece]) -> Iterator[Piece]:
    for piece in sequence:
        yield piece
        yield from _every(piece.children)


def _ambiguous(body: tuple[Piece, ...]) -> bool:
    """Return whether a repeated body might match one text in several ways.

    It cannot if alternatives begin differently, and each part of variable length comes with a character of
    the body that it cannot match itself, which shows where one round ends.
    """
    if any(piece.kind is PieceKind.CHOICE and _overlap(piece) for piece in _every(body)):
        return True
    walls = [wall for piece in body for wall in _walls(piece)]
    elastic = (
        piece for piece in _every(body) if piece.kind is PieceKind.REPEAT and piece.least != piece.most
    )
    return any(not any(wall.isdisjoint(_characters(piece)) for wall in walls) for piece in elastic)


def _overlap(choice: Piece) -> bool:
    firsts = [_first(branch.children) for branch in choice.children]
    return any(not one.isdisjoint(other) for i, one in enumerate(firsts) for other in firsts[i + 1 :])


def _first(sequence: tuple[Piece, ...]) -> frozenset[str]:
    """Return the characters that a sequence can begin with; all characters if it can be empty."""
    for piece in sequence:
        match piece.kind:
            case PieceKind.SET:
                return piece.characters
            case PieceKind.GROUP:
                return _first((*piece.children, *sequence[sequence.index(piece) + 1 :]))
            case PieceKind.CHOICE:
                return frozenset[str]().union(*(_first(branch.children) for branch in piece.children))
            case PieceKind.REPEAT if piece.least > 0:
                return _first(piece.children)
            case PieceKind.POSITION:
                continue
            case _:
                break
    return Piece.ANYTHING


def _walls(piece: Piece) -> Iterator[frozenset[str]]:
    """Yield sets of characters; every match of the piece contains a character of each."""
    if piece.kind is PieceKind.SET:
        yield piece.characters
    elif piece.kind is PieceKind.GROUP or (piece.kind is PieceKind.REPEAT and piece.least > 0):
        for child in piece.children:
            yield from _walls(child)


def _characters(piece: Piece) -> frozenset[str]:
    """Return all characters that a piece can match anywhere."""
    return frozenset[str]().union(*(part.characters for part in _every((piece,))))


def _in_a_row(sequence: tuple[Piece, ...], before: list[_Before]) -> bool:
    """Return whether two unlimited repetitions overlap without a character that separates them.

    `before` lists the repetitions before the sequence, and is updated.
    """
    for piece in _flat(sequence):
        if piece.kind is PieceKind.CHOICE:
            ahead = [list(before) for _ in piece.children]
            if any(
                _in_a_row(branch.children, earlier)
                for branch, earlier in zip(piece.children, ahead, strict=True)
            ):
                return True
            before[:] = [repetition for branch in ahead for repetition in branch]
        elif piece.kind is PieceKind.REPEAT and piece.unlimited:
            if any(_overlaps(one, walls, piece) for one, walls in before):
                return True
            before.append((piece, ()))
        else:
            if piece.kind is PieceKind.REPEAT and _in_a_row(piece.children, before):
                return True
            before[:] = [(one, (*walls, *_walls(piece))) for one, walls in before]
    return False


def _overlaps(one: Piece, walls: tuple[frozenset[str], ...], other: Piece) -> bool:
    """Return whether text can move from one repetition to the other, past the sets between them."""
    mine, others = _characters(one), _characters(other)
    apart = any(wall.isdisjoint(mine) or wall.isdisjoint(others) for wall in walls)
    marked = any(wall.isdisjoint(others) for wall in _walls_within(one))
    return not (apart or marked or mine.isdisjoint(others) or any(map(mine.isdisjoint, _walls_within(other))))


def _walls_within(repetition: Piece) -> Iterator[frozenset[str]]:
    for child in repetition.children:
        yield from _walls(child)


def _flat(sequence: tuple[Piece, ...]) -> Iterator[Piece]:
    for piece in sequence:
        if piece.kind is PieceKind.GROUP:
            yield from _flat(piece.children)
        else:
            yield piece
