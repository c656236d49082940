"""Appendix G: simulated uplift by topic entropy."""

from __future__ import annotations

import numpy as np
import pytest

from assay.core.errors import InvalidInput
from assay.frontier.simulate.topics import simulate_entropy


def test_uplift_is_monotone_in_topic_entropy() -> None:
    """At appendix G's size the mean over worlds rises at every step, from nothing at one topic alone."""
    found = simulate_entropy(np.random.default_rng(0), repeats=40)
    assert found.entropy[0] == pytest.approx(np.log(30.0))
    assert found.entropy[-1] == 0.0
    assert np.all(np.diff(found.uplift) < 0.0)
    assert found.rank_correlation == pytest.approx(1.0)
    assert found.uplift[-1] == pytest.approx(0.0, abs=0.001)
    assert found.observations == 100_000_000


def test_the_oracle_stays_and_the_best_single_model_falls() -> None:
    """The rise comes from the best single model alone: the oracle's mean hardly moves with the mixture."""
    found = simulate_entropy(np.random.default_rng(1), repeats=100)
    assert np.ptp(found.oracle) < 0.15 * found.uplift[0]
    assert np.all(np.diff(found.best_single) > 0.0)


def test_one_topic_is_a_single_model() -> None:
    """With one topic the same model is best on every prompt, so there is no uplift but noise."""
    found = simulate_entropy(np.random.default_rng(2), topics=1, repeats=5)
    assert found.entropy == pytest.approx(np.zeros(11))
    assert found.rank_correlation is None
    assert np.abs(found.uplift).max() < 0.001


def test_same_seed_same_worlds() -> None:
    """The seed decides every figure."""
    first, again, other = (
        simulate_entropy(np.random.default_rng(seed), prompts=50, repeats=3).by_repeat for seed in (7, 7, 8)
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_bad_values_are_told_at_once() -> None:
    """One message names each."""
    with pytest.raises(InvalidInput) as refused:
        simulate_entropy(np.random.default_rng(0), models=1, topics=0, prompts=0, generations=0, repeats=1)
    assert len(refused.value.problems) == 5
