"""Numerals in several languages' styles."""

from __future__ import annotations

from fractions import Fraction

import pytest
from every_row import every_row
from hypothesis import given
from hypothesis import strategies as st

from assay.grading.numbers.numerals import in_digits, numerals, read_digits
from assay.grading.text.plain_math import plain


@every_row(
    "written, value",
    [
        ("1234567", 1234567),
        ("1,234,567.5", Fraction(2469135, 2)),
        ("1.234.567,5", Fraction(2469135, 2)),
        ("1 234 567,5", Fraction(2469135, 2)),
        ("1\u202f234\u202f567,5", Fraction(2469135, 2)),
        ("1'234'567.5", Fraction(2469135, 2)),
        ("1’234’567", 1234567),
        ("12,34,567", 1234567),
        ("0,125", Fraction(1, 8)),
        ("3,5", Fraction(7, 2)),
        ("1234,567", Fraction(1234567, 1000)),
        (".5", Fraction(1, 2)),
        ("-7", -7),
        ("−7", -7),
        ("–7", -7),
        ("-$7.50", Fraction(-15, 2)),
        ("$-7.50", Fraction(-15, 2)),
        ("1.5e3", 1500),
        ("1.5 × 10³", 1500),
        ("1.5 \\times 10^{-3}", Fraction(3, 2000)),
        ("2^{10}", 1024),
        ("10⁻²", Fraction(1, 100)),
        ("3/4", Fraction(3, 4)),
        ("-\\frac{3}{4}", Fraction(-3, 4)),
        ("\\dfrac12", Fraction(1, 2)),
        ("2\\tfrac{1}{2}", Fraction(5, 2)),
        ("2½", Fraction(5, 2)),
        ("-1 1/2", Fraction(-3, 2)),
        ("１２３", 123),
        ("٤٢", 42),
        ("5 million", 5_000_000),
        ("1,5 Mio. €", 1_500_000),
        ("$2.5bn", 2_500_000_000),
        ("$120k", 120_000),
        ("10\\,000", 10000),
        ("1{,}234", 1234),
    ],
)
def test_one_numeral_is_read_exactly(written: str, value: Fraction) -> None:
    """Each style of writing gives its one exact value."""
    assert [numeral.value for numeral in numerals(plain(written))] == [value]


@every_row(
    "written",
    [
        "12/05/2024",
        "10:30",
        "192.168.1.1",
        "1'234.567,8",
        "1.234'567",
        "1,2,3",
        "3π",
        "2\\sqrt{3}",
        "1e99999",
        "9^{999999}",
        "3/0",
        "8" * 900,
    ],
)
def test_what_is_no_single_number_has_no_value(written: str) -> None:
    """Dates, times, addresses, lists, roots and monsters are noticed and not guessed."""
    found = numerals(plain(written))
    assert any(numeral.value is None and numeral.why for numeral in found)


@pytest.mark.parametrize("written", ["H2O", "x1", "GPT4", "a dozen", "forty-two", ""])
def test_digits_inside_words_and_number_words_are_not_numerals(written: str) -> None:
    """A digit in a name is part of the name, and number words are not guessed."""
    assert numerals(plain(written)) == []


@pytest.mark.parametrize(("decimal", "value"), [(".", Fraction(617, 500)), (",", 1234)])
def test_one_sign_before_three_digits_is_settled_by_declaration(decimal: str, value: Fraction) -> None:
    """`1.234` is ambiguous alone; the other reading is kept beside."""
    first, other = read_digits("1.234", decimal)
    assert first == value
    assert {first, other} == {Fraction(617, 500), 1234}


@given(st.integers(0, 10**12), st.integers(0, 10**6), st.sampled_from([("", "."), (",", "."), ("'", ".")]))
def test_western_grouping_round_trips(whole: int, tail: int, style: tuple[str, str]) -> None:
    """A number formatted with any grouping and at least one decimal other than three reads back."""
    separator, point = style
    decimals = f"{tail:07d}"
    written = f"{whole:,}".replace(",", separator) + point + decimals
    assert read_digits(written)[0] == whole + Fraction(tail, 10**7)


@given(st.integers(-(10**12), 10**12), st.integers(1, 10**6))
def test_latex_fractions_round_trip(above: int, below: int) -> None:
    """`\\frac{a}{b}` gives exactly a/b."""
    assert numerals(plain(f"$\\frac{{{above}}}{{{below}}}$"))[0].value == Fraction(above, below)


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("forty-two minutes", "42 minutes"),
        ("Three hundred and five", "305"),
        ("one thousand two hundred", "1200"),
        ("two million", "2000000"),
        ("a dozen eggs", "12 eggs"),
        ("someone often weighs it", "someone often weighs it"),
        ("a hundred", "100"),
    ],
    ids=range(7),
)
def test_words_become_digits(text: str, digits: str) -> None:
    """Units, tens, hundreds and scales are added up; words that only hold them are left alone."""
    assert in_digits(text) == digits
