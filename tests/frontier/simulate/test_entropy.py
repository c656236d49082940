"""Uplift by topic entropy of recorded prompts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assay.core.errors import InvalidInput
from assay.frontier.posterior import Posterior
from assay.frontier.simulate.entropy import uplift_by_entropy
from assay.frontier.tensor import Tensor
from assay.results.frontier_uplift import CategoryShare, EntropyUplift


def tensor(quality: list[list[float]], categories: str) -> Tensor:
    """Return a tensor of one generation in each cell, with a letter for each prompt's category."""
    values = np.array(quality)[:, :, None]
    names = tuple(f"q{place}" for place in range(len(quality)))
    models = tuple(f"m{place}" for place in range(values.shape[1]))
    return Tensor(names, models, values, categories=tuple(categories))


def uplift(given: Tensor, posterior: Posterior | None = None, *, even: bool = False) -> EntropyUplift:
    """Return the uplift with three mixtures on each path and few repeats."""
    return uplift_by_entropy(
        given, posterior, mixtures=3, repeats=20, rng=np.random.default_rng(0), even=even
    )


SPECIALISTS = tensor([[1, 0], [1, 0], [0, 1], [0, 1]], "aabb")


def test_specialists_gain_only_from_the_mixture() -> None:
    """Each is perfect on its own category: no uplift on one alone, half a mark on the even mixture."""
    result = uplift(SPECIALISTS)
    assert [step.entropy for step in result.path] == pytest.approx([np.log(2.0), 0.5623351, 0.0])
    assert [step.naive.value for step in result.path] == pytest.approx([0.5, 0.25, 0.0])
    assert result.rise.value == pytest.approx(0.5)
    assert result.rank_correlation.value == pytest.approx(1.0)
    assert result.categories == (CategoryShare("a", 2, 0.5), CategoryShare("b", 2, 0.5))
    assert result.debiased_by is None
    assert result.path[0].debiased is None


def test_one_model_for_all_gains_nothing() -> None:
    """If one model is best everywhere, no mixture has an uplift, and there is no correlation."""
    result = uplift(tensor([[1, 0], [1, 1], [1, 0], [0, 0]], "aabb"))
    assert {workload.step.naive.value for workload in result.workloads} == {0.0}
    assert result.rank_correlation.value is None
    assert result.p_value == 1.0


def test_averaged_over_categories_uplift_cannot_fall() -> None:
    """Whatever the data, the path rises with entropy: also for labels that mean nothing."""
    rng = np.random.default_rng(4)
    given = tensor(rng.integers(0, 2, size=(60, 5)).tolist(), "".join(rng.choice(list("abc"), 60)))
    path = [step.naive.value for step in uplift(given).path]
    assert path == sorted(path, reverse=True)
    assert uplift(given).p_value > 0.05


def test_planted_specialists_rise_further_than_chance() -> None:
    """If models specialise by category, the rise with random categories is far smaller."""
    rng = np.random.default_rng(5)
    category = rng.integers(0, 2, 80)
    quality = rng.random((80, 2)) < np.where(category[:, None] == np.arange(2), 0.8, 0.3)
    result = uplift(tensor(quality.astype(float).tolist(), "".join("ab"[place] for place in category)))
    assert result.rise.value is not None
    assert result.rise_by_chance.value is not None
    assert result.rise.value > 3.0 * result.rise_by_chance.value
    assert result.p_value == pytest.approx(1 / 21)


def test_a_posterior_is_read_draw_by_draw() -> None:
    """Each draw has its own oracle and best mean; a cell that may not be chosen counts only for means."""
    quality = np.zeros((2, 4, 2))
    quality[0, :2, 0], quality[0, 2:, 1] = 1.0, 1.0
    quality[1, :, 0] = 1.0
    may_choose = np.ones((4, 2), dtype=np.bool_)
    result = uplift(SPECIALISTS, Posterior("made up", quality, None, may_choose))
    whole = result.path[0].debiased
    assert whole is not None
    assert whole.value == pytest.approx((0.5 + 0.0) / 2.0)
    assert whole.these_prompts is not None
    assert result.debiased_by == "made up"
    may_choose[:2, 0] = False
    barred = uplift(SPECIALISTS, Posterior("made up", quality, None, may_choose)).path[0].debiased
    assert barred is not None
    assert barred.value == pytest.approx((0.0 - 0.5) / 2.0)


def test_prompts_without_an_observation_are_left_out_and_named() -> None:
    """They do not count in any category."""
    result = uplift(tensor([[1, 0], [np.nan, np.nan], [0, 1]], "aab"))
    assert result.left_out == ("q1",)
    assert [share.prompts for share in result.categories] == [1, 1]


def test_a_model_unseen_in_a_category_cannot_be_the_best_single_model_there() -> None:
    """Model 1 is right on all of a but has no answer in b, so it does not count on mixtures with b."""
    result = uplift(tensor([[0, 1], [0, 1], [0, 1], [1, np.nan]], "aaab"))
    assert result.path[0].naive.value == pytest.approx(1.0 - 0.25)


def test_even_shares() -> None:
    """With `even` the shares are equal instead of the observed three to one."""
    given = tensor([[1, 0], [1, 0], [1, 0], [0, 1]], "aaab")
    assert uplift(given).path[0].naive.value == pytest.approx(0.25)
    assert uplift(given, even=True).path[0].naive.value == pytest.approx(0.5)


def test_invalid_categories_and_posteriors_are_refused() -> None:
    """No categories, one category, and a posterior of another tensor; the message says what to do."""
    with pytest.raises(InvalidInput, match="name the column"):
        uplift(replace(SPECIALISTS, categories=None))
    with pytest.raises(InvalidInput, match="'a'"):
        uplift(replace(SPECIALISTS, categories=("a",) * 4))
    other = Posterior("other", np.zeros((1, 3, 2)), None, np.ones((3, 2), dtype=np.bool_))
    with pytest.raises(InvalidInput, match="fit this tensor"):
        uplift(SPECIALISTS, other)
