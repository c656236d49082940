"""Tests of the cheapest set of models that keeps most of the gain."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.core.errors import InvalidInput
from assay.frontier.carriers import best_sets
from assay.frontier.carriers.best_sets import every_set, members, table
from assay.frontier.carriers.cheapest import cheapest
from assay.frontier.carriers.choice import choose, fewest
from assay.frontier.per_prompt import best_single, model_means
from assay.frontier.posterior import Posterior


def made_up(seed: int, models: int = 6, prompts: int = 25) -> best_sets.Table:
    """Return qualities with ties, costs, and cells that may not be chosen."""
    rng = np.random.default_rng(seed)
    quality = rng.integers(-1, 5, (2, prompts, models)) / 4
    return table(quality, rng.random((2, prompts, models)), rng.random((prompts, models)) < 0.8)


@given(st.integers(0, 10_000))
@settings(deadline=None)
def test_every_set_is_valued_at_once(seed: int) -> None:
    """The subset sums give each set's oracle and what its choices cost."""
    rows = made_up(seed, models=4, prompts=6)
    quality, cost = every_set(rows)
    assert cost is not None
    for mask in range(1, 16):
        assert quality[mask] == pytest.approx(rows.value(members(mask)), abs=1e-12)
        assert cost[mask] == pytest.approx(rows.price(members(mask)), abs=1e-12)


def test_exact_sets_are_the_best() -> None:
    """For each number of models no other set is better."""
    rows = made_up(1)
    for k, best in enumerate(best_sets.best_sets(rows), start=1):
        assert best.value == pytest.approx(max(rows.value(each) for each in combinations(range(6), k)))
        assert best.exact and len(best.chosen) == k


def test_searched_sets_keep_their_promise(monkeypatch: pytest.MonkeyPatch) -> None:
    """Greedy with swaps: at least 99 % of the best here, and the bound is never below it."""
    monkeypatch.setattr(best_sets, "EXACT", 3)
    for seed in range(8):
        rows = made_up(seed, models=8)
        for k, best in enumerate(best_sets.best_sets(rows), start=1):
            most = max(rows.value(each) for each in combinations(range(8), k))
            assert best.value == pytest.approx(rows.value(best.chosen))
            assert 0.99 * most <= best.value <= most + 1e-12 <= best.bound + 2e-12


def test_the_fewest_models_are_proved() -> None:
    """Integer programming finds the size that going through all sets finds."""
    for seed in range(6):
        rows = made_up(seed, models=8)
        target = rows.empty + 0.9 * (rows.value(range(8)) - rows.empty)
        found = fewest(rows, target)
        assert found is not None and rows.value(found) >= target - 1e-9
        smaller = combinations(range(8), len(found) - 1)
        assert all(rows.value(each) < target for each in smaller)


