"""Held-out value: unbiased, with the router type and the matched setting chosen in training."""

from __future__ import annotations

import numpy as np

from assay.frontier.routing.evaluation import PickedSettings, Recorded, nested, pick, value
from assay.frontier.routing.folds import FoldSplit, split
from assay.frontier.routing.policy import Choice
from assay.frontier.routing.router import BestSingle, ByCategory, Features, train
from assay.frontier.sweep.decisions import Scale

SCALE = Scale((0.0, 1.0), None)
ONE = np.array([1.0])
RANGE = np.arange(4)


def test_the_value_of_models_that_won_by_luck_is_what_they_truly_reach() -> None:
    """Twelve equal models are right on half: 0.5 when held out; the training winner looks better."""
    held, shown = [], []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        quality = (rng.random((40, 12)) < 0.5).astype(np.float64)
        recorded = Recorded(quality, np.zeros_like(quality), np.ones(quality.shape, dtype=bool), False)
        splits = split(np.arange(40), None, folds=4, repeats=1, rng=rng)
        trained = train(BestSingle(), quality, recorded.cost, Features(40), splits)
        picked = pick(trained, Choice(SCALE, ONE), recorded, splits)
        held.append(value(picked, picked, recorded, splits).quality.mean())
        shown.append(quality.mean(axis=0).max())
    assert abs(np.mean(held) - 0.5) < 3 * np.std(held) / np.sqrt(30)
    assert np.mean(shown) > 0.6


def picked_of(
    name: str, taken: list[list[int]], quality: list[list[float]], cost: list[float]
) -> PickedSettings:
    """Return a router with one split: choices (A, 4); inside the training of 4, quality and mean costs."""
    return PickedSettings(
        name,
        "none",
        ("",),
        (np.array(taken),),
        (np.array(quality),),
        (np.repeat(np.array(cost)[:, None], 4, axis=1),),
    )


def test_the_router_type_and_the_matched_setting_are_chosen_in_training() -> None:
    """By hand: the second router is clearly better in training, and affordable at its first setting alone."""
    quality = np.array([[0.0, 0.25, 1.0]] * 8)
    cost = np.array([[1.0, 2.0, 9.0]] * 8)
    recorded = Recorded(quality, cost, np.ones(quality.shape, dtype=bool), True)
    splits = (FoldSplit(0, RANGE, RANGE + 4, np.array([0, 1, 2, 0])),)
    base = picked_of("best single", [[0] * 4] * 2, [[0.0] * 4] * 2, [2.0, 2.0])
    other = picked_of("other", [[1] * 4, [2] * 4], [[0.6, 0.7, 0.6, 0.7], [0.9] * 4], [2.0, 9.0])
    scale = Scale((0.0, 1.0), (0.0, 100.0))
    found = nested([base, other], base, recorded, splits, scale, np.array([0.9, 1.0]))
    assert found.setting == ("other",)
    assert found.quality[0, 4:].tolist() == [[0.25, 1.0]] * 4
    assert found.matched_quality[0, 4:].tolist() == [0.25] * 4
    assert found.matched_cost[0, 4:].tolist() == [2.0] * 4
    assert found.share.tolist() == [0.0, 0.0, 0.5]


def test_a_router_does_not_see_the_answers_that_it_is_evaluated_on() -> None:
    """Predictions for a fold stay the same whatever the answers in that fold are."""
    rng = np.random.default_rng(3)
    quality, features = rng.random((30, 3)), Features(30, rng.integers(3, size=30))
    splits = split(np.arange(30), None, folds=3, repeats=1, rng=rng)
    first = train(ByCategory(), quality, np.zeros((30, 3)), features, splits).quality
    changed = quality.copy()
    changed[splits[0].test] = rng.random((len(splits[0].test), 3))
    again = train(ByCategory(), changed, np.zeros((30, 3)), features, splits).quality
    assert np.array_equal(first[0, splits[0].test], again[0, splits[0].test])
    assert not np.array_equal(first[0, splits[1].test], again[0, splits[1].test])
