"""Options of a declared JSON field, checked; ValueError says what is wrong with one."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from assay.grading.fields.money import exact_value


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
    """Return the decimal sign that settles ambiguous writings."""
    given = field.get("decimal", ".")
    if given not in (".", ","):
        raise ValueError(f"decimal must be '.' or ',', not {given!r}")
    return str(given)
