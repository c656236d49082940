"""Figures as a reader sees them on a page: true minus signs, fixed decimals, a dash for what is missing."""

from __future__ import annotations

MINUS = "\N{MINUS SIGN}"
NOTHING = "\N{EN DASH}"
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def points(value: float | None) -> str:
    """Return a score or a distance in points of 0-100, as in `81.1`."""
    return NOTHING if value is None else _minus(f"{value:.1f}")


def signed(value: float | None) -> str:
    """Return a figure whose direction matters, as in `+0.4` and a true minus for a fall."""
    return NOTHING if value is None else _minus(f"{value:+.1f}")


def percent(share: float | None) -> str:
    """Return a share as whole per cent, as in `57 %`; a negative one keeps its sign."""
    return NOTHING if share is None else _minus(f"{100.0 * share:.0f}") + "\N{NO-BREAK SPACE}%"


def probability(value: float) -> str:
    """Return a probability with two figures that mean something, as in `0.034` and `2.3 × 10⁻⁷`."""
    if value == 0.0 or value >= 0.001:
        return f"{value:.2g}"
    figures, _, power = f"{value:.1e}".partition("e")
    return f"{figures} × 10{str(int(power)).translate(RAISED)}".replace(" ", "\N{NO-BREAK SPACE}")


def level(value: float) -> str:
    """Return the sequential test's evidence as a share of what raises its alarm; tiny ones as `under`."""
    if 0.0 < value < 0.005:
        return "under 1\N{NO-BREAK SPACE}%"
    return "over 10 times" if value >= 10.0 else percent(value)


def thousands(number: int) -> str:
    """Return a count with its thousands apart, as in `45,000`."""
    return f"{number:,}"


def _minus(text: str) -> str:
    """Return a formatted figure with a true minus, and without the sign of a zero that was rounded."""
    rounded = text.lstrip("+-")
    if not rounded.strip("0."):
        return rounded
    return text.replace("-", MINUS)
