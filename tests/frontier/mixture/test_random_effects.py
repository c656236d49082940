"""Draws of expected costs from the random-effects model."""

from __future__ import annotations

import numpy as np

from assay.frontier.mixture.random_effects import draw_costs
from assay.frontier.tensor import Tensor


def costly(
    seed: int, generations: int = 5, model_spread: float = 1.0, noise: float = 0.5
) -> tuple[Tensor, np.ndarray]:
    """Return a tensor with log-normal costs and the cells' true expected costs."""
    rng = np.random.default_rng(seed)
    centre = rng.normal(-5, 1, (120, 1)) + rng.normal(0, model_spread, 5) + rng.normal(0, 0.4, (120, 5))
    cost = np.exp(centre[:, :, None] + rng.normal(0, noise, (120, 5, generations)))
    prompts, models = tuple(f"p{n}" for n in range(120)), tuple(f"m{m}" for m in range(5))
    return Tensor(prompts, models, np.ones(cost.shape), cost=cost), np.exp(centre + noise**2 / 2.0)


def with_cost(tensor: Tensor, cost: np.ndarray, *, by_cell: bool = False) -> Tensor:
    """Return the tensor with other costs."""
    return Tensor(tensor.prompts, tensor.models, tensor.quality, cost=cost, cost_by_cell=by_cell)


def test_the_cheapest_choice_is_not_made_to_look_cheaper_than_it_is() -> None:
    """The least observed mean is too low; the least of the draws is near the least expected cost."""
    ours, naive = [], []
    for seed in range(6):
        tensor, expected = costly(seed, 3, model_spread=0.2, noise=0.9)
        drawn, _ = draw_costs(tensor, 40, np.random.default_rng(seed))
        observed = tensor.mean_cost()
        assert drawn is not None and observed is not None
        truth = expected.min(axis=1).mean()
        ours.append(drawn.min(axis=2).mean() / truth - 1.0)
        naive.append(observed.min(axis=1).mean() / truth - 1.0)
    assert np.mean(naive) < -0.1
    assert abs(np.mean(ours)) < 0.5 * abs(np.mean(naive))


def test_every_models_total_cost_is_kept() -> None:
    """Shrinking moves cost between prompts, but a model's total is unchanged."""
    tensor, _ = costly(6)
    drawn, _ = draw_costs(tensor, 100, np.random.default_rng(0))
    observed = tensor.mean_cost()
    assert drawn is not None and observed is not None
    assert np.allclose(drawn.mean(axis=0).mean(axis=0), observed.mean(axis=0), rtol=1e-9)


def test_a_free_model_stays_free_and_zeros_are_noted() -> None:
    """Costs of 0 have no logarithm: each cell keeps its share of them."""
    tensor, _ = costly(7)
    assert tensor.cost is not None
    cost = tensor.cost.copy()
    cost[:, 0] = 0.0
    drawn, notes = draw_costs(with_cost(tensor, cost), 30, np.random.default_rng(0))
    assert drawn is not None
    assert (drawn[:, :, 0] == 0.0).all()
    assert any("600 of 3,000 costs are 0" in note for note in notes)


def test_a_model_without_any_cost_has_no_draws_of_it() -> None:
    """A cost that was never recorded is not inferred from other models."""
    tensor, _ = costly(9)
    assert tensor.cost is not None
    cost = tensor.cost.copy()
    cost[:, 1] = np.nan
    drawn, _ = draw_costs(with_cost(tensor, cost), 20, np.random.default_rng(0))
    assert drawn is not None
    assert np.isnan(drawn[:, :, 1]).all()
    assert not np.isnan(drawn[:, :, 0]).any()


def test_costs_known_by_cell_are_taken_as_certain() -> None:
    """If only a mean cost was recorded, every draw is that mean."""
    tensor, _ = costly(8)
    cost = np.random.default_rng(1).random((120, 5))
    drawn, _ = draw_costs(
        with_cost(tensor, np.repeat(cost[:, :, None], 5, axis=2), by_cell=True), 20, np.random.default_rng(0)
    )
    assert drawn is not None
    assert np.allclose(drawn, cost)
