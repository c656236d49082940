"""Patterns that a suite gives: compiled once, and refused when an answer could make them run for ever.

Python's `re` backtracks. Where an elastic repetition stands within a repetition and both can take the same
characters, the time doubles with each character of the answer; where several stand in a row, it grows by one
power for each. `problem` finds both shapes by walking the parsed pattern, and refuses what it cannot exclude.
What remains is polynomial of low degree, so readers cut the answer at `LONGEST` characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module

from assay.grading.text.pattern_piece import Kind, Piece, pieces

_Before = tuple[Piece, tuple[frozenset[str], ...]]
"""An unlimited repetition, and the sets of which a character must stand after it."""

LONGEST = 50_000
"""Characters of an answer that patterns are looked for in."""


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
        # The parser behind `re.compile` has no public name since Python 3.11; `sre_parse` only warns.
        parsed = import_module("re._parser").parse(text, re.MULTILINE)
    except (re.error, OverflowError, RecursionError) as error:
        return f"pattern {text!r} does not compile: {error}"
    body = pieces(parsed, dot_spans=bool(re.search(r"\(\?[aiLmux]*s", text)))
    if any(_ambiguous(piece.children) for piece in _every(body) if piece.repeats):
        return (
            f"pattern {text!r} repeats a repetition that overlaps with it and could run for ever: part the "
            "two by a character that the inner one cannot match, or write the pattern without the outer one"
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
    """Return whether a repeated body might take one text in several ways.

    It cannot where alternatives begin differently, and each elastic part comes with a character of the body
    that it cannot match itself: then that character shows where one round ends.
    """
    if any(piece.kind is Kind.CHOICE and _overlap(piece) for piece in _every(body)):
        return True
    walls = [wall for piece in body for wall in _walls(piece)]
    elastic = (piece for piece in _every(body) if piece.kind is Kind.REPEAT and piece.least != piece.most)
    return any(not any(wall.isdisjoint(_characters(piece)) for wall in walls) for piece in elastic)


def _overlap(choice: Piece) -> bool:
    firsts = [_first(branch.children) for branch in choice.children]
    return any(not one.isdisjoint(other) for i, one in enumerate(firsts) for other in firsts[i + 1 :])


def _first(sequence: tuple[Piece, ...]) -> frozenset[str]:
    """Return the characters that a sequence can begin with; every one when it can be empty."""
    for piece in sequence:
        match piece.kind:
            case Kind.SET:
                return piece.characters
            case Kind.GROUP:
                return _first((*piece.children, *sequence[sequence.index(piece) + 1 :]))
            case Kind.CHOICE:
                return frozenset[str]().union(*(_first(branch.children) for branch in piece.children))
            case Kind.REPEAT if piece.least > 0:
                return _first(piece.children)
            case Kind.PLACE:
                continue
            case _:
                break
    return Piece.ANYTHING


def _walls(piece: Piece) -> Iterator[frozenset[str]]:
    """Yield the sets of which one character stands in every match of the piece."""
    if piece.kind is Kind.SET:
        yield piece.characters
    elif piece.kind is Kind.GROUP or (piece.kind is Kind.REPEAT and piece.least > 0):
        for child in piece.children:
            yield from _walls(child)


def _characters(piece: Piece) -> frozenset[str]:
    """Return all characters that a piece can take anywhere."""
    return frozenset[str]().union(*(each.characters for each in _every((piece,))))


def _in_a_row(sequence: tuple[Piece, ...], before: list[_Before]) -> bool:
    """Return whether two unlimited repetitions overlap and no character between them keeps them apart.

    `before` are the repetitions that stand before the sequence; it is brought up to date.
    """
    for piece in _flat(sequence):
        if piece.kind is Kind.CHOICE:
            ahead = [list(before) for _ in piece.children]
            if any(
                _in_a_row(branch.children, each) for branch, each in zip(piece.children, ahead, strict=True)
            ):
                return True
            before[:] = [one for each in ahead for one in each]
        elif piece.kind is Kind.REPEAT and piece.unlimited:
            if any(_overlaps(one, walls, piece) for one, walls in before):
                return True
            before.append((piece, ()))
        else:
            if piece.kind is Kind.REPEAT and _in_a_row(piece.children, before):
                return True
            before[:] = [(one, (*walls, *_walls(piece))) for one, walls in before]
    return False


def _overlaps(one: Piece, walls: tuple[frozenset[str], ...], other: Piece) -> bool:
    """Return whether text can move from one repetition to the other, past the walls between them."""
    mine, others = _characters(one), _characters(other)
    apart = any(wall.isdisjoint(mine) or wall.isdisjoint(others) for wall in walls)
    marked = any(wall.isdisjoint(others) for wall in _walls_within(one))
    return not (apart or marked or mine.isdisjoint(others) or any(map(mine.isdisjoint, _walls_within(other))))


def _walls_within(repetition: Piece) -> Iterator[frozenset[str]]:
    for child in repetition.children:
        yield from _walls(child)


def _flat(sequence: tuple[Piece, ...]) -> Iterator[Piece]:
    for piece in sequence:
        if piece.kind is Kind.GROUP:
            yield from _flat(piece.children)
        else:
            yield piece
