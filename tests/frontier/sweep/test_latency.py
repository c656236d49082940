"""Tests of latency as the third objective."""

from __future__ import annotations

import numpy as np
import pytest

from assay.core.errors import InvalidInput
from assay.frontier.sweep.latency import Weights, p95_latency, weigh
from assay.frontier.tensor import Tensor


@pytest.mark.parametrize(("number", "rank"), [(1, 1), (10, 10), (19, 19), (20, 19), (40, 38), (100, 95)])
def test_p95_is_the_nearest_rank_and_below_20_the_greatest(number: int, rank: int) -> None:
    """Of the latencies 1..n in any order, unknown ones aside."""
    seconds = np.concatenate([np.random.default_rng(0).permutation(number) + 1.0, [np.nan] * 3])
    assert p95_latency(seconds[None, None])[0, 0] == rank


def test_a_cell_without_latencies_has_no_p95() -> None:
    """Unknown is not 0."""
    assert np.isnan(p95_latency(np.full((1, 2, 3), np.nan))).all()


def chosen(weights: Weights, latency: list[list[float]] | None = None) -> list[int]:
    """Two prompts; a good, dear, slow model, a cheap one, and a quick one as good as the cheap one."""
    shape = (2, 3, 1)
    quality = np.broadcast_to([[[1.0], [0.5], [0.5]]], shape)
    cost = np.broadcast_to([[[9.0], [1.0], [3.0]]], shape)
    late = np.broadcast_to([[[30.0], [20.0], [10.0]]], shape) if latency is None else np.array(latency)
    return weigh(
        Tensor(("p", "q"), ("a", "b", "c"), quality, cost, late.reshape(shape)), weights
    ).choice.tolist()


def test_each_objective_alone_and_together_by_hand() -> None:
    """Q* 1, 0, 0; C* 1, 0, 1/4; T* 1, 1/2, 0. Ties of quality go to the lower cost."""
    assert chosen(Weights(1.0)) == [0, 0]
    assert chosen(Weights(0.0, 1.0)) == [1, 1]
    assert chosen(Weights(0.0, 0.0, 5.0)) == [2, 2]
    assert chosen(Weights(1.0, 1.0, 1.0)) == [2, 2]
    assert chosen(Weights(2.0, 1.2, 0.4)) == [0, 0]


def test_a_cell_without_a_weighed_latency_is_not_chosen() -> None:
    """A prompt without any is left out; where latency weighs nothing, it may be unknown."""
    holes = [[30.0, np.nan, np.nan], [np.nan] * 3]
    assert chosen(Weights(0.0, 0.0, 1.0), holes) == [0, -1]
    assert chosen(Weights(0.0, 1.0), holes) == [1, 1]


def test_the_chosen_cells_are_counted() -> None:
    """Means of quality, cost and P95 over the prompts, and the P95 of all answers chosen."""
    latency = np.array([[[1.0, 3.0]], [[2.0, 10.0]]])
    tensor = Tensor(("p", "q"), ("a",), np.array([[[0.0, 1.0]], [[1.0, 1.0]]]), latency * 2, latency)
    found = weigh(tensor, Weights(1.0, 1.0, 1.0))
    assert (found.quality, found.cost, found.latency, found.p95) == (0.75, 8.0, 6.5, 10.0)


@pytest.mark.parametrize(
    ("weights", "told"),
    [(Weights(-1.0), "0 or more"), (Weights(0.0), "not all 0"), (Weights(1.0, latency=1.0), "not recorded")],
)
def test_weights_that_cannot_decide_are_refused(weights: Weights, told: str) -> None:
    """Below 0, all 0, and on what nobody recorded."""
    with pytest.raises(InvalidInput, match=told):
        weigh(Tensor(("p",), ("a",), np.array([[[1.0]]])), weights)
