"""Tests of the models' contributions to the frontier."""

from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from assay.core.errors import InvalidInput
from assay.frontier.carriers.shapley import carriers, grouped, shares, without
from assay.frontier.per_prompt import naive_posterior
from assay.frontier.posterior import Posterior

QUALITIES = arrays(np.float64, (2, 4), elements=st.sampled_from([-0.5, 0.0, 0.25, 0.25, 0.5, 0.8, 1.0]))


def worth(row: np.ndarray, team: tuple[int, ...], there: np.ndarray) -> float:
    """Return the game's value of a team of models."""
    return max((float(row[place]) for place in team if there[place]), default=0.0)


def by_orders(row: np.ndarray, there: np.ndarray, groups: list[int] | None = None) -> np.ndarray:
    """Return the Shapley (Owen) value by going through every order (in which groups stay together)."""
    found, number = np.zeros(len(row)), 0
    for order in permutations(range(len(row))):
        if groups is not None:
            seen = [groups[place] for place in order]
            runs = sum(1 for one, other in pairwise(seen) if one != other) + 1
            if runs != len(set(seen)):
                continue
        number += 1
        for turn, place in enumerate(order):
            found[place] += worth(row, order[: turn + 1], there) - worth(row, order[:turn], there)
    return found / number


@given(QUALITIES, arrays(np.bool_, (2, 4)))
def test_values_are_means_over_all_orders(quality: np.ndarray, there: np.ndarray) -> None:
    """The closed form is the definition: ties, missing cells and negative quality included."""
    for row, mask, found in zip(quality, there, shares(quality, there), strict=True):
        assert found == pytest.approx(by_orders(row, mask), abs=1e-12)


@given(QUALITIES, arrays(np.bool_, (2, 4)), st.lists(st.integers(0, 2), min_size=4, max_size=4))
def test_owen_values_are_means_over_orders_that_keep_groups_together(
    quality: np.ndarray, there: np.ndarray, labels: list[int]
) -> None:
    """The grouped closed form is Owen's definition."""
    groups = [sorted(set(labels)).index(each) for each in labels]
    for row, mask, found in zip(quality, there, shares(quality, there, np.array(groups)), strict=True):
        assert found == pytest.approx(by_orders(row, mask, groups), abs=1e-12)


def test_a_worked_game() -> None:
    """Of 0.2, 0.5 and 1.0: a third of 0.2 each, half of 0.3 for the upper two, 0.5 for the best alone."""
    found = carriers([[0.2, 0.5, 1.0]], ("low", "middle", "high"))
    assert [each.model for each in found.models] == ["high", "middle", "low"]
    values = [each.shapley.value for each in found.models]
    assert values == pytest.approx([0.2 / 3 + 0.15 + 0.5, 0.2 / 3 + 0.15, 0.2 / 3])
    assert [each.leave_one_out.value for each in found.models] == pytest.approx([0.5, 0.0, 0.0])
    assert [each.alone.value for each in found.models] == [1.0, 0.0, 0.0]
    assert found.oracle.value == pytest.approx(1.0)


def test_a_missing_cell_contributes_nothing() -> None:
    """The only model observed on a prompt has its whole value; a prompt without answers is left out."""
    found = carriers([[0.5, np.nan], [np.nan, np.nan]], ("a", "b"))
    assert found.prompts == 1
    assert {each.model: each.shapley.value for each in found.models} == {"a": 0.5, "b": 0.0}


def test_leaving_one_out_is_the_oracle_without_it() -> None:
    """The closed form is the difference of two oracles."""
    rng = np.random.default_rng(3)
    quality = rng.integers(0, 5, (30, 5)) / 4
    there = np.ones_like(quality, dtype=bool)
    for place in range(5):
        rest = np.delete(quality, place, axis=1).max(axis=1)
        assert without(quality, there).mean(axis=0)[place] == pytest.approx((quality.max(1) - rest).mean())


