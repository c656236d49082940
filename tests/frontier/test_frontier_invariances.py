"""Invariances of the frontier: changes of the data that must not change it, or only one part of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.frontier.capability import frontier
from assay.frontier.posterior import Posterior
from assay.frontier.tensor import Tensor
from assay.results.frontier_report import Frontier

ALPHAS = (0.01, 0.1, 0.4, 0.8)


def made(seed: int, prompts: int = 6, models: int = 4, generations: int = 3) -> Tensor:
    """Return a tensor of 0/1 quality and skewed costs."""
    rng = np.random.default_rng(seed)
    rates = rng.random((prompts, models, 1))
    quality = (rng.random((prompts, models, generations)) < rates).astype(float)
    cost = rng.lognormal(0.0, 1.0, (prompts, models, 1)) * rng.lognormal(0.0, 0.2, quality.shape)
    names = tuple(f"p{n}" for n in range(prompts)), tuple(f"m{n}" for n in range(models))
    return Tensor(*names, quality, cost=cost)


def curve(result: Frontier) -> np.ndarray:
    """Return (quality, cost) of the points."""
    return np.array([(point.quality.value, point.cost.value) for point in result.points])


def naive(tensor: Tensor) -> Frontier:
    """Return the naive frontier at a few alphas, without intervals."""
    return frontier(tensor, "naive", alphas=ALPHAS, resamples=0)


@settings(max_examples=12)
@given(st.integers(0, 2**32 - 1))
def test_quality_and_cost_never_fall_along_alpha(seed: int) -> None:
    """For naive figures and for means over draws, more weight on quality gives more of both."""
    tensor = made(seed)
    rng = np.random.default_rng(seed)
    draws = Posterior("made up", rng.random((5, 6, 4)), rng.random((5, 6, 4)), tensor.observed)
    for result in (naive(tensor), frontier(tensor, "mixture", posterior=draws, alphas=ALPHAS, resamples=0)):
        assert np.all(np.diff(curve(result), axis=0) >= -1e-12)


@settings(max_examples=12)
@given(st.integers(0, 2**32 - 1))
def test_the_order_of_prompts_and_models_does_not_matter(seed: int) -> None:
    """Points and best single model are the same."""
    tensor = made(seed)
    rng = np.random.default_rng(seed)
    first, second = naive(tensor), naive(tensor.take(rng.permutation(6), rng.permutation(4)))
    assert np.allclose(curve(first), curve(second))
    assert first.singles[first.best_single].model == second.singles[second.best_single].model


@settings(max_examples=12)
@given(st.integers(0, 2**32 - 1), st.sampled_from([1e-4, 7.0, 1e5]))
def test_another_unit_of_cost_changes_only_costs(seed: int, factor: float) -> None:
    """Decisions are made on 0-1; savings are shares."""
    tensor = made(seed)
    assert tensor.cost is not None
    first, second = naive(tensor), naive(replace(tensor, cost=tensor.cost * factor))
    assert np.allclose(curve(first) * [1.0, factor], curve(second))
    assert np.allclose(first.share, second.share)
    saved = first.gains.saving.estimate.value, second.gains.saving.estimate.value
    assert saved[0] == pytest.approx(saved[1])


@settings(max_examples=12)
@given(st.integers(0, 2**32 - 1))
def test_a_model_that_is_worse_and_dearer_everywhere_changes_nothing(seed: int) -> None:
    """It is never chosen at any alpha; here it changes neither scale."""
    tensor = made(seed)
    assert tensor.cost is not None
    worst = np.zeros((6, 1, 3))
    dearest = np.minimum(tensor.cost.max(axis=(1, 2), keepdims=True) + 0.01, tensor.cost.max())
    wider = Tensor(
        tensor.prompts,
        (*tensor.models, "worst"),
        np.concatenate([tensor.quality, worst], axis=1),
        cost=np.concatenate([tensor.cost, np.repeat(dearest, 3, axis=2)], axis=1),
    )
    result = naive(wider)
    assert np.allclose(curve(naive(tensor))[-1], curve(result)[-1])
    if tensor.quality.min() == 0.0:
        assert np.allclose(curve(naive(tensor)), curve(result))


def test_the_same_seed_gives_the_same_intervals() -> None:
    """Another seed gives other intervals."""
    tensor = made(1)
    first, same, other = (frontier(tensor, "naive", resamples=50, seed=seed) for seed in (1, 1, 2))
    assert first.points[5].cost.over_prompts == same.points[5].cost.over_prompts
    assert first.points[5].cost.over_prompts != other.points[5].cost.over_prompts
