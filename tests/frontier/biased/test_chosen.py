"""Quality and cost of the biased oracle's choices at every number of generations."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.core.errors import InvalidInput
from assay.frontier.biased.chosen import chosen_costs, sampled_curves


def by_hand(quality: list[np.ndarray], cost: np.ndarray, size: int) -> float:
    """Return the mean cost over every choice of generations of one prompt; ties go to the cheapest."""
    there = [model for model, values in enumerate(quality) if len(values)]
    costs = []
    draws = [combinations(range(len(quality[model])), min(size, len(quality[model]))) for model in there]
    for picked in product(*[list(choices) for choices in draws]):
        means = [quality[model][list(some)].mean() for model, some in zip(there, picked, strict=True)]
        best = max(means)
        costs.append(min(cost[m] for m, mean in zip(there, means, strict=True) if mean >= best - 1e-12))
    return float(np.mean(costs))


def test_two_models_worked_by_hand() -> None:
    """A cheap model is right once in two, a dear one always: at g = 1 half of the draws tie, at 2 none."""
    assert chosen_costs([[1, 2]], [[2, 2]], [[1.0, 3.0]]).tolist() == [[2.0, 3.0]]


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_every_choice_of_generations_is_averaged(seed: int) -> None:
    """The curves equal an enumeration, with missing and short cells and equal costs."""
    rng = np.random.default_rng(seed)
    given = np.array([[4, 3, 4], [4, 0, 2]])
    quality = [[rng.integers(0, 2, number).astype(float) for number in row] for row in given]
    right = np.array([[values.sum() for values in row] for row in quality]).astype(int)
    cost = rng.integers(1, 4, given.shape) / 2.0
    curves = chosen_costs(right, given, cost)
    for prompt, size in product(range(2), range(1, 5)):
        assert curves[prompt, size - 1] == pytest.approx(by_hand(quality[prompt], cost[prompt], size))


def test_sampled_curves_are_the_exact_ones_within_their_error() -> None:
    """For 0/1 quality both are known: the sampled mean is within four of its standard errors, exact at G."""
    from assay.frontier.biased.exact import biased_curve

    rng = np.random.default_rng(1)
    quality = rng.integers(0, 2, (60, 4, 5)).astype(float)
    quality[0, 0, 3:] = np.nan
    cost = rng.random((60, 4))
    right, given = np.nansum(quality, axis=2).astype(int), (~np.isnan(quality)).sum(axis=2)
    curve, spent, error = sampled_curves(quality, cost, np.random.default_rng(0), draws=200)
    assert np.all(np.abs(curve.mean(axis=0) - biased_curve(right, given)) <= 4 * error + 1e-12)
    assert spent is not None
    assert spent.mean(axis=0) == pytest.approx(chosen_costs(right, given, cost).mean(axis=0), abs=0.01)
    assert error[-1] == 0.0


def test_a_cell_without_a_cost_is_refused() -> None:
    """It could be chosen, and then the cost would be unknown."""
    with pytest.raises(InvalidInput, match="has no cost"):
        chosen_costs([[1]], [[2]], [[np.nan]])
