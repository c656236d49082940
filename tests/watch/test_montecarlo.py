"""Intervals of simulated figures."""

import numpy as np
import pytest

from assay.watch.montecarlo import quantile, rate, share


def test_a_share_has_the_clopper_pearson_interval() -> None:
    """5 of 100: 1.64 % to 11.28 %, as in any table."""
    figure = share(5, 100)
    assert (figure.value, figure.low, figure.high) == pytest.approx((0.05, 0.01643, 0.11284), abs=1e-5)


def test_shares_of_none_and_all_touch_the_ends() -> None:
    """0 of n starts at 0, n of n ends at 1."""
    assert share(0, 20).low == 0.0
    assert share(20, 20).high == 1.0


def test_a_rate_of_scattered_events_has_the_exact_poisson_interval() -> None:
    """5 events in 100 years: 1.623 to 11.668 a hundred years."""
    figure = rate(np.array([1] * 5 + [0] * 95), 1.0)
    assert (figure.value, figure.low, figure.high) == pytest.approx((0.05, 0.01623, 0.11668), abs=1e-4)


def test_clustered_events_widen_the_interval_of_a_rate() -> None:
    """Five alarms of one model tell less than five alarms of five models."""
    assert rate(np.array([5] + [0] * 99), 1.0).high > rate(np.array([1] * 5 + [0] * 95), 1.0).high * 1.5


def test_no_event_leaves_the_rule_of_three() -> None:
    """Nothing in 100 years: at most 3.69 in a hundred at 97.5 %."""
    assert rate(np.zeros(100), 1.0).high == pytest.approx(0.03689, abs=1e-4)


def test_a_median_has_the_order_statistics_interval() -> None:
    """Of 100 values the median's 95 % interval runs from the 40th to the 61st."""
    figure = quantile(np.arange(1, 101), 0.5)
    assert (figure.value, figure.low, figure.high) == (50.0, 40.0, 61.0)


def test_a_median_beyond_the_horizon_is_none() -> None:
    """More than half not seen: no median is made up."""
    figure = quantile([1.0, 2.0] * 10 + [np.inf] * 30, 0.5)
    assert figure.value is None
    assert figure.high is None
