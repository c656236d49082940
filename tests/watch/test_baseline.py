"""Baselines: which days enter, the floor, and the least number of days."""

from __future__ import annotations

import numpy as np
import pytest

from assay.core.suite import Thresholds
from assay.watch.baseline import golden, rolling

THRESHOLDS = Thresholds()
FLOORS = np.array([2.0])


def cube(days: list[float]) -> np.ndarray:
    return np.array(days, dtype=float)[np.newaxis, np.newaxis, :]


@pytest.mark.parametrize(("days", "there"), [(4, False), (5, True)])
def test_least_days(days: int, there: bool) -> None:
    """Four scored days make no baseline, five do."""
    found = rolling(cube([80.0] * days + [80.0]), FLOORS, THRESHOLDS)
    assert found.exists[0, 0, days] == there
    assert found.days[0, 0, days] == days


def test_floor() -> None:
    """A spread below the floor is raised to it, and the spread before it stays visible."""
    found = rolling(cube([80, 80, 80, 80, 81, 0]), FLOORS, THRESHOLDS)
    assert found.spread[0, 0, 5] == 2.0
    assert found.deviation[0, 0, 5] == pytest.approx(0.2**0.5)


def test_no_floor_needed() -> None:
    """A spread above the floor is the sample standard deviation, ddof 1."""
    found = rolling(cube([70, 90, 70, 90, 80, 0]), FLOORS, THRESHOLDS)
    assert found.spread[0, 0, 5] == pytest.approx(10.0)


def test_window_counts_calendar_days() -> None:
    """The window is 14 calendar days: gaps inside it are not made up from before it."""
    days = [50.0] * 10 + [np.nan] * 9 + [90.0] * 5 + [0.0]
    found = rolling(cube(days), FLOORS, THRESHOLDS)
    assert found.days[0, 0, 24] == 5
    assert found.mean[0, 0, 24] == 90.0
    assert found.mean[0, 0, 23] == 82.0


def test_golden_never_moves() -> None:
    """The golden baseline is the first 14 scored days, gaps skipped, whatever comes after."""
    days = [80.0] * 7 + [np.nan] * 3 + [90.0] * 7 + [10.0] * 30
    found = golden(cube(days), FLOORS, THRESHOLDS)
    assert not found.exists[0, 0, :17].any()
    assert (found.mean[0, 0, 17:] == 85.0).all()
    assert found.days[0, 0, -1] == 14


def test_no_golden_before_a_full_window() -> None:
    """With 13 scored days there is no golden baseline yet."""
    assert not golden(cube([80.0] * 13 + [np.nan] * 5), FLOORS, THRESHOLDS).exists.any()
