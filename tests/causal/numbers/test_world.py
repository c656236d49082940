"""Models drawn many at once are those that can be had exactly."""

from __future__ import annotations

import random

import numpy as np
import pytest
from every_row import every_row

from assay.causal.numbers.world import TaskState, Worlds
from assay.causal.proof.derived.route import Derived
from assay.studies.causal.recipes import recipes

DRAWN, TAKEN = 100, 2


@every_row("concept", tuple(recipes()))
def test_values_are_those_of_exact_models(concept: str) -> None:
    """In every task, the right answers in floating point are those of each model taken exactly."""
    recipe = recipes()[concept]
    for number, task in enumerate(recipe.tasks):
        rng = random.Random(f"{concept}/{number}")
        case = TaskState(recipe, task, rng.choice(sorted(task.states)))
        worlds = Worlds(case, rng, DRAWN)
        holding = np.all([worlds.holding(ask) for ask in task.key[case.state]], axis=0)
        for at in np.flatnonzero(holding)[:TAKEN].tolist():
            world = worlds.world(at)
            route = Derived(world.scm)
            for ask in task.key[case.state]:
                value = worlds.values(ask, case.formula(ask))[at]
                assert route.number(world.answer(ask)) == pytest.approx(value, abs=1e-9)


def test_counted_units_are_whole() -> None:
    """Where counts are told, each combination of levels has a whole number of units in every model."""
    recipe = recipes()["confounding"]
    task = recipe.tasks[0]
    worlds = Worlds(TaskState(recipe, task, "common cause"), random.Random(5), 20)
    for at in range(20):
        told = worlds.world(at).telling(1)
        assert told is not None
        assert all(number.denominator == 1 for numbers in told.told[0].numbers for number in numbers)


def test_coarse_chances_are_round() -> None:
    """For exact fractions, chances are drawn from those with small denominators where there are any."""
    recipe = recipes()["confounding"]
    worlds = Worlds(TaskState(recipe, recipe.tasks[1], "only"), random.Random(5), 10, coarse=True)
    chances = {chance for v in worlds.world(0).scm.variables for row in v.table.values() for chance in row}
    assert all(20 % chance.denominator == 0 for chance in chances)
