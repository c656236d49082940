"""Tests of the bias in closed form."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from assay.frontier.biased.forms import (
    bernoulli_bias,
    bernoulli_oracle,
    bias_forms,
    gaussian_bias,
    gaussian_bias_exact,
    greatest_normal,
    spread_by_prompt,
)


def test_equation_8_by_hand() -> None:
    """sigma = 0.5 and 0.3, 21 models, 10 generations: 0.4 sqrt(2 log 21 / 10)."""
    assert gaussian_bias([0.5, 0.3], 21, 10) == pytest.approx(0.4 * np.sqrt(0.2 * np.log(21)))


@pytest.mark.parametrize(
    ("models", "expected"), [(1, 0.0), (2, 1 / np.sqrt(np.pi)), (3, 1.5 / np.sqrt(np.pi)), (10, 1.5387527308)]
)
def test_the_greatest_of_few_normals_is_the_tabulated_one(models: int, expected: float) -> None:
    """1/sqrt(pi), 3/(2 sqrt(pi)), and the order statistics' tables at 10."""
    assert greatest_normal(models) == pytest.approx(expected, abs=1e-9)


def test_equation_7_lies_above_the_simulated_bias_and_the_exact_form_on_it() -> None:
    """20,000 draws of the greatest of 21 means of 10 generations."""
    means = np.random.default_rng(0).normal(0.0, 0.5 / np.sqrt(10), (20_000, 21)).max(axis=1)
    error = means.std(ddof=1) / np.sqrt(20_000)
    assert abs(gaussian_bias_exact(0.5, 21, 10) - means.mean()) < 4 * error
    assert gaussian_bias(0.5, 21, 10) > means.mean() + 40 * error


def test_equation_10_is_the_simulated_maximum_only_from_g_0() -> None:
    """20,000 draws of max Y/G: the sum over 0..G-1 hits it, the printed one over 1..G misses far below."""
    rate, models, generations = 0.3, 5, 10
    drawn = np.random.default_rng(1).binomial(generations, rate, (20_000, models)).max(axis=1) / generations
    error = drawn.std(ddof=1) / np.sqrt(20_000)
    turn = np.arange(1, generations + 1)
    printed = (1 - stats.binom(generations, rate).cdf(turn) ** models).sum() / generations
    ours = bernoulli_oracle(rate, models, generations)[0]
    assert abs(ours - drawn.mean()) < 4 * error
    assert printed < drawn.mean() - 40 * error
    assert ours - printed == pytest.approx((1 - (1 - rate) ** (generations * models)) / generations)


def test_a_certain_prompt_has_no_bias() -> None:
    """With p = 0, p = 1 or a single model there is no luck."""
    assert bernoulli_bias([0.0, 1.0], 10, 5) == 0.0
    assert bernoulli_bias([0.3, 0.6], 1, 5) == pytest.approx(0.0, abs=1e-12)


def test_prompts_may_differ_in_models_and_generations() -> None:
    """The result is the same as for one prompt at a time."""
    together = bernoulli_oracle([0.2, 0.7], [3, 5], [4, 2])
    alone = [bernoulli_oracle(0.2, 3, 4)[0], bernoulli_oracle(0.7, 5, 2)[0]]
    assert together == pytest.approx(alone)


def test_the_spread_is_the_one_within_cells() -> None:
    """Steady models have a spread of 0; a cell of one generation has none."""
    quality = np.array([[[0.0, 0.0], [1.0, 1.0]], [[0.0, 1.0], [1.0, np.nan]], [[1.0, np.nan], [np.nan] * 2]])
    assert spread_by_prompt(quality) == pytest.approx([0.0, np.sqrt(0.5), np.nan], nan_ok=True)


def test_the_forms_of_a_tensor_under_assumption_6_have_its_bias() -> None:
    """Equal models: the Bernoulli form at the shares right is the mean of max Y/G less the rates."""
    rng = np.random.default_rng(2)
    rates = rng.random(2000)
    quality = (rng.random((2000, 8, 5)) < rates[:, None, None]).astype(np.float64)
    forms = bias_forms(quality)
    bias = quality.mean(axis=2).max(axis=1).mean() - rates.mean()
    assert forms.bernoulli == pytest.approx(bias, abs=0.01)
    assert forms.gaussian is not None and forms.gaussian_exact is not None
    assert forms.gaussian > forms.gaussian_exact > 0.0


def test_one_generation_has_no_gaussian_form_and_continuous_quality_no_bernoulli_one() -> None:
    """Forms that cannot be computed are None."""
    assert bias_forms(np.array([[[0.2], [0.7]]])) == bias_forms(np.full((1, 2, 1), np.nan))
    assert bias_forms(np.array([[[0.2], [0.7]]])).gaussian is None
