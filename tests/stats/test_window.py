"""Trailing summaries: what enters a window, and what its figures are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from assay.stats.window import summarise, trailing

scores = arrays(
    np.float64,
    st.tuples(st.integers(1, 3), st.integers(1, 25)),
    elements=st.sampled_from([np.nan, 0, 40, 80.5, 100]),
)


def test_hand_worked() -> None:
    """A window of three days over 10, 20, NaN, 60 has mean 40 and sample deviation sqrt(800)."""
    window = trailing([10.0, 20.0, np.nan, 60.0, 0.0], 3)
    assert window.count[4] == 2
    assert window.mean[4] == 40.0
    assert window.deviation[4] == pytest.approx(800**0.5)


def test_today_is_not_in_its_own_window() -> None:
    """A day's own value never enters its window."""
    window = trailing([10.0, 99.0], 14)
    assert window.mean[1] == 10.0


@given(scores, st.integers(1, 16))
def test_agrees_with_numpy(values: np.ndarray, days: int) -> None:
    """Every position equals numpy's mean and ddof-1 deviation of the days before it."""
    window = trailing(values, days)
    for index, day in np.ndindex(values.shape):
        past = values[index, max(0, day - days) : day]
        past = past[~np.isnan(past)]
        assert window.count[index, day] == past.size
        if past.size:
            assert window.mean[index, day] == pytest.approx(past.mean())
        if past.size > 1:
            assert window.deviation[index, day] == pytest.approx(past.std(ddof=1))


@given(scores, st.floats(-50, 50))
def test_shift(values: np.ndarray, shift: float) -> None:
    """Adding a constant moves the mean by it and leaves the deviation."""
    before, after = trailing(values, 5), trailing(values + shift, 5)
    np.testing.assert_allclose(after.mean, before.mean + shift, atol=1e-9)
    np.testing.assert_allclose(after.deviation, before.deviation, atol=1e-9)


@given(scores)
def test_alone_or_together(values: np.ndarray) -> None:
    """A row summarised alone gives bit for bit what it gives among others."""
    together = trailing(values, 14)
    for index, row in enumerate(values):
        np.testing.assert_array_equal(trailing(row, 14).mean, together.mean[index])
        np.testing.assert_array_equal(trailing(row, 14).deviation, together.deviation[index])


def test_summarise_takes_the_chosen() -> None:
    """Only chosen positions enter a fixed window."""
    window = summarise(np.array([[1.0, 3.0, np.nan, 50.0]]), np.array([[True, True, False, False]]))
    assert (window.mean[0, 0], window.count[0, 0]) == (2.0, 2)
    assert window.deviation[0, 0] == pytest.approx(2**0.5)
