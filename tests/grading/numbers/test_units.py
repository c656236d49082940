"""Spellings of units and currencies."""

import pytest

from assay.grading.numbers.units import currency_of, unit_of


@pytest.mark.parametrize(
    ("spelling", "unit"),
    [
        ("Minutes", "min"),
        ("€", "EUR"),
        ("km/h", "km/h"),
        ("hrs.", "h"),
        ("pounds", "lb"),
        ("apples", None),
        ("", None),
    ],
)
def test_spellings_of_a_unit_are_one(spelling: str, unit: str | None) -> None:
    """Signs, short and long names and plurals stand for the same unit; other words for none."""
    assert unit_of(spelling) == unit


@pytest.mark.parametrize(
    ("spelling", "code"),
    [
        ("$", "USD"),
        ("euros", "EUR"),
        ("pounds", "GBP"),
        ("SEK", "SEK"),
        ("sek", "SEK"),
        ("km", None),
        ("florins", None),
    ],
)
def test_currencies_have_their_codes(spelling: str, code: str | None) -> None:
    """Known names have an ISO code, and any three letters are taken for one."""
    assert currency_of(spelling) == code
