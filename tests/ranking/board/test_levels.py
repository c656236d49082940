"""The levels of a suite compared: by hand, and where two models are far apart on one level only."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from keyed_answers import answers

from assay.core.case import TwinKind
from assay.ranking.board.keyed_answers import Answers, KeyedQuestion
from assay.ranking.board.levels import compare_levels
from assay.results.causal_calibration import LadderCalibration, LevelResult
from assay.results.runs import SuiteKey
from assay.stats.intervals import clopper_pearson

CONCEPTS = 20


def by_level(*levels: list[list[bool]]) -> Answers:
    """Return answers of models (rows) to one question a concept on each level."""
    right = np.concatenate([np.asarray(level, bool) for level in levels], axis=1)[None]
    given = tuple(
        KeyedQuestion(f"{level}-{place}", f"c{place}", "base", 4, level=level)
        for level, rows in enumerate(levels, start=1)
        for place in range(len(rows[0]))
    )
    return answers(right, questions=given)


def compared(made: Answers) -> tuple[LevelResult, ...]:
    """Return the levels with a fixed seed."""
    return compare_levels(made, np.random.default_rng(1), replicates=400)


def rows(*hits: int) -> list[list[bool]]:
    """Return for each model the first so many of twenty answers as right."""
    return [[place < count for place in range(CONCEPTS)] for count in hits]


def proposed(levels: tuple[LevelResult, ...]) -> int | None:
    """Return the proposed level."""
    return LadderCalibration(SuiteKey("s", "1", "d"), (1,), False, levels, ()).proposed


def test_one_level_by_hand() -> None:
    """15 and 5 of 20 right: mean 50 points, one within 30 to 80 %, 10 questions that both share."""
    (level,) = compared(by_level(rows(15, 5)))
    assert [(model.model, model.right, model.n) for model in level.models] == [("a", 15, 20), ("b", 5, 20)]
    assert level.models[0].interval == clopper_pearson(15, 20)
    assert (level.level, level.questions, level.mean, level.models_within, level.constant) == (
        1,
        20,
        0.5,
        1,
        10,
    )
    assert (level.pairs, level.different) == (1, 1)
    assert level.lacks == ("only 1 of 2 models score 30 to 80 %",)
    assert level.discrimination is None  # of two models there is none


def test_the_level_that_tells_models_apart_is_proposed() -> None:
    """All right on 1, all alike on 2, 16, 11 and 6 of 20 on 3, near the floor on 4."""
    levels = compared(by_level(rows(20, 20, 20), rows(10, 10, 10), rows(16, 11, 6), rows(5, 4, 3)))
    assert [level.models_within for level in levels] == [0, 3, 3, 0]
    assert levels[0].lacks == (
        "only 0 of 3 models score 30 to 80 %",
        "no pair of models differs significantly",
    )
    assert levels[1].lacks == ("no pair of models differs significantly",)
    assert levels[2].different >= 1
    assert proposed(levels) == 3
    assert proposed(levels[:2]) is None


def test_discrimination_is_that_with_all_other_questions() -> None:
    """A question that only the worst model has right is reversed."""
    right = np.array(rows(16, 11, 6))
    right[:, 19] = [False, False, True]
    (level,) = compared(by_level(right.tolist()))
    others = right[:, :19].mean(axis=1)
    expected = np.corrcoef(right[:, 19], others)[0, 1]
    assert level.items[19].discrimination == pytest.approx(expected)
    assert level.items[19].accuracy == pytest.approx(1 / 3)
    assert level.reversed == 1


def test_twins_and_questions_without_a_level_are_left_out() -> None:
    """Nothing of them is counted."""
    made = by_level(rows(15, 5))
    given = (
        replace(made.questions[0], level=None),
        replace(made.questions[1], twin=TwinKind.UNDETERMINABLE),
        *made.questions[2:],
    )
    (level,) = compared(replace(made, questions=given))
    assert level.questions == 18
    assert compared(replace(made, questions=tuple(replace(q, level=None) for q in made.questions))) == ()
