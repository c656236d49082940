"""Tests of the biased frontier at every number of generations."""

from __future__ import annotations

import numpy as np
import pytest

from assay.frontier.biased.exact import biased_curve
from assay.frontier.biased.swept import swept_curves
from assay.frontier.capability import frontier
from assay.frontier.sweep.decisions import PhiRule, scale_of
from assay.frontier.tensor import Tensor


@pytest.fixture(scope="module")
def tensor() -> Tensor:
    """Return 60 prompts, 4 models and 6 generations, with some shorter cells."""
    rng = np.random.default_rng(3)
    quality = (rng.random((60, 4, 6)) < rng.random((60, 4, 1))).astype(float)
    quality[:20, 1, 3:] = np.nan
    cost = rng.lognormal(0.0, 1.0, (60, 4, 1)) * rng.lognormal(0.0, 0.3, quality.shape)
    return Tensor(tuple(f"p{n}" for n in range(60)), tuple("abcd"), quality, cost=cost)


def test_at_all_generations_the_curves_are_the_naive_frontier(tensor: Tensor) -> None:
    """At g = G the curves are exact at any alpha."""
    alphas = np.array([0.0, 0.1, 0.6, 1.0])
    rule = PhiRule(scale_of(tensor.quality, tensor.cost))
    curves = swept_curves(tensor, rule, alphas, np.random.default_rng(0))
    naive = frontier(tensor, "naive", alphas=alphas, resamples=0)
    assert curves.cost is not None
    assert np.allclose(curves.quality[:, :, -1].mean(axis=0), [point.quality.value for point in naive.points])
    assert np.allclose(curves.cost[:, :, -1].mean(axis=0), [point.cost.value for point in naive.points])


def test_at_alpha_1_the_curve_is_exact(tensor: Tensor) -> None:
    """It is computed from the counts and does not depend on the seed."""
    rule = PhiRule(scale_of(tensor.quality, tensor.cost))
    curves = swept_curves(tensor, rule, np.array([0.0, 1.0]), np.random.default_rng(0), draws=2)
    assert np.allclose(curves.quality[:, 1].mean(axis=0), biased_curve(tensor.correct, tensor.answers))


def test_resampled_curves_agree_with_the_exact_one_near_alpha_1(tensor: Tensor) -> None:
    """Just below alpha = 1 ties go to the cheaper one and quality is that of alpha = 1, within its error."""
    rule = PhiRule(scale_of(tensor.quality, tensor.cost))
    alphas = np.array([0.0, 1.0 - 1e-9, 1.0])
    curves = swept_curves(tensor, rule, alphas, np.random.default_rng(0), draws=60)
    gap = curves.quality[:, 1].mean(axis=0) - curves.quality[:, 2].mean(axis=0)
    assert np.all(np.abs(gap) <= 4 * curves.error)
    assert curves.error < 0.01


def test_each_answer_comes_first_equally_often() -> None:
    """With as many orders as generations one model's curve is flat at g = 1, though its answers differ."""
    quality = np.array([[[0.0, 0.2, 1.0]], [[0.5, 0.6, 0.7]]])
    tensor = Tensor(("p", "q"), ("a",), quality)
    rule = PhiRule(scale_of(quality, None))
    curves = swept_curves(tensor, rule, np.array([0.0, 1.0]), np.random.default_rng(0), draws=3)
    assert curves.quality[:, 0, 0] == pytest.approx([0.4, 0.6])
