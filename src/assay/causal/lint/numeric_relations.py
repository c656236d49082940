"""Attacks on numbers that give the key away: through the stem, or through the other options."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from assay.causal.lint.attack import Rule, Score, opposite
from assay.causal.lint.reading import Reading

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


RULES = (
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
