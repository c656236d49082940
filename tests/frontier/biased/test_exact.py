"""Tests of the biased oracle at every number of generations."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st
from scipy import stats

from assay.core.errors import InvalidInput
from assay.frontier.biased import exact
from assay.frontier.biased.exact import biased_curve, per_prompt_curves


def by_subsets(right: list[int], number: list[int], size: int) -> float:
    """Return the mean over every choice of generations of the greatest share right, one prompt."""
    cells = []
    for correct, given in zip(right, number, strict=True):
        if given:
            answers = [1] * correct + [0] * (given - correct)
            cells.append([sum(drawn) / len(drawn) for drawn in combinations(answers, min(size, given))])
    return float(np.mean([max(shares) for shares in product(*cells)]))


def test_two_models_one_right_in_two_reach_three_quarters_with_one_generation() -> None:
    """One of two right in both cells: 1 - (1/2)^2 at g = 1, one half at g = 2."""
    assert biased_curve([[1, 1]], [[2, 2]]).tolist() == pytest.approx([0.75, 0.5], abs=1e-12)


@settings(max_examples=40, deadline=None)
@for_all(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=3))
def test_it_is_the_mean_over_every_choice_of_generations(cells: list[tuple[int, int]]) -> None:
    """Missing cells and cells with fewer than g generations included."""
    number = [given for _, given in cells]
    right = [min(correct, given) for correct, given in cells]
    if not any(number):
        assert biased_curve([right], [number]).size == 0
        return
    sizes = range(1, max(number) + 1)
    expected = [by_subsets(right, number, size) for size in sizes]
    assert per_prompt_curves([right], [number])[0] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("sort", [False, True])
def test_many_generations_agree_with_scipy(sort: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """At 100 and 1,000 generations the product of SciPy's hypergeometric distributions gives the same."""
    if sort:
        monkeypatch.setattr(exact, "CODES", 0)
    rng = np.random.default_rng(1)
    for most, sizes in ((100, (1, 7, 50, 99)), (1000, (1, 500, 999))):
        right = rng.binomial(most, rng.beta(0.5, 0.5, (4, 3)))
        number = np.full(right.shape, most)
        curves = per_prompt_curves(right, number, sizes=sizes)
        for column, size in enumerate(sizes):
            turn = np.arange(size)
            below = stats.hypergeom(most, right[:, :, None], size).cdf(turn).prod(axis=1)
            assert curves[:, column] == pytest.approx((1.0 - below).mean(axis=1), abs=1e-9)


def test_ragged_counts_are_summed_sparsely_to_the_same_curve() -> None:
    """Prompts computed one by one, with few pairs, have the same curves as together."""
    rng = np.random.default_rng(2)
    number = rng.integers(0, 12, (60, 2))
    right = rng.binomial(number, 0.4)
    together = per_prompt_curves(right, number)
    for row in range(60):
        alone = per_prompt_curves(right[row : row + 1], number[row : row + 1])[0]
        if alone.size:
            assert together[row, : alone.size] == pytest.approx(alone, abs=1e-12)
            assert together[row, alone.size :] == pytest.approx(alone[-1])


def test_resampling_agrees_with_the_curve() -> None:
    """The mean over 4,000 random choices of g generations lies within four standard errors."""
    rng = np.random.default_rng(3)
    right, most, size = rng.binomial(6, rng.beta(1, 1, (20, 4))), 6, 3
    drawn = rng.hypergeometric(right, most - right, size, (4000, 20, 4)).max(axis=2).mean(axis=1) / size
    expected = biased_curve(right, np.full(right.shape, most))[size - 1]
    assert abs(drawn.mean() - expected) < 4 * drawn.std(ddof=1) / np.sqrt(4000)


@settings(max_examples=30, deadline=None)
@for_all(st.integers(0, 2**32 - 1))
def test_the_curve_never_rises_and_ends_at_equation_5(seed: int) -> None:
    """More generations only reduce luck; the last value is the mean of the greatest shares."""
    rng = np.random.default_rng(seed)
    number = rng.integers(1, 7, (8, 4))
    right = rng.binomial(number, rng.random((8, 4)))
    curve = biased_curve(right, number)
    assert np.all(np.diff(curve) < 1e-12)
    assert curve[-1] == pytest.approx((right / number).max(axis=1).mean(), abs=1e-12)


def test_a_prompt_without_generations_is_left_out() -> None:
    """It is NaN and does not count in the mean."""
    right, number = [[1, 0], [0, 0]], [[1, 1], [0, 0]]
    assert np.isnan(per_prompt_curves(right, number)[1]).all()
    assert biased_curve(right, number).tolist() == [1.0]


def test_chosen_sizes_are_the_columns_of_the_whole_curve() -> None:
    """They are in the order of `sizes`."""
    right, number = [[3, 2], [1, 0]], [[4, 4], [4, 2]]
    whole = biased_curve(right, number)
    assert biased_curve(right, number, sizes=[3, 1]).tolist() == whole[[2, 0]].tolist()


def test_a_size_beyond_the_generations_is_refused() -> None:
    """Nothing is extrapolated."""
    with pytest.raises(InvalidInput, match="from 1 to 2"):
        biased_curve([[1]], [[2]], sizes=[3])
