"""Days as users write them."""

from __future__ import annotations

from datetime import date, timedelta

from assay.core.errors import InvalidInput


def parse_day(text: str, today: date) -> date:
    """Return the day that `2026-11-20`, `today` or `yesterday` names (UTC)."""
    named = {"today": today, "yesterday": today - timedelta(days=1)}
    if text in named:
        return named[text]
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InvalidInput(f"{text!r} is no day: write it as {today.isoformat()}, or `yesterday`") from None
