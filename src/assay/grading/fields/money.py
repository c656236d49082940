"""Amounts of money as JSON gives them: a number, a text such as `1.234,50 €`, or amount and currency."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from assay.grading.numbers.numerals import MOST_DIGITS, Value, numerals
from assay.grading.numbers.plain_math import plain
from assay.grading.numbers.units import currency_of

AMOUNT_KEYS = ("amount", "value")
CURRENCY_KEYS = ("currency", "currency_code")


@dataclass(frozen=True, slots=True)
class Amount:
    """An exact amount of money; `currency` is an ISO 4217 code, or None where none is given."""

    amount: Value
    currency: str | None


def exact_value(number: Any) -> Value | None:
    """Return a JSON number as an exact value; None for anything else, and for an exponent beyond 400."""
    if isinstance(number, bool):
        return None
    if isinstance(number, int):
        return number
    if isinstance(number, float):
        number = Decimal(str(number))
    if not isinstance(number, Decimal) or not number.is_finite() or abs(number.adjusted()) > MOST_DIGITS:
        return None
    value = Fraction(number)
    return value.numerator if value.denominator == 1 else value


def read_money(value: Any, decimal: str = ".") -> Amount | str:
    """Return the amount of money that a JSON value gives, or why it gives none.

    One sign before three digits groups thousands here (`1.234 €` is 1234): money is not written with
    three decimals.
    """
    if isinstance(value, Mapping):
        return _from_mapping(value, decimal)
    if isinstance(value, str):
        return _from_text(value, decimal)
    amount = exact_value(value)
    return "neither a number, a text, nor amount and currency" if amount is None else Amount(amount, None)


def _from_mapping(value: Mapping[str, Any], decimal: str) -> Amount | str:
    amount_key = next((key for key in AMOUNT_KEYS if key in value), None)
    currency_key = next((key for key in CURRENCY_KEYS if key in value), None)
    if amount_key is None:
        return f"no key {AMOUNT_KEYS[0]!r}"
    inner = value[amount_key]
    if isinstance(inner, Mapping):
        return "the amount is an object"
    read = read_money(inner, decimal)
    if isinstance(read, str) or currency_key is None or value[currency_key] is None:
        return read
    currency = currency_of(str(value[currency_key]))
    if currency is None:
        return f"{str(value[currency_key])[:20]!r} is no currency"
    if read.currency not in (None, currency):
        return f"two currencies: {read.currency} and {currency}"
    return Amount(read.amount, currency)


def _from_text(text: str, decimal: str) -> Amount | str:
    written = plain(text).strip()
    found = numerals(written, decimal)
    if len(found) != 1 or found[0].value is None:
        return f"{text[:40]!r} is not one amount"
    numeral = found[0]
    amount = numeral.value
    if numeral.other is not None and isinstance(numeral.other, int):
        amount = numeral.other
    assert amount is not None
    before, after = written[: numeral.start].strip(), written[numeral.end :].strip(" \u00a0.-–:")
    beside = f"{before} {after}".strip() or numeral.unit
    if not beside:
        return Amount(amount, None)
    currency = currency_of(beside) or currency_of(numeral.unit)
    return f"{text[:40]!r} names no known currency" if currency is None else Amount(amount, currency)
