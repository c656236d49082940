"""From the scales that judges mark on to 0-1."""

from __future__ import annotations


def from_marks(marks: float) -> float:
    """Return (marks - 1)/4 for marks 1-5; ValueError outside."""
    if not 1.0 <= marks <= 5.0:
        raise ValueError(f"marks {marks!r} are not from 1 to 5")
    return (marks - 1.0) / 4.0


def from_stars(stars: float) -> float:
    """Return stars/3 for stars 0-3; ValueError outside."""
    if not 0.0 <= stars <= 3.0:
        raise ValueError(f"stars {stars!r} are not from 0 to 3")
    return stars / 3.0
