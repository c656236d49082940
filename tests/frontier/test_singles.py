"""Tests of the single models and the choice of the best."""

from __future__ import annotations

import numpy as np
import pytest

from assay.frontier.singles import SingleModels, single_models
from assay.frontier.tensor import Tensor

NAN = np.nan


def tensor(quality: list[list[float]], cost: list[list[float]] | None = None) -> Tensor:
    """Return a tensor of one generation a cell."""
    cells = np.array(quality)[:, :, None]
    prompts, models = (
        tuple(f"{kind}{place}" for place in range(n)) for kind, n in zip("pm", cells.shape[:2], strict=True)
    )
    return Tensor(prompts, models, cells, cost=None if cost is None else np.array(cost)[:, :, None])


def test_without_missing_cells_a_model_has_its_plain_mean() -> None:
    """Nothing is filled in."""
    singles = single_models(tensor([[1.0, 0.0], [0.5, 0.5]], [[1.0, 2.0], [3.0, 4.0]]))
    assert singles.quality.mean(axis=0).tolist() == [0.75, 0.25]
    assert singles.cost is not None
    assert singles.cost.mean(axis=0).tolist() == [2.0, 3.0]
    assert singles.complete


def test_a_missing_quality_is_prompt_plus_model() -> None:
    """The second model is 0.2 better on the shared prompts, so that it would have 0.5 on the hard prompt."""
    singles = single_models(tensor([[0.6, 0.8], [0.5, 0.7], [0.3, NAN]]))
    assert singles.quality[2, 1] == pytest.approx(0.5)
    assert singles.coverage.tolist() == [1.0, pytest.approx(2 / 3)]


def test_a_missing_cost_is_prompt_times_model() -> None:
    """The second model costs three times as much on the shared prompts: 30 on the long prompt."""
    singles = single_models(tensor([[1.0, 1.0]] * 2 + [[1.0, NAN]], [[1.0, 3.0], [2.0, 6.0], [10.0, NAN]]))
    assert singles.cost is not None
    assert singles.cost[2, 1] == pytest.approx(30.0)


def test_filled_costs_are_scaled_to_the_recorded_ones() -> None:
    """The fit is 3 on the last prompt and sums to 4 root 3 instead of the recorded 10: 3 x 10/(4 root 3)."""
    singles = single_models(tensor([[1.0, 1.0]] * 2 + [[1.0, NAN]], [[1.0, 1.0], [1.0, 9.0], [1.0, NAN]]))
    assert singles.cost is not None
    assert singles.cost[2, 1] == pytest.approx(30 / (4 * 3**0.5))


def test_a_free_model_is_free_where_it_is_missing() -> None:
    """A cost of 0 has no logarithm."""
    singles = single_models(tensor([[1.0, 1.0], [1.0, NAN]], [[1.0, 0.0], [2.0, NAN]]))
    assert singles.cost is not None
    assert singles.cost[1, 1] == 0.0


def test_models_without_shared_prompts_cannot_be_compared() -> None:
    """Their empty cells stay empty; if no models are joined, their own means are compared."""
    singles = single_models(tensor([[1.0, NAN], [NAN, 0.0]]))
    assert np.isnan(singles.quality).tolist() == [[False, True], [True, False]]
    assert singles.joined is not None and not singles.joined.any()
    assert singles.best(np.array([[1.0, 0.0]]), None).tolist() == [0]


def test_a_model_joined_to_no_other_is_never_the_best() -> None:
    """Its prompts may have been easy, so its mean cannot be compared."""
    singles = single_models(tensor([[0.5, 0.4, NAN], [NAN, NAN, 1.0]]))
    assert singles.best(np.array([[0.5, 0.4, 1.0]]), None).tolist() == [0]


def test_the_best_is_the_better_then_the_cheaper_then_the_first_name() -> None:
    """By rows: a better model, an equally good cheaper one, an equal one with the first name."""
    models = SingleModels(("b", "a"), np.zeros((1, 2)), None, np.ones(2))
    quality = np.array([[0.6, 0.5], [0.5, 0.5], [0.5, 0.5]])
    cost = np.array([[9.0, 1.0], [1.0, 2.0], [1.0, 1.0]])
    assert models.best(quality, cost).tolist() == [0, 0, 1]


def test_a_model_without_a_level_is_never_the_best() -> None:
    """NaN is below every number."""
    models = SingleModels(("a", "b"), np.zeros((1, 2)), None, np.ones(2))
    assert models.best(np.array([[np.nan, 0.1]]), None).tolist() == [1]
