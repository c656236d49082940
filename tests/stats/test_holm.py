"""Holm's correction, by hand and as a property."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.stats.holm import holm


def test_by_hand() -> None:
    """0.01, 0.04, 0.03 of three: 0.03, then 0.03 * 2 = 0.06, then 0.04 raised to 0.06."""
    assert holm([0.01, 0.04, 0.03]).tolist() == pytest.approx([0.03, 0.06, 0.06])


def test_nothing_to_correct() -> None:
    """An empty family stays empty."""
    assert holm([]).tolist() == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_between_p_and_bonferroni(p: list[float]) -> None:
    """An adjusted p is at least p, at most n p and 1, and in the same order."""
    adjusted, given_p = holm(p), np.array(p)
    assert np.all(adjusted >= given_p)
    assert np.all(adjusted <= np.minimum(1.0, len(p) * given_p))
    assert np.all(np.diff(adjusted[np.argsort(given_p, kind="stable")]) >= 0)
