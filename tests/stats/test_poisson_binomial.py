"""Counts of independent events with unequal chances."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from assay.stats.poisson_binomial import at_least


def test_by_hand() -> None:
    """Two of two events with chances 0.1 and 0.2 happen together with chance 0.02."""
    assert at_least(2, [0.1, 0.2]) == pytest.approx(0.02)


def test_equal_chances_are_binomial() -> None:
    """With equal chances it is the binomial tail."""
    assert at_least(3, [0.1] * 10) == pytest.approx(stats.binom.sf(2, 10, 0.1))


@given(st.lists(st.floats(0, 1), max_size=6), st.integers(0, 7))
def test_equals_enumeration(chances: list[float], count: int) -> None:
    """It equals the sum over all outcomes."""
    outcomes = product((0, 1), repeat=len(chances))
    expected = sum(
        np.prod([c if hit else 1 - c for hit, c in zip(outcome, chances, strict=True)])
        for outcome in outcomes
        if sum(outcome) >= count
    )
    assert at_least(count, chances) == pytest.approx(expected)
