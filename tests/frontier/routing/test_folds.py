"""Folds: similar prompts stay together, categories are spread, and every prompt is held out once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.core.errors import InvalidInput
from assay.frontier.routing.folds import deal, group_similar, split


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
    """The message says how many are needed."""
    with pytest.raises(InvalidInput, match=r"give at least 2 folds|or more$"):
        split(np.arange(prompts), None, folds=folds, repeats=repeats, rng=np.random.default_rng(0))


def test_texts_that_differ_in_case_punctuation_spaces_or_digits_are_similar() -> None:
    """Another word makes another prompt, and a blank text is similar to no other."""
    texts = ("What is 3 + 4?", "what is 12+5", "What was 3 + 4?", "", " ")
    groups = group_similar(texts, 5)
    assert groups[0] == groups[1]
    assert len(set(groups.tolist())) == 4


def test_long_texts_that_differ_in_one_word_are_similar() -> None:
    """40 words, one of them changed: 35 of 41 runs are shared. With five changed they are two prompts."""
    words = [f"word{chr(97 + place % 26)}{chr(97 + place // 26)}" for place in range(40)]
    one, five = list(words), list(words)
    one[20] = "other"
    five[3:40:8] = ["other"] * 5
    groups = group_similar([" ".join(each) for each in (words, one, five)], 3)
    assert groups[0] == groups[1] != groups[2]


def test_a_passage_that_many_prompts_share_does_not_make_them_similar() -> None:
    """A long instruction before every short question is ignored."""
    instruction = " ".join(f"rule{chr(97 + place % 26)}{place // 26 * 'x'}" for place in range(60))
    rng = np.random.default_rng(0)
    texts = [
        instruction + " " + " ".join("".join(rng.choice(list("abcdefgh"), 5)) for _ in range(8))
        for _ in range(60)
    ]
    assert len(set(group_similar(texts, 60).tolist())) == 60


def test_similarity_is_transitive() -> None:
    """The first and last text are similar through the middle one; without texts no prompts are similar."""
    words = [f"w{chr(97 + place % 26)}{chr(97 + place // 26)}" for place in range(60)]
    chain = [" ".join(words), " ".join(words[5:]), " ".join(words[10:])]
    assert len(set(group_similar(chain, 3).tolist())) == 1
    assert group_similar(None, 3).tolist() == [0, 1, 2]
