"""Tests of the cross-fitted frontier."""

from __future__ import annotations

import numpy as np
import pytest

from assay.frontier.sweep.crossed import crossed
from assay.frontier.sweep.decisions import Rule, scale_of
from assay.frontier.sweep.frontier import frontier
from assay.frontier.tensor import Tensor

ALPHAS = np.array([0.0, 0.5, 0.9, 1.0])


def test_models_that_are_all_alike_show_no_gain_below() -> None:
    """Of 10 equal coins the naive oracle makes 0.86; what was left out is worth 0.5, whoever was chosen."""
    rng = np.random.default_rng(4)
    tensor = Tensor(
        tuple(f"p{n}" for n in range(400)),
        tuple("abcdefghij"),
        rng.integers(0, 2, (400, 10, 4)).astype(float),
    )
    found = frontier(tensor, "bracket", resamples=0)
    assert found.points[-1].quality.value == pytest.approx(0.5, abs=0.03)
    assert found.naive[-1].quality.value == pytest.approx(0.863, abs=0.02)


def test_what_decides_is_not_what_is_counted() -> None:
    """Costs that are pure luck: the choice of the cheapest saves nothing on the answer left out."""
    rng = np.random.default_rng(5)
    quality = np.ones((600, 5, 3))
    cost = rng.uniform(1.0, 3.0, quality.shape)
    tensor = Tensor(tuple(f"p{n}" for n in range(600)), tuple("abcde"), quality, cost=cost)
    found = crossed(tensor, Rule(scale_of(quality, cost)), ALPHAS, rng)
    assert found.cost is not None
    assert found.cost[:, 0].mean() == pytest.approx(2.0, abs=0.03)


def test_a_lone_answer_is_chosen_by_the_other_prompts() -> None:
    """With one generation a cell the model that is best elsewhere is taken: 1 on both prompts."""
    tensor = Tensor(("p", "q"), ("good", "bad"), np.array([[[1.0], [0.0]], [[1.0], [0.0]]]))
    found = crossed(tensor, Rule(scale_of(tensor.quality, None)), np.array([1.0]), np.random.default_rng(0))
    assert found.quality.tolist() == [[1.0], [1.0]]


def test_one_prompt_of_lone_answers_counts_the_mean_of_its_models() -> None:
    """Nothing is known to choose by, and that is told."""
    tensor = Tensor(("p",), ("a", "b"), np.array([[[1.0], [0.0]]]))
    found = crossed(tensor, Rule(scale_of(tensor.quality, None)), np.array([1.0]), np.random.default_rng(0))
    assert found.quality.tolist() == [[0.5]]
    assert "on 1 of 1 prompts" in found.notes[1]
