"""Numbers in a text."""

from __future__ import annotations

from fractions import Fraction

import pytest

from assay.causal.lint.numbers import NumberInText, alone, numbers


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("0.25 and 3/8, then 1,200.", [Fraction(1, 4), Fraction(3, 8), Fraction(1200)]),
        ("40 % of 40%", [Fraction(2, 5), Fraction(2, 5)]),
        ("falls by -0.1 or −2", [Fraction(-1, 10), Fraction(-2)]),
        ("aged 20-30, X-4", [Fraction(20), Fraction(30), Fraction(4)]),
        ("X1, M2 and 3rd, v1.2", []),
        ("(.5) 007 1/0", [Fraction(1, 2), Fraction(7)]),
        ("12 percent, 1,2", [Fraction(3, 25), Fraction(1), Fraction(2)]),
    ],
)
def test_values_are_exact(text: str, values: list[Fraction]) -> None:
    """Decimals, fractions, percentages and signs are read; digits in names are not numbers."""
    assert [number.value for number in numbers(text)] == values


def test_the_way_a_number_is_written() -> None:
    """Digits count all that is written, significant ones leave the zeros at both ends out."""
    assert numbers("0.50") == (NumberInText(Fraction(1, 2), 3, 1),)
    assert numbers("1,200") == (NumberInText(Fraction(1200), 4, 2),)
    assert numbers("0.4375") == (NumberInText(Fraction(7, 16), 5, 4),)


def test_a_text_that_is_a_number() -> None:
    """Only a text that says nothing else is a number alone."""
    number = alone(" 25% ")
    assert number is not None and number.value == Fraction(1, 4)
    assert alone("25 days") is None
    assert alone("") is None
