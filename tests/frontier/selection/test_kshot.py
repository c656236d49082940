"""Tests of the k-shot quantities from counts."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st

from assay.core.errors import InvalidInput
from assay.frontier.biased.exact import biased_curve
from assay.frontier.selection.kshot import shots


def test_the_three_quantities_of_a_hand_worked_prompt() -> None:
    """1 and 2 right in 4, two shots: 1 - C(3,2)/6 = 1/2, 1 - C(2,2)/6 = 5/6; together 11/12."""
    quantities = shots([[1, 2]], [[4, 4]], ks=[2])[0]
    assert quantities.per_prompt_best.value == pytest.approx(5 / 6)
    assert quantities.all_models.value == pytest.approx(11 / 12)
    assert quantities.all_models_plug_in is not None
    assert quantities.all_models_plug_in.value == pytest.approx(1 - (3 / 4 * 2 / 4) ** 2)
    assert quantities.fixed_best.value == pytest.approx(5 / 6)


@settings(max_examples=30, deadline=None)
@for_all(st.lists(st.integers(0, 5), min_size=1, max_size=3), st.integers(1, 5))
def test_equation_22_is_the_share_of_subsets_with_a_right_answer(right: list[int], k: int) -> None:
    """As in the paper: the mean over all choices of k of 5, then the maximum over models."""
    answers = [[1] * each + [0] * (5 - each) for each in right]
    expected = max(np.mean([max(drawn) for drawn in combinations(each, k)]) for each in answers)
    quantities = shots([right], [[5] * len(right)], ks=[k])[0]
    assert quantities.per_prompt_best.value == pytest.approx(expected, abs=1e-12)


@settings(max_examples=30, deadline=None)
@for_all(st.integers(0, 2**32 - 1))
def test_the_quantities_are_ordered_and_rise_with_k(seed: int) -> None:
    """One fixed model <= the best by prompt <= all models, each rising with k; equation 5 is k = 1."""
    rng = np.random.default_rng(seed)
    number = np.full((9, 4), 6)
    right = rng.binomial(number, rng.random((9, 4)))
    found = shots(right, number)
    for each in found:
        assert each.fixed_best.value <= each.per_prompt_best.value + 1e-12
        assert each.per_prompt_best.value <= each.all_models.value + 1e-12
    for kind in ("per_prompt_best", "all_models", "fixed_best"):
        assert np.all(np.diff([getattr(each, kind).value for each in found]) > -1e-12)
    curve = biased_curve(right, number)
    assert found[0].per_prompt_best.value == pytest.approx(curve[-1])
    assert found[0].all_models.value == pytest.approx(curve[0])


def test_all_models_is_unbiased_where_the_plug_in_and_the_best_by_prompt_are_not() -> None:
    """Over 4,000 fresh recordings of known rates: the mean hits the truth, misses below, misses above."""
    rng = np.random.default_rng(5)
    truth, k = np.array([0.1, 0.2, 0.25]), 3
    right = rng.binomial(5, truth, (4000, 3))
    number = np.full(right.shape, 5)
    expected = 1 - np.prod((1 - truth) ** k)
    found = shots(right, number, ks=[k])[0]
    error = found.all_models.per_prompt.std(ddof=1) / np.sqrt(4000)
    assert abs(found.all_models.value - expected) < 4 * error
    assert found.all_models_plug_in is not None
    assert found.all_models_plug_in.value < expected - 4 * error
    assert found.per_prompt_best.value > 1 - (1 - truth.max()) ** k + 4 * error


def test_a_short_cell_takes_part_with_all_it_has_and_is_counted() -> None:
    """One right in two at k = 3 is always found; its two generations are paid, and one cell is short."""
    found = shots([[1, 0]], [[2, 3]], ks=[3])[0]
    assert (found.all_models.value, found.all_models.asked.tolist(), found.short) == (1.0, [5.0], 1)


def test_k_times_every_model_is_paid_for_all_models() -> None:
    """At 2 shots: 2 of each of two models at 1 and 3 a generation; the best by prompt pays its own."""
    found = shots([[1, 4]], [[4, 4]], ks=[2], cost=[[1.0, 3.0]])[0]
    paid = (found.all_models, found.per_prompt_best, found.fixed_best)
    assert [each.asked.tolist() for each in paid] == [[4.0], [2.0], [2.0]]
    assert [each.cost is not None and each.cost.tolist() for each in paid] == [[8.0], [6.0], [6.0]]


def test_equally_good_models_are_paid_at_the_lower_price() -> None:
    """An unknown price is chosen last and stays unknown."""
    quantities = shots([[2, 2], [2, 1]], [[2, 2], [2, 2]], ks=[1], cost=[[5.0, 3.0], [np.nan, 1.0]])[0]
    cost = quantities.per_prompt_best.cost
    assert cost is not None
    assert cost[0] == 3.0
    assert np.isnan(cost[1])


def test_a_missing_cell_is_neither_asked_nor_paid_nor_counted_against_its_model() -> None:
    """The second model has answers to the first prompt only, all right; the third prompt has no answers."""
    found = shots([[1, 2], [1, 0], [0, 0]], [[2, 2], [2, 0], [0, 0]], ks=[1], cost=np.ones((3, 2)))[0]
    assert found.of_models.tolist() == [0.5, 1.0]
    assert found.all_models.asked[:2].tolist() == [2.0, 1.0]
    assert np.isnan(found.all_models.per_prompt[2])
    assert found.fixed_model == 1
    assert np.isnan(found.fixed_best.per_prompt).tolist() == [False, True, True]


def test_more_shots_than_generations_are_refused() -> None:
    """Two generations have no subset of three."""
    with pytest.raises(InvalidInput, match="from 1 to 2"):
        shots([[1]], [[2]], ks=[3])


def test_a_model_that_answered_one_easy_prompt_is_not_the_fixed_best() -> None:
    """It is right 10 of 10 times on one prompt, like the other model, which stays the best."""
    right = np.array([[10, 10], *([[7, 0]] * 19)])
    given = np.array([[10, 10], *([[10, 0]] * 19)])
    price = np.ones(right.shape)
    assert shots(right, given, ks=[1], cost=price)[0].fixed_model == 0
    harder = np.array([[10, 9], *([[7, 0]] * 19)])
    found = shots(harder, given, ks=[1])[0]
    assert found.fixed_model == 0
    assert found.fixed_best.value == pytest.approx((1.0 + 19 * 0.7) / 20)
