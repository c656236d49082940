"""The bracket encloses the true oracle and the true frontier: cross-fitted below, naive above."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.frontier.capability import frontier
from assay.frontier.methods.bracket import cross_fitted, cross_fitted_curve
from assay.frontier.sweep.decisions import PhiRule, scale_of
from assay.frontier.tensor import Tensor, from_counts

ALPHAS = np.array([0.0, 0.5, 0.9, 1.0])


def tensor_of(quality: np.ndarray, cost: np.ndarray | None = None) -> Tensor:
    """Return a tensor of an array, with names."""
    prompts, models = quality.shape[:2]
    return Tensor(tuple(f"p{n}" for n in range(prompts)), tuple("abcdefgh"[:models]), quality, cost)


def by_hand(tensor: Tensor, prompt: int) -> tuple[float, float]:
    """Return mean value and cost of the chosen model over every way to leave answers out."""
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
    """Right 2 of 2 and 1 of 2, the first better elsewhere: it is chosen in every split and is right."""
    tensor = from_counts(("p", "q"), ("x", "y"), [[2, 1], [2, 0]], [[2, 2], [2, 2]])
    bracket = cross_fitted(tensor)
    assert bracket.lower.tolist() == [1.0, 1.0]
    assert bracket.upper.tolist() == [1.0, 1.0]


@pytest.mark.parametrize("models", [2, 4, 7])
def test_an_unbroken_tie_is_shared_evenly(models: int) -> None:
    """Models right once in two everywhere: the answer left out is right only if all others are wrong."""
    counts = np.ones((2, models), dtype=int)
    bracket = cross_fitted(from_counts(("p", "q"), tuple("abcdefg"[:models]), counts, 2 * counts))
    assert bracket.lower.tolist() == pytest.approx([0.5**models] * 2)
    assert bracket.upper.tolist() == [0.5, 0.5]


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), binary=st.booleans())
def test_all_ways_to_leave_answers_out_are_averaged(seed: int, binary: bool) -> None:
    """The bracket equals an enumeration, with missing cells, for 0/1 and for continuous quality."""
    rng = np.random.default_rng(seed)
    quality = rng.integers(0, 2, (3, 3, 3)).astype(float) if binary else rng.integers(0, 5, (3, 3, 3)) / 4.0
    cost = rng.random((3, 3, 3))
    quality[0, 1, 2] = quality[1, 2, 1:] = quality[0, 2] = np.nan
    tensor = tensor_of(quality, np.where(np.isnan(quality), np.nan, cost))
    bracket = cross_fitted(tensor)
    assert bracket.lower_cost is not None
    for prompt in range(3):
        assert (bracket.lower[prompt], bracket.lower_cost[prompt]) == pytest.approx(by_hand(tensor, prompt))


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_the_order_of_models_and_generations_does_not_matter(seed: int) -> None:
    """After shuffling within cells and across models every prompt has the same ends."""
    rng = np.random.default_rng(seed)
    quality = rng.integers(0, 4, (3, 4, 3)) / 3.0
    shuffled = rng.permuted(quality, axis=2)[:, rng.permutation(4)]
    one, other = cross_fitted(tensor_of(quality)), cross_fitted(tensor_of(shuffled))
    assert one.lower == pytest.approx(other.lower)
    assert one.upper == pytest.approx(other.upper)


def test_a_cell_with_one_generation_is_chosen_by_other_prompts_alone() -> None:
    """y has one answer here and is always right elsewhere; x is right half of the time: y is chosen."""
    tensor = from_counts(("p", "q"), ("x", "y"), [[1, 1], [2, 4]], [[2, 1], [4, 4]])
    assert cross_fitted(tensor).lower[0] == 1.0


def test_without_other_prompts_or_generations_there_is_no_lower_end() -> None:
    """There is nothing to choose by; the upper end is the observed quality."""
    bracket = cross_fitted(from_counts(("p",), ("x", "y"), [[1, 0]], [[1, 1]]))
    assert np.isnan(bracket.lower).all()
    assert bracket.upper.tolist() == [1.0]


def test_the_truth_lies_between_the_ends() -> None:
    """The ends of 60 simulated tensors lie on both sides of the true oracle, in nearly all of them."""
    rng = np.random.default_rng(5)
    ends = []
    for _ in range(60):
        chance = rng.beta(1.0, 1.0, (150, 6))
        right = rng.binomial(4, chance)
        tensor = from_counts(tuple(map(str, range(150))), tuple("abcdef"), right, np.full((150, 6), 4))
        bracket = cross_fitted(tensor)
        ends.append((bracket.lower.mean(), chance.max(axis=1).mean(), bracket.upper.mean()))
    low, truth, high = np.array(ends).T
    assert low.mean() < truth.mean() < high.mean()
    assert np.mean((low <= truth) & (truth <= high)) >= 0.95


def test_the_lower_end_is_unbiased_for_the_chosen_model() -> None:
    """Equal models have their common rate, 0.5, whichever is chosen."""
    rng = np.random.default_rng(6)
    right = rng.binomial(3, 0.5, (4000, 5))
    tensor = from_counts(tuple(map(str, range(4000))), tuple("abcde"), right, np.full((4000, 5), 3))
    bracket = cross_fitted(tensor)
    assert bracket.lower.mean() == pytest.approx(0.5, abs=4 * bracket.lower.std() / np.sqrt(4000))
    assert bracket.upper.mean() > 0.8


def test_equal_models_show_no_gain_at_the_lower_end() -> None:
    """With 10 equal coins the naive oracle is 0.86; the answers left out have a mean of 0.5."""
    rng = np.random.default_rng(4)
    tensor = Tensor(
        tuple(f"p{n}" for n in range(400)),
        tuple("abcdefghij"),
        rng.integers(0, 2, (400, 10, 4)).astype(float),
    )
    result = frontier(tensor, "bracket", resamples=0)
    assert result.points[-1].quality.value == pytest.approx(0.5, abs=0.03)
    assert result.naive[-1].quality.value == pytest.approx(0.863, abs=0.02)


def test_the_answers_that_decide_are_not_counted() -> None:
    """Costs are pure luck here: choosing the cheapest saves nothing on the answer left out."""
    rng = np.random.default_rng(5)
    quality = np.ones((600, 5, 3))
    cost = rng.uniform(1.0, 3.0, quality.shape)
    tensor = Tensor(tuple(f"p{n}" for n in range(600)), tuple("abcde"), quality, cost=cost)
    curve = cross_fitted_curve(tensor, PhiRule(scale_of(quality, cost)), ALPHAS, rng)
    assert curve.cost is not None
    assert curve.cost[:, 0].mean() == pytest.approx(2.0, abs=0.03)


def test_with_one_generation_the_other_prompts_decide() -> None:
    """The model that is best elsewhere is chosen: 1 on both prompts."""
    tensor = Tensor(("p", "q"), ("good", "bad"), np.array([[[1.0], [0.0]], [[1.0], [0.0]]]))
    curve = cross_fitted_curve(
        tensor, PhiRule(scale_of(tensor.quality, None)), np.array([1.0]), np.random.default_rng(0)
    )
    assert curve.quality.tolist() == [[1.0], [1.0]]


def test_one_prompt_with_one_generation_counts_the_mean_of_its_models() -> None:
    """There is nothing to choose by, and a note says so."""
    tensor = Tensor(("p",), ("a", "b"), np.array([[[1.0], [0.0]]]))
    curve = cross_fitted_curve(
        tensor, PhiRule(scale_of(tensor.quality, None)), np.array([1.0]), np.random.default_rng(0)
    )
    assert curve.quality.tolist() == [[0.5]]
    assert "on 1 of 1 prompts" in curve.notes[1]
