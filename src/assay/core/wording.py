"""A number and its noun in a sentence."""

from __future__ import annotations


def counted(count: int, noun: str, plural: str | None = None) -> str:
    """Return a count with its noun, as in `1 case` and `1,200 cases`. The usual plural ends in s."""
    return f"{count:,} {noun if count == 1 else plural or f'{noun}s'}"
