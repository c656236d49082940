"""Outcome shares by step and mediator that add or do not add, and the models that have them."""

from __future__ import annotations

import random
from fractions import Fraction

from assay.causal.draws import chance
from assay.causal.queries import Compare, Term, p
from assay.causal.scm import Scm, binary

HUNDREDTH = Fraction(1, 100)
TENTH = Fraction(1, 10)
Shares = dict[tuple[int, int], Fraction]
Rows = dict[tuple[int, ...] | int, Fraction]


def shares(rng: random.Random, adding: bool) -> Shares:
    """Draw the share with the outcome by (step, mediator).

    Where they add, the step adds equally much at both levels but multiplies by different factors; where they
    do not, it multiplies by one factor and adds different amounts: ratios mislead about differences.
    """
    factor = rng.choice((Fraction(3, 2), Fraction(2)))
    low, rise = rng.choice(((12, 16), (14, 14), (16, 20), (18, 12), (20, 16), (10, 18)))
    base = {0: low * HUNDREDTH, 1: (low + rise) * HUNDREDTH}
    if adding:
        gain = base[0] * (factor - 1)
        return {(x, m): base[m] + x * gain for x in (0, 1) for m in (0, 1)}
    return {(x, m): base[m] * (factor if x else 1) for x in (0, 1) for m in (0, 1)}


def held(level: int) -> Term:
    """Return the effect of the step with the mediator held at a level."""
    return p({"Y": 1}, do={"X": 1, "M": level}) - p({"Y": 1}, do={"X": 0, "M": level})


ONE_NUMBER = Compare(held(0), "=", held(1))


def with_covariate(rng: random.Random, drawn: Shares, gap: Fraction, moved: bool) -> Scm:
    """Return a model whose covariate W raises every share by `gap`, and which the step moves or does not."""
    low, high = chance(rng, 2 * TENTH, 4 * TENTH, TENTH), chance(rng, 6 * TENTH, 8 * TENTH, TENTH)
    w = binary("W", "X", {0: low, 1: high}) if moved else binary("W", table=low)
    mediator: Rows = {(x, w): (1 + 2 * x + 4 * w) * TENTH for x in (0, 1) for w in (0, 1)}
    outcome: Rows = {(*pair, w): share + w * gap for pair, share in drawn.items() for w in (0, 1)}
    return Scm((binary("X"), w, binary("M", "X W", mediator), binary("Y", "X M W", outcome)))


def with_hidden(drawn: Shares, hidden: bool) -> Scm:
    """Return a model with these shares under step and mediator set, and a hidden cause of M and Y or none."""
    if not hidden:
        plain: Rows = dict[tuple[int, ...] | int, Fraction](drawn.items())
        return Scm((binary("X"), binary("M", "X", {0: 3 * TENTH, 1: 7 * TENTH}), binary("Y", "X M", plain)))
    mediator: Rows = {(x, u): (1 + 3 * x + 5 * u) * TENTH for x in (0, 1) for u in (0, 1)}
    outcome: Rows = {
        (*pair, u): share + (2 * u - 1) * 5 * HUNDREDTH for pair, share in drawn.items() for u in (0, 1)
    }
    return Scm(
        (binary("U", hidden=True), binary("X"), binary("M", "X U", mediator), binary("Y", "X M U", outcome))
    )
