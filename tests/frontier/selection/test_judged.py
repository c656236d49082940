"""Tests of a judge's rates and of their precision."""

from __future__ import annotations

import numpy as np
import pytest

from assay.core.errors import InvalidInput
from assay.frontier.selection.judged import ErringJudge, erring, measure_judge, residual_noise
from assay.stats.intervals import clopper_pearson


def test_rates_are_shares_with_exact_intervals() -> None:
    """3 of 4 right answers and 1 of 5 wrong ones accepted, each prompt judged once."""
    right = [True] * 4 + [False] * 5
    accepted = [True, True, True, False, True, False, False, False, False]
    found = measure_judge(right, accepted, level=0.95, price=0.1)
    assert found.judge() == ErringJudge(0.75, 0.2, 0.1)
    assert found.true_positive == clopper_pearson(3, 4)
    assert found.false_positive == clopper_pearson(1, 5)
    assert (found.right_worth, found.wrong_worth) == pytest.approx((4, 5))


def test_answers_to_one_prompt_are_worth_less() -> None:
    """If a judge errs on whole prompts, its rates are less precise than the number of answers suggests."""
    accepted = np.repeat(np.arange(20) % 2 == 0, 10)
    right = np.zeros(200, dtype=bool)
    apart = measure_judge(right, accepted)
    together = measure_judge(right, accepted, np.repeat(np.arange(20), 10))
    assert apart.wrong_worth == pytest.approx(200)
    assert together.wrong_worth < 25
    assert together.false_positive.low < apart.false_positive.low


def test_draws_cover_the_rates() -> None:
    """Beta draws have the measured rates' mean and spread."""
    right = np.repeat([True, False], 400)
    accepted = np.concatenate([np.arange(400) < 300, np.arange(400) < 40])
    judges = measure_judge(right, accepted).draws(2000, np.random.default_rng(0))
    true = np.array([each.true_positive for each in judges])
    assert true.mean() == pytest.approx(0.75, abs=0.005)
    assert true.std() == pytest.approx(np.sqrt(0.75 * 0.25 / 400), rel=0.1)


def test_only_a_judge_without_errors_is_perfect() -> None:
    """The default judge is perfect; a judge that errs is not."""
    assert ErringJudge().perfect and not erring(0.1).perfect


def test_what_cannot_be_a_judge_is_refused() -> None:
    """Rates outside 0-1, a negative price, and a judge that never marked a wrong answer."""
    for true, false, price in ((1.2, 0.0, 0.0), (1.0, -0.1, 0.0), (1.0, 0.0, -1.0)):
        with pytest.raises(InvalidInput):
            ErringJudge(true, false, price)
    with pytest.raises(InvalidInput, match="marked no wrong answers"):
        measure_judge([True], [True]).judge()
    with pytest.raises(InvalidInput, match="2, 1 and 2 rows"):
        measure_judge([True, False], [True])


def test_noise_is_measured_on_the_scale_of_quality() -> None:
    """Marks of 1 + 4 q with noise 0.8 are off by 0.2 of quality."""
    rng = np.random.default_rng(0)
    quality = rng.random(20_000)
    assert residual_noise(quality, 1 + 4 * quality + rng.normal(0, 0.8, 20_000)) == pytest.approx(
        0.2, rel=0.03
    )


def test_marks_that_say_nothing_are_refused() -> None:
    """A judge whose marks fall with quality cannot choose."""
    with pytest.raises(InvalidInput, match="use a judge whose marks rise"):
        residual_noise([0.0, 0.5, 1.0], [3.0, 2.0, 1.0])
