"""Tests of bootstrap replicates and their intervals."""

from __future__ import annotations

import numpy as np
import pytest

from assay.frontier.weighed import PromptReplicates, intervals, weigh


def test_each_replicate_is_a_mean_over_as_many_prompts() -> None:
    """Weights of a replicate sum to 1."""
    weighed = weigh(7, 20, 0.9, np.random.default_rng(0))
    assert weighed.weights.shape == (20, 7)
    assert np.allclose(weighed.weights.sum(axis=1), 1.0)


def test_a_missing_value_has_no_weight() -> None:
    """By hand: (0.5 x 1 + 0.25 x 3)/0.75; a column without any value has no mean."""
    weighed = PromptReplicates(np.array([[0.5, 0.25, 0.25]]), 0.9)
    table = np.array([[1.0, np.nan], [3.0, np.nan], [np.nan, np.nan]])
    means = weighed.means(table)[0]
    assert means[0] == pytest.approx(1.25 / 0.75)
    assert np.isnan(means[1])


def test_an_interval_needs_a_value_in_half_of_the_replicates() -> None:
    """With fewer there is no interval; with enough it uses the replicates that have a value."""
    replicates = np.full((10, 3), np.nan)
    replicates[:, 0] = np.arange(10.0)
    replicates[:6, 1] = 2.0
    replicates[:4, 2] = 2.0
    whole, enough, few = intervals(replicates, 0.8)
    assert whole is not None and (whole.low, whole.high) == (pytest.approx(0.9), pytest.approx(8.1))
    assert enough is not None and (enough.low, enough.high) == (2.0, 2.0)
    assert few is None


def test_a_figure_has_the_share_of_replicates_in_which_it_is_defined() -> None:
    """Here 6 of 10; a figure without a value has only its reason."""
    weighed = PromptReplicates(np.ones((10, 1)), 0.9)
    replicates = np.where(np.arange(10) < 6, 1.0, np.nan)
    assert weighed.gain(1.0, replicates, None, None).defined == pytest.approx(0.6)
    none = weighed.gain(np.nan, replicates, None, "because")
    assert (none.estimate.value, none.reason, none.defined) == (None, "because", None)
