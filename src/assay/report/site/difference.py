"""The difference of two texts, word by word, for two columns."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from itertools import groupby
from typing import Final, NamedTuple

MOST_WORDS: Final = 4_000
"""Longer texts are compared line by line, and beyond this number of lines not at all."""
FEWEST_WORDS: Final = 4
"""Equal words between two changes from which they count as common text."""
_WORDS: Final = re.compile(r"\s+|[^\W_]+|[\W_]")


class TextPiece(NamedTuple):
    """A stretch of a text; `changed` if the other text does not have it there."""

    text: str
    changed: bool


def compare_texts(first: str, second: str) -> tuple[list[TextPiece], list[TextPiece]]:
    """Return both texts in pieces, with what differs marked.

    Texts of many words are compared by lines; if even the lines are too many, everything is marked.
    """
    for split in (_WORDS.findall, _lines):
        parts = split(first), split(second)
        if max(map(len, parts)) <= MOST_WORDS:
            return _pieces(*parts)
    same = first == second
    return [TextPiece(first, not same)], [TextPiece(second, not same)]


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def _pieces(first: list[str], second: list[str]) -> tuple[list[TextPiece], list[TextPiece]]:
    """Return both sides in pieces. A few equal words between changes are part of the change."""
    steps = [
        (kind != "equal" or _is_chance(first, second, a, b, c, d), "".join(first[a:b]), "".join(second[c:d]))
        for kind, a, b, c, d in SequenceMatcher(None, first, second).get_opcodes()
    ]
    left: list[TextPiece] = []
    right: list[TextPiece] = []
    for changed, group in groupby(steps, key=lambda step: step[0]):
        texts = list(group)
        for pieces, side in ((left, 1), (right, 2)):
            text = "".join(str(step[side]) for step in texts)
            if text:
                pieces.append(TextPiece(text, changed))
    return left, right


def _is_chance(first: list[str], second: list[str], a: int, b: int, c: int, d: int) -> bool:
    """Return whether an equal stretch inside of both texts is too short to be text in common."""
    inside = a > 0 and b < len(first) and c > 0 and d < len(second)
    return inside and sum(not part.isspace() for part in first[a:b]) < FEWEST_WORDS
