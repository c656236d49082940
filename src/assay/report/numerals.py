"""Formats of figures on pages: true minus signs, fixed decimals, and a dash for a missing figure."""

from __future__ import annotations

MINUS = "\N{MINUS SIGN}"
NOTHING = "\N{EN DASH}"
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def points(value: float | None) -> str:
    """Return a score or distance in points (0-100), such as `81.1`."""
    return NOTHING if value is None else _minus(f"{value:.1f}")


def signed(value: float | None) -> str:
    """Return a figure with its sign, such as `+0.4`; a negative one has a true minus sign."""
    return NOTHING if value is None else _minus(f"{value:+.1f}")


def percent(share: float | None) -> str:
    """Return a share as whole per cent, such as `57 %`; a negative one has a true minus sign."""
    return NOTHING if share is None else _minus(f"{100.0 * share:.0f}") + "\N{NO-BREAK SPACE}%"


def probability(value: float) -> str:
    """Return a probability with two significant digits, such as `0.034` or `2.3 × 10⁻⁷`."""
    if value == 0.0 or value >= 0.001:
        return f"{value:.2g}"
    figures, _, power = f"{value:.1e}".partition("e")
    return f"{figures} × 10{str(int(power)).translate(RAISED)}".replace(" ", "\N{NO-BREAK SPACE}")


def level(value: float) -> str:
    """Return the sequential test's evidence in per cent of its alarm threshold.

    Evidence below 0.5 % is `under 1 %`; evidence of 10 thresholds or more is `over 10 times`.
    """
    if 0.0 < value < 0.005:
        return "under 1\N{NO-BREAK SPACE}%"
    return "over 10 times" if value >= 10.0 else percent(value)


def thousands(number: int) -> str:
    """Return a count with a comma between thousands, such as `45,000`."""
    return f"{number:,}"


def _minus(text: str) -> str:
    """Return a formatted figure with a true minus sign; a figure that was rounded to 0 has no sign."""
    rounded = text.lstrip("+-")
    if not rounded.strip("0."):
        return rounded
    return text.replace("-", MINUS)
