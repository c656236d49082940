"""Attacks on numeric options by where a value stands among the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean, median

from assay.causal.lint.attack import Rule, Score, opposite
from assay.causal.lint.reading import Reading


def size(question: Reading) -> Sequence[float] | None:
    """Return each option's value, where all have one."""
    return None if question.values is None else [float(number.value) for number in question.values]


def magnitude(question: Reading) -> Sequence[float] | None:
    """Return each option's value without its sign, where some are negative and the order differs."""
    given = size(question)
    return None if given is None or min(given) >= 0 else [abs(value) for value in given]


def _ranked(place: int) -> Score:
    """Score 1 for the values at a place among the distinct ones in rising order."""

    def score(question: Reading) -> Sequence[float] | None:
        given = size(question)
        distinct = sorted(set(given or ()))
        if given is None or len(distinct) < 3:
            return None
        return [float(value == distinct[place]) for value in given]

    return score


def _nearness(centre: Callable[[list[float]], float]) -> Score:
    """Score by the distance to the centre of the other options' values."""

    def score(question: Reading) -> Sequence[float] | None:
        given = size(question)
        if given is None:
            return None
        return [
            -round(abs(value - centre([*given[:here], *given[here + 1 :]])), 9)
            for here, value in enumerate(given)
        ]

    return score


near_mean, near_median = _nearness(fmean), _nearness(median)

RULES = (
    Rule("largest", "Picks the largest number.", size),
    Rule("smallest", "Picks the smallest number.", opposite(size)),
    Rule("second-largest", "Picks the second largest number.", _ranked(-2)),
    Rule("second-smallest", "Picks the second smallest number.", _ranked(1)),
    Rule("largest-magnitude", "Picks the number farthest from 0, where some are negative.", magnitude),
    Rule(
        "smallest-magnitude", "Picks the number nearest to 0, where some are negative.", opposite(magnitude)
    ),
    Rule("nearest-to-mean", "Picks the number nearest to the mean of the others.", near_mean),
    Rule("farthest-from-mean", "Picks the number farthest from the mean of the others.", opposite(near_mean)),
    Rule("nearest-to-median", "Picks the number nearest to the median of the others.", near_median),
    Rule(
        "farthest-from-median",
        "Picks the number farthest from the median of the others.",
        opposite(near_median),
    ),
)
