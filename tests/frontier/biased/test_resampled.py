"""Tests of the resampled biased curves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assay.core.errors import InvalidInput
from assay.frontier.biased import resampled
from assay.frontier.biased.exact import biased_curve
from assay.frontier.biased.resampled import ResampledCurves, biased_curves
from assay.frontier.tensor import Tensor, from_counts


def recorded(seed: int = 0, prompts: int = 40) -> Tensor:
    """Three models, up to 5 generations, of 0/1 quality with a cost of each generation."""
    rng = np.random.default_rng(seed)
    number = rng.integers(0, 6, (prompts, 3))
    number[:, 0] = 5
    names = tuple(map(str, range(prompts)))
    tensor = from_counts(names, ("a", "b", "c"), rng.binomial(number, 0.4), number)
    cost = np.where(np.isnan(tensor.quality), np.nan, rng.lognormal(0.0, 1.0, tensor.quality.shape))
    return replace(tensor, cost=cost)


def told(tensor: Tensor, alphas: list[float], draws: int = 8, seed: int = 1) -> ResampledCurves:
    """The curves of a seed."""
    return biased_curves(tensor, alphas, draws=draws, rng=np.random.default_rng(seed))


def test_at_alpha_1_it_is_the_exact_curve_within_its_error() -> None:
    """Ragged and missing cells included; the last value is exact, its error 0."""
    tensor = recorded()
    found = told(tensor, [1.0], draws=200)
    expected = biased_curve(tensor.correct, tensor.given)
    assert np.all(np.abs(found.quality[0] - expected)[:-1] < 4 * found.quality_error[0][:-1])
    assert found.quality[0, -1] == pytest.approx(expected[-1])
    assert found.quality_error[0, -1] == pytest.approx(0.0, abs=1e-12)


def test_quality_and_cost_are_of_the_same_generations() -> None:
    """One model whose cost is its quality plus 1: so are the means, draw by draw, hence their errors."""
    quality = np.random.default_rng(2).random((6, 2, 4))
    tensor = Tensor(tuple("abcdef"), ("x", "y"), quality, cost=quality + 1.0)
    found = told(tensor, [0.7, 0.2])
    assert found.cost is not None and found.cost_error is not None
    assert found.cost == pytest.approx(found.quality + 1.0)
    assert found.cost_error == pytest.approx(found.quality_error)
    assert found.quality_error[0, 0] > 0.0


def test_all_generations_decide_by_phi_by_hand() -> None:
    """Q* 0.5 and 1, C* 0 and 1 on the whole tensor's range: the dearer one from alpha = 2/3 on."""
    quality = np.array([[[0.0, 1.0], [1.0, 1.0]]])
    tensor = Tensor(("p",), ("cheap", "dear"), quality, cost=np.array([[[2.0, 2.0], [6.0, 6.0]]]))
    found = told(tensor, [0.7, 0.6, 0.0, 1.0])
    assert found.cost is not None
    assert found.quality[:, -1].tolist() == [1.0, 0.5, 0.5, 1.0]
    assert found.cost[:, -1].tolist() == [6.0, 2.0, 2.0, 6.0]


def test_equal_quality_goes_to_the_cheaper_at_alpha_1() -> None:
    """Constant quality is 0 on its scale; nothing is divided by 0."""
    tensor = Tensor(("p",), ("dear", "cheap"), np.ones((1, 2, 2)), cost=np.array([[[3.0] * 2, [1.0] * 2]]))
    found = told(tensor, [1.0])
    assert found.cost is not None and found.cost[0, -1] == 1.0


def test_the_error_is_the_spread_of_repeats() -> None:
    """100 seeds of 4 draws: their deviation is the mean error stated, to 25 %."""
    tensor = recorded(3, prompts=15)
    repeats = [told(tensor, [0.9], draws=4, seed=seed) for seed in range(100)]
    spread = np.std([each.quality[0, 1] for each in repeats], ddof=1)
    stated = np.sqrt(np.mean([each.quality_error[0, 1] ** 2 for each in repeats]))
    assert spread == pytest.approx(stated, rel=0.25)


def test_blocks_of_prompts_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """One prompt at a time gives what all give at once, where nothing is left to chance."""
    tensor = recorded(4)
    whole = told(tensor, [0.5, 0.9])
    monkeypatch.setattr(resampled, "PLACES", 1)
    apart = told(tensor, [0.5, 0.9])
    assert whole.cost is not None and apart.cost is not None
    assert apart.quality[:, -1] == pytest.approx(whole.quality[:, -1])
    assert apart.cost[:, -1] == pytest.approx(whole.cost[:, -1])


def test_an_unknown_cost_is_that_of_the_others_drawn_or_the_cells_mean() -> None:
    """Of unknown and 4 it is 4 whichever is drawn; a cell without any cost is left out."""
    cost = np.array([[[np.nan, 4.0], [np.nan, np.nan]]])
    tensor = Tensor(("p",), ("x", "y"), np.array([[[1.0, 0.0], [1.0, 1.0]]]), cost=cost)
    found = told(tensor, [0.5])
    assert found.cost is not None and found.cost[0].tolist() == [4.0, 4.0]
    assert "1 cells of 2" in found.notes[0]


@pytest.mark.parametrize(
    ("alphas", "draws", "message"),
    [([1.2], 8, "from 0 to 1"), ([np.nan], 8, "from 0 to 1"), ([1.0], 1, "2 or more"), ([0.5], 8, "costs")],
)
def test_what_cannot_be_decided_is_refused(alphas: list[float], draws: int, message: str) -> None:
    """Alphas outside 0-1, one draw, and a weight on costs that are not there."""
    tensor = replace(recorded(), cost=None)
    with pytest.raises(InvalidInput, match=message):
        told(tensor, alphas, draws=draws)
