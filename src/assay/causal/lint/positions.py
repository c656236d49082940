"""Attacks by position: always the same letter."""

from __future__ import annotations

from collections.abc import Sequence

from assay.causal.lint.attack import Rule, Score
from assay.causal.lint.reading import Reading
from assay.core.case import LETTERS


def _at(position: int) -> Score:
    def score(question: Reading) -> Sequence[float] | None:
        if position >= question.size:
            return None
        return [float(place == position) for place in range(question.size)]

    return score


RULES = tuple(
    Rule(f"always-{letter}", f"Always picks option {letter}.", _at(position))
    for position, letter in enumerate(LETTERS)
)
