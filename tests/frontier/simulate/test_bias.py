"""Appendix A: simulated populations and how their bias decays."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from assay.core.errors import InvalidInput
from assay.frontier.simulate.bias import (
    BiasStudy,
    PopulationKind,
    correlated_rates,
    graphical_rates,
    simulate_bias,
)


@cache
def study(seed: int = 0, *, again: bool = False) -> BiasStudy:
    """Return a small study of two models, three rates and two correlations. `again` repeats it."""
    return simulate_bias(
        np.random.default_rng(seed),
        models=(2,),
        rates=(0.0, 0.5, 1.0),
        correlations=(0.0, 1.0),
        generations=1_000,
        prompts=150,
    )


def test_which_populations() -> None:
    """Each equal rate, both correlations at the middle one, the graphical model; sure rates have no bias."""
    result = study()
    assert [curve.population.kind for curve in result.curves] == [PopulationKind.EQUAL] * 3 + [
        PopulationKind.HETEROGENEOUS,
        PopulationKind.HETEROGENEOUS,
        PopulationKind.GRAPHICAL,
    ]
    assert [curve.bias.max() for curve in result.curves[:3]] == pytest.approx([0.0, 0.25, 0.0])
    assert result.curves[0].fit is None


def test_ties_decay_slower_than_gaps() -> None:
    """Models with one rate a prompt keep 0.5; independent rates leave the paper's 0.25-0.75 towards 1."""
    apart, tied = study().curves[3:5]
    assert tied.exponents[-1] == pytest.approx(0.5, abs=0.01)
    assert apart.exponents[-1] > 0.8
    assert tied.fit is not None
    assert apart.fit is not None
    assert tied.fit.exponent == pytest.approx(0.5, abs=0.05)
    assert apart.fit.exponent > 0.75
    assert apart.low is not None
    assert apart.high is not None
    assert np.all(apart.low <= apart.high)


def test_same_seed_same_study() -> None:
    """The seed determines every figure."""
    again, first, other = study(again=True), study(), study(1)
    assert np.array_equal(again.curves[3].bias, first.curves[3].bias)
    assert not np.array_equal(other.curves[3].bias, first.curves[3].bias)


def test_the_copula_correlates_rates_and_keeps_their_distribution() -> None:
    """Means and deviations are those of Beta(5, 5) at every correlation; rates correlate as requested."""
    rng = np.random.default_rng(0)
    loose, tight, same = (correlated_rates(rng, 20_000, 2, 0.5, rho) for rho in (0.0, 0.8, 1.0))
    for rates in (loose, tight, same):
        assert rates.mean() == pytest.approx(0.5, abs=0.01)
        assert rates.std() == pytest.approx(np.sqrt(0.25 / 11.0), abs=0.01)
    assert np.corrcoef(loose.T)[0, 1] == pytest.approx(0.0, abs=0.03)
    assert np.corrcoef(tight.T)[0, 1] == pytest.approx(0.8, abs=0.03)
    assert np.array_equal(same[:, 0], same[:, 1])


def test_difficulty_correlates_the_graphical_models() -> None:
    """Rates (1 - D) A of two models are correlated over prompts though aptitudes are independent."""
    rates = graphical_rates(np.random.default_rng(0), 5_000, 3, 30)
    assert rates.mean() == pytest.approx(0.25, abs=0.03)
    assert np.corrcoef(rates.T)[0, 1] > 0.5


def test_all_bad_values_are_reported_at_once() -> None:
    """There is one problem for each value."""
    with pytest.raises(InvalidInput) as refused:
        simulate_bias(
            np.random.default_rng(0),
            models=(1,),
            rates=(1.5,),
            correlations=(-1.0,),
            generations=0,
            prompts=1,
            topics=0,
        )
    assert len(refused.value.problems) == 6
