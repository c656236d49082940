"""Shares of the gap: worked by hand, with similar prompts drawn together."""

from __future__ import annotations

import numpy as np
import pytest

from assay.frontier.routing.evaluation import Valued
from assay.frontier.routing.regret import regret, regrouped, routing_reference
from assay.frontier.sweep.curve import MethodCurve
from assay.frontier.weighed import PromptReplicates

NONE = PromptReplicates(np.zeros((0, 4)), 0.9)


def valued(quality: list[float], cost: list[float], name: str = "router") -> Valued:
    """Return one repeat of four prompts, each at these settings."""
    table, paid = np.tile(quality, (1, 4, 1)), np.tile(cost, (1, 4, 1))
    return Valued(name, "none", table, paid, table[:, :, 0], paid[:, :, 0], np.array([1.0]), ("",))


def test_the_share_is_the_gain_over_the_oracles_gain() -> None:
    """Best single 0.5 at cost 4, router 0.6, oracle 0.9: a quarter. At the single's cost the frontier's hull
    is half way from 0.4 to 0.9, and the router's 0.55 a third of that gain."""
    oracle = MethodCurve(
        np.tile([0.4, 0.9], (4, 1)), np.tile([2.0, 6.0], (4, 1)), np.zeros((2, 1)), None, None
    )
    base = valued([0.5, 0.5], [4.0, 4.0])
    measure = routing_reference(oracle, base, NONE, np.random.default_rng(0), folds=5, costed=True)
    found = regret(valued([0.55, 0.6], [3.0, 5.0]), measure, ["m"])
    assert found.share.value == pytest.approx(0.25)
    assert found.matched is not None
    assert measure.gap_at_cost[0] == pytest.approx(0.15)
    assert found.matched.share.value == pytest.approx(1 / 3)
    assert found.matched.cost.value == pytest.approx(3.0)
    assert found.aiq.value == pytest.approx(0.575)
    assert found.share.over_prompts is None


def test_without_a_gap_there_is_no_share() -> None:
    """The oracle is no better than the best single model."""
    oracle = MethodCurve(np.full((4, 1), 0.5), None, np.zeros((1, 1)), None, None)
    base = valued([0.5], [0.0])
    measure = routing_reference(oracle, base, NONE, np.random.default_rng(0), folds=5, costed=False)
    found = regret(valued([0.4], [0.0]), measure, ["m"])
    assert found.share.value is None
    assert found.gain.value == pytest.approx(-0.1)
    assert found.matched is None


def test_similar_prompts_are_drawn_together() -> None:
    """Their weights are equal in every replicate, and each replicate's sum is 1."""
    weights = regrouped(np.array([0, 0, 1, 2, 2, 2]), 50, 0.9, np.random.default_rng(1)).weights
    assert np.array_equal(weights[:, 0], weights[:, 1])
    assert np.array_equal(weights[:, 3], weights[:, 5])
    assert np.allclose(weights.sum(axis=1), 1.0)
    assert len(np.unique(weights[:, 2])) > 1


def test_intervals_of_differences_are_wider_by_the_share_of_training_sets_that_overlap() -> None:
    """With five folds they are 1.5 times as wide; the interval of a level is not widened."""
    rng = np.random.default_rng(2)
    oracle = MethodCurve(np.ones((40, 1)), None, np.zeros((1, 1)), None, None)
    table = rng.random((1, 40, 1))
    none, single = np.zeros((1, 40)), np.array([1.0])
    router = Valued("router", "none", table, np.zeros((1, 40, 1)), none, none, single, ("",))
    base = Valued("base", "none", np.zeros((1, 40, 1)), np.zeros((1, 40, 1)), none, none, single, ("",))
    weighed = regrouped(np.arange(40), 200, 0.9, rng)
    found = regret(router, routing_reference(oracle, base, weighed, rng, folds=5, costed=False), ["m"])
    level, gain = found.quality.over_prompts, found.gain.over_prompts
    assert level is not None
    assert gain is not None
    assert found.gain.value == found.quality.value
    assert found.gain.value - gain.low == pytest.approx(1.5 * (found.gain.value - level.low))
