"""The number that a spec expects, with its tolerance and unit."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from assay.grading.numbers.numerals import Numeral, Value, as_integer, numerals
from assay.grading.numbers.units import SCALES, unit_of
from assay.grading.text.answer import DEFAULT_MARKER, cut
from assay.grading.text.plain_math import plain

PARAMETERS = ("expect", "tolerance", "relative", "unit", "marker", "decimal", "percent")


@dataclass(frozen=True, slots=True)
class ExpectedNumber:
    """The expectation of a `number` spec.

    `slack` is the largest accepted distance; `units` are canonical, and empty if any unit is accepted.
    """

    value: Value
    shown: str
    marker: str = DEFAULT_MARKER
    slack: Value = 0
    units: frozenset[str] = frozenset()
    scaled: bool = True
    decimal: str = "."
    percent: bool = False
    quick: bool = True
    in_percent: bool = False
    where: str = ""
    plain: str = ""

    def accepts(self, value: Value) -> bool:
        """Return whether a value equals the expected one within the tolerance."""
        return value == self.value or (self.slack != 0 and -self.slack <= value - self.value <= self.slack)


def gold(expect: object, decimal: str = ".") -> Value | None:
    """Return the exact value of an expectation, or None if it is not one number.

    A float is read as its decimal notation: 0.1 is one tenth.
    """
    numeral = _gold_numeral(expect, decimal)
    return None if numeral is None else numeral.value


def expectation(parameters: Mapping[str, Any]) -> ExpectedNumber:
    """Return the expectation of a `number` grader. Raises ValueError if `expect` is not one number."""
    decimal = str(parameters.get("decimal", "."))
    numeral = _gold_numeral(parameters.get("expect"), decimal)
    if numeral is None or numeral.value is None:
        raise ValueError(f"expect {parameters.get('expect')!r} is not one number")
    names = _listed(parameters.get("unit", ()))
    percent = bool(parameters.get("percent", False))
    marker = str(parameters.get("marker", DEFAULT_MARKER)).strip()
    in_percent = percent and unit_of(numeral.unit) == "%"
    value = as_integer(Fraction(numeral.value) / 100) if in_percent else numeral.value
    tolerance = Fraction(str(parameters.get("tolerance", 0)))
    relative = Fraction(str(parameters.get("relative", 0)))
    return ExpectedNumber(
        value=value,
        shown=cut(str(parameters["expect"])),
        marker=marker,
        slack=as_integer(max(tolerance, relative * abs(Fraction(value)))),
        units=frozenset(unit_of(name) or name.casefold() for name in names),
        scaled=not any(name.split()[0].lower() in SCALES for name in names),
        decimal=decimal,
        percent=percent,
        quick=decimal == "." and not percent and not names,
        in_percent=in_percent,
        plain=shown(value),
        where=f"after the last {marker!r}",
    )


def shown(value: Value) -> str:
    """Return a value as text: `42`, `0.125`, or `1/3` if no short decimal is exact."""
    if isinstance(value, int):
        return cut(str(value))
    decimal = repr(float(value)) if abs(value) < 10**300 else ""
    exact = decimal and "e" not in decimal and Fraction(decimal) == value
    return decimal if exact else cut(f"{value.numerator}/{value.denominator}")


def expectation_problems(parameters: Mapping[str, Any]) -> list[str]:
    """Return the problems of a `number` grader's parameters."""
    problems = []
    for name in ("tolerance", "relative"):
        if not _is_share(parameters.get(name, 0)):
            problems.append(f"{name} must be a number of at least 0, not {parameters[name]!r}")
    if parameters.get("decimal", ".") not in (".", ","):
        problems.append(f"decimal must be '.' or ',', not {parameters['decimal']!r}")
    if not isinstance(parameters.get("percent", False), bool):
        problems.append(f"percent must be true or false, not {parameters['percent']!r}")
    marker = parameters.get("marker", DEFAULT_MARKER)
    if not isinstance(marker, str) or not marker.strip(" :"):
        problems.append(f"marker must be text such as 'ANSWER:', not {marker!r}")
    if any(not isinstance(unit, str) or not unit.strip() for unit in _listed(parameters.get("unit", ()))):
        problems.append(f"unit must be text or a list of texts, not {parameters['unit']!r}")
    if "expect" not in parameters:
        problems.append("no expect: write the expected number")
    elif not problems and gold(parameters["expect"], str(parameters.get("decimal", "."))) is None:
        problems.append(f"expect {parameters['expect']!r} is not one number: write 1250.5 or '3/4'")
    return problems


def _gold_numeral(expect: object, decimal: str) -> Numeral | None:
    if isinstance(expect, bool) or not isinstance(expect, int | float | str):
        return None
    if not isinstance(expect, str):
        return (
            Numeral(str(expect), as_integer(Fraction(str(expect))), 0, 0) if math.isfinite(expect) else None
        )
    text = plain(expect).strip()
    every = numerals(text, decimal)
    if len(every) != 1 or every[0].value is None:
        return None
    rest = text[: every[0].start] + text[every[0].end :].replace(every[0].unit, "", 1)
    return None if any(character.isdigit() for character in rest) else every[0]


def _listed(unit: Any) -> tuple[Any, ...]:
    return tuple(unit) if isinstance(unit, list | tuple) else (unit,)


def _is_share(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return False
    try:
        return Fraction(str(value)) >= 0
    except (ValueError, ZeroDivisionError):
        return False
