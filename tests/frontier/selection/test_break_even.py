"""Tests of the judge's error rate at which selection stops paying."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq

from assay.frontier.selection.break_even import break_even
from assay.frontier.selection.judged import erring
from assay.frontier.selection.posthoc import posthoc
from assay.frontier.tensor import Tensor, from_counts


def made_up(*chances: float) -> Tensor:
    """Return 80 prompts of different difficulty with 5 answers of each model."""
    rng = np.random.default_rng(7)
    correct = rng.binomial(5, rng.beta(1, 1, (80, 1)) * np.array(chances))
    names = tuple("abc"[: len(chances)])
    return from_counts(tuple(map(str, range(80))), names, correct, np.full(correct.shape, 5))


@pytest.mark.parametrize("rule", ["uniform", "first"])
def test_the_crossing_is_where_the_closed_form_crosses(rule: str) -> None:
    """At that error rate selection is as good as one answer of the best single model."""
    tensor = made_up(0.9, 0.6, 0.3)

    def gain(error: float) -> float:
        found = posthoc(tensor, erring(error), rule=rule, resamples=0)  # type: ignore[arg-type]
        return (found.points[1].quality.value or 0.0) - (found.single_quality.value or 0.0)

    found = break_even(tensor, 2, rule=rule, resamples=100)  # type: ignore[arg-type]
    assert found.error.value == pytest.approx(brentq(gain, 0.0, 0.5), abs=2e-3)
    interval = found.error.over_prompts
    assert interval is not None and interval.low < (found.error.value or 0.0) < interval.high


def test_one_models_own_answers_pay_until_the_judge_guesses() -> None:
    """Selection among one model's answers never hurts with a judge that is better than chance."""
    found = break_even(made_up(0.7), 3, resamples=20)
    assert found.error.value == pytest.approx(0.5, abs=1e-6)
    assert min(point.gain for point in found.curve) >= -1e-12
