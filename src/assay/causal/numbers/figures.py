"""Exact fractions as the figures that a reader sees, and the claims that such figures make."""

from __future__ import annotations

from fractions import Fraction

from assay.causal.proof.proof import Claim
from assay.causal.queries import Rounded, Term

MINUS = "\N{MINUS SIGN}"


def rounded(value: Fraction, places: int) -> Fraction:
    """Round halves away from zero, as `Rounded` does."""
    scaled = abs(value) * 10**places + Fraction(1, 2)
    return Fraction(scaled.numerator // scaled.denominator, 10**places) * (1 if value >= 0 else -1)


def decimal(value: Fraction, places: int) -> str:
    """Write a number with so many decimal places and a true minus sign."""
    found = rounded(value, places)
    return f"{MINUS if found < 0 else ''}{float(abs(found)):,.{places}f}"


def percent(share: Fraction, places: int = 1) -> str:
    """Write a share as a percentage: 3/8 is 37.5%."""
    return f"{decimal(share * 100, places)}%"


def points(difference: Fraction, places: int = 1) -> str:
    """Write a difference of shares in percentage points, with its sign: 1/8 is +12.5 percentage points."""
    sign = "+" if rounded(difference * 100, places) > 0 else ""
    return f"{sign}{decimal(difference * 100, places)} percentage points"


def stands_for(term: Term, value: Fraction, places: int) -> Claim:
    """Return the claim that a term, rounded, is this value, rounded."""
    return Claim(Rounded(term, places), rounded(value, places))
