"""Tests of the k-shot quantities of continuous quality."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st

from assay.frontier.selection.kshot import shots
from assay.frontier.selection.kshot_continuous import shots_of, shots_of_quality
from assay.frontier.tensor import Tensor, from_counts


def test_the_best_of_two_of_three_by_hand() -> None:
    """Of 1, 2, 4: the pairs' greatest are 2, 4, 4."""
    assert shots_of_quality(np.array([[[4.0, 1.0, 2.0]]]), ks=[2])[0].per_prompt_best.value == pytest.approx(
        10 / 3
    )


@settings(max_examples=30, deadline=None)
@for_all(st.integers(0, 2**32 - 1), st.integers(1, 4))
def test_both_forms_are_means_over_every_choice_of_generations(seed: int, k: int) -> None:
    """Ties, negative values, missing and short cells included."""
    rng = np.random.default_rng(seed)
    quality = rng.integers(-3, 4, (1, 3, 4)).astype(np.float64)
    for model, given in enumerate((4, rng.integers(0, 5), rng.integers(0, 3))):
        quality[0, model, given:] = np.nan
    cells = [each[~np.isnan(each)] for each in quality[0]]
    drawn = [[max(some) for some in combinations(each, min(k, each.size))] for each in cells if each.size]
    found = shots_of_quality(quality, ks=[k])[0]
    assert found.per_prompt_best.value == pytest.approx(max(np.mean(each) for each in drawn), abs=1e-12)
    together = np.mean([max(each) for each in product(*drawn)])
    assert found.all_models.value == pytest.approx(together, abs=1e-12)


def test_binary_quality_gives_what_counts_give() -> None:
    """Value by value, prompt by prompt, with missing cells and the prices."""
    rng = np.random.default_rng(4)
    number = rng.integers(0, 7, (12, 3))
    right = rng.binomial(number, 0.4)
    cost = rng.random((12, 3))
    tensor = from_counts(tuple(map(str, range(12))), ("a", "b", "c"), right, number)
    by_counts, by_values = shots(right, number, cost=cost), shots_of_quality(tensor.quality, cost=cost)
    for one, other in zip(by_counts, by_values, strict=True):
        for kind in ("per_prompt_best", "all_models", "fixed_best"):
            for field in ("per_prompt", "asked", "cost"):
                expected = getattr(getattr(one, kind), field)
                assert getattr(getattr(other, kind), field) == pytest.approx(expected, abs=1e-12, nan_ok=True)
        assert (one.fixed_model, one.short) == (other.fixed_model, other.short)


def test_a_tensors_quality_picks_the_form_and_its_costs_are_paid() -> None:
    """Right or wrong goes by counts, which have a plug-in form; a half goes by values, which have none."""
    cost = np.full((1, 1, 2), 3.0)
    right = shots_of(Tensor(("p",), ("a",), np.array([[[0.0, 1.0]]]), cost=cost))
    half = shots_of(Tensor(("p",), ("a",), np.array([[[0.0, 0.5]]]), cost=cost))
    assert [each[1].all_models.value for each in (right, half)] == [1.0, 0.5]
    assert [each[1].all_models_plug_in is None for each in (right, half)] == [False, True]
    assert half[1].all_models.cost is not None and half[1].all_models.cost.tolist() == [6.0]
