"""The declaration of one field of a published result: its name, unit, rounding and meaning."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import IntEnum
from typing import Annotated, Any, Final, Literal

from pydantic import WithJsonSchema

NOTHING: Final = "-"
"""The cell of a value that is None, unless the figure has its own."""
UNKNOWN: Final = "unknown"


@dataclass(frozen=True, slots=True)
class Figure:
    """One published figure: `Annotated[float, Figure("composite", unit="points", digits=1)]`.

    `heading` is the heading of its column. `meaning` is one line for the reference page and the schema, `of`
    is the denominator, and `least` and `most` are the bounds. JSON and CSV hold the value as it is, under the
    field's name or `name`; `digits` are the decimal places that tables show. `missing` is shown for None. A
    `share` is held as 0-1 and shown in per cent. A figure in `points` is shown in the same way, but without
    the sign.
    """

    heading: str
    unit: str = ""
    digits: int | None = None
    meaning: str = ""
    of: str = ""
    missing: str = NOTHING
    share: bool = False
    points: bool = False
    name: str = ""
    least: float | None = None
    most: float | None = None

    def cell(self, value: Any) -> str:
        """Return the text of a value in a table."""
        if value is None:
            return self.missing
        if isinstance(value, bool):
            return "yes" if value else ""
        if self.share:
            return f"{value:.{self.digits or 0}%}"
        if self.unit == "USD":
            return dollars(value)
        if isinstance(value, IntEnum):
            return value.name
        if isinstance(value, int):
            return f"{value:,}"
        if isinstance(value, float):
            digits = 2 if self.digits is None else self.digits
            return f"{100 * value:.{digits}f}" if self.points else f"{value:,.{digits}f}"
        if isinstance(value, datetime):
            return utc(value)
        if isinstance(value, (tuple, list)):
            return ", ".join(self.cell(element) for element in value) or self.missing
        return str(value)

    @property
    def explanation(self) -> str:
        """Return meaning, unit and denominator in one line."""
        unit = "0-1" if self.share or self.points else self.unit
        parts = (self.meaning or self.heading, unit, f"of {self.of}" if self.of else "")
        return "; ".join(part for part in parts if part)

    @property
    def bounds(self) -> dict[str, float]:
        """Return the bounds in the form of JSON Schema."""
        least, most = (0, 1) if self.share else (self.least, self.most)
        known = {"minimum": least, "maximum": most}
        return {name: bound for name, bound in known.items() if bound is not None}


@dataclass(frozen=True, slots=True)
class Flat:
    """A mark that puts a part's fields beside the others: `Annotated[Interval | None, Flat("score")]`.

    They are then named `score_low` and `score_high`, and a field `value` is named `score`; without a prefix
    they keep their names. With `only`, the other fields are left out. If the part is None, so are all of
    them.
    """

    prefix: str = ""
    only: tuple[str, ...] = ()

    def named(self, inner: str) -> str:
        """Return the name that a field of the part has in the document."""
        if not self.prefix:
            return inner
        return self.prefix if inner == "value" else f"{self.prefix}_{inner}"


@dataclass(frozen=True, slots=True)
class Hidden:
    """A mark of a field that is for calculations only and is not published."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A mark that publishes each value as an object: `Annotated[tuple[str, ...], Listed("model")]`.

    The document then holds `[{"model": "a/b"}]`. Pairs and entries of a mapping have two names, as in
    `Annotated[Mapping[str, int], Listed("reason", "count")]`. A Counter's most common entry comes first.
    """

    name: str
    value: str = ""


@dataclass(frozen=True, slots=True)
class FromEpoch:
    """A mark of a number of seconds since 1970 in UTC, which is published as a time."""


def utc(at: datetime | float, precision: Literal["seconds", "milliseconds"] = "seconds") -> str:
    """Return a time, or seconds since 1970, in UTC in the form of RFC 3339: `2026-11-20T06:00:00Z`."""
    at = at if isinstance(at, datetime) else datetime.fromtimestamp(at, UTC)
    return at.astimezone(UTC).isoformat(timespec=precision).replace("+00:00", "Z")


def dollars(cost: float | None) -> str:
    """Return a cost in US dollars with enough digits to show small amounts; `unknown` for None."""
    if cost is None:
        return UNKNOWN
    if 0 < cost < 0.01:
        return f"${cost:.6f}"
    return f"${cost:.4f}" if cost < 1 else f"${cost:,.2f}"


Timestamp = Annotated[float, FromEpoch(), WithJsonSchema({"type": "string", "format": "date-time"})]
"""A time in seconds since 1970, which is published as a UTC time to the second."""
Day = Annotated[str, WithJsonSchema({"type": "string", "format": "date"})]
"""A day in ISO form: `2026-11-20`."""
