"""Numbers as they stand in a text: their value, and how they are written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

_NUMBER = re.compile(
    r"(?<![\w./])(?P<sign>[-−–+](?=[\d.]))?(?P<whole>\d{1,3}(?:,\d{3})+(?![\d,])|\d+)?(?P<part>\.\d+)?"
    r"(?:/(?P<below>\d+)(?![\d.]))?(?P<unit>\s?(?:%|percent\b|per cent\b))?(?![A-Za-z_])"
)
_SIGN_AFTER = re.compile(r"[\w)]\Z")


@dataclass(frozen=True, slots=True)
class NumberInText:
    """A number in a text. A percentage's value is divided by 100.

    `digits` counts the digits written; `significant` those left without zeros at either end.
    """

    value: Fraction
    digits: int
    significant: int


def numbers(text: str) -> tuple[NumberInText, ...]:
    """Return the numbers of a text in order: integers, decimals, fractions, percentages, 1,000 as 1000.

    A dash after a word or a number is a dash, not a sign. Digits inside a name (`X1`) are no number.
    """
    found = []
    for match in _NUMBER.finditer(text):
        whole, part, below = match["whole"] or "", match["part"] or "", match["below"]
        if not (whole or part) or (below is not None and int(below) == 0):
            continue
        value = Fraction((whole.replace(",", "") or "0") + part) / int(below or 1)
        if match["sign"] in ("-", "−", "–") and not _SIGN_AFTER.search(text[: match.start()]):
            value = -value
        written = (whole + part + (below or "")).replace(",", "").replace(".", "")
        bare = (whole + part).replace(",", "").replace(".", "").strip("0") + (below or "").strip("0")
        found.append(NumberInText(value / 100 if match["unit"] else value, len(written), len(bare)))
    return tuple(found)


def alone(text: str) -> NumberInText | None:
    """Return the number that a text consists of; None when it says anything else."""
    match = _NUMBER.fullmatch(text.strip())
    found = numbers(text.strip()) if match else ()
    return found[0] if found else None
