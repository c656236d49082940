"""Attacks by length: the right option is often the one written with most care."""

from __future__ import annotations

from collections.abc import Sequence

from assay.causal.lint.attack import Rule, opposite
from assay.causal.lint.reading import Reading


def characters(question: Reading) -> Sequence[float]:
    """Count the characters of each option."""
    return [float(len(option)) for option in question.item.options]


def counted(question: Reading) -> Sequence[float]:
    """Count the words of each option."""
    return [float(len(each)) for each in question.option_words]


def middling(question: Reading) -> Sequence[float]:
    """Score high where an option is neither the longest nor the shortest, in characters."""
    lengths = [len(option) for option in question.item.options]
    return [float(min(lengths) < length < max(lengths)) for length in lengths]


RULES = (
    Rule("longest", "Picks the option with the most characters.", characters),
    Rule("shortest", "Picks the option with the fewest characters.", opposite(characters)),
    Rule("most-words", "Picks the option with the most words.", counted),
    Rule("fewest-words", "Picks the option with the fewest words.", opposite(counted)),
    Rule("middle-length", "Picks an option that is neither the longest nor the shortest.", middling),
)
