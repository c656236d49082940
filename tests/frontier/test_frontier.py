"""Tests of the capability frontier: by hand, by invariance, and against a known truth."""

from __future__ import annotations

import numpy as np
import pytest

from assay.core.errors import InvalidInput
from assay.frontier.frontier import frontier
from assay.frontier.tensor import Tensor


@pytest.fixture
def pair() -> Tensor:
    """Two prompts, a cheap model that half knows the first, a dear one that knows the second."""
    quality = [[[1.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [1.0, 1.0]]]
    cost = [[[1.0, 1.0], [4.0, 4.0]], [[1.0, 1.0], [4.0, 4.0]]]
    return Tensor(("a", "b"), ("cheap", "dear"), np.array(quality), cost=np.array(cost))


def test_every_figure_of_two_prompts_and_two_models_by_hand(pair: Tensor) -> None:
    """Alone 0.25 at 1 and 0.5 at 4; together 0.25 at 1, and from alpha = 0.5 on 0.75 at 2.5."""
    found = frontier(pair, "naive", alphas=[0.4, 0.6], resamples=0)
    assert [point.quality.value for point in found.points] == [0.25, 0.25, 0.75, 0.75]
    assert [point.cost.value for point in found.points] == [1.0, 1.0, 2.5, 2.5]
    assert found.share.tolist() == [[1.0, 0.0], [1.0, 0.0], [0.5, 0.5], [0.5, 0.5]]
    assert found.hull == (1, 3)
    assert found.singles[found.best_single].model == "dear"
    gains = found.gains
    assert gains.error_reduction.estimate.value == pytest.approx(0.5)
    assert gains.quality_for_cost.estimate.value == pytest.approx(0.75)
    assert gains.matched_cost.estimate.value == pytest.approx(0.5)
    assert gains.cost_for_quality.estimate.value == pytest.approx(1.75)
    assert gains.saving.estimate.value == pytest.approx(1 - 1.75 / 4)
    assert gains.alpha_star == 0.6
    assert gains.aiq.estimate.value == pytest.approx(0.5)
    assert gains.aiq_singles.estimate.value == pytest.approx(0.375)
    assert gains.height.estimate.value == pytest.approx(0.625 - 0.375)
    assert (found.bias.quality.value, found.bias.cost.value) == (0.0, 0.0)


def test_without_costs_only_alpha_1_exists(pair: Tensor) -> None:
    """Everything about cost is None and says why; the error reduction stands."""
    bare = Tensor(pair.prompts, pair.models, pair.quality)
    found = frontier(bare, "naive", alphas=[0.4], resamples=10)
    assert found.alphas.tolist() == [1.0]
    assert found.points[0].cost.value is None
    assert found.gains.error_reduction.estimate.value == pytest.approx(0.5)
    assert found.gains.saving.reason == "no costs were recorded"
    assert found.gains.alpha_star is None
    assert any("only alpha = 1 exists" in note for note in found.notes)


def test_a_method_that_does_not_exist_is_refused(pair: Tensor) -> None:
    """The message names those that do."""
    with pytest.raises(InvalidInput, match="naive, power, smooth"):
        frontier(pair, "nave")  # type: ignore[arg-type]
