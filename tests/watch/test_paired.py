"""Today against the window, case by case."""

from __future__ import annotations

import numpy as np
import pytest

from assay.results.watch import DayFlip, PairedTest
from assay.watch.paired import PairedCases, day_on_day, flips

WINDOW = np.array([True] * 10 + [False])


def cases(*today: float, past: float = 1.0) -> np.ndarray:
    values = np.full((len(today), 11), past)
    values[:, 10] = today
    return values


def window(count: int) -> np.ndarray:
    return np.broadcast_to(WINDOW, (count, 11))


def paired(values: np.ndarray, baseline: np.ndarray, day: int) -> PairedTest | None:
    """Test all cases together."""
    return PairedCases.of(values, baseline, day).test(np.ones(len(values), dtype=bool))


def test_by_hand() -> None:
    """Two of five cases that always passed fail today: p = 1/121, 40 points lower."""
    found = paired(cases(0, 0, 1, 1, 1), window(5), 10)
    assert found is not None
    assert (found.p, found.difference) == pytest.approx((1 / 121, -40.0))
    assert (found.cases, found.days) == (5, 10)
    assert found.least_p == pytest.approx(11.0**-5)


def test_a_case_that_always_fails_shows_nothing() -> None:
    """Cases that never passed cannot fall."""
    found = paired(cases(0, 0, past=0.0), window(2), 10)
    assert found is not None
    assert (found.p, found.least_p) == (1.0, 1.0)


def test_noise_of_other_days_is_no_evidence() -> None:
    """Cases that failed on half of the window's days and fail again today show little."""
    values = np.ones((2, 11))
    values[:, :10:2] = 0.0
    values[:, 10] = 0.0
    found = paired(values, window(2), 10)
    assert found is not None
    assert found.p == pytest.approx((6 / 11) ** 2)


def test_missing_cases_take_no_part() -> None:
    """A case without a score today or before is left out; without any there is no test."""
    values = cases(0, np.nan, 1)
    values[2, :10] = np.nan
    found = paired(values, window(3), 10)
    assert found is not None
    assert found.cases == 1
    assert paired(values[1:], window(2), 10) is None


def test_only_the_window_counts() -> None:
    """Days outside the window do not enter."""
    values = cases(0.0)
    values[0, :5] = 0.0
    late = np.array([[False] * 5 + [True] * 5 + [False]])
    found = paired(values, late, 10)
    assert found is not None
    assert found.p == pytest.approx(1 / 6)


def test_some_of_the_cases_are_tested_as_if_they_were_alone() -> None:
    """Cases that were prepared together: the test of some has the digits that it has by itself."""
    rng = np.random.default_rng(3)
    values = rng.integers(0, 13, (9, 11)) / 12
    values[rng.random(values.shape) < 0.2] = np.nan
    prepared = PairedCases.of(values, window(9), 10)
    for chosen in (np.arange(9) < 4, np.arange(9) >= 4, np.arange(9) % 2 == 0, np.arange(9) == 2):
        assert prepared.test(chosen) == paired(values[chosen], window(int(chosen.sum())), 10)
    past = values[:, :10]
    falls = [today - np.nanmean(before) for today, before in zip(values[:, 10], past, strict=True)]
    found = prepared.test(np.ones(9, dtype=bool))
    assert found is not None
    assert found.difference == pytest.approx(100 * np.nanmean(falls))


def test_flips() -> None:
    """A case flips when its mean moves by at least a half, either way."""
    before, after = np.array([1.0, 0.0, 1.0, 2 / 3, np.nan]), np.array([0.5, 1.0, 2 / 3, 0.0, 0.0])
    found = flips(("a", "b", "c", "d", "e"), before, after)
    assert found == (DayFlip("a", 1.0, 0.5), DayFlip("b", 0.0, 1.0), DayFlip("d", 2 / 3, 0.0))
    assert day_on_day(found) == 0.5
