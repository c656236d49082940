"""Means with bootstrap intervals, items drawn one by one or by cluster."""

import numpy as np
import pytest

from assay.stats.ratio import Draws, mean_of


def test_mean_leaves_nan_out() -> None:
    """With the number of values that are there."""
    found = mean_of([1.0, np.nan, 2.0])
    assert (found.value, found.n, found.interval) == (1.5, 2, None)


def test_nothing_has_no_mean() -> None:
    """None, and no interval."""
    found = mean_of([np.nan], Draws(np.random.default_rng(1)))
    assert (found.value, found.n, found.interval) == (None, 0, None)


def test_clusters_widen_the_interval() -> None:
    """Ten equal values in each of ten clusters: as wide as ten values, not a hundred."""
    rng = np.random.default_rng(2)
    values = np.repeat(rng.normal(size=10), 10)
    alone = mean_of(values, Draws(np.random.default_rng(3))).interval
    together = mean_of(
        values, Draws(np.random.default_rng(3), clusters=np.repeat(np.arange(10), 10))
    ).interval
    assert alone is not None
    assert together is not None
    assert (together.high - together.low) / (alone.high - alone.low) == pytest.approx(10**0.5, rel=0.15)
