"""Tests of the capability frontier: by hand, by invariance, and against a known truth."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assay.core.errors import InvalidInput
from assay.frontier.capability import frontier
from assay.frontier.tensor import Tensor


@pytest.fixture
def pair() -> Tensor:
    """Return two prompts, a cheap model half right on the first, and a dear one right on the second."""
    quality = [[[1.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [1.0, 1.0]]]
    cost = [[[1.0, 1.0], [4.0, 4.0]], [[1.0, 1.0], [4.0, 4.0]]]
    return Tensor(("a", "b"), ("cheap", "dear"), np.array(quality), cost=np.array(cost))


def test_every_figure_of_two_prompts_and_two_models_by_hand(pair: Tensor) -> None:
    """Single models: 0.25 at cost 1 and 0.5 at 4; together 0.25 at 1, and from alpha = 0.5 on 0.75 at 2.5."""
    result = frontier(pair, "naive", alphas=[0.4, 0.6], resamples=0)
    assert [point.quality.value for point in result.points] == [0.25, 0.25, 0.75, 0.75]
    assert [point.cost.value for point in result.points] == [1.0, 1.0, 2.5, 2.5]
    assert result.share.tolist() == [[1.0, 0.0], [1.0, 0.0], [0.5, 0.5], [0.5, 0.5]]
    assert result.hull == (1, 3)
    assert result.singles[result.best_single].model == "dear"
    gains = result.gains
    assert gains.error_reduction.estimate.value == pytest.approx(0.5)
    assert gains.quality_for_cost.estimate.value == pytest.approx(0.75)
    assert gains.matched_cost.estimate.value == pytest.approx(0.5)
    assert gains.cost_for_quality.estimate.value == pytest.approx(1.75)
    assert gains.saving.estimate.value == pytest.approx(1 - 1.75 / 4)
    assert gains.alpha_star == 0.6
    assert gains.aiq.estimate.value == pytest.approx(0.5)
    assert gains.aiq_singles.estimate.value == pytest.approx(0.375)
    assert gains.height.estimate.value == pytest.approx(0.625 - 0.375)
    assert (result.bias.quality.value, result.bias.cost.value) == (0.0, 0.0)


def test_without_costs_only_alpha_1_exists(pair: Tensor) -> None:
    """All figures about cost are None with a reason; the error reduction has a value."""
    bare = Tensor(pair.prompts, pair.models, pair.quality)
    result = frontier(bare, "naive", alphas=[0.4], resamples=10)
    assert result.alphas.tolist() == [1.0]
    assert result.points[0].cost.value is None
    assert result.gains.error_reduction.estimate.value == pytest.approx(0.5)
    assert result.gains.saving.reason == "no costs were recorded"
    assert result.gains.alpha_star is None
    assert any("only alpha = 1 exists" in note for note in result.notes)


def test_one_generation_says_that_the_bias_cannot_be_measured() -> None:
    """G = 1 is not an error for `naive`, but a note says how much may be luck."""
    tensor = Tensor(("p",), ("a", "b"), np.array([[[1.0], [0.0]]]))
    result = frontier(tensor, "naive", resamples=0)
    assert result.paper_bias is None
    assert any(
        "luck alone would lift naive quality at alpha = 1 from 0.5 to about 0.75" in n for n in result.notes
    )


def test_one_model_is_its_own_frontier() -> None:
    """Nothing can be chosen: the error reduction and the saving are 0."""
    tensor = Tensor(("p", "q"), ("a",), np.array([[[1.0]], [[0.0]]]), cost=np.array([[[1.0]], [[3.0]]]))
    result = frontier(tensor, "naive", resamples=0)
    assert result.gains.error_reduction.estimate.value == pytest.approx(0.0)
    assert result.gains.saving.estimate.value == pytest.approx(0.0)
    assert result.gains.aiq.reason == "the hull is one point: it spans no range of costs"
    assert any("there is one model" in note for note in result.notes)


def test_at_constant_cost_every_alpha_decides_by_quality(pair: Tensor) -> None:
    """Cost is 0 in phi, and a note says so."""
    assert pair.cost is not None
    result = frontier(Tensor(pair.prompts, pair.models, pair.quality, cost=np.ones((2, 2, 2))), "naive")
    assert {point.quality.value for point in result.points} == {0.75}
    assert any("every answer costs the same" in note for note in result.notes)


def test_at_constant_quality_every_alpha_decides_by_cost(pair: Tensor) -> None:
    """Quality is 0 in phi, and a note says so."""
    result = frontier(Tensor(pair.prompts, pair.models, np.ones((2, 2, 2)), cost=pair.cost), "naive")
    assert {point.cost.value for point in result.points} == {1.0}
    assert any("every answer has the same quality" in note for note in result.notes)
    assert result.gains.error_reduction.reason == "the best single model has no error to reduce"


def test_quality_outside_0_to_1_has_no_error_reduction() -> None:
    """Points and savings have values, the error reduction has a reason."""
    quality = np.array([[[3.0], [5.0]], [[4.0], [2.0]]])
    cost = np.array([[[1.0], [2.0]], [[1.0], [2.0]]])
    tensor = Tensor(("p", "q"), ("a", "b"), quality, cost=cost, scale=None)
    result = frontier(tensor, "naive", resamples=0)
    assert result.points[-1].quality.value == pytest.approx(4.5)
    assert "scale it to 0-1" in str(result.gains.error_reduction.reason)
    assert result.gains.saving.estimate.value is not None


def test_an_oracle_chooses_among_the_models_observed_on_a_prompt() -> None:
    """The good model was not run on the second prompt: it cannot be chosen there, and a note says so."""
    quality = np.array([[[0.0], [1.0]], [[0.0], [np.nan]], [[0.0], [1.0]]])
    result = frontier(Tensor(("p", "q", "r"), ("bad", "good"), quality), "naive", resamples=0)
    assert result.points[-1].quality.value == pytest.approx(2 / 3)
    good = result.singles[result.best_single]
    assert (good.quality.value, good.coverage) == (1.0, pytest.approx(2 / 3))
    assert any("1 of 2 models miss some prompts (coverage: good 67%)" in note for note in result.notes)


def test_the_best_single_is_chosen_fairly() -> None:
    """A model that was only asked easy prompts has the higher mean, but the other model is better."""
    quality = np.array([[[0.9], [1.0]], [[0.8], [0.9]], [[0.1], [0.2]], [[0.9], [np.nan]], [[0.9], [np.nan]]])
    easy = quality[:, ::-1].copy()
    result = frontier(Tensor(tuple("pqrst"), ("asked easy", "all"), 1.0 - easy), "naive", resamples=0)
    assert result.singles[1].level.value == pytest.approx(0.28)
    assert result.singles[0].level.value == pytest.approx(0.18)
    assert result.singles[0].quality.value == pytest.approx(0.3)
    assert result.singles[result.best_single].model == "all"


def test_p95_latency_is_that_of_the_chosen_answers(pair: Tensor) -> None:
    """The dear model is slow; from alpha = 0.5 on it has half of the prompts."""
    latency = np.broadcast_to(np.array([[[1.0], [60.0]]]), (2, 2, 2)).copy()
    tensor = Tensor(pair.prompts, pair.models, pair.quality, cost=pair.cost, latency=latency)
    result = frontier(tensor, "naive", alphas=[0.4, 0.6], resamples=0)
    assert [point.latency_p95 for point in result.points] == [1.0, 1.0, 60.0, 60.0]
    assert [single.latency_p95 for single in result.singles] == [1.0, 60.0]


def test_latency_decides_only_when_it_is_given_a_weight(pair: Tensor) -> None:
    """If it has the whole weight, the dear and fast model is the cheap one in phi."""
    latency = np.broadcast_to(np.array([[[60.0], [1.0]]]), (2, 2, 2)).copy()
    tensor = Tensor(pair.prompts, pair.models, pair.quality, cost=pair.cost, latency=latency)
    assert frontier(tensor, "naive", resamples=0).share[0].tolist() == [1.0, 0.0]
    assert frontier(tensor, "naive", latency_weight=1.0, resamples=0).share[0].tolist() == [0.0, 1.0]
    with pytest.raises(InvalidInput, match="'smooth' does not weigh latency"):
        frontier(tensor, "smooth", latency_weight=0.5)


def test_extrapolation_without_enough_generations_is_refused(pair: Tensor) -> None:
    """The message names other methods."""
    with pytest.raises(InvalidInput, match="use mixture or bracket"):
        frontier(pair, "smooth")


@pytest.mark.parametrize("wrong", [{"level": 1.0}, {"resamples": -1}])
def test_an_invalid_level_or_number_of_resamples_is_refused(pair: Tensor, wrong: dict[str, Any]) -> None:
    """The message shows both values."""
    with pytest.raises(InvalidInput, match="give a level between 0 and 1"):
        frontier(pair, "naive", **wrong)


def test_a_model_that_shares_no_prompt_has_no_level() -> None:
    """Two models share two prompts; the third shares none and is not the best despite a mean of 1."""
    quality = np.array([[[0.5], [0.0], [np.nan]], [[1.0], [1.0], [np.nan]], [[np.nan], [np.nan], [1.0]]])
    result = frontier(Tensor(tuple("pqr"), ("a", "b", "apart"), quality), "naive", resamples=0)
    assert (result.singles[2].quality.value, result.singles[2].level.value) == (1.0, None)
    assert [single.level.value for single in result.singles[:2]] == [0.75, 0.5]
    assert result.singles[result.best_single].model == "a"
    assert any("no chain of shared prompts joins" in note and "'apart'" in note for note in result.notes)
