"""A number and its noun, and a list of names, in a sentence."""

from __future__ import annotations

from collections.abc import Sequence


def counted(count: int, noun: str, plural: str | None = None) -> str:
    """Return a count with its noun, as in `1 case` and `1,200 cases`. The usual plural ends in s."""
    return f"{count:,} {noun if count == 1 else plural or f'{noun}s'}"


def listed(names: Sequence[str]) -> str:
    """Return names as in `a, b and c`."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
