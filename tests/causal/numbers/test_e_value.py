"""The E-value that the recipe on sensitivity asks for."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from assay.causal.numbers.formula import parsed
from assay.causal.numbers.rough import Rough
from assay.causal.scm import Scm, binary
from assay.studies.causal.recipes import recipes


def e_value(treated: Fraction, others: Fraction) -> float:
    """Return the E-value of two shares by the recipe's formula."""
    scm = Scm((binary("X"), binary("Y", "X", {1: treated, 0: others})))
    return Rough.of(scm).number(parsed(recipes()["sensitivity"].figures["e value"].formula)).item()


@pytest.mark.parametrize(
    ("ratio", "published"), [(Fraction("3.9"), 7.26), (Fraction(4, 3), 2.0), (Fraction(25, 16), 2.5)]
)
def test_published_and_hand_worked_values(ratio: Fraction, published: float) -> None:
    """The first is the example of VanderWeele and Ding, Annals of Internal Medicine 167 (2017) 268-274."""
    assert e_value(ratio / 10, Fraction(1, 10)) == pytest.approx(published, abs=0.005)


def test_no_weaker_factor_produces_the_figures() -> None:
    """Over 2,000 factors without an effect of X: the larger of a factor's two ratios is never below it."""
    rng = np.random.default_rng(3)
    nearest = np.inf
    for _ in range(2_000):
        among_treated, among_others = sorted(rng.uniform(0.02, 1.0, 2), reverse=True)
        with_it, without = sorted(rng.uniform(0.02, 1.0, 2), reverse=True)
        treated = among_treated * with_it + (1 - among_treated) * without
        others = among_others * with_it + (1 - among_others) * without
        strength = max(among_treated / among_others, with_it / without)
        found = e_value(Fraction(treated), Fraction(others))
        assert found <= strength + 1e-9
        nearest = min(nearest, strength - found)
    assert nearest < 0.1
