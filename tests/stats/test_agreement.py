"""Judges two by two."""

import numpy as np
import pytest

from assay.stats.agreement import pairwise

NAN = np.nan


def test_by_hand() -> None:
    """Of three shared items two agree, and all are within one mark."""
    found = pairwise(["x", "y"], [[5, 4, 2, NAN], [5, 5, 2, 1]])[0]
    assert (found.first, found.second, found.n) == ("x", "y", 3)
    assert (found.agreement, found.within_one) == (pytest.approx(2 / 3), 1.0)


def test_every_pair_stands_once() -> None:
    """Three judges make three pairs."""
    found = pairwise(["x", "y", "z"], np.array([[1, 2], [2, 2], [1, 1]]))
    assert [(each.first, each.second) for each in found] == [("x", "y"), ("x", "z"), ("y", "z")]


def test_judges_without_a_common_item() -> None:
    """No share, no kappa, no number made up."""
    found = pairwise(["x", "y"], [[5, NAN], [NAN, 4]])[0]
    assert (found.n, found.agreement, found.within_one, found.kappa.value) == (0, None, None, None)


def test_the_scale_weights_distances() -> None:
    """On a declared scale of 1-5 a difference of one mark is a quarter of the range."""
    wide = pairwise(["x", "y"], [[1, 2], [2, 1]], categories=[1, 2, 3, 4, 5])[0]
    assert wide.linear.agreement == 0.75


def test_intervals_come_with_a_generator() -> None:
    """Kappa has a bootstrap interval when asked for."""
    rng = np.random.default_rng(1)
    table = rng.integers(1, 6, (2, 50))
    assert pairwise(["x", "y"], table)[0].kappa.interval is None
    assert pairwise(["x", "y"], table, rng=rng, replicates=50)[0].kappa.interval is not None
