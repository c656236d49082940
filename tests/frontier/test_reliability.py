"""Tests of reliability and its bias."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st

from assay.core.errors import InvalidInput
from assay.frontier.posterior import Posterior
from assay.frontier.reliability import (
    coin_reliability,
    correlation,
    expected_reliability,
    measure,
    reliability,
)
from assay.frontier.tensor import Tensor, from_counts


def test_equation_24_by_hand() -> None:
    """All right, half right and none of 4: 2 (0.5 + 0 + 0.5)/3; a missing cell is left out."""
    result = reliability([[4, 0], [2, 1], [0, 0]], [[4, 0], [4, 4], [4, 0]])
    assert result.tolist() == pytest.approx([2 / 3, 0.5])


@settings(max_examples=40, deadline=None)
@for_all(st.integers(1, 60), st.floats(0.0, 1.0))
def test_the_expected_measure_of_a_rate_is_the_binomial_sum(number: int, rate: float) -> None:
    """The closed forms for a rate and for a coin equal the sum over all outcomes."""
    away = [2 * abs(turn / number - 0.5) for turn in range(number + 1)]

    def summed(chance: float) -> float:
        turns = range(number + 1)
        chances = [comb(number, turn) * chance**turn * (1 - chance) ** (number - turn) for turn in turns]
        return sum(mass * far for mass, far in zip(chances, away, strict=True))

    assert expected_reliability(rate, number) == pytest.approx(summed(rate), abs=1e-9)
    assert coin_reliability(number) == pytest.approx(summed(0.5), abs=1e-9)


def test_models_that_flip_coins_measure_more_than_their_true_reliability_of_0() -> None:
    """5,000 prompts of ten flips: 252/1024 within four standard errors; one flip measures 1."""
    right = np.random.default_rng(0).binomial(10, 0.5, (5000, 1))
    result = reliability(right, np.full(right.shape, 10))[0]
    error = (2 * np.abs(right / 10 - 0.5)).std() / np.sqrt(5000)
    assert abs(result - 252 / 1024) < 4 * error
    assert coin_reliability([1, 2, 10, 0]).tolist() == pytest.approx([1.0, 0.5, 252 / 1024, 0.0])


def test_a_posterior_of_the_true_rates_explains_the_measure_and_shows_the_bias() -> None:
    """With known rates the expected value equals the measured one, and the remaining is the true one."""
    rng = np.random.default_rng(1)
    rates = rng.beta(0.6, 0.6, (3000, 2))
    number = rng.choice([0, 5, 10], (3000, 2))
    tensor = from_counts(
        tuple(map(str, range(3000))), ("a", "b"), rng.binomial(number, rates), number, cost=rates
    )
    result = measure(tensor, Posterior("truth", rates[None], None, tensor.observed))
    assert result.remaining is not None and result.expected is not None
    assert result.measured == pytest.approx(result.expected, abs=0.015)
    true = [2 * np.abs(rates[tensor.observed[:, model], model] - 0.5).mean() for model in (0, 1)]
    assert result.remaining == pytest.approx(true)
    assert np.all(result.expected > result.remaining + 0.02)
    assert result.prompts.tolist() == tensor.observed.sum(axis=0).tolist()


def test_it_is_correlated_with_quality_and_cost_over_models() -> None:
    """Three models: quality 0, 1/2, 1 has reliability 1, 0, 1; costs 1, 0, 1 follow it."""
    tensor = from_counts(
        ("p", "q"), ("a", "b", "c"), [[0, 1, 2]] * 2, [[2] * 3] * 2, cost=[[1.0, 0.0, 1.0]] * 2
    )
    result = measure(tensor)
    assert (result.with_quality.n, result.with_quality.pearson) == (3, pytest.approx(0.0, abs=1e-12))
    assert result.with_cost is not None
    assert result.with_cost.pearson == pytest.approx(1.0)
    assert result.with_cost.spearman == pytest.approx(1.0)
    assert result.remaining_with_quality is None


@pytest.mark.parametrize("other", [[1.0, 1.0, 1.0], [0.1, np.nan, 0.3]])
def test_a_constant_figure_or_fewer_than_three_models_have_no_correlation(other: list[float]) -> None:
    """It is None, with the number of models that were compared."""
    result = correlation([0.1, 0.2, 0.3], other)
    assert (result.pearson, result.spearman, result.n) == (None, None, int(np.isfinite(other).sum()))


def test_continuous_quality_is_refused() -> None:
    """Equation 24 needs right and wrong answers."""
    with pytest.raises(InvalidInput, match="other than 0 and 1"):
        measure(Tensor(("a",), ("x",), np.array([[[0.3]]])))
