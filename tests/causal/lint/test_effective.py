"""Shares of right picks on questions that hang together."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import stdtrit

from assay.causal.lint.effective import Effective, clustered, independent
from assay.stats.intervals import clopper_pearson
from assay.stats.p_values import at_least


@given(st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_whole_counts_have_the_exact_interval(pair: tuple[int, int]) -> None:
    """For independent questions the interval is that of Clopper and Pearson, and p the binomial tail."""
    right, n = pair
    found = Effective(right, n)
    exact = clopper_pearson(right, n)
    assert found.interval().low == pytest.approx(exact.low, abs=1e-12)
    assert found.interval().high == pytest.approx(exact.high, abs=1e-12)
    assert found.above(0.25) == pytest.approx(at_least(right, [0.25] * n), abs=1e-9)


def test_a_design_effect_worked_by_hand() -> None:
    """Four concepts of two questions, alike within: 8 questions are worth 3, less for three degrees."""
    credit = np.array([1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0])
    found = clustered(credit, list("aabbccdd"))
    caution = (stdtrit(7, 0.975) / stdtrit(3, 0.975)) ** 2
    assert found.n == pytest.approx(0.25 / ((4 / 3) * 4 / 64) * caution)
    assert found.right == pytest.approx(found.n / 2)


def test_questions_on_their_own_lose_next_to_nothing() -> None:
    """When every question is its own cluster, n of them are worth n - 1; one cluster tells nothing."""
    credit = np.array([1.0, 0.0, 0.0, 0.0])
    assert clustered(credit, range(4)).n == pytest.approx(3)
    assert clustered(credit, ["a"] * 4) == independent(credit)


def test_the_clustered_interval_covers() -> None:
    """Where concepts leak more or less, about 95 % of intervals hold the mean; the simple one far fewer."""
    rng = np.random.default_rng(5)
    labels = np.repeat(np.arange(20), 50)
    held = np.zeros(2)
    for _ in range(300):
        credit = (rng.random(1000) < np.repeat(rng.beta(2, 6, 20), 50)).astype(float)
        ends = clustered(credit, labels).interval(), independent(credit).interval()
        held += [interval.low <= 0.25 <= interval.high for interval in ends]
    assert held[0] / 300 > 0.92
    assert held[1] / 300 < 0.75