def test_a_smaller_set_than_the_search_finds_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Greedy takes the broadest model first and then needs all three; two would do, and are proved."""
    monkeypatch.setattr(best_sets, "EXACT", 1)
    monkeypatch.setattr(best_sets, "SWAPS", 0)
    left, right = np.arange(8) < 4, np.arange(8) >= 4
    middle = np.array([0, 1, 1, 1, 1, 1, 0, 0])
    found = cheapest(
        np.stack([left, right, middle], axis=1).astype(float),
        ("left", "right", "middle"),
        share=1.0,
        splits=0,
    )
    assert found.single == "middle" and len(found.sets) == 3
    assert found.chosen.models == ("left", "right") and found.least_size == 2


@pytest.mark.parametrize("exact", [3, 16])
def test_the_cheapest_of_its_size(monkeypatch: pytest.MonkeyPatch, exact: int) -> None:
    """No set as large that keeps as much costs less; searching finds one at most 5 % dearer."""
    monkeypatch.setattr(best_sets, "EXACT", exact)
    rows = made_up(4, models=7)
    best = list(best_sets.best_sets(rows))[2]
    target = 0.95 * best.value
    found = best_sets.cheapest_of_size(rows, best, target)
    others = [each for each in combinations(range(7), 3) if rows.value(each) >= target]
    least = min(rows.price(each) for each in others)
    assert rows.value(found) >= target - 1e-9
    assert least - 1e-12 <= rows.price(found) <= least * (1.0 + (0.05 if exact == 3 else 1e-9))


def test_two_specialists_keep_everything() -> None:
    """The generalist is the best single; the two specialists together are the oracle."""
    quality = np.array([[1.0, 0.0, 0.6], [0.0, 1.0, 0.6]] * 10)
    found = cheapest(quality, ("left", "right", "general"), resamples=50)
    assert found.single == "general"
    assert found.chosen.models == ("left", "right")
    assert found.chosen.kept.value == pytest.approx(1.0)
    assert found.gain.value == pytest.approx(0.4)
    assert found.held_out.value == pytest.approx(1.0)
    assert found.least_size == 2 and found.steady == {"left": 1.0, "right": 1.0}
    assert [len(each.models) for each in found.sets] == [1, 2, 3]


def test_of_equally_good_sets_the_cheaper() -> None:
    """Twins differ in price alone."""
    quality = np.array([[1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    cost = np.array([[9.0, 2.0, 1.0], [9.0, 2.0, 1.0]])
    found = cheapest(quality, ("dear", "fair", "other"), cost=cost, resamples=20)
    assert found.chosen.models == ("fair", "other")
    assert found.chosen.cost is not None and found.chosen.cost.value == pytest.approx(1.5)


def test_an_unknown_cost_is_the_models_mean() -> None:
    """One cell has no cost; if a model has none at all, costs are ignored."""
    quality = np.array([[1.0, 0.0], [0.0, 1.0]])
    some = cheapest(quality, ("a", "b"), cost=[[np.nan, 1.0], [4.0, 1.0]], splits=0, resamples=20)
    assert some.chosen.cost is not None and some.chosen.cost.value == pytest.approx(2.5)
    none = cheapest(quality, ("a", "b"), cost=[[np.nan, 1.0], [np.nan, 1.0]], splits=0, resamples=20)
    assert none.chosen.cost is None


def test_held_out_sets_show_the_winners_curse() -> None:
    """With thirty models that are right by luck, a set keeps less of the gain on held-out prompts."""
    rng = np.random.default_rng(2)
    quality = (rng.random((60, 30)) < 0.15).astype(float)
    found = cheapest(quality, tuple(f"m{each}" for each in range(30)), splits=3, resamples=100)
    kept, interval = found.held_out.value, found.held_out.over_prompts
    assert found.chosen.kept.value is not None and found.chosen.kept.value >= 0.95
    assert kept is not None and kept < 0.85
    assert interval is not None and interval.low < kept < interval.high


def test_draws_give_the_uncertainty_about_these_prompts() -> None:
    """A posterior's sets have both intervals; sets are checked on all draws."""
    rng = np.random.default_rng(3)
    draws = rng.beta(2, 2, (20, 30, 18)) * rng.random(18)
    source = Posterior("made up", draws, draws, np.ones((30, 18), dtype=bool))
    found = cheapest(source, tuple(f"m{each}" for each in range(18)), splits=1, resamples=50)
    assert found.chosen.kept.value is not None and found.chosen.kept.value >= 0.95 - 1e-9
    assert found.chosen.kept.these_prompts is not None and found.held_out.these_prompts is not None


def test_a_set_is_searched_on_few_draws_and_checked_on_all() -> None:
    """A set that keeps the share in one draw only is not enough."""
    rng = np.random.default_rng(5)
    names = tuple(f"m{each}" for each in range(18))
    source = Posterior("made up", rng.beta(0.5, 1, (20, 30, 18)), None, np.ones((30, 18), dtype=bool))
    picked = choose(source, names, 0.95, draws=1)
    rows = table(source.quality, None, source.may_choose)
    every, single = rows.value(range(18)), rows.value([best_single(*model_means(source), names)])
    assert rows.value(picked.chosen) >= single + 0.95 * (every - single) - 1e-9


def test_one_model_is_its_own_set() -> None:
    """Without a gain there is nothing to keep, and no share of it."""
    found = cheapest([[0.5], [1.0]], ("only",), resamples=20)
    assert found.chosen.models == ("only",) and found.chosen.kept.value is None
    assert found.gain.value == 0.0 and found.held_out.value is None


def test_a_share_outside_its_range_is_refused() -> None:
    """A set cannot keep more than the whole gain."""
    with pytest.raises(InvalidInput, match="give a number above 0, at most 1"):
        cheapest([[0.5]], ("only",), share=1.5)
