"""The bracket encloses the true oracle: cross-fitted below, naive above."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.frontier.oracles.bracket import cross_fitted
from assay.frontier.tensor import Tensor, from_counts


def tensor_of(quality: np.ndarray, cost: np.ndarray | None = None) -> Tensor:
    """Name the prompts and the models of an array."""
    prompts, models = quality.shape[:2]
    return Tensor(tuple(f"p{n}" for n in range(prompts)), tuple("abcdefgh"[:models]), quality, cost)


def by_hand(tensor: Tensor, prompt: int) -> tuple[float, float]:
    """Go through every choice of what each cell leaves out: mean value and mean cost of the chosen."""
    quality, cost = tensor.quality[prompt], tensor.cost
    assert cost is not None
    means = np.array(
        [[np.nanmean(cell) if (~np.isnan(cell)).any() else np.nan for cell in row] for row in tensor.quality]
    )
    others = np.nanmean(np.delete(means, prompt, axis=0), axis=0)
    cells = [model for model in range(len(quality)) if not np.isnan(quality[model]).all()]
    values, costs = [], []
    for outs in product(*[np.flatnonzero(~np.isnan(quality[model])) for model in cells]):
        scores = []
        for model, out in zip(cells, outs, strict=True):
            rest = np.delete(quality[model], out)
            scores.append(round(float(np.mean([*rest[~np.isnan(rest)], others[model]])), 10))
        best = [place for place, score in enumerate(scores) if score == max(scores)]
        values.append(np.mean([quality[cells[place], outs[place]] for place in best]))
        costs.append(np.mean([cost[prompt, cells[place], outs[place]] for place in best]))
    return float(np.mean(values)), float(np.mean(costs))


def test_two_models_worked_by_hand() -> None:
    """Right 2 of 2 and 1 of 2, the first better elsewhere: it is chosen in every split and reaches 1."""
    tensor = from_counts(("p", "q"), ("x", "y"), [[2, 1], [2, 0]], [[2, 2], [2, 2]])
    found = cross_fitted(tensor)
    assert found.lower.tolist() == [1.0, 1.0]
    assert found.upper.tolist() == [1.0, 1.0]


@pytest.mark.parametrize("models", [2, 4, 7])
def test_a_tie_that_nothing_breaks_is_shared(models: int) -> None:
    """Models right once in two everywhere: what is left out is right only where every rest is wrong."""
    counts = np.ones((2, models), dtype=int)
    found = cross_fitted(from_counts(("p", "q"), tuple("abcdefg"[:models]), counts, 2 * counts))
    assert found.lower.tolist() == pytest.approx([0.5**models] * 2)
    assert found.upper.tolist() == [0.5, 0.5]


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), binary=st.booleans())
def test_all_choices_of_what_is_left_out_are_averaged(seed: int, binary: bool) -> None:
    """Equal to going through them one by one, with missing cells, for 0/1 and for continuous quality."""
    rng = np.random.default_rng(seed)
    quality = rng.integers(0, 2, (3, 3, 3)).astype(float) if binary else rng.integers(0, 5, (3, 3, 3)) / 4.0
    cost = rng.random((3, 3, 3))
    quality[0, 1, 2] = quality[1, 2, 1:] = quality[0, 2] = np.nan
    tensor = tensor_of(quality, np.where(np.isnan(quality), np.nan, cost))
    found = cross_fitted(tensor)
    assert found.lower_cost is not None
    for prompt in range(3):
        assert (found.lower[prompt], found.lower_cost[prompt]) == pytest.approx(by_hand(tensor, prompt))


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_the_order_of_models_and_generations_means_nothing(seed: int) -> None:
    """Shuffled within cells and across models, every prompt's ends stay."""
    rng = np.random.default_rng(seed)
    quality = rng.integers(0, 4, (3, 4, 3)) / 3.0
    shuffled = rng.permuted(quality, axis=2)[:, rng.permutation(4)]
    one, other = cross_fitted(tensor_of(quality)), cross_fitted(tensor_of(shuffled))
    assert one.lower == pytest.approx(other.lower)
    assert one.upper == pytest.approx(other.upper)


def test_a_cell_of_one_generation_is_chosen_by_other_prompts_alone() -> None:
    """y has one answer here, and is always right elsewhere; x is right half of the time: y is chosen."""
    tensor = from_counts(("p", "q"), ("x", "y"), [[1, 1], [2, 4]], [[2, 1], [4, 4]])
    assert cross_fitted(tensor).lower[0] == 1.0


def test_without_other_prompts_or_generations_there_is_no_lower_end() -> None:
    """Nothing can be chosen by; the upper end is what was seen."""
    found = cross_fitted(from_counts(("p",), ("x", "y"), [[1, 0]], [[1, 1]]))
    assert np.isnan(found.lower).all()
    assert found.upper.tolist() == [1.0]


def test_the_truth_lies_between_the_ends() -> None:
    """Over 60 simulated tensors the ends' means lie on both sides of the true oracle, in nearly each one."""
    rng = np.random.default_rng(5)
    ends = []
    for _ in range(60):
        chance = rng.beta(1.0, 1.0, (150, 6))
        right = rng.binomial(4, chance)
        tensor = from_counts(tuple(map(str, range(150))), tuple("abcdef"), right, np.full((150, 6), 4))
        found = cross_fitted(tensor)
        ends.append((found.lower.mean(), chance.max(axis=1).mean(), found.upper.mean()))
    low, truth, high = np.array(ends).T
    assert low.mean() < truth.mean() < high.mean()
    assert np.mean((low <= truth) & (truth <= high)) >= 0.95


def test_the_lower_end_is_unbiased_for_what_is_chosen() -> None:
    """Models that are all alike reach their common rate whoever is chosen: 0.5, not more."""
    rng = np.random.default_rng(6)
    right = rng.binomial(3, 0.5, (4000, 5))
    tensor = from_counts(tuple(map(str, range(4000))), tuple("abcde"), right, np.full((4000, 5), 3))
    found = cross_fitted(tensor)
    assert found.lower.mean() == pytest.approx(0.5, abs=4 * found.lower.std() / np.sqrt(4000))
    assert found.upper.mean() > 0.8
