"""Attacks on numeric options by how the numbers are written."""

from __future__ import annotations

from collections.abc import Sequence

from assay.causal.lint.attack import Rule, opposite
from assay.causal.lint.reading import Reading


def digits(question: Reading) -> Sequence[float] | None:
    """Count the digits written in each option's number."""
    return None if question.values is None else [float(number.digits) for number in question.values]


def significant(question: Reading) -> Sequence[float] | None:
    """Count the digits of each number without zeros at either end: few in a round one."""
    return None if question.values is None else [float(number.significant) for number in question.values]


def negative(question: Reading) -> Sequence[float] | None:
    """Score 1 for negative numbers."""
    return None if question.values is None else [float(number.value < 0) for number in question.values]


RULES = (
    Rule("most-digits", "Picks the number written with the most digits.", digits),
    Rule("fewest-digits", "Picks the number written with the fewest digits.", opposite(digits)),
    Rule("roundest", "Picks the number with the fewest significant digits.", opposite(significant)),
    Rule("least-round", "Picks the number with the most significant digits.", significant),
    Rule("negative", "Picks a negative number.", negative),
    Rule("not-negative", "Picks a number that is not negative.", opposite(negative)),
)
