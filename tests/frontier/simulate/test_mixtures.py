"""Entropies of mixtures, and the lines between them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from assay.frontier.simulate.mixtures import mixtures_between, rank_correlations, topic_entropy


def test_entropy_by_hand() -> None:
    """0 of one topic, ln T of T even ones, and 1.5 ln 2 of a half and two quarters."""
    assert topic_entropy([1.0, 0.0, 0.0]) == 0.0
    assert topic_entropy(np.full(30, 1.0 / 30.0)) == pytest.approx(np.log(30.0))
    assert topic_entropy([0.5, 0.25, 0.25]) == pytest.approx(1.5 * np.log(2.0))


@given(st.integers(2, 40), st.integers(2, 20))
def test_the_line_to_one_topic_loses_entropy_at_each_step(topics: int, steps: int) -> None:
    """From even shares they stay shares, and the entropy falls from ln T to 0."""
    lines = mixtures_between(np.full(topics, 1.0 / topics), 0, np.linspace(0.0, 1.0, steps))
    assert lines.sum(axis=1) == pytest.approx(np.ones(steps))
    entropy = topic_entropy(lines)
    assert np.all(np.diff(entropy) < 0.0)
    assert (entropy[0], entropy[-1]) == pytest.approx((np.log(topics), 0.0), abs=1e-12)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=3, max_size=12))
def test_rank_correlations_are_spearmans(pairs: list[tuple[int, int]]) -> None:
    """As SciPy has them, ties included; NaN where a side is constant."""
    x, y = np.array(pairs, dtype=np.float64).T
    correlation = rank_correlations(x, y)[0]
    if np.ptp(x) == 0.0 or np.ptp(y) == 0.0:
        assert np.isnan(correlation)
    else:
        assert correlation == pytest.approx(spearmanr(x, y).statistic, abs=1e-12)
