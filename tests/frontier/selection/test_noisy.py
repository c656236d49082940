"""Tests of selection by noisy marks."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from assay.core.errors import InvalidInput
from assay.frontier.selection.noisy import noisy_selection, residual_noise
from assay.frontier.tensor import Tensor


def one_prompt(*cells: list[float]) -> Tensor:
    """Return one prompt's answers, a list a model."""
    widest = max(map(len, cells))
    quality = np.full((1, len(cells), widest), np.nan)
    for place, cell in enumerate(cells):
        quality[0, place, : len(cell)] = cell
    return Tensor(
        ("x",), tuple("abcdef"[: len(cells)]), quality, cost=np.where(np.isnan(quality), np.nan, 2.0)
    )


def test_without_noise_the_best_answer_is_taken() -> None:
    """All three answers of each: the greatest quality; one of each: the mean of maxima."""
    found = noisy_selection(one_prompt([0.1, 0.5, 0.9], [0.3]), 0.0, runs=4000, resamples=20, price=0.5)
    one, _, three = found.points
    assert three.quality.value == pytest.approx(0.9) and three.error == pytest.approx(0.0)
    assert one.quality.value == pytest.approx((0.3 + 0.5 + 0.9) / 3, abs=4 * one.error)
    assert (one.cost and one.cost.value, three.cost and three.cost.value) == (5.0, 10.0)


def test_noise_takes_the_worse_answer_as_often_as_it_should() -> None:
    """Of 0 and 1 with noise s on each mark the better wins with chance Phi(1 / (s sqrt 2))."""
    found = noisy_selection(one_prompt([1.0], [0.0]), 0.8, runs=5_000, resamples=20).points[0]
    assert found.quality.value == pytest.approx(norm.cdf(1 / (0.8 * np.sqrt(2))), abs=4 * found.error)
    assert found.error == pytest.approx(np.sqrt(0.81 * 0.19 / 5_000), rel=0.1)


def test_the_same_seed_gives_the_same_figures() -> None:
    """Randomness comes from the seed alone."""
    first, second = (noisy_selection(one_prompt([0.2, 0.7], [0.5, 0.4]), 0.3, runs=5, seed=3) for _ in "ab")
    assert first == second


def test_noise_is_measured_on_the_scale_of_quality() -> None:
    """Marks of 1 + 4 q with noise 0.8 are off by 0.2 of quality."""
    rng = np.random.default_rng(0)
    quality = rng.random(20_000)
    assert residual_noise(quality, 1 + 4 * quality + rng.normal(0, 0.8, 20_000)) == pytest.approx(
        0.2, rel=0.03
    )


def test_marks_that_say_nothing_are_refused() -> None:
    """A judge whose marks fall with quality cannot choose; negative noise does not exist."""
    with pytest.raises(InvalidInput, match="cannot choose"):
        residual_noise([0.0, 0.5, 1.0], [3.0, 2.0, 1.0])
    with pytest.raises(InvalidInput, match="give 0 or more"):
        noisy_selection(one_prompt([1.0]), -0.1)
