"""Exact numbers, amounts of money and dates, read from JSON values."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

from assay.grading.numbers.numerals import MOST_DIGITS, Value, as_integer, numerals
from assay.grading.numbers.units import currency_of
from assay.grading.text.plain_math import plain

AMOUNT_KEYS = ("amount", "value")
CURRENCY_KEYS = ("currency", "currency_code")


@dataclass(frozen=True, slots=True)
class Amount:
    """An exact amount of money; `currency` is an ISO 4217 code, or None without one."""

    amount: Value
    currency: str | None


def exact_value(number: Any) -> Value | None:
    """Return a JSON number as an exact value; None for other values and for exponents beyond 400."""
    if isinstance(number, bool):
        return None
    if isinstance(number, int):
        return number
    if isinstance(number, float):
        number = Decimal(str(number))
    if not isinstance(number, Decimal) or not number.is_finite() or abs(number.adjusted()) > MOST_DIGITS:
        return None
    return as_integer(Fraction(number))


def read_money(value: Any, decimal: str = ".") -> Amount | str:
    """Return the amount of money in a JSON value, or the reason why there is none.

    One sign before three digits separates thousands (`1.234 €` is 1234), since money is not written with
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
        return f"{str(value[currency_key])[:20]!r} is not a currency"
    if read.currency not in (None, currency):
        return f"two currencies: {read.currency} and {currency}"
    return Amount(read.amount, currency)


def _from_text(text: str, decimal: str) -> Amount | str:
    written = plain(text).strip()
    every = numerals(written, decimal)
    if len(every) != 1 or every[0].value is None:
        return f"{text[:40]!r} is not one amount"
    numeral = every[0]
    amount = numeral.value
    if numeral.other is not None and isinstance(numeral.other, int):
        amount = numeral.other
    assert amount is not None
    before, after = written[: numeral.start].strip(), written[numeral.end :].strip(" \u00a0.-–:")
    unit = f"{before} {after}".strip() or numeral.unit
    if not unit:
        return Amount(amount, None)
    currency = currency_of(unit) or currency_of(numeral.unit)
    return f"{text[:40]!r} has no known currency" if currency is None else Amount(amount, currency)


FORMATS = ("iso", "unambiguous", "dmy", "mdy")

_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_MONTHS = {
    name: month
    for month, names in enumerate(
        (
            "january jan januar janvier enero gennaio jänner",
            "february feb februar février fevrier febrero febbraio",
            "march mar märz maerz mrz mars marzo",
            "april apr avril abril aprile",
            "may mai mayo maggio",
            "june jun juni juin junio giugno",
            "july jul juli juillet julio luglio",
            "august aug août aout agosto",
            "september sep sept septembre septiembre settembre",
            "october oct oktober okt octobre octubre ottobre",
            "november nov novembre noviembre",
            "december dec dezember dez décembre decembre diciembre dicembre",
        ),
        start=1,
    )
    for name in names.split()
}
_YEAR_FIRST = re.compile(r"(\d{4})([/.])(\d{1,2})\2(\d{1,2})|(\d{4})(\d{2})(\d{2})")
_DAY_NAME = re.compile(
    r"(\d{1,2})(?:st|nd|rd|th|er|º)?\.?[\s-]*(?:de\s+|of\s+)?([^\W\d]+)\.?,?[\s-]*(?:de\s+)?(\d{4})"
)
_NAME_DAY = re.compile(r"([^\W\d]+)\.?\s*(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})")
_DOTTED = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})")
_SLASHED = re.compile(r"(\d{1,2})([/-])(\d{1,2})\2(\d{4})")


def read_date(text: str, formats: Collection[str] = ("iso",)) -> date | str:
    """Return the date in a text, or the reason why there is none.

    `iso` is `2024-05-17`. `unambiguous` adds `17 May 2024`, `May 17, 2024`, `17.05.2024`, `2024/05/17`,
    `20240517` (English, German, French, Spanish and Italian months), and slashes if only one reading is a
    date. `dmy` and `mdy` decide how to read `05/06/2024`.
    """
    written = text.strip()
    iso = _ISO.fullmatch(written)
    if iso:
        return _date(iso[1], iso[2], iso[3], written)
    slashed = _SLASHED.fullmatch(written)
    if slashed and ("dmy" in formats or "mdy" in formats):
        one, two = (slashed[1], slashed[3]) if "mdy" in formats else (slashed[3], slashed[1])
        return _date(slashed[4], one, two, written)
    dotted = _DOTTED.fullmatch(written)
    if dotted and not {"dmy", "unambiguous"}.isdisjoint(formats):
        return _date(dotted[3], dotted[2], dotted[1], written)
    if "unambiguous" not in formats:
        return f"{written[:40]!r} is not an ISO date (YYYY-MM-DD)"
    if slashed:
        return _only_reading(slashed[4], slashed[1], slashed[3], written)
    if match := _YEAR_FIRST.fullmatch(written):
        return _date(match[1] or match[5], match[3] or match[6], match[4] or match[7], written)
    if match := _DAY_NAME.fullmatch(written):
        return _named(match[3], match[2], match[1], written)
    if match := _NAME_DAY.fullmatch(written):
        return _named(match[3], match[1], match[2], written)
    return f"{written[:40]!r} is not a date"


def _date(year: str, month: str, day: str, written: str) -> date | str:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return f"{written[:40]!r} is not a calendar date"


def _named(year: str, name: str, day: str, written: str) -> date | str:
    month = _MONTHS.get(name.casefold())
    return f"{written[:40]!r} has no known month" if month is None else _date(year, str(month), day, written)


def _only_reading(year: str, first: str, second: str, written: str) -> date | str:
    readings = {_date(year, first, second, written), _date(year, second, first, written)}
    dates = [reading for reading in readings if isinstance(reading, date)]
    if len(dates) == 1:
        return dates[0]
    return f"{written[:40]!r} is ambiguous: day and month could be exchanged" if dates else readings.pop()
