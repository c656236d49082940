"""Four things to ask: neither naive reasoners nor the answers' places give one away."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from causal_numbers import WARDS

from assay.causal.draft import Draft
from assay.causal.numbers import options
from assay.causal.numbers.draw import draw
from assay.causal.solvers.solver import Solver, chances
from assay.studies.causal.recipes import recipes


def _drawn(count: int) -> list[Draft]:
    """Return questions of level 2 about attrition, in which the mean effect lies between those on groups."""
    recipe = recipes()["selection_attrition"]
    made = [draw(recipe, WARDS, 2, random.Random(seed)) for seed in range(count)]
    return [each for each in made if isinstance(each, Draft)]


def test_only_fair_sets_are_options() -> None:
    """Where the order of answers tells which is asked, other things are asked, or the question is open."""
    made = [draw(recipes()["missing_data"], WARDS, 2, random.Random(seed)) for seed in range(40)]
    assert {each.state.split("/")[0] for each in made} == {"only", "gaps", "known"}
    assert all(isinstance(each, Draft) and "percentage" not in each.answers[0].text for each in made)
    assert not any(each.template.endswith("/2") for each in made)  # effects, whose order is always the same
    ordered = [draw(recipes()["collider_selection"], WARDS, 3, random.Random(seed)) for seed in range(20)]
    assert not any(isinstance(each, Draft) for each in ordered)


def _outside(questions: list[Draft]) -> float:
    """Return how often the effect on all, where it is shown, is the smallest or the largest of the four."""
    found = []
    for each in questions:
        names = [name for name, _ in each.derivation]
        values = [float(Fraction(answer.claims[0].answer)) for answer in each.answers]
        if "formula: whole" in names:
            found.append(values[names.index("formula: whole")] in (min(values), max(values)))
    return sum(found) / len(found)


def _odds(questions: list[Draft], solver: Solver) -> float:
    return sum(chances(each, solver)[0] for each in questions) / len(questions)


@pytest.mark.slow
def test_sets_and_models_are_weighed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mean effect is outside more often, and naive reasoners are near chance; else neither."""
    weighed = _drawn(100)
    monkeypatch.setattr(options, "balanced", lambda sets, readily: (np.full(len(sets), 1 / len(sets)), 0.0))
    monkeypatch.setattr(options, "COMPARED", 1)
    monkeypatch.setattr(options, "MOST_UNFAIR", 9.0)
    plain = _drawn(100)
    assert _outside(plain) + 0.1 < _outside(weighed) < 0.8
    for solver in (Solver.MARGINAL, Solver.ADJUSTING):
        assert _odds(weighed, solver) < 0.34 < _odds(plain, solver)
