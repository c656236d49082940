"""Tests of what the frontier gains over the best single model."""

from __future__ import annotations

import numpy as np
import pytest

from assay.frontier.sweep.gains import SingleComparison, gain_values, missing_gains


def against(best_quality: float, best_cost: float | None) -> SingleComparison:
    """Return a frontier from 0.4 at 1 to 0.8 at 3 beside a best single model."""
    cost = None if best_cost is None else np.array([best_cost])
    frontier = np.array([[1.0, 3.0]]) if best_cost is not None else None
    return SingleComparison(np.array([[0.4, 0.8]]), frontier, np.array([best_quality]), cost)


def test_the_three_gains_are_apart() -> None:
    """By hand: 0.6 at 2 alone; any cost: 0.2 of 0.4 error; at 2: 0.6, nothing; at 0.6: cost 2, nothing."""
    found = gain_values(against(0.6, 2.5))
    assert found.error_reduction[0] == pytest.approx(0.5)
    assert found.quality_for_cost[0] == pytest.approx(0.7)
    assert found.matched_cost[0] == pytest.approx(0.25)
    assert found.cost_for_quality[0] == pytest.approx(2.0)
    assert found.saving[0] == pytest.approx(0.2)


def test_a_best_single_cheaper_than_every_point_has_no_matched_cost() -> None:
    """The error reduction at any cost stands; the saving is negative and told."""
    one = against(0.6, 0.5)
    assert np.isnan(gain_values(one).matched_cost[0])
    assert gain_values(one).saving[0] == pytest.approx(-3.0)
    assert missing_gains(one)["matched_cost"] == (
        "even the cheapest point of the frontier costs more than the best single model"
    )


def test_a_frontier_that_falls_short_has_no_saving() -> None:
    """A debiased frontier may lie below the best single model."""
    one = against(0.9, 2.0)
    assert np.isnan(gain_values(one).saving[0])
    assert missing_gains(one)["saving"] == "no point of the frontier reaches the best single model's quality"


def test_a_perfect_best_single_has_no_error_to_reduce() -> None:
    """None, with the reason; not 0 and not infinite."""
    one = against(1.0, 2.0)
    assert np.isnan(gain_values(one).error_reduction[0])
    assert missing_gains(one)["error_reduction"] == "the best single model has no error to reduce"


def test_quality_without_a_maximum_has_no_error() -> None:
    """Costs at equal quality are still compared."""
    one = against(0.6, 2.5)
    assert np.isnan(gain_values(one, bounded=False).matched_cost[0])
    assert gain_values(one, bounded=False).saving[0] == pytest.approx(0.2)
    assert "scale it to 0-1" in str(missing_gains(one, bounded=False)["matched_cost"])


def test_a_free_best_single_leaves_nothing_to_save() -> None:
    """The quotient is not defined."""
    one = SingleComparison(np.array([[0.6]]), np.array([[0.0]]), np.array([0.6]), np.array([0.0]))
    assert missing_gains(one)["saving"] == "the best single model costs nothing, so that nothing can be saved"
    assert missing_gains(one)["aiq"] == "the hull is one point: it spans no range of costs"


def test_without_costs_only_the_error_reduction_stands() -> None:
    """Everything else says why not."""
    one = against(0.6, None)
    assert gain_values(one).error_reduction[0] == pytest.approx(0.5)
    assert {name for name, why in missing_gains(one).items() if why == "no costs were recorded"} == {
        "quality_for_cost",
        "matched_cost",
        "cost_for_quality",
        "saving",
        "aiq",
    }
