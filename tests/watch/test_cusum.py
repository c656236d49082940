"""The cumulative-sum chart."""

import numpy as np
import pytest

from assay.watch.cusum import CALIBRATION_DAYS, CusumScale, climb, distances, follow

NAN = np.nan


def steady(models: int, cases: int, days: int, seed: int = 1) -> np.ndarray:
    """Graded scores around 0.7, shape (models, cases, days)."""
    return 0.7 + 0.05 * np.random.default_rng(seed).uniform(-1, 1, (models, cases, days))


def test_two_days_three_deviations_low() -> None:
    """Worked by hand: sums 2.5, 2, 1 then 5, 4, 2 for references 0.5, 1, 2; twice reference times sum."""
    course = climb(np.array([[3.0, 3.0]]), threshold=100.0)
    assert course.height.tolist() == [[4.0, 8.0]]


def test_a_good_day_does_not_take_the_sum_below_zero() -> None:
    """Page's chart forgets good days."""
    assert climb(np.array([[-5.0, 3.0]]), threshold=100.0).height.tolist() == [[0.0, 4.0]]


def test_an_alarm_starts_the_sums_anew() -> None:
    """The height that raised the alarm is shown, the next day starts from 0."""
    course = climb(np.array([[3.0, 3.0, 3.0]]), threshold=8.0)
    assert course.alarm.tolist() == [[False, True, False]]
    assert course.height.tolist() == [[4.0, 8.0, 4.0]]


def test_a_gap_neither_adds_nor_takes_away() -> None:
    """A day without scores leaves the height where it was."""
    assert climb(np.array([[3.0, NAN, 3.0]]), threshold=100.0).height.tolist() == [[4.0, 4.0, 8.0]]


def test_the_calibration_days_are_not_judged() -> None:
    """Distances begin after 28 scored days, whatever gaps lie between."""
    scores = steady(1, 3, 40)
    scores[:, :, [5, 10]] = NAN
    assert np.isnan(distances(scores)[0, : CALIBRATION_DAYS + 2]).all()
    assert not np.isnan(distances(scores)[0, CALIBRATION_DAYS + 2 :]).any()


def test_a_day_does_not_depend_on_later_days() -> None:
    """The course of the first days is the beginning of the whole course, with gaps and missing cases."""
    scores = steady(3, 4, 60)
    scores[1, :, 20:23] = scores[2, 1, 30:50] = NAN
    scores[0, :, 45:] *= 0.9
    whole = follow(scores, threshold=9.0).height
    for days in (35, 47, 59):
        np.testing.assert_allclose(follow(scores[:, :, :days], threshold=9.0).height, whole[:, :days])


def test_a_spotless_calibration_leaves_a_spread() -> None:
    """Cases that never failed in 28 days may fail once without an infinite distance."""
    scores = np.ones((1, 25, 40))
    scores[0, 3, 35] = 0.0
    assert 0.5 < distances(scores)[0, 35] < 10.0


def test_missing_cases_are_measured_by_the_spread_of_the_others() -> None:
    """The same relative fall reads about alike with half of the cases, less by the root of two."""
    calibration = steady(1, 40, CALIBRATION_DAYS).transpose(0, 2, 1)
    scale = CusumScale.of(calibration)
    low = scale.means[:, None, :] * 0.97
    half = low.copy()
    half[:, :, ::2] = NAN
    ratio = scale.standardise(low)[0, 0] / scale.standardise(half)[0, 0]
    assert ratio == pytest.approx(np.sqrt(2.0), rel=0.1)


def test_days_that_swing_together_widen_the_spread() -> None:
    """A swing that all cases share counts in the spread, though each case alone looks calm."""
    rng = np.random.default_rng(4)
    calm = steady(1, 30, CALIBRATION_DAYS).transpose(0, 2, 1)
    swinging = calm + 0.03 * rng.standard_normal((1, CALIBRATION_DAYS, 1))
    assert CusumScale.of(swinging).spread[0] / CusumScale.of(calm).spread[0] > 0.9
    z = CusumScale.of(swinging).standardise(swinging)
    assert z.std() == pytest.approx(1.0, abs=0.05)
