"""One number for a day."""

import numpy as np
import pytest

from assay.watch.day_score import FALL, USE_CASE_FALL, day_scores, membership
from assay.watch.weights import Moments

USE_CASES = np.array([4, 4, 7])


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
