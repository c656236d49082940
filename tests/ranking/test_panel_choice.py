"""Cheaper panels: chosen by nested cross-validation, whose estimate is not optimistic."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from referenced import noisy, referenced

from assay.core.errors import InvalidInput
from assay.ranking.panel import panel_study
from assay.ranking.panel_choice import FOLDS, _decide, _trial, cheaper_panels
from assay.ranking.reference_marks import ReferenceMarks

RNG = np.random.default_rng


def world(rng: np.random.Generator, answers: int, right: list[float]) -> ReferenceMarks:
    """Return yes-or-no marks of independent judges with these shares of right marks."""
    human = (rng.random(answers) < 0.5).astype(float)
    marks = {
        f"j{number}": np.where(rng.random(answers) < share, human, 1.0 - human)
        for number, share in enumerate(right)
    }
    return referenced(marks, human.tolist())


def test_three_good_judges_beat_a_panel_with_poor_ones() -> None:
    """They are found in every fold, and the panel of all judges is worse."""
    study = panel_study(world(RNG(1), 1500, [0.85, 0.85, 0.85, 0.5, 0.5, 0.5]), "human")
    result = cheaper_panels(study, RNG(2), 4)
    three = result.sizes[2]
    assert (three.members, three.stability, three.rule) == (("j0", "j1", "j2"), 1.0, "majority")
    assert three.gain_interval is not None and three.gain_interval.low > 0.0
    assert [panel.size for panel in result.sizes] == [1, 2, 3, 4, 6]
    assert result.sizes[-1].rule == "weighted"
    assert result.chosen is not None and result.chosen.members == ("j0", "j1", "j2")


def test_the_cheaper_of_equal_judges_is_chosen() -> None:
    """Two judges agree on everything; one costs a tenth."""
    rng = RNG(3)
    human = (rng.random(400) < 0.5).astype(float)
    one = noisy(rng, human, 0.9)
    marks = referenced(
        {"dear": one, "cheap": one, "third": noisy(rng, human, 0.6)},
        human.tolist(),
        costs={"dear": 0.01, "cheap": 0.001, "third": 0.01},
    )
    result = cheaper_panels(panel_study(marks, "human"), RNG(0))
    assert result.chosen is not None
    assert (result.chosen.members, result.chosen.cost) == (("cheap",), pytest.approx(1.0))


def test_answers_that_evaluate_have_no_part_in_the_choice() -> None:
    """The choice of a fold stays the same whatever the reference says on the fold that is held out."""
    marks = world(RNG(4), 300, [0.8, 0.75, 0.7, 0.65])
    study = panel_study(marks, "human")
    trial, _ = _trial(study, study.common, RNG(0), 3)
    held = frozenset((0,))
    train = frozenset(range(FOLDS)) - held
    turned = np.where(trial.folds == 0, 1.0 - marks.reference, marks.reference)
    other = panel_study(replace(marks, reference=turned), "human")
    again, _ = _trial(other, other.common, RNG(0), 3)
    assert _decide(again, train, held) == _decide(trial, train, held)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
def test_the_estimate_is_not_optimistic(seed: int) -> None:
    """With ten alike judges the best three of 80 answers look better than they are; nested folds do not."""
    rng = RNG(seed)
    truth, nested, naive = [], [], []
    fresh = world(rng, 20_000, [0.7] * 10)
    for _ in range(25):
        study = panel_study(world(rng, 80, [0.7] * 10), "human")
        panel = cheaper_panels(study, rng, 3).sizes[2]
        places = [study.marks.judges.index(member) for member in panel.members]
        truth.append(_accuracy(fresh, places))
        naive.append(_accuracy(study.marks, places))
        nested.append(panel.value)
    assert np.mean(nested) == pytest.approx(np.mean(truth), abs=0.03)
    assert np.mean(naive) > np.mean(truth) + 0.05


def _accuracy(marks: ReferenceMarks, places: list[int]) -> float:
    vote = marks.marks[places].mean(axis=0) > 0.5
    return float((vote == marks.reference).mean())


def test_too_few_items_and_no_reference_are_named() -> None:
    """Nothing is chosen, and the remark says why."""
    few = cheaper_panels(panel_study(world(RNG(0), 30, [0.8, 0.7]), "human"), RNG(0))
    assert (few.sizes, few.chosen) == ((), None)
    assert "40 items" in few.remarks[0]
    free = cheaper_panels(panel_study(world(RNG(0), 30, [0.8, 0.7]), None), RNG(0))
    assert "only with a reference" in free.remarks[0]
    with pytest.raises(InvalidInput, match="invalid largest size 0"):
        cheaper_panels(panel_study(world(RNG(0), 30, [0.8, 0.7]), "human"), RNG(0), 0)


def test_names_of_categories_and_measurements() -> None:
    """Three names have a plurality vote; measurements have the mean."""
    rng = RNG(6)
    human = rng.integers(0, 3, 200).astype(float)
    names = {f"j{number}": np.where(rng.random(200) < 0.8, human, (human + 1) % 3) for number in range(4)}
    marks = referenced(names, human.tolist(), categories=(0.0, 1.0, 2.0))
    result = cheaper_panels(panel_study(replace(marks, ordered=False), "human"), RNG(0))
    assert result.sizes[2].value > 0.82
    measured = {f"j{number}": human + rng.normal(size=200) for number in range(4)}
    result = cheaper_panels(panel_study(referenced(measured, human.tolist(), categories=()), "human"), RNG(0))
    assert result.sizes[2].rule == "mean"
    assert result.sizes[2].value == pytest.approx(1 / np.sqrt(3), abs=0.1)
