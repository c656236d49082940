"""Appendix G: simulated uplift by topic entropy."""

from __future__ import annotations

import numpy as np
import pytest

from assay.core.errors import InvalidInput
from assay.frontier.simulate.topics import simulate_entropy


def test_uplift_is_monotone_in_topic_entropy() -> None:
    """At appendix G's size the mean over worlds rises at every step, from nothing at one topic alone."""
    simulated = simulate_entropy(np.random.default_rng(0), repeats=40)
    assert simulated.entropy[0] == pytest.approx(np.log(30.0))
    assert simulated.entropy[-1] == 0.0
    assert np.all(np.diff(simulated.uplift) < 0.0)
    assert simulated.rank_correlation == pytest.approx(1.0)
    assert simulated.uplift[-1] == pytest.approx(0.0, abs=0.001)
    assert simulated.observations == 100_000_000


def test_only_the_best_single_model_changes_with_entropy() -> None:
    """The rise comes from the best single model alone: the oracle's mean hardly moves with the mixture."""
    simulated = simulate_entropy(np.random.default_rng(1), repeats=100)
    assert np.ptp(simulated.oracle) < 0.15 * simulated.uplift[0]
    assert np.all(np.diff(simulated.best_single) > 0.0)


def test_one_topic_is_a_single_model() -> None:
    """With one topic the same model is best on every prompt, so there is no uplift but noise."""
    simulated = simulate_entropy(np.random.default_rng(2), topics=1, repeats=5)
    assert simulated.entropy == pytest.approx(np.zeros(11))
    assert simulated.rank_correlation is None
    assert np.abs(simulated.uplift).max() < 0.001


def test_same_seed_same_worlds() -> None:
    """The seed determines every figure."""
    first, again, other = (
        simulate_entropy(np.random.default_rng(seed), prompts=50, repeats=3).by_repeat for seed in (7, 7, 8)
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_bad_values_are_reported_at_once() -> None:
    """There is one problem for each value."""
    with pytest.raises(InvalidInput) as refused:
        simulate_entropy(np.random.default_rng(0), models=1, topics=0, prompts=0, generations=0, repeats=1)
    assert len(refused.value.problems) == 5
