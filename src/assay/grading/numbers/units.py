"""Units and scale words of numbers: spellings of each unit, and factors of scale words."""

from __future__ import annotations

from functools import cache

from assay.grading.text.lexicon import table

_POUNDS = frozenset({"pound", "pounds", "pounds sterling", "british pounds"})
CURRENCIES = frozenset({"EUR", "USD", "GBP", "JPY", "CHF", "INR", "PLN"})

SCALES = {
    "hundred": 100,
    "thousand": 1_000,
    "tsd": 1_000,
    "lakh": 100_000,
    "million": 1_000_000,
    "millions": 1_000_000,
    "millionen": 1_000_000,
    "mio": 1_000_000,
    "crore": 10_000_000,
    "billion": 1_000_000_000,
    "billions": 1_000_000_000,
    "bn": 1_000_000_000,
    "milliarde": 1_000_000_000,
    "milliarden": 1_000_000_000,
    "milliard": 1_000_000_000,
    "milliards": 1_000_000_000,
    "mrd": 1_000_000_000,
    "trillion": 1_000_000_000_000,
    "trillions": 1_000_000_000_000,
}
MONEY_SCALES = {
    "k": 1_000,
    "K": 1_000,
    "m": 1_000_000,
    "M": 1_000_000,
    "b": 1_000_000_000,
    "B": 1_000_000_000,
}


@cache
def _units() -> dict[str, str]:
    rows = table("units", "units")
    return {spelling: unit for spellings, unit in rows for spelling in spellings.split()}


def unit_of(text: str) -> str | None:
    """Return the unit of a spelling (`minutes` -> `min`, `€` -> `EUR`), or None."""
    spelling = text.strip().casefold()
    return _units().get(spelling) or _units().get(spelling.rstrip("."))


def currency_of(text: str) -> str | None:
    """Return the ISO 4217 code of a sign, name or code, or None.

    Any three letters are read as a code: `SEK` needs no entry here.
    """
    stripped = text.strip()
    if stripped.casefold() in _POUNDS:
        return "GBP"
    unit = unit_of(stripped)
    if unit in CURRENCIES:
        return unit
    return stripped.upper() if len(stripped) == 3 and stripped.isascii() and stripped.isalpha() else None
