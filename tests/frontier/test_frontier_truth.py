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
    """Rates Beta(2, 1) of every cell apart, costs by model and prompt; draws given the counts are exact."""

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
    """In quality at every alpha that buys any, on average over worlds."""
    errors = []
    for world in worlds:
        found = frontier(world.tensor, "mixture", posterior=world.posterior, resamples=0)
        own = np.array([point.quality.value for point in found.points]) - world.quality
        plain = np.array([point.quality.value for point in found.naive]) - world.quality
        errors.append((np.abs(own), np.abs(plain)))
    own, plain = np.mean(errors, axis=0)
    assert np.all(own[5:] < 0.5 * plain[5:])
    assert np.abs(own).max() < 0.02


def test_the_interval_of_these_prompts_holds_the_truth(worlds: list[World]) -> None:
    """Most points of most worlds lie within their 90 % interval; points of one world are not independent."""
    held = []
    for world in worlds:
        found = frontier(world.tensor, "mixture", posterior=world.posterior, resamples=0)
        for point, truth in zip(found.points, world.quality, strict=True):
            within = point.quality.these_prompts
            assert within is not None
            held.append(within.low <= truth <= within.high)
    assert np.mean(held) > 0.7


def test_the_bracket_holds_the_truth(worlds: list[World]) -> None:
    """At alpha = 1 quality lies between the cross-fitted and the naive figure in every world."""
    for world in worlds:
        found = frontier(world.tensor, "bracket", alphas=[0.5], resamples=0)
        low, high = found.points[-1].quality.value, found.naive[-1].quality.value
        assert low is not None and high is not None
        assert low < world.quality[-1] < high


@pytest.mark.parametrize("method", ["naive", "power", "bracket", "mixture"])
def test_at_alpha_1_the_frontier_is_the_oracle(worlds: list[World], method: str) -> None:
    """One question has one answer, by whichever door: quality and cost, of the bracket the lower end."""
    world = worlds[0]
    posterior = world.posterior if method == "mixture" else None
    point = frontier(world.tensor, method, posterior=posterior, alphas=[0.5], resamples=0).points[-1]
    told = oracle(world.tensor, method, posterior=posterior, resamples=0)
    quality = told.quality.value if told.lower is None else told.lower.value
    assert told.cost is not None
    assert point.quality.value == pytest.approx(quality)
    assert point.cost.value == pytest.approx(told.cost.value)


def test_the_bias_is_the_naive_figure_less_the_method_s(worlds: list[World]) -> None:
    """In points of quality at alpha = 1, in per cent of cost; the paper's own stands beside it."""
    found = frontier(worlds[0].tensor, "mixture", posterior=worlds[0].posterior, resamples=20)
    plain, own = found.naive[-1], found.points[-1]
    assert plain.quality.value is not None and own.quality.value is not None
    assert plain.cost.value is not None and own.cost.value is not None
    assert found.bias.quality.value == pytest.approx(100 * (plain.quality.value - own.quality.value))
    assert found.bias.cost.value == pytest.approx(100 * (plain.cost.value / own.cost.value - 1))
    assert found.paper_bias is not None and found.paper_bias.quality.value is not None
    within = found.bias.quality.over_prompts
    assert within is not None and found.bias.quality.value is not None
    assert within.low < found.bias.quality.value < within.high


def test_gains_know_what_is_not_known_about_these_prompts(worlds: list[World]) -> None:
    """Each draw of the truth gives its own gain; the interval holds the gain that is true."""
    world = worlds[0]
    found = frontier(world.tensor, "mixture", posterior=world.posterior, resamples=100)
    within = found.gains.error_reduction.estimate.these_prompts
    assert within is not None
    single = found.singles[found.best_single].level.value
    assert single is not None
    assert within.low < 1.0 - (1.0 - world.quality[-1]) / (1.0 - single) < within.high
    assert found.gains.same_best is not None and 0.0 < found.gains.same_best <= 1.0
    assert found.gains.saving.defined is not None


def test_an_interval_over_prompts_holds_what_the_model_gets_wrong_for_all() -> None:
    """Draws that move all prompts together widen it; draws apart for every prompt do not."""
    tensor = Tensor(tuple(f"p{n}" for n in range(100)), ("a",), np.tile([[[0.0, 1.0]]], (100, 1, 1)))
    rng = np.random.default_rng(0)
    may_choose = np.ones((100, 1), dtype=np.bool_)
    together = 0.5 + 0.05 * rng.standard_normal((400, 1, 1)) + np.zeros((400, 100, 1))
    apart = 0.5 + 0.05 * rng.standard_normal((400, 100, 1))
    widths = []
    for quality in (together, apart):
        posterior = Posterior("made up", quality, None, may_choose)
        found = frontier(tensor, "mixture", posterior=posterior, resamples=400)
        within = found.points[0].quality.over_prompts
        assert within is not None
        widths.append(within.high - within.low)
    assert widths[0] == pytest.approx(2 * 1.645 * 0.05, rel=0.2)
    assert widths[1] < 0.01
