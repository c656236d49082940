"""Tests of the decisions along the sweep of alpha."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.errors import InvalidInput
from assay.frontier.sweep.decisions import Scale, Views, checked_alphas, default_alphas, scale_of, sweep


def views(quality: np.ndarray, cost: np.ndarray, may_choose: np.ndarray | None = None) -> Views:
    """Return views (S, N, L) that decide by quality and by cost over the greatest cost."""
    if may_choose is None:
        may_choose = np.ones(quality.shape, dtype=np.bool_)
    return Views(quality, cost / max(cost.max(), 1e-9), may_choose, quality, cost)


def test_the_default_alphas_are_41_with_both_ends_and_many_near_0() -> None:
    """Eighteen lie below 0.1, for cost is heavy-tailed and most steps are cheap."""
    alphas = default_alphas()
    assert len(alphas) == 41
    assert (alphas[0], alphas[-1]) == (0.0, 1.0)
    assert np.all(np.diff(alphas) > 0)
    assert np.sum(alphas < 0.1) == 18


def test_given_alphas_are_sorted_and_get_both_ends() -> None:
    """Repeated ones count once."""
    assert checked_alphas([0.5, 0.2, 0.5]).tolist() == [0.0, 0.2, 0.5, 1.0]


def test_an_alpha_outside_0_to_1_is_refused_with_its_value() -> None:
    """The message shows it."""
    with pytest.raises(InvalidInput, match=r"invalid alpha 1\.5"):
        checked_alphas([0.5, 1.5])


def test_the_scale_is_that_of_single_generations() -> None:
    """Least and greatest are over all generations, not over cell means; what is missing is left out."""
    scale = scale_of(np.array([[[0.0, 1.0, np.nan]]]), np.array([[[2.0, 6.0, np.nan]]]))
    assert scale.cost_of(np.array([4.0])).tolist() == [0.5]
    assert scale.quality_of(np.array([0.25])).tolist() == [0.25]


def test_what_is_constant_is_0_on_its_scale() -> None:
    """There is no division by a range of 0."""
    scale = Scale((1.0, 1.0), (3.0, 3.0))
    assert scale.quality_of(np.array([1.0])).tolist() == [0.0]
    assert scale.cost_of(np.array([3.0])).tolist() == [0.0]


def test_the_dearer_model_is_taken_once_its_quality_outweighs_its_cost() -> None:
    """By hand: 0.75 better, 0.25 dearer: phi is equal at alpha = 0.25, where the cheaper one stays."""
    swept = sweep(
        views(np.array([[[0.0, 0.75]]]), np.array([[[0.75, 1.0]]])),
        np.array([0.0, 0.24, 0.25, 0.26, 1.0]),
    )
    assert swept.quality[0].tolist() == [0.0, 0.0, 0.0, 0.75, 0.75]
    assert swept.share[:, 1].tolist() == [0.0, 0.0, 0.0, 1.0, 1.0]


def test_at_alpha_1_the_cheapest_of_the_best_is_taken() -> None:
    """Two models are equally good: the paper does not say which; ties go to the lower cost."""
    swept = sweep(views(np.array([[[1.0, 1.0, 0.0]]]), np.array([[[5.0, 3.0, 1.0]]])), np.array([0.0, 1.0]))
    assert swept.cost is not None
    assert swept.cost[0].tolist() == [1.0, 3.0]


def test_at_alpha_0_the_best_of_the_cheapest_is_taken() -> None:
    """Two models cost the same."""
    swept = sweep(views(np.array([[[0.2, 0.4, 1.0]]]), np.array([[[1.0, 1.0, 2.0]]])), np.array([0.0, 1.0]))
    assert swept.quality[0].tolist() == [0.4, 1.0]


def test_a_cell_that_may_not_be_chosen_never_is() -> None:
    """The best and cheapest model was not observed."""
    may_choose = np.array([[[False, True]]])
    swept = sweep(views(np.array([[[1.0, 0.5]]]), np.array([[[1.0, 2.0]]]), may_choose), np.array([0.0, 1.0]))
    assert swept.quality[0].tolist() == [0.5, 0.5]


@given(st.integers(0, 2**32 - 1), st.integers(1, 3), st.integers(1, 4), st.integers(1, 5))
def test_the_walk_along_hulls_finds_the_greatest_phi(
    seed: int, draws: int, prompts: int, models: int
) -> None:
    """At every alpha phi of the choices is the greatest there is, and quality and cost grow with alpha."""
    rng = np.random.default_rng(seed)
    quality = rng.integers(0, 5, (draws, prompts, models)) / 4.0
    cost = rng.integers(1, 6, (draws, prompts, models)) / 5.0
    alphas = np.array([0.0, 0.3, 0.5, 0.7, 0.95, 1.0])
    swept = sweep(Views(quality, cost, np.ones(cost.shape, dtype=np.bool_), quality, cost), alphas)
    assert swept.cost is not None and swept.cost_of_view is not None
    phi = alphas[:, None, None, None] * quality - (1.0 - alphas[:, None, None, None]) * cost
    best = phi.max(axis=3).mean(axis=1).T
    assert np.allclose(alphas * swept.quality - (1.0 - alphas) * swept.cost, best)
    assert np.all(np.diff(swept.quality, axis=1) >= -1e-12)
    assert np.all(np.diff(swept.cost, axis=1) >= -1e-12)
    assert np.allclose(swept.cost_of_view.mean(axis=0), swept.cost.mean(axis=0))
    assert np.allclose(swept.share.sum(axis=1), 1.0)


def test_choices_by_prompt_average_to_the_shares() -> None:
    """Asked for, the choices come prompt by prompt too."""
    rng = np.random.default_rng(1)
    quality, cost = rng.random((3, 4, 5)), rng.random((3, 4, 5))
    swept = sweep(views(quality, cost), np.array([0.0, 0.5, 1.0]), by_prompt=True)
    assert swept.chosen is not None
    assert swept.chosen.shape == (3, 4, 5)
    assert np.allclose(swept.chosen.mean(axis=1), swept.share)
    assert np.allclose(swept.chosen.sum(axis=2), 1.0)


def test_the_variance_over_views_is_that_of_each_prompt() -> None:
    """Averaged over prompts, at every alpha, as counted choice by choice."""
    rng = np.random.default_rng(2)
    quality, cost = rng.random((5, 3, 4)), rng.random((5, 3, 4))
    alphas = np.array([0.0, 0.4, 0.8, 1.0])
    swept = sweep(Views(quality, cost, np.ones(cost.shape, dtype=np.bool_), quality, cost), alphas)
    phi = alphas[:, None, None, None] * quality - (1.0 - alphas[:, None, None, None]) * cost
    chosen = phi.argmax(axis=3)[..., None]
    every = np.broadcast_to(quality, phi.shape), np.broadcast_to(cost, phi.shape)
    taken = [np.take_along_axis(values, chosen, axis=3)[..., 0] for values in every]
    assert swept.within_cost is not None
    assert np.allclose(swept.within_quality, taken[0].var(axis=1).mean(axis=1))
    assert np.allclose(swept.within_cost, taken[1].var(axis=1).mean(axis=1))


def test_equal_means_in_another_order_of_the_answers_are_equal() -> None:
    """0.3 + 0.2 + 0.1 and 0.1 + 0.2 + 0.3 differ in the last bit: no nine times dearer model for that."""
    same = np.array([0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1]) / 3.0
    quality, cost = np.sort(same)[None, None], np.array([[[1.0, 9.0]]])
    assert quality[0, 0, 0] < quality[0, 0, 1]
    swept = sweep(views(quality, cost), np.array([0.0, 1.0]))
    assert swept.cost is not None
    assert swept.cost.tolist() == [[1.0, 1.0]]


def test_models_equal_in_quality_and_cost_share_the_choice_whatever_their_order() -> None:
    """By hand: two of three models tie on the first prompt, all three on the second; nobody else moves."""
    quality = np.array([[[1.0, 0.0, 1.0], [0.5, 0.5, 0.5]]])
    swept = sweep(views(quality, np.zeros(quality.shape)), np.array([1.0]))
    assert np.allclose(swept.share[-1], [0.25 + 1 / 6, 1 / 6, 0.25 + 1 / 6])
    assert swept.tied == 2.0
    turned = sweep(views(quality[:, :, ::-1], np.zeros(quality.shape)), np.array([1.0]))
    assert np.allclose(turned.share[-1][::-1], swept.share[-1])


def test_of_models_equal_in_quality_the_cheaper_is_still_chosen_alone() -> None:
    """Cost decides between equals; only what is equal in both is shared."""
    swept = sweep(views(np.array([[[1.0, 1.0]]]), np.array([[[2.0, 1.0]]])), np.array([0.0, 1.0]))
    assert swept.share[-1].tolist() == [0.0, 1.0]
    assert swept.tied == 0.0
