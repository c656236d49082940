"""Log-normal costs: known expectations recovered, free models, bad costs."""

from __future__ import annotations

import numpy as np
import pytest

from assay.core.errors import InvalidInput
from assay.frontier.graphical.cost import CostFit, check_costs, fit_costs
from assay.frontier.graphical.optimiser import PgmSettings
from assay.frontier.tensor import Tensor

TOPICS = np.ones((100, 1))


def simulated() -> tuple[Tensor, np.ndarray]:
    """Return (tensor, expected costs) of 100 prompts, 5 models, 4 generations.

    The last model is free, the one before has no cost, and the first was not observed on ten prompts.
    """
    rng = np.random.default_rng(8)
    middle = rng.normal(0, 0.7, (100, 1)) + rng.normal(-5, 1, 5) + rng.normal(0, 0.2, (100, 5))
    noise = np.array([0.3, 0.6, 0.9, 0.5, 0.5])
    cost = np.exp(middle[:, :, None] + noise[:, None] * rng.standard_normal((100, 5, 4)))
    cost[:, 4] = 0.0
    cost[:, 3] = np.nan
    cost[:10, 0] = np.nan
    names = tuple(f"prompt {n}" for n in range(100)), tuple(f"model {m}" for m in range(5))
    return Tensor(*names, np.ones(cost.shape), cost), np.exp(middle + noise**2 / 2)


@pytest.fixture(scope="module")
def fitted() -> tuple[CostFit, Tensor, np.ndarray]:
    """Return one fit, which the slow tests share."""
    tensor, expected = simulated()
    return fit_costs(tensor, TOPICS, 60, PgmSettings(), np.random.default_rng(1)), tensor, expected


@pytest.mark.slow
def test_nearer_than_means(fitted: tuple[CostFit, Tensor, np.ndarray]) -> None:
    """Expected costs of observed cells err by less than two thirds of what the recorded means err by."""
    fit, tensor, expected = fitted
    assert fit.draws is not None
    recorded = tensor.mean_cost()
    assert recorded is not None
    errors = [np.log(costs[10:, :3] / expected[10:, :3]) for costs in (fit.draws.mean(axis=0), recorded)]
    assert np.std(errors[0]) < np.std(errors[1]) * 2 / 3


@pytest.mark.slow
def test_unobserved_cell(fitted: tuple[CostFit, Tensor, np.ndarray]) -> None:
    """A model's cost on prompts where it was not seen follows from the prompt's cost for others."""
    fit, _, expected = fitted
    assert fit.draws is not None
    guessed = np.log(fit.draws.mean(axis=0)[:10, 0])
    assert np.corrcoef(guessed, np.log(expected[:10, 0]))[0, 1] > 0.8


@pytest.mark.slow
def test_free_and_unknown(fitted: tuple[CostFit, Tensor, np.ndarray]) -> None:
    """A model whose costs are all 0 costs 0; one without costs has none, and a note names it."""
    fit, _, _ = fitted
    assert fit.draws is not None
    assert (fit.draws[:, :, 4] == 0.0).all()
    assert np.isnan(fit.draws[:, :, 3]).all()
    assert "cost: no cost was recorded for model 3, so there is no expected cost either" in fit.notes


def test_negative_cost() -> None:
    """A cost below 0 is refused with its value and its cell."""
    tensor = Tensor(("p",), ("m",), np.ones((1, 1, 1)), np.array([[[-2.0]]]))
    with pytest.raises(InvalidInput, match=r"p, m: a cost is -2\.0"):
        check_costs(tensor)


def test_all_free() -> None:
    """Costs that are all 0 need no fit: they are expected to be 0."""
    tensor = Tensor(("p",), ("m",), np.ones((1, 1, 2)), np.zeros((1, 1, 2)))
    fit = fit_costs(tensor, np.ones((1, 1)), 2, PgmSettings(), np.random.default_rng(0))
    assert fit.draws is not None
    assert (fit.draws == 0.0).all()
