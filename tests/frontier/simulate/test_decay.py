"""The exact bias of the biased oracle for known rates, and how it decays."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from assay.frontier.biased.forms import bernoulli_bias
from assay.frontier.simulate.decay import (
    asymptote,
    fit_decay,
    least_for,
    local_exponents,
    log_sizes,
    oracle_bias,
)


def test_two_models_once() -> None:
    """With L = 2 and G = 1 the bias is 1 - (1 - p)^2 - p, that is p (1 - p)."""
    rates = np.array([[0.2, 0.2], [0.5, 0.5], [0.9, 0.9]])
    assert oracle_bias(rates, [1])[:, 0] == pytest.approx([0.16, 0.25, 0.09], abs=1e-15)


def test_two_unequal_models_twice() -> None:
    """Worked by hand: p = 1/2 and 1/4 at G = 2; E max = (1 - 1/4 9/16 + 1 - 3/4 15/16) / 2."""
    bias = oracle_bias(np.array([[0.25, 0.5]]), [2])[0, 0]
    assert bias == pytest.approx((2 - 9 / 64 - 45 / 64) / 2 - 0.5, abs=1e-15)


def test_sure_models_have_no_bias() -> None:
    """With rates of 0 and 1, one model, or a best model that is always right there is no luck."""
    rates = np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0], [1.0, 0.3, 0.9]])
    assert np.all(oracle_bias(rates, [1, 10, 1_000]) == 0.0)
    assert np.all(oracle_bias(np.array([[0.4]]), [1, 10]) == 0.0)


@settings(max_examples=30)
@given(
    st.lists(st.floats(0.0, 1.0), min_size=2, max_size=5),
    st.sampled_from([1, 3, 40, 700]),
)
def test_agrees_with_the_distribution_functions(rates: list[float], size: int) -> None:
    """The sum over all g of 1 - prod F_l(g), less the best rate, as SciPy's binomial gives it."""
    turns = np.arange(size)
    product = np.prod([binom.cdf(turns, size, rate) for rate in rates], axis=0)
    expected = np.sum(1.0 - product) / size - max(rates)
    assert oracle_bias(np.array([rates]), [size])[0, 0] == pytest.approx(expected, abs=1e-12)


def test_equal_rates_are_equation_10() -> None:
    """At one common rate it is the closed form, at 10,000 generations too."""
    for rate, size in ((0.3, 7), (0.9, 10_000)):
        assert oracle_bias(np.full((1, 10), rate), [size])[0, 0] == pytest.approx(
            bernoulli_bias([rate], 10, size), rel=1e-8
        )


def test_never_grows_with_generations() -> None:
    """With more generations there is less luck: the bias never grows."""
    rates = np.random.default_rng(3).beta(1.0, 2.0, size=(50, 4))
    assert np.all(np.diff(oracle_bias(rates, np.arange(1, 30)), axis=1) < 1e-14)


def test_a_gap_beats_any_power() -> None:
    """With rates 0.5 and 0.4 the exponent itself grows in proportion to the generations."""
    sizes = np.array([500, 505, 1_000, 1_010])
    exponents = local_exponents(oracle_bias(np.array([[0.5, 0.4]]), sizes)[0], sizes)
    assert exponents[0] > 2.0
    assert exponents[2] > 1.7 * exponents[0]


@pytest.mark.parametrize(("models", "rate"), [(2, 0.5), (10, 0.3), (10, 0.9)])
def test_equal_rates_decay_as_one_over_the_root(models: int, rate: float) -> None:
    """At 10,000 generations the exponent is 0.5 and the bias m_L sqrt(p (1 - p) / G)."""
    sizes = np.array([9_000, 10_000])
    bias = oracle_bias(np.full((1, models), rate), sizes)[0]
    assert local_exponents(bias, sizes) == pytest.approx([0.5, 0.5], abs=0.005)
    assert bias == pytest.approx(asymptote(models, rate, sizes), rel=0.01)


def test_continuous_gaps_decay_as_one_over_generations() -> None:
    """For p and p - gap, gaps even over 0-0.4, the mean bias tends to p (1 - p) / (2 * 0.4 * G)."""
    gaps = (np.arange(4_000) + 0.5) / 4_000 * 0.4
    sizes = np.array([1_800, 2_000])
    bias = oracle_bias(np.stack([np.full(4_000, 0.5), 0.5 - gaps], axis=1), sizes).mean(axis=0)
    assert bias[1] == pytest.approx(0.25 / (0.8 * 2_000), rel=0.05)
    assert local_exponents(bias, sizes)[0] == pytest.approx(1.0, abs=0.03)


def test_the_root_bounds_every_population() -> None:
    """The bias is at most sqrt(sum of p (1 - p) / G) for any rates: no exponent stays below 0.5."""
    rates = np.random.default_rng(5).uniform(size=(200, 6))
    sizes = np.array([1, 10, 100])
    bound = np.sqrt((rates * (1.0 - rates)).sum(axis=1)[:, None] / sizes)
    assert np.all(oracle_bias(rates, sizes) <= bound)


def test_a_power_is_fitted_back() -> None:
    """Amplitude, exponent and floor of y = 0.4 x^-0.62 + 0.03 come back from its own values."""
    sizes = log_sizes(10_000)
    fit = fit_decay(0.4 * sizes**-0.62 + 0.03, sizes, least=50)
    assert fit is not None
    assert (fit.amplitude, fit.exponent, fit.floor) == pytest.approx((0.4, 0.62, 0.03), rel=1e-3)
    assert (fit.least, fit.most) == (50, 10_000)


def test_nothing_to_fit() -> None:
    """No bias, or fewer than four sizes, has no fit and no exponent."""
    sizes = log_sizes(1_000)
    assert fit_decay(np.zeros(len(sizes)), sizes) is None
    assert fit_decay(1.0 / sizes, sizes, least=800) is None
    assert np.all(np.isnan(local_exponents(np.zeros(3), [1, 2, 3])))
    assert np.all(np.isnan(local_exponents(np.ones(1), [1])))


def test_where_the_fit_settles() -> None:
    """It is the smallest start from which all later fits lie within the bounds; None if the last does not."""
    sizes = log_sizes(10_000)
    curve = np.where(sizes < 100, 0.5, 0.5 * (sizes / 100.0) ** -0.5)
    start = least_for(curve, sizes, within=(0.4, 0.6))
    assert start is not None
    assert 50 <= start <= 100
    assert least_for(1.0 / sizes, sizes, within=(0.4, 0.6)) is None


def test_sizes_hold_the_powers_of_ten() -> None:
    """From 1 to the most, growing, with both ends and every power of ten."""
    sizes = log_sizes(5_000)
    assert {1, 10, 100, 1_000, 5_000} <= set(sizes.tolist())
    assert np.all(np.diff(sizes) > 0)
    assert log_sizes(1).tolist() == [1]
