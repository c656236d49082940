"""Calendar dates as text: ISO 8601, and other writings where they are declared."""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import date

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
    """Return the date that a text gives, or why it gives none.

    `iso` is `2024-05-17`. `unambiguous` adds `17 May 2024`, `May 17, 2024`, `17.05.2024`, `2024/05/17`,
    `20240517` (English, German, French, Spanish and Italian months), and slashes where only one reading
    is a date. `dmy` and `mdy` settle `05/06/2024`.
    """
    written = text.strip()
    iso = _ISO.fullmatch(written)
    if iso:
        return _made(iso[1], iso[2], iso[3], written)
    slashed = _SLASHED.fullmatch(written)
    if slashed and ("dmy" in formats or "mdy" in formats):
        one, two = (slashed[1], slashed[3]) if "mdy" in formats else (slashed[3], slashed[1])
        return _made(slashed[4], one, two, written)
    dotted = _DOTTED.fullmatch(written)
    if dotted and not {"dmy", "unambiguous"}.isdisjoint(formats):
        return _made(dotted[3], dotted[2], dotted[1], written)
    if "unambiguous" not in formats:
        return f"{written[:40]!r} is not an ISO date (YYYY-MM-DD)"
    if slashed:
        return _only_reading(slashed[4], slashed[1], slashed[3], written)
    if match := _YEAR_FIRST.fullmatch(written):
        return _made(match[1] or match[5], match[3] or match[6], match[4] or match[7], written)
    if match := _DAY_NAME.fullmatch(written):
        return _named(match[3], match[2], match[1], written)
    if match := _NAME_DAY.fullmatch(written):
        return _named(match[3], match[1], match[2], written)
    return f"{written[:40]!r} is not a date"


def _made(year: str, month: str, day: str, written: str) -> date | str:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return f"{written[:40]!r} is no day of the calendar"


def _named(year: str, name: str, day: str, written: str) -> date | str:
    month = _MONTHS.get(name.casefold())
    return f"{written[:40]!r} names no month" if month is None else _made(year, str(month), day, written)


def _only_reading(year: str, first: str, second: str, written: str) -> date | str:
    readings = {_made(year, first, second, written), _made(year, second, first, written)}
    dates = [reading for reading in readings if isinstance(reading, date)]
    if len(dates) == 1:
        return dates[0]
    return f"{written[:40]!r} is ambiguous: day and month could be exchanged" if dates else readings.pop()
