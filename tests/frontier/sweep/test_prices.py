"""Tests of new prices."""

from __future__ import annotations

import numpy as np
import pytest

from assay.core.errors import InvalidInput
from assay.frontier.capability import frontier
from assay.frontier.sweep.prices import Price, price_change
from assay.frontier.tensor import Tensor


@pytest.fixture
def tensor() -> Tensor:
    """One prompt: the good model costs 4, the bad one 1."""
    return Tensor(("p",), ("bad", "good"), np.array([[[0.5], [1.0]]]), cost=np.array([[[1.0], [4.0]]]))


def test_a_factor_scales_and_a_cost_replaces(tensor: Tensor) -> None:
    """Models that are not named keep their costs; what was not recorded stays unknown."""
    moved = price_change({"bad": Price(factor=3.0), "good": Price(cost=0.5)}, tensor.models)
    assert moved.of(np.array([[1.0, 4.0], [np.nan, np.nan]]), models=1)[0].tolist() == [3.0, 0.5]
    assert np.isnan(moved.of(np.array([[np.nan, np.nan]]), models=1)).all()
    kept = price_change({"good": Price(cost=0.5)}, tensor.models)
    assert kept.of(np.array([[1.0, 4.0]]), models=1)[0].tolist() == [1.0, 0.5]


@pytest.mark.parametrize(
    ("prices", "told"),
    [
        (
            {"goood": Price(factor=1.0)},
            "unknown model 'goood' in the prices: the table has 'bad', 'good'",
        ),
        ({"good": Price(factor=-1.0)}, "invalid factor -1.0 of 'good'"),
        ({"good": Price(cost=np.inf)}, "invalid cost inf of 'good'"),
        ({"good": Price()}, "needs a factor or a cost, and not both"),
        ({"good": Price(1.0, 1.0)}, "needs a factor or a cost, and not both"),
    ],
)
def test_a_wrong_price_is_named(tensor: Tensor, prices: dict[str, Price], told: str) -> None:
    """The message says which model."""
    with pytest.raises(InvalidInput, match=told):
        frontier(tensor, "naive", prices=prices)


def test_old_decisions_cost_more_than_new_ones_when_a_price_falls(tensor: Tensor) -> None:
    """The good model is now the cheapest: new decisions take it at once, old ones not at alpha 0."""
    found = frontier(tensor, "naive", prices={"good": Price(cost=0.5)}, resamples=0)
    assert (found.points[0].quality.value, found.points[0].cost.value) == (1.0, 0.5)
    assert found.old_decisions is not None
    assert (found.old_decisions[0].quality.value, found.old_decisions[0].cost.value) == (0.5, 1.0)
    assert found.old_decisions[-1].cost.value == 0.5
    assert found.singles[1].cost.value == 0.5


def test_without_new_prices_there_are_no_old_decisions(tensor: Tensor) -> None:
    """None, not the same points again."""
    assert frontier(tensor, "naive", resamples=0).old_decisions is None


def test_prices_without_costs_are_refused(tensor: Tensor) -> None:
    """A factor needs something to scale."""
    with pytest.raises(InvalidInput, match="no costs were recorded"):
        frontier(Tensor(("p",), ("a",), np.ones((1, 1, 1))), "naive", prices={"a": Price(factor=1.0)})
