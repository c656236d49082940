"""The frontier against a truth that is known because it was made up."""

from __future__ import annotations

import numpy as np
import pytest

from assay.frontier.capability import frontier
from assay.frontier.oracle import oracle
from assay.frontier.posterior import Posterior
from assay.frontier.sweep.decisions import PhiRule, default_alphas, scale_of, sweep
from assay.frontier.tensor import Tensor

PROMPTS, MODELS, GENERATIONS, DRAWS = 250, 8, 5, 60


class World:
    """A world with rates Beta(2, 1), independent by cell, and costs by model and prompt.

    Draws given the counts are exact.
    """

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        rates = rng.beta(2.0, 1.0, (PROMPTS, MODELS))
        quality = (rng.random((PROMPTS, MODELS, GENERATIONS)) < rates[:, :, None]).astype(float)
        mean = rng.lognormal(0.0, 1.0, MODELS) * rng.lognormal(0.0, 0.5, (PROMPTS, 1))
        noise = rng.lognormal(0.0, 0.4, quality.shape)
        names = tuple(f"p{n}" for n in range(PROMPTS)), tuple(f"m{n}" for n in range(MODELS))
        self.tensor = Tensor(*names, quality, cost=mean[:, :, None] * noise)
        right = quality.sum(axis=2)
        drawn = rng.beta(2.0 + right, 1.0 + GENERATIONS - right, (DRAWS, PROMPTS, MODELS))
        true_cost = mean * np.exp(0.4**2 / 2)
        costs = np.broadcast_to(true_cost, drawn.shape)
        self.posterior = Posterior("exact", drawn, costs, np.ones(rates.shape, dtype=np.bool_))
        rule = PhiRule(scale_of(quality, self.tensor.cost))
        everywhere = np.ones((1, *rates.shape), dtype=np.bool_)
        views = rule.views(rates[None], true_cost[None], everywhere, rates[None], true_cost[None])
        swept = sweep(views, default_alphas())
        assert swept.cost is not None
        self.quality, self.cost = swept.quality.mean(axis=0), swept.cost.mean(axis=0)


@pytest.fixture(scope="module")
def worlds() -> list[World]:
    """Return a few worlds."""
    return [World(seed) for seed in range(4)]


def test_the_debiased_frontier_is_nearer_to_the_truth_than_the_naive_one(worlds: list[World]) -> None:
    """In quality, on average over worlds, at every alpha from the sixth on."""
    errors = []
    for world in worlds:
        result = frontier(world.tensor, "mixture", posterior=world.posterior, resamples=0)
        own = np.array([point.quality.value for point in result.points]) - world.quality
        plain = np.array([point.quality.value for point in result.naive]) - world.quality
        errors.append((np.abs(own), np.abs(plain)))
    own, plain = np.mean(errors, axis=0)
    assert np.all(own[5:] < 0.5 * plain[5:])
    assert np.abs(own).max() < 0.02


def test_the_interval_of_these_prompts_contains_the_truth(worlds: list[World]) -> None:
    """Most points of most worlds lie within their 90 % interval; points of one world are not independent."""
    held = []
    for world in worlds:
        result = frontier(world.tensor, "mixture", posterior=world.posterior, resamples=0)
        for point, truth in zip(result.points, world.quality, strict=True):
            within = point.quality.these_prompts
            assert within is not None
            held.append(within.low <= truth <= within.high)
    assert np.mean(held) > 0.7


def test_the_bracket_contains_the_truth(worlds: list[World]) -> None:
    """At alpha = 1 quality lies between the cross-fitted and the naive figure in every world."""
    for world in worlds:
        result = frontier(world.tensor, "bracket", alphas=[0.5], resamples=0)
        low, high = result.points[-1].quality.value, result.naive[-1].quality.value
        assert low is not None and high is not None
        assert low < world.quality[-1] < high


@pytest.mark.parametrize("method", ["naive", "power", "bracket", "mixture"])
def test_at_alpha_1_the_frontier_is_the_oracle(worlds: list[World], method: str) -> None:
    """`frontier` and `oracle` give the same quality and cost; of the bracket this is the lower end."""
    world = worlds[0]
    posterior = world.posterior if method == "mixture" else None
    point = frontier(world.tensor, method, posterior=posterior, alphas=[0.5], resamples=0).points[-1]
    estimate = oracle(world.tensor, method, posterior=posterior, resamples=0)
    quality = estimate.quality.value if estimate.lower is None else estimate.lower.value
    assert estimate.cost is not None
    assert point.quality.value == pytest.approx(quality)
    assert point.cost.value == pytest.approx(estimate.cost.value)


def test_the_bias_is_the_naive_figure_less_the_method_s(worlds: list[World]) -> None:
    """In points of quality at alpha = 1 and in per cent of cost; the paper's bias is also given."""
    result = frontier(worlds[0].tensor, "mixture", posterior=worlds[0].posterior, resamples=20)
    plain, own = result.naive[-1], result.points[-1]
    assert plain.quality.value is not None and own.quality.value is not None
    assert plain.cost.value is not None and own.cost.value is not None
    assert result.bias.quality.value == pytest.approx(100 * (plain.quality.value - own.quality.value))
    assert result.bias.cost.value == pytest.approx(100 * (plain.cost.value / own.cost.value - 1))
    assert result.paper_bias is not None and result.paper_bias.quality.value is not None
    within = result.bias.quality.over_prompts
    assert within is not None and result.bias.quality.value is not None
    assert within.low < result.bias.quality.value < within.high


def test_gains_have_an_interval_for_these_prompts(worlds: list[World]) -> None:
    """Each draw gives its own gain; the interval contains the true gain."""
    world = worlds[0]
    result = frontier(world.tensor, "mixture", posterior=world.posterior, resamples=100)
    within = result.gains.error_reduction.estimate.these_prompts
    assert within is not None
    single = result.singles[result.best_single].level.value
    assert single is not None
    assert within.low < 1.0 - (1.0 - world.quality[-1]) / (1.0 - single) < within.high
    assert result.gains.same_best is not None and 0.0 < result.gains.same_best <= 1.0
    assert result.gains.saving.defined is not None


def test_an_interval_over_prompts_includes_uncertainty_shared_by_all_prompts() -> None:
    """Draws that move all prompts together widen it; independent draws for each prompt do not."""
    tensor = Tensor(tuple(f"p{n}" for n in range(100)), ("a",), np.tile([[[0.0, 1.0]]], (100, 1, 1)))
    rng = np.random.default_rng(0)
    may_choose = np.ones((100, 1), dtype=np.bool_)
    together = 0.5 + 0.05 * rng.standard_normal((400, 1, 1)) + np.zeros((400, 100, 1))
    apart = 0.5 + 0.05 * rng.standard_normal((400, 100, 1))
    widths = []
    for quality in (together, apart):
        posterior = Posterior("made up", quality, None, may_choose)
        result = frontier(tensor, "mixture", posterior=posterior, resamples=400)
        within = result.points[0].quality.over_prompts
        assert within is not None
        widths.append(within.high - within.low)
    assert widths[0] == pytest.approx(2 * 1.645 * 0.05, rel=0.2)
    assert widths[1] < 0.01
