"""Rank correlations: by hand, against scipy, exact tests, coverage, and attenuation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from assay.stats.rank_correlation import RankCorrelation, correlate_ranks, reliability, rho_interval


def correlation(first: list[float], second: list[float], seed: int = 0) -> RankCorrelation:
    """Return the correlation of two lists that have an order."""
    result = correlate_ranks(first, second, np.random.default_rng(seed))
    assert result is not None
    return result


def test_six_models_by_hand() -> None:
    """rho = 1 - 6 x 10/(6 x 35) = 0.714; 12 pairs agree and 3 do not, so tau = 9/15.

    98 of the 720 orders are as far from 0: p = 0.136, where the t approximation gives 0.111. Only from 0.886
    on is a rho of six models significant.
    """
    result = correlation([1, 2, 3, 4, 5, 6], [1, 2, 4, 6, 3, 5])
    assert (result.n, result.exact) == (6, True)
    assert result.rho == pytest.approx(1 - 60 / 210)
    assert result.rho_p == pytest.approx(98 / 720)
    assert result.tau == pytest.approx(9 / 15)
    assert result.least == pytest.approx(0.8857, abs=1e-4)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=3, max_size=6))
def test_coefficients_equal_scipy_with_ties(pairs: list[tuple[int, int]]) -> None:
    """Spearman's rho and tau-b with any ties; nothing without an order."""
    first, second = (list(map(float, side)) for side in zip(*pairs, strict=True))
    result = correlate_ranks(first, second, np.random.default_rng(0))
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert result is None
        return
    assert result is not None
    assert result.rho == pytest.approx(stats.spearmanr(first, second).statistic, abs=1e-9)
    assert result.tau == pytest.approx(stats.kendalltau(first, second).statistic, abs=1e-9)
    assert 0.0 < result.rho_p <= 1.0


@pytest.mark.parametrize("n", [4, 5, 6])
def test_exact_p_equals_scipys_exact_tau(n: int) -> None:
    """Without ties Kendall's exact p is known; for four models no rho below 1 is significant, nor is 1."""
    rng = np.random.default_rng(n)
    first, second = rng.random(n).tolist(), rng.random(n).tolist()
    result = correlation(first, second)
    assert result.tau_p == pytest.approx(stats.kendalltau(first, second, method="exact").pvalue)
    assert (result.least is None) == (n == 4)


def test_random_orders_approximate_the_exact_p() -> None:
    """With ten models there are random orders for rho and a normal approximation for tau."""
    first = list(range(10))
    second = [1.0, 0, 3, 2, 6, 4, 5, 9, 7, 8]
    result = correlation([float(value) for value in first], second)
    assert not result.exact
    assert result.tau_p == pytest.approx(stats.kendalltau(first, second, method="exact").pvalue, abs=0.002)
    assert result.rho_p == pytest.approx(stats.spearmanr(first, second).pvalue, abs=0.002)
    backwards = correlation([float(value) for value in first], [-value for value in second])
    assert backwards.rho == pytest.approx(-result.rho)


def test_too_few_models_have_no_interval() -> None:
    """Three models have no interval and nothing significant; two have no correlation."""
    three = correlation([1.0, 2.0, 3.0], [1.0, 3.0, 2.0])
    assert (three.rho_interval, three.tau_interval, three.least) == (None, None, None)
    assert correlate_ranks([1.0, 2.0], [1.0, 2.0], np.random.default_rng(0)) is None


@pytest.mark.slow
@pytest.mark.parametrize(("n", "correlated"), [(6, 0.0), (6, 0.6), (13, 0.6), (50, 0.3), (50, 0.85)])
def test_the_interval_of_rho_covers_the_true_value(n: int, correlated: float) -> None:
    """In 93-99 % of samples from a bivariate normal distribution; with six models intervals are wide."""
    rng = np.random.default_rng(n)
    truth = 6 / np.pi * np.arcsin(correlated / 2)
    covered = total = 0
    for _ in range(600):
        x = rng.normal(size=n)
        y = correlated * x + np.sqrt(1 - correlated**2) * rng.normal(size=n)
        interval = rho_interval(float(np.corrcoef(stats.rankdata(x), stats.rankdata(y))[0, 1]), n)
        if interval is not None:
            total += 1
            covered += interval.low <= truth <= interval.high
    assert 0.915 <= covered / total <= 0.995


def test_reliability_by_hand() -> None:
    """Scores with a variance of 4 and standard errors of 1 are 3/4 signal; pure noise has none."""
    assert reliability([0.0, 2.0, 4.0], [1.0, 1.0, 1.0]) == pytest.approx(0.75)
    assert reliability([0.0, 1.0], [9.0, 9.0]) is None
    assert reliability([1.0, 1.0], [0.0, 0.0]) is None


def test_attenuation_explains_a_correlation_below_one() -> None:
    """Two noisy measurements of the same scores correlate as much as their reliabilities allow: 1 after it.

    The mean over 100 studies of 60 models; the ratio of two estimates is a little above 1 on average.
    """
    rng = np.random.default_rng(3)
    corrected = []
    for _ in range(100):
        truth = rng.normal(size=60)
        sides = [truth + sd * rng.normal(size=60) for sd in (0.5, 1.0)]
        first, second = (
            reliability(side, np.full(60, sd)) for side, sd in zip(sides, (0.5, 1.0), strict=True)
        )
        assert first is not None
        assert second is not None
        corrected.append(stats.spearmanr(*sides).statistic / np.sqrt(first * second))
    assert np.mean(corrected) == pytest.approx(1.0, abs=0.05)
