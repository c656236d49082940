"""Attacks on numeric options: by their order, how they are written, the stem, and each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
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


def digits(question: Reading) -> Sequence[float] | None:
    """Count the digits written in each option's number."""
    return None if question.values is None else [float(number.digits) for number in question.values]


def significant(question: Reading) -> Sequence[float] | None:
    """Count the digits of each number without zeros at either end: few in a round one."""
    return None if question.values is None else [float(number.significant) for number in question.values]


def negative(question: Reading) -> Sequence[float] | None:
    """Score 1 for negative numbers."""
    return None if question.values is None else [float(number.value < 0) for number in question.values]


Values = Sequence[Fraction]
Related = Callable[[Fraction, Values], bool]


def in_stem(question: Reading) -> Sequence[float] | None:
    """Score 1 for options whose number stands in the stem."""
    if question.values is None:
        return None
    there = {number.value for number in question.stem_numbers}
    return [float(number.value in there) for number in question.values]


def from_stem(question: Reading) -> Sequence[float] | None:
    """Score 1 for options whose number is the sum, difference, product or ratio of two of the stem's.

    Stems with more than 40 numbers are left out: almost anything follows from so many.
    """
    there = {number.value for number in question.stem_numbers}
    if question.values is None or len(there) > 40:
        return None
    made = {
        value
        for one in there
        for other in there
        if one != other
        for value in (one + other, one - other, one * other, one / other if other else one)
    }
    return [float(number.value in made) for number in question.values]


def _related(holds: Related) -> Score:
    def score(question: Reading) -> Sequence[float] | None:
        if question.values is None:
            return None
        values = [number.value for number in question.values]
        return [
            float(holds(value, [*values[:here], *values[here + 1 :]])) for here, value in enumerate(values)
        ]

    return score


def complement(value: Fraction, others: Values) -> bool:
    """Whether another option is 1 - value."""
    return any(value + other == 1 and value != other for other in others)


def negation(value: Fraction, others: Values) -> bool:
    """Whether another option is -value."""
    return value != 0 and -value in others


def sum_of_others(value: Fraction, others: Values) -> bool:
    """Whether the value is the sum of two other options."""
    return any(one + other == value for one, other in _pairs(others))


def difference_of_others(value: Fraction, others: Values) -> bool:
    """Whether the value is the difference of two other options."""
    return any(abs(one - other) == abs(value) for one, other in _pairs(others) if one != other)


def midpoint_of_others(value: Fraction, others: Values) -> bool:
    """Whether the value lies halfway between two other options."""
    return any(one + other == 2 * value for one, other in _pairs(others) if one != other)


def _pairs(values: Values) -> list[tuple[Fraction, Fraction]]:
    return [(one, other) for here, one in enumerate(values) for other in values[here + 1 :]]


NUMBER_RULES = (
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
    Rule("most-digits", "Picks the number written with the most digits.", digits),
    Rule("fewest-digits", "Picks the number written with the fewest digits.", opposite(digits)),
    Rule("roundest", "Picks the number with the fewest significant digits.", opposite(significant)),
    Rule("least-round", "Picks the number with the most significant digits.", significant),
    Rule("negative", "Picks a negative number.", negative),
    Rule("not-negative", "Picks a number that is not negative.", opposite(negative)),
    Rule("number-in-stem", "Picks a number that stands in the stem.", in_stem, about_stem=True),
    Rule("number-not-in-stem", "Picks a number that is not in the stem.", opposite(in_stem), about_stem=True),
    Rule(
        "one-step-from-stem",
        "Picks a number that is the sum, difference, product or ratio of two numbers of the stem.",
        from_stem,
        about_stem=True,
    ),
    Rule("complement", "Picks a number p where another option is 1 - p.", _related(complement)),
    Rule("negation", "Picks a number where another option is its negative.", _related(negation)),
    Rule("sum-of-others", "Picks the number that is the sum of two others.", _related(sum_of_others)),
    Rule(
        "difference-of-others",
        "Picks a number that is, but for its sign, the difference of two others.",
        _related(difference_of_others),
    ),
    Rule("midpoint-of-others", "Picks the number halfway between two others.", _related(midpoint_of_others)),
    Rule(
        "unrelated",
        "Picks a number that is neither complement, negative, sum nor difference of others.",
        opposite(
            _related(
                lambda value, others: any(
                    holds(value, others)
                    for holds in (complement, negation, sum_of_others, difference_of_others)
                )
            )
        ),
    ),
)
