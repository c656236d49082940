"""The correlation of a model's days, and the rate of false alarms that can be promised under it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.results.watch import LagCorrelation
from assay.watch import dependence
from assay.watch.dependence import day_series, pooled_correlation, promise, promises

NAN = np.nan


def series(rng: np.random.Generator, models: int, days: int, correlation: float) -> np.ndarray:
    """Return standard normal days with a known correlation from one to the next."""
    found = rng.standard_normal((models, days))
    for day in range(1, days):
        fresh = np.sqrt(1 - correlation**2) * found[:, day]
        found[:, day] = correlation * found[:, day - 1] + fresh
    return found


def test_the_correlation_by_hand() -> None:
    """Twelve days that alternate between 1 and -1: raw -1, with the correction for twelve days."""
    found = pooled_correlation([np.array([1.0, -1.0] * 6)])
    assert found is not None
    assert (found.pairs, found.models) == (11, 1)
    assert found.value == pytest.approx(max(-0.99, (-1.0 + 1 / 12) / (1 - 4 / 12)))


def test_a_gap_makes_no_pair() -> None:
    """Only calendar days that follow each other are compared."""
    days = np.random.default_rng(1).standard_normal(30)
    days[[5, 6, 20]] = NAN
    found = pooled_correlation([days])
    assert found is not None
    assert found.pairs == 24


@pytest.mark.parametrize("correlation", [0.0, 0.22, 0.46])
def test_a_known_correlation_is_found_without_bias_in_short_histories(correlation: float) -> None:
    """40 days, 400 histories: the mean is within 0.03 of the truth; uncorrected it is 0.03 to 0.07 lower."""
    rng = np.random.default_rng(2)
    found = [pooled_correlation([each]) for each in series(rng, 400, 40, correlation)]
    values = [each.value for each in found if each is not None]
    assert np.mean(values) == pytest.approx(correlation, abs=0.03)


@pytest.mark.slow
@pytest.mark.parametrize("together", [False, True])
def test_the_interval_holds_the_truth_also_where_models_move_together(together: bool) -> None:
    """Five models over 30 days, independent or almost the same: the interval covers 0.3 in nine of ten."""
    rng, hits = np.random.default_rng(3), 0
    for _ in range(300):
        days = series(rng, 5, 30, 0.3)
        if together:
            days = days[:1] + 0.1 * days
        found = pooled_correlation(list(days))
        assert found is not None
        hits += found.low <= 0.3 <= found.high
    assert hits >= 270


def test_independent_days_keep_the_promised_rate() -> None:
    """An interval below 0.05 leaves the promise at 0.05."""
    found = promise(LagCorrelation(-0.1, -0.2, 0.0, 400, 1))
    assert (found.false_alarms, found.expected, found.high, found.reason) == (0.05, 0.05, 0.05, None)


def test_recorded_correlations_widen_the_promise() -> None:
    """0.22 and 0.46 were recorded: at these the test raises several times as many alarms as promised."""
    weak = promise(LagCorrelation(0.22, 0.05, 0.39, 120, 2)).expected
    strong = promise(LagCorrelation(0.46, 0.3, 0.6, 120, 2)).expected
    assert weak is not None and strong is not None
    assert 0.1 < weak < 0.3
    assert 0.5 < strong < 1.5


def test_a_few_days_promise_nothing() -> None:
    """Below twenty pairs the rate is withheld, with the reason."""
    found = promise(LagCorrelation(0.0, -0.5, 0.5, 12, 1))
    assert (found.expected, found.low, found.high) == (None, None, None)
    assert found.reason is not None and found.reason.startswith("12 pairs of consecutive days")


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_more_correlation_never_means_fewer_alarms(one: float, other: float) -> None:
    """The rate grows with the correlation and never falls below the promise."""
    low, high = sorted((one, other))
    rates = [promise(LagCorrelation(each, each, each, 100, 1)) for each in (low, high)]
    assert 0.05 <= (rates[0].expected or 0.0) <= (rates[1].expected or 0.0)
    assert (rates[1].high or 0.0) >= (rates[1].expected or 0.0)


def test_fallen_days_are_left_out() -> None:
    """A fall of ten days is no correlation of calm days."""
    rng = np.random.default_rng(4)
    scores = np.clip(0.8 + 0.05 * rng.standard_normal((1, 6, 100)), 0, 1)
    scores[:, :, 40:50] *= 0.5
    counted = np.ones((1, 100), dtype=bool)
    counted[:, 40:50] = False
    with_fall, without = (
        pooled_correlation(day_series(scores, np.zeros(6), mask)) for mask in (counted | True, counted)
    )
    assert with_fall is not None and without is not None
    assert with_fall.low > 0.0 > without.low
    assert without.pairs == 88


def test_a_short_history_borrows_the_fleet_s() -> None:
    """Thirty days are too few alone and are pooled; a hundred stand on their own."""
    rng = np.random.default_rng(5)
    scores = np.clip(0.8 + 0.05 * rng.standard_normal((3, 6, 100)), 0, 1)
    scores[0, :, :70] = NAN
    found = promises(scores, np.zeros(6), np.ones((3, 100), dtype=bool))
    used = [each.correlation.models if each.correlation else 0 for each in found]
    assert used == [3, 1, 1]


def test_the_table_grows_with_the_correlation() -> None:
    """More correlation, more alarms; a slow swing at least as many as a quick one, but for chance at none."""
    assert list(dependence.QUICK) == sorted(dependence.QUICK)
    assert list(dependence.SLOW) == sorted(dependence.SLOW)
    assert all(slow >= quick for quick, slow in zip(dependence.QUICK, dependence.SLOW, strict=True))
