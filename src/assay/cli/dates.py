"""Parsing days as users write them."""

from __future__ import annotations

from datetime import date, timedelta

from assay.core.errors import InvalidInput


def parse_day(text: str, today: date) -> date:
    """Return the day that a text such as `2026-11-20`, `today` or `yesterday` names (UTC)."""
    named = {"today": today, "yesterday": today - timedelta(days=1)}
    if text in named:
        return named[text]
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InvalidInput(f"invalid date {text!r}: use YYYY-MM-DD, `today` or `yesterday`") from None
