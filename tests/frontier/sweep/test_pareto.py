"""Tests of hulls in the plane of cost and quality."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from assay.frontier.sweep.pareto import cost_of, mean_height, quality_at, undominated, upper_hull

QUALITY = np.array([0.2, 0.5, 0.6, 0.8, 0.7])
COST = np.array([1.0, 2.0, 4.0, 6.0, 9.0])
"""The line from (2, 0.5) to (6, 0.8) passes (4, 0.65) above the third point; the last is dominated."""

POINTS = arrays.arrays(np.float64, (2, 6), elements=st.integers(0, 20).map(float))


def one(value: float) -> np.ndarray:
    """Return one row's number."""
    return np.array([value])


def test_a_point_below_a_line_between_two_others_is_not_on_the_hull() -> None:
    """A router that mixes its neighbours beats the third point; the dominated last one is left out too."""
    assert upper_hull(QUALITY, COST).tolist() == [0, 1, 3]


def test_a_point_inside_the_hull_can_still_be_undominated() -> None:
    """No single point is cheaper and better than the third, though a mixture is; the last is dominated."""
    assert undominated(QUALITY, COST).tolist() == [True, True, True, True, False]


def test_of_equal_points_all_are_undominated() -> None:
    """Neither beats the other."""
    assert undominated([0.5, 0.5], [1.0, 1.0]).tolist() == [True, True]


def test_aiq_is_the_area_under_the_hull_over_its_range_of_costs() -> None:
    """By hand: 1 x 0.35 + 4 x 0.65 = 2.95 over the costs from 1 to 6: 0.59 (RouterBench's definition)."""
    assert mean_height(QUALITY[None], COST[None])[0] == pytest.approx(2.95 / 5)


def test_beyond_the_best_point_the_hull_is_flat() -> None:
    """From 5 to 8 by hand: 0.7625 on average to 6, then 0.8 for 2."""
    found = mean_height(QUALITY[None], COST[None], one(5.0), one(8.0))
    assert found[0] == pytest.approx((0.7625 + 2 * 0.8) / 3)


def test_one_point_spans_no_range() -> None:
    """Its AIQ does not exist, and neither does a mean height that begins below it."""
    assert np.isnan(mean_height(np.array([[0.5]]), np.array([[1.0]]))[0])
    assert np.isnan(mean_height(QUALITY[None], COST[None], one(0.5), one(6.0))[0])


@pytest.mark.parametrize(
    ("spend", "quality"), [(0.9, np.nan), (1.0, 0.2), (1.5, 0.35), (4.0, 0.65), (20, 0.8)]
)
def test_quality_at_a_cost_is_read_from_the_hull(spend: float, quality: float) -> None:
    """Between corners it is interpolated, beyond the best it stays, below the cheapest there is none."""
    found = quality_at(QUALITY[None], COST[None], one(spend))[0]
    assert found == pytest.approx(quality, nan_ok=True)


@pytest.mark.parametrize(
    ("reach", "cost"), [(0.1, 1.0), (0.35, 1.5), (0.65, 4.0), (0.8, 6.0), (0.81, np.nan)]
)
def test_cost_of_a_quality_is_read_from_the_hull(reach: float, cost: float) -> None:
    """What the cheapest exceeds costs what the cheapest costs; what no point reaches has no cost."""
    assert cost_of(QUALITY[None], COST[None], one(reach))[0] == pytest.approx(cost, nan_ok=True)


@given(POINTS, st.integers(0, 20))
def test_the_hull_is_the_best_mixture_of_two_points(points: np.ndarray, spend: int) -> None:
    """Whatever the points, the hull at a cost is what the best affordable mixture of two of them reaches."""
    quality, cost = points
    best = np.nan
    for q, c in zip(quality, cost, strict=True):
        for other, dearer in zip(quality, cost, strict=True):
            if c <= spend:
                share = 1.0 if dearer <= spend else (spend - c) / (dearer - c)
                best = np.nanmax([best, q, q + share * (other - q)])
    found = quality_at(quality[None], cost[None], one(float(spend)))[0]
    assert found == pytest.approx(best, nan_ok=True)


@given(POINTS)
def test_each_edge_of_the_hull_is_flatter_than_the_last(points: np.ndarray) -> None:
    """The hull is concave and rises in both quality and cost."""
    quality, cost = points
    corners = upper_hull(quality, cost)
    rise, run = np.diff(quality[corners]), np.diff(cost[corners])
    assert np.all(rise > 0) and np.all(run > 0)
    assert np.all(np.diff(rise / run) <= 1e-12)
