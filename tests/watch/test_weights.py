"""Weights of cases in the day score."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.watch.weights import Moments

NAN = np.nan


def days_of(*cases: list[float]) -> np.ndarray:
    """One model's scores, shape (1, days, cases)."""
    return np.array(cases, dtype=float).T[None]


def test_a_case_that_passes_or_fails_weighs_its_likelihood_ratio() -> None:
    """10 days, 4 failures: without the worst day 6 of 9 pass, smoothed 6.1/9.2; a fall takes 2.5 %."""
    weight = Moments.of(days_of([1.0] * 6 + [0.0] * 4)).weights()[0, 0]
    mean = 6.1 / 9.2
    fallen = mean * 0.975
    expected = np.log(mean / fallen) - np.log((1 - mean) / (1 - fallen))
    assert weight == pytest.approx(expected, rel=1e-9)


def test_a_graded_case_weighs_its_mean_over_its_variance() -> None:
    """For a small fall the weight is near 0.025 m / v."""
    rng = np.random.default_rng(1)
    scores = np.clip(0.7 + 0.1 * rng.standard_normal((1, 4000, 1)), 0, 1)
    assert Moments.of(scores).weights()[0, 0] == pytest.approx(0.025 * 0.7 / 0.01, rel=0.1)


def test_a_case_that_flips_weighs_less_than_one_that_never_fails() -> None:
    """A failure of a case that never failed says more about a fall."""
    flips, steady = Moments.of(days_of([0.0, 1.0] * 10, [1.0] * 20)).weights()[0]
    assert steady > 10 * flips


def test_the_first_failure_is_measured_against_the_days_without_it() -> None:
    """A case with a single failure weighs nearly as much as one without."""
    once, never = Moments.of(days_of([1.0] * 19 + [0.0], [1.0] * 20)).weights()[0]
    assert once == pytest.approx(never, rel=0.1)


@given(st.permutations(list(range(8))))
def test_the_order_of_days_does_not_matter(order: list[int]) -> None:
    """The ranks are fair only because the weights see the days as a set."""
    scores = np.random.default_rng(2).random((1, 8, 3))
    np.testing.assert_allclose(Moments.of(scores).weights(), Moments.of(scores[:, order]).weights())


def test_adding_days_one_by_one_gives_the_moments_of_all() -> None:
    """`add` and `of` agree, missing scores included."""
    scores = np.random.default_rng(3).random((2, 6, 3))
    scores[0, 2, 1] = scores[1, 4, :] = NAN
    grown = Moments.none(2, 3)
    for day in range(6):
        grown = grown.add(scores[:, day])
    whole = Moments.of(scores)
    for name in Moments.__slots__:
        np.testing.assert_allclose(getattr(grown, name), getattr(whole, name), err_msg=name)


def test_a_case_never_scored_weighs_nothing() -> None:
    """No score, no say."""
    assert Moments.of(days_of([NAN] * 5, [1.0, 0.0, 1.0, 1.0, 0.0])).weights()[0, 0] == 0.0


def test_a_variance_is_never_zero() -> None:
    """Scores that never moved leave room for a move."""
    assert (Moments.of(days_of([1.0] * 30, [0.4] * 30, [0.0] * 30)).variance() > 0).all()
