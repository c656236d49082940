"""Comparisons of one JSON value with the expected value, by type."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

from assay.grading.fields.values import FORMATS, exact_value, read_date, read_money
from assay.grading.numbers.expected import gold
from assay.grading.numbers.numerals import Value
from assay.grading.text.answer import cut
from assay.grading.text.normalisation import SWITCHES, declared_normalisation, normalisation_problems


@dataclass(frozen=True, slots=True)
class FieldOutcome:
    """The score of a value (0-1), and the verdict in words."""

    score: float
    verdict: str


Comparison = Callable[[Any], FieldOutcome]
EQUAL = FieldOutcome(1.0, "equal")
RIGHT_TYPE = FieldOutcome(1.0, "the right type; no value is declared")
ABSENT_OPTION = "absent_is_null"

OPTIONS: dict[str, frozenset[str]] = {
    "text": frozenset(SWITCHES),
    "number": frozenset({"tolerance", "relative", "from_text", "decimal"}),
    "integer": frozenset({"from_text", "decimal"}),
    "money": frozenset({"tolerance", "decimal"}),
    "date": frozenset({"formats"}),
    "boolean": frozenset({"from_text"}),
    "null": frozenset(),
}


def scalar(kind: str, field: Mapping[str, Any]) -> Comparison:
    """Return the comparison of a field of a type in `OPTIONS`. Raises ValueError for a wrong declaration.

    Without `expect` any value of the type is right; `expect: null` requires null for any type.
    """
    makers = {
        "text": _text,
        "number": _number,
        "integer": _integer,
        "money": _money,
        "date": _date,
        "boolean": _boolean,
        "null": _null,
    }
    if "expect" in field and field["expect"] is None:
        return _null(field)
    return makers[kind](field)


def kind_of(value: Any) -> str:
    """Return the JSON type of a value as a word."""
    if value is None:
        return "null"
    names = {bool: "boolean", str: "text", list: "list", dict: "object"}
    return names.get(type(value), "number")


def _wrong(verdict: str) -> FieldOutcome:
    return FieldOutcome(0.0, verdict)


def wrong_type(wanted: str, got: Any) -> FieldOutcome:
    """Return the outcome of a value of another type than the one wanted."""
    return FieldOutcome(0.0, f"{kind_of(got)} where {wanted} is expected")


def _null(field: Mapping[str, Any]) -> Comparison:
    if field.get("expect") is not None:
        raise ValueError("a null field has no expected value: leave `expect` out")
    return lambda got: EQUAL if got is None else wrong_type("null", got)


def _text(field: Mapping[str, Any]) -> Comparison:
    if problems := normalisation_problems(field):
        raise ValueError(problems[0])
    normalisation = declared_normalisation(field)
    if "expect" not in field:
        return lambda got: (
            wrong_type("text", got)
            if not isinstance(got, str)
            else RIGHT_TYPE
            if got.strip()
            else _wrong("blank")
        )
    expect = field["expect"]
    texts = [expect] if isinstance(expect, str) else expect
    if not isinstance(texts, list | tuple) or not texts or not all(isinstance(text, str) for text in texts):
        raise ValueError(f"expect must be a text (in quotes) or a list of accepted texts, not {expect!r}")
    accepted = frozenset(normalisation.normal(text) for text in texts)

    def compare(got: Any) -> FieldOutcome:
        if not isinstance(got, str):
            return wrong_type("text", got)
        return EQUAL if normalisation.normal(got) in accepted else _wrong("a different text")

    return compare


def _number(field: Mapping[str, Any], integral: bool = False) -> Comparison:
    word = "integer" if integral else "number"
    decimal = decimal_sign(field)
    slack = max(share(field, "tolerance"), Fraction(0))
    from_text = switch(field, "from_text")
    expected: Value | None = None
    if "expect" in field:
        expected = gold(field["expect"], decimal)
        if expected is None or (integral and not isinstance(expected, int)):
            raise ValueError(f"expect must be one {word}, not {field['expect']!r}")
        slack = max(slack, share(field, "relative") * abs(Fraction(expected)))

    def compare(got: Any) -> FieldOutcome:
        value = exact_value(got)
        if value is None and from_text and isinstance(got, str):
            value = gold(got, decimal)
            if value is None:
                return _wrong("the text is not one number")
        if value is None:
            return _wrong("out of range") if kind_of(got) == "number" else wrong_type(word, got)
        if integral and not isinstance(value, int):
            return _wrong("not an integer")
        if expected is None:
            return RIGHT_TYPE
        if value == expected:
            return EQUAL
        if slack and -slack <= value - expected <= slack:
            return FieldOutcome(1.0, "within the tolerance")
        return _wrong("a different number")

    return compare


def _integer(field: Mapping[str, Any]) -> Comparison:
    return _number(field, integral=True)


def _money(field: Mapping[str, Any]) -> Comparison:
    decimal = decimal_sign(field)
    slack = share(field, "tolerance")
    if "expect" not in field:
        return lambda got: (
            RIGHT_TYPE if not isinstance(read := read_money(got, decimal), str) else _wrong(read)
        )
    expected = read_money(field["expect"], decimal)
    if isinstance(expected, str):
        raise ValueError(f"expect must be money, like {{amount: 12.5, currency: EUR}}: {expected}")

    def compare(got: Any) -> FieldOutcome:
        money = read_money(got, decimal)
        if isinstance(money, str):
            return _wrong(money)
        if not -slack <= money.amount - expected.amount <= slack:
            return _wrong("a different amount")
        if expected.currency is None or money.currency == expected.currency:
            return EQUAL if money.amount == expected.amount else FieldOutcome(1.0, "within the tolerance")
        if money.currency is None:
            return _wrong(f"the amount is right, the currency is missing: {expected.currency}")
        return _wrong(f"the amount is right, the currency is {money.currency}, not {expected.currency}")

    return compare


def _date(field: Mapping[str, Any]) -> Comparison:
    formats = field.get("formats", ("iso",))
    formats = (formats,) if isinstance(formats, str) else tuple(formats)
    if unknown := [name for name in formats if name not in FORMATS]:
        raise ValueError(f"unknown format {unknown[0]!r}: write some of {', '.join(FORMATS)}")
    if {"dmy", "mdy"} <= set(formats):
        raise ValueError("formats has both dmy and mdy, so 05/06/2024 is ambiguous: write one of them")
    expected = field.get("expect")
    if isinstance(expected, str):
        expected = read_date(expected)
    if "expect" in field and (not isinstance(expected, date) or isinstance(expected, datetime)):
        raise ValueError(f"expect must be an ISO date like 2024-05-17, not {field['expect']!r}")

    def compare(got: Any) -> FieldOutcome:
        if not isinstance(got, str):
            return wrong_type("a date as text", got)
        read = read_date(got, formats)
        if isinstance(read, str):
            return _wrong(read)
        if expected is None:
            return RIGHT_TYPE
        return EQUAL if read == expected else _wrong("a different date")

    return compare


def _boolean(field: Mapping[str, Any]) -> Comparison:
    from_text = switch(field, "from_text")
    expected = field.get("expect")
    if "expect" in field and not isinstance(expected, bool):
        raise ValueError(f"expect must be true or false, not {expected!r}")

    def compare(got: Any) -> FieldOutcome:
        if from_text and isinstance(got, str):
            got = {"true": True, "false": False}.get(got.strip().casefold(), got)
        if not isinstance(got, bool):
            return wrong_type("true or false", got)
        if expected is None:
            return RIGHT_TYPE
        return EQUAL if got is expected else _wrong("the opposite")

    return compare


def shown(value: Any, most: int = 80) -> Any:
    """Return a value for the evidence: short scalars unchanged, other values as shortened text."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int) and abs(value) < 10**15:
        return value
    if isinstance(value, str):
        return cut(value, most)
    if isinstance(value, list | Mapping):
        return cut(json.dumps(value, ensure_ascii=False, default=_plain), most)
    if isinstance(value, Decimal):
        plain = _plain(value)
        return plain if Decimal(repr(plain)) == value else cut(str(value), most)
    return cut(str(value), most)


def _plain(value: Any) -> float | str:
    return float(value) if isinstance(value, Decimal) else str(value)


def switch(field: Mapping[str, Any], name: str) -> bool:
    """Return an option that is true or false, false by default."""
    given = field.get(name, False)
    if not isinstance(given, bool):
        raise ValueError(f"{name} must be true or false, not {given!r}")
    return given


def share(field: Mapping[str, Any], name: str) -> Fraction:
    """Return an option that is a number of at least 0, 0 by default."""
    value = exact_value(field.get(name, 0))
    if value is None or value < 0:
        raise ValueError(f"{name} must be a number of at least 0, not {field[name]!r}")
    return Fraction(value)


def decimal_sign(field: Mapping[str, Any]) -> str:
    """Return the decimal sign that decides ambiguous notations."""
    given = field.get("decimal", ".")
    if given not in (".", ","):
        raise ValueError(f"decimal must be '.' or ',', not {given!r}")
    return str(given)
