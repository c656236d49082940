"""Folds: prompts that are alike stay together, categories are spread, and every prompt is valued once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.core.errors import InvalidInput
from assay.frontier.routing.folds import deal, split


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 12), min_size=30, max_size=60), st.integers(2, 5), st.integers(0, 99))
def test_groups_stay_whole_and_every_prompt_is_held_out_once_a_repeat(
    labels: list[int], folds: int, seed: int
) -> None:
    """No group is on both sides of a split, or of a fold inside the training."""
    groups = np.array([*labels, *range(13)])
    splits = split(groups, None, folds=folds, repeats=2, rng=np.random.default_rng(seed))
    held = np.zeros((2, len(groups)))
    for each in splits:
        held[each.repeat, each.test] += 1
        assert not set(groups[each.train]) & set(groups[each.test])
        for fold in range(3):
            inside, outside = each.train[each.inner != fold], each.train[each.inner == fold]
            assert not set(groups[inside]) & set(groups[outside])
    assert (held == 1).all()


def test_categories_are_spread_evenly_over_the_folds() -> None:
    """Each fold has a fifth of each category, give or take one."""
    categories = np.repeat([0, 1, 2], [50, 20, 7])
    of = deal(np.arange(77), categories, 5, np.random.default_rng(3))
    for name, size in ((0, 50), (1, 20), (2, 7)):
        counts = np.bincount(of[categories == name], minlength=5)
        assert counts.max() - counts.min() <= 1
        assert counts.sum() == size


@pytest.mark.parametrize(("folds", "repeats", "prompts"), [(1, 3, 30), (5, 0, 30), (5, 1, 4), (2, 1, 5)])
def test_too_few_prompts_or_folds_are_refused(folds: int, repeats: int, prompts: int) -> None:
    """With what is needed."""
    with pytest.raises(InvalidInput, match=r"give 2 or more|or more$"):
        split(np.arange(prompts), None, folds=folds, repeats=repeats, rng=np.random.default_rng(0))
