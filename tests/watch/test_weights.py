"""Weights of cases in the day score."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.watch.weights import FALL, USE_CASE_FALL, Moments, day_scores, membership

NAN = np.nan
USE_CASES = np.array([4, 4, 7])


def days_of(*cases: list[float]) -> np.ndarray:
    """One model's scores, shape (1, days, cases)."""
    return np.array(cases, dtype=float).T[None]


def test_a_case_that_passes_or_fails_has_its_likelihood_ratio() -> None:
    """10 days, 4 failures: without the 3 worst 6 of 7 pass, smoothed 6.1/7.2; a fall takes a fifth."""
    ratio = Moments.of(days_of([1.0] * 6 + [0.0] * 4)).ratio(0.2)
    mean = 6.1 / 7.2
    assert ratio.offset[0, 0] == pytest.approx(np.log((1 - 0.8 * mean) / (1 - mean)))
    assert ratio.slope[0, 0] + ratio.offset[0, 0] == pytest.approx(np.log(0.8))


def test_a_graded_case_has_nearly_the_normal_ratio() -> None:
    """For a small fall the slope is near -fall m / v."""
    rng = np.random.default_rng(1)
    scores = np.clip(0.7 + 0.1 * rng.standard_normal((1, 4000, 1)), 0, 1)
    assert Moments.of(scores).ratio(0.025).slope[0, 0] == pytest.approx(-0.025 * 0.7 / 0.01, rel=0.1)


def test_a_case_that_flips_says_less_than_one_that_never_fails() -> None:
    """A failure of a case that never failed says more about a fall."""
    flips, steady = Moments.of(days_of([0.0, 1.0] * 10, [1.0] * 20)).ratio(0.05).slope[0]
    assert steady < 10 * flips < 0


def test_the_first_failures_are_measured_against_the_days_without_them() -> None:
    """A case with three failures is as steep as one without; the fourth flattens it."""
    scores = [[1.0] * (20 - failures) + [0.0] * failures for failures in (0, 3, 4)]
    never, thrice, four = Moments.of(days_of(*scores)).ratio(0.05).slope[0]
    assert thrice == pytest.approx(never, rel=0.1)
    assert four > 0.7 * never


@given(st.permutations(list(range(8))))
def test_the_order_of_days_does_not_matter(order: list[int]) -> None:
    """The ranks are fair only because the ratios see the days as a set."""
    scores = np.random.default_rng(2).random((1, 8, 3))
    usual, shuffled = Moments.of(scores).ratio(0.1), Moments.of(scores[:, order]).ratio(0.1)
    np.testing.assert_allclose(shuffled.slope, usual.slope)
    np.testing.assert_allclose(shuffled.offset, usual.offset)


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


def test_a_case_hardly_ever_scored_says_nothing() -> None:
    """No more days than are left out: no ratio."""
    ratio = Moments.of(days_of([NAN] * 4 + [1.0, 0.0, 1.0], [1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0])).ratio(0.1)
    assert (ratio.slope[0, 0], ratio.offset[0, 0]) == (0.0, 0.0)
    assert ratio.slope[0, 1] < 0.0


def test_a_variance_is_never_zero() -> None:
    """Scores that never moved leave room for a move."""
    assert (Moments.of(days_of([1.0] * 30, [0.4] * 30, [0.0] * 30)).variance > 0).all()


def coins(days: int = 40) -> np.ndarray:
    """Three cases that pass nine times in ten, shape (1, days, cases)."""
    return (np.random.default_rng(1).random((1, days, 3)) < 0.9).astype(float)


def scored(scores: np.ndarray, known: np.ndarray | None = None) -> np.ndarray:
    moments = Moments.of(np.where(known, scores, np.nan) if known is not None else scores)
    filled = scores if known is None else np.where(known, scores, 0.0)
    missing = None if known is None else known.transpose(0, 2, 1)
    return day_scores(moments, filled.transpose(0, 2, 1), missing, membership(USE_CASES))[0]


def test_members_are_told_by_their_use_cases_number() -> None:
    """One row a use case, whatever the numbers are."""
    assert membership(USE_CASES).tolist() == [[1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]


def test_it_is_the_larger_of_the_two_ratios() -> None:
    """Worked out case by case: all cases by FALL, or the worst use case by USE_CASE_FALL."""
    scores = coins()
    moments = Moments.of(scores)
    whole, part = moments.ratio(FALL), moments.ratio(USE_CASE_FALL)
    day = scores[0, 5]
    all_cases = (whole.slope[0] * day + whole.offset[0]).sum()
    cases = part.slope[0] * day + part.offset[0]
    assert scored(scores)[5] == pytest.approx(max(all_cases, cases[0] + cases[1], cases[2]), abs=1e-6)


def test_a_day_with_a_failed_use_case_is_worse_than_one_with_scattered_failures() -> None:
    """Two failures in one use case speak for its fall."""
    scores = np.ones((1, 60, 3))
    scores[0, 10, :2] = 0.0
    scores[0, 20, 1:] = 0.0
    found = scored(scores)
    assert found[10] > found[20] > found[0]


def test_a_missing_case_counts_as_its_mean() -> None:
    """A day without a case lies between the same day with a pass and with a failure."""
    scores = coins()
    day = int(np.argmax(scores[0].all(axis=1)))
    known = np.ones(scores.shape, dtype=bool)
    known[0, day, 2] = False
    failed = scores.copy()
    failed[0, day, 2] = 0.0
    assert scored(scores)[day] < scored(scores, known)[day] < scored(failed)[day]


def test_days_that_differ_by_rounding_are_equal() -> None:
    """A mean of three samples summed in another order does not break a tie."""
    scores = np.round(np.random.default_rng(2).random((1, 101, 39)), 1)
    scores[0, 1::2] = np.clip(scores[0, 0] + 1e-15, 0, 1)
    found = day_scores(Moments.of(scores), scores.transpose(0, 2, 1), None, membership(np.arange(39) % 7))[0]
    assert (found[1::2] == found[0]).all()
