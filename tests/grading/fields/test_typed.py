"""Typed comparison of single values."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from every_row import every_row

from assay.grading.fields.compound import comparison


def score(field: dict[str, Any], got: Any) -> float:
    """How far a value is what the field declares."""
    return comparison(field)(got).score


@every_row(
    "field, right, wrong",
    [
        (
            {"type": "text", "expect": "Müller GmbH"},
            ["Müller GmbH", " müller  gmbh "],
            ["Mueller GmbH", 5, None, ""],
        ),
        ({"type": "text", "expect": ["NYC", "New York"]}, ["nyc", "New York"], ["York"]),
        ({"type": "text", "expect": "Abc", "ignore_case": False}, ["Abc"], ["abc"]),
        ({"type": "text"}, ["x"], ["", "  ", 1, None]),
        ({"type": "number", "expect": 1.1}, [Decimal("1.1"), Decimal("1.10")], [1, "1.1", True]),
        ({"type": "number", "expect": "1/4"}, [Decimal("0.25")], [Decimal("0.2500001")]),
        (
            {"type": "number", "expect": 10, "tolerance": 0.5},
            [Decimal("10.5"), Decimal("9.5")],
            [Decimal("10.51")],
        ),
        ({"type": "number", "expect": 100, "relative": 0.01}, [101, 99], [102]),
        (
            {"type": "number", "expect": 1234.5, "from_text": True},
            ["1,234.50", "1.234,50 kg"],
            ["one", "1 or 2"],
        ),
        ({"type": "number", "expect": 1}, [1, Decimal("1.0")], [True, Decimal("1e999999")]),
        ({"type": "integer", "expect": 3}, [3, Decimal("3.0")], [Decimal("3.5"), "3", True]),
        ({"type": "integer"}, [3, -1], [Decimal("0.5"), False]),
        ({"type": "boolean", "expect": False}, [False], [True, 0, "false", None]),
        ({"type": "boolean", "expect": True, "from_text": True}, [True, "True"], ["yes", "false"]),
        ({"type": "boolean"}, [True, False], [0, "true", None]),
        ({"type": "null"}, [None], ["", 0, "null", []]),
        ({"type": "number", "expect": None}, [None], [0]),
        (
            {"type": "date", "expect": "2024-05-17"},
            ["2024-05-17"],
            ["17.05.2024", "2024-05-18", "2024-5-17", 20240517],
        ),
        ({"type": "date", "expect": date(2024, 5, 17)}, ["2024-05-17"], ["2024-05-17T00:00:00"]),
        ({"type": "date"}, ["2024-02-29"], ["2023-02-29", "soon"]),
    ],
)
def test_values_are_compared_by_type(field: dict[str, Any], right: list[Any], wrong: list[Any]) -> None:
    """A value must have the declared type before it can be equal."""
    assert [score(field, value) for value in right] == [1] * len(right)
    assert [score(field, value) for value in wrong] == [0] * len(wrong)


MONEY = {"type": "money", "expect": {"amount": "1234.50", "currency": "EUR"}}


@every_row(
    "got",
    [
        "1.234,50 €",
        "€1,234.50",
        "EUR 1.234,50",
        "1 234,50 EUR",
        "1\u202f234,50 €",
        "1'234.50 euros",
        {"amount": Decimal("1234.5"), "currency": "€"},
        {"amount": "1.234,50", "currency": "eur"},
        {"value": "1.234,50 €"},
    ],
)
def test_money_is_amount_and_currency_in_any_writing(got: Any) -> None:
    """Signs, codes and names of a currency are one, before or after the amount, grouped in any way."""
    assert score(MONEY, got) == 1


@every_row(
    "got, why",
    [
        ("1.234,50 $", "the currency is USD, not EUR"),
        (Decimal("1234.5"), "the currency is missing: EUR"),
        ("1234.51 EUR", "a different amount"),
        ("12 EUR or 13 EUR", "not one amount"),
        ("1.234,50 florins", "no known currency"),
        ({"amount": "1234.50 $", "currency": "EUR"}, "two currencies"),
        ({"currency": "EUR"}, "no key 'amount'"),
        (None, "neither"),
    ],
)
def test_wrong_money_says_what_is_wrong(got: Any, why: str) -> None:
    """Amount and currency fail apart, each with its own words."""
    outcome = comparison(MONEY)(got)
    assert outcome.score == 0
    assert why in outcome.verdict


def test_three_digits_after_a_sign_are_grouped_in_money() -> None:
    """Nobody writes money with three decimals."""
    assert score({"type": "money", "expect": {"amount": 1234, "currency": "EUR"}}, "1.234 €") == 1


def test_money_without_a_currency_asks_for_none() -> None:
    """A plain amount as gold accepts any currency or none."""
    assert score({"type": "money", "expect": 5, "tolerance": 0.01}, Decimal("5.01")) == 1
    assert score({"type": "money", "expect": 5}, "5 EUR") == 1


@every_row(
    "field, part",
    [
        ({"type": "nmber"}, "unknown"),
        ({"type": "number", "expect": "x"}, "one number"),
        ({"type": "integer", "expect": 1.5}, "one integer"),
        ({"type": "number", "expect": 1, "tolerance": "a"}, "tolerance"),
        ({"type": "number", "expect": 1, "tolerance": -1}, "tolerance"),
        ({"type": "text", "expect": 5}, "must be a text"),
        ({"type": "text", "expect": []}, "must be a text"),
        ({"type": "text", "ignore_case": 1}, "ignore_case"),
        ({"type": "boolean", "expect": "true"}, "true or false"),
        ({"type": "boolean", "from_text": "x"}, "from_text"),
        ({"type": "date", "expect": "17.05.2024"}, "ISO date"),
        ({"type": "date", "formats": "us"}, "unknown format"),
        ({"type": "date", "formats": ["dmy", "mdy"]}, "both"),
        ({"type": "money", "expect": "much"}, "must be money"),
        ({"type": "money", "decimal": "x"}, "decimal"),
        ({"type": "null", "expect": 1}, "no expected value"),
        ({"type": "text", "tolerance": 1}, "unknown option .tolerance. of text"),
    ],
)
def test_unsound_declarations_are_refused(field: dict[str, Any], part: str) -> None:
    """A declaration that cannot work is an error that says what to write."""
    with pytest.raises(ValueError, match=part):
        comparison(field)
