"""Short ways to write the causal queries of tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from assay.causal import queries as q


def greatest(one: q.Term | Fraction | int, other: q.Term | Fraction | int) -> q.Term:
    """Return the larger of two terms."""
    return q.Arithmetic("max", q.term(one), q.term(other))


def least(one: q.Term | Fraction | int, other: q.Term | Fraction | int) -> q.Term:
    """Return the smaller of two terms."""
    return q.Arithmetic("min", q.term(one), q.term(other))


def p(
    event: Mapping[str, int], given: Mapping[str, int] | None = None, *, do: Mapping[str, int] | None = None
) -> q.Term:
    """Return the term P(event | given, do)."""
    return q.Probability(_levels(event), _levels(given), _levels(do))


def mean(
    variable: str, given: Mapping[str, int] | None = None, *, do: Mapping[str, int] | None = None
) -> q.Term:
    """Return the term E[variable | given, do]."""
    return q.Mean(variable, _levels(given), _levels(do))


def adjusted(
    event: Mapping[str, int],
    treatment: Mapping[str, int],
    over: Iterable[str],
    *,
    within: Mapping[str, int] | None = None,
    weights: Mapping[str, int] | None = None,
) -> q.Term:
    """Return the standardised probability of the event; see `Adjusted`."""
    return q.Adjusted(_levels(event), _levels(treatment), tuple(over), _levels(within), _levels(weights))


def counterfactual(
    event: Mapping[str, int],
    do: Mapping[str, int],
    *,
    mediators: Mapping[str, Mapping[str, int]] | None = None,
    given: Mapping[str, int] | None = None,
) -> q.Term:
    """Return the counterfactual probability of the event; see `Counterfactual`."""
    fixed = tuple((name, _levels(setting)) for name, setting in (mediators or {}).items())
    return q.Counterfactual(_levels(event), _levels(do), fixed, _levels(given))


def effect(treatment: str, outcome: str, *, given: Mapping[str, int] | None = None) -> q.Term:
    """Return the effect of a binary treatment on a binary outcome, a risk difference.

    `given` must not be affected by the treatment.
    """
    return p({outcome: 1}, given, do={treatment: 1}) - p({outcome: 1}, given, do={treatment: 0})


def crude(treatment: str, outcome: str, *, given: Mapping[str, int] | None = None) -> q.Term:
    """Return the plain difference in the outcome between those with and without the treatment."""
    rest = dict(given or {})
    return p({outcome: 1}, {treatment: 1, **rest}) - p({outcome: 1}, {treatment: 0, **rest})


def adjusted_difference(
    treatment: str,
    outcome: str,
    over: Iterable[str],
    *,
    within: Mapping[str, int] | None = None,
    weights: Mapping[str, int] | None = None,
) -> q.Term:
    """Return the difference in the outcome by treatment, standardised over a set of variables."""
    zs = tuple(over)
    one = adjusted({outcome: 1}, {treatment: 1}, zs, within=within, weights=weights)
    return one - adjusted({outcome: 1}, {treatment: 0}, zs, within=within, weights=weights)


def _levels(levels: Mapping[str, int] | None) -> q.Levels:
    return tuple(sorted((levels or {}).items()))