def test_a_posterior_takes_the_luck_out() -> None:
    """For ten equal models, cell means are 0.25 too high and have clear winners; true draws do not."""
    rng = np.random.default_rng(0)
    truth = np.full((200, 10), 0.5)
    naive = carriers(rng.binomial(10, truth) / 10, tuple("abcdefghij"), resamples=50)
    draws = np.broadcast_to(truth, (20, 200, 10)) + rng.normal(0, 0.001, (20, 200, 10))
    known = carriers(
        Posterior("known", draws, None, np.ones((200, 10), dtype=bool)), tuple("abcdefghij"), resamples=50
    )
    assert naive.oracle.value == pytest.approx(0.75, abs=0.02)
    assert known.oracle.value == pytest.approx(0.5, abs=0.01)
    assert known.nobody.value == 1.0 and naive.nobody.value is not None and naive.nobody.value < 0.7


def test_intervals_over_prompts_cover_the_expected_value() -> None:
    """Of 60 data sets of 60 prompts a 90 % interval holds the population's value in 47 to 59."""
    rng = np.random.default_rng(5)
    expected = shares(rng.beta([1, 2, 3], 2, (50_000, 3)), np.ones((50_000, 3), dtype=bool)).mean(axis=0)
    held = 0
    for seed in range(60):
        found = carriers(rng.beta([1, 2, 3], 2, (60, 3)), ("a", "b", "c"), resamples=200, seed=seed)
        interval = {each.model: each.shapley for each in found.models}["c"].over_prompts
        assert interval is not None
        held += interval.low <= expected[2] <= interval.high
    assert 47 <= held <= 59


def test_draws_give_the_uncertainty_about_these_prompts() -> None:
    """One draw gives no interval; several give one around the value."""
    rng = np.random.default_rng(1)
    draws = rng.beta(3, 3, (40, 20, 3))
    found = carriers(Posterior("made up", draws, None, np.ones((20, 3), dtype=bool)), ("a", "b", "c"))
    interval, value = found.models[0].shapley.these_prompts, found.models[0].shapley.value
    assert interval is not None and value is not None and interval.low < value < interval.high
    assert carriers(draws[0], ("a", "b", "c")).models[0].shapley.these_prompts is None


def test_a_groups_values_add_to_its_value_as_one_player() -> None:
    """Owen's values of a model's arms add to the Shapley value of the model with its best arm."""
    rng = np.random.default_rng(2)
    source = Posterior(
        "made up", rng.beta(2, 2, (5, 30, 5)), rng.random((5, 30, 5)), rng.random((30, 5)) < 0.8
    )
    arms, labels = ("x:a", "x:b", "y:a", "z:a", "z:b"), ("x", "x", "y", "z", "z")
    inside = {each.model: each.shapley.value or 0.0 for each in carriers(source, arms, groups=labels).models}
    together, names = grouped(source, labels)
    players = {each.model: each.shapley.value for each in carriers(together, names).models}
    added = {name: sum(v for arm, v in inside.items() if arm.startswith(name)) for name in names}
    assert added == pytest.approx(players)


def test_a_group_costs_what_its_best_arm_costs() -> None:
    """Quality and price of the better arm, prompt by prompt; an arm that was not observed is not chosen."""
    source = naive_posterior([[0.5, 1.0, 0.1], [0.5, np.nan, 0.1]], [[1.0, 9.0, 2.0], [1.0, np.nan, 2.0]])
    found, names = grouped(source, ("x", "x", "y"))
    assert names == ("x", "y")
    assert found.quality[0].tolist() == [[1.0, 0.1], [0.5, 0.1]]
    assert found.cost is not None and found.cost[0].tolist() == [[9.0, 2.0], [1.0, 2.0]]


def test_a_wrong_number_of_names_is_refused() -> None:
    """Models and groups must be named one by one."""
    with pytest.raises(InvalidInput, match="3 model names for cells of 2 models"):
        carriers([[0.2, 0.5]], ("a", "b", "c"))
    with pytest.raises(InvalidInput, match="1 group labels for 2 models"):
        carriers([[0.2, 0.5]], ("a", "b"), groups=("x",))
