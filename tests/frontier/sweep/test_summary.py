"""Tests of the P95 latency of chosen answers."""

from __future__ import annotations

import numpy as np

from assay.frontier.sweep.summary import chosen_p95, single_p95


def test_95_of_100_equal_answers_are_not_slower() -> None:
    """By hand: latencies 1..100, one chosen cell each."""
    latency = np.arange(1.0, 101.0).reshape(100, 1, 1)
    assert chosen_p95(latency, np.ones((1, 100, 1))).tolist() == [95.0]


def test_a_prompt_with_many_answers_weighs_no_more_than_one_with_few() -> None:
    """Of two prompts one has 1 fast answer, the other 9 slow ones: at half the weight the fast one ends."""
    latency = np.full((2, 1, 9), 5.0)
    latency[0] = np.nan
    latency[0, 0, 0] = 1.0
    assert chosen_p95(latency, np.ones((1, 2, 1)), share=0.5).tolist() == [1.0]
    assert chosen_p95(latency, np.ones((1, 2, 1)), share=0.51).tolist() == [5.0]


def test_only_chosen_cells_count() -> None:
    """The slow model is never chosen at the first alpha."""
    latency = np.array([[[1.0], [60.0]]])
    chosen = np.array([[[1.0, 0.0]], [[0.0, 1.0]]])
    assert chosen_p95(latency, chosen).tolist() == [1.0, 60.0]


def test_without_a_latency_in_any_chosen_cell_there_is_none() -> None:
    """NaN, not 0."""
    assert np.isnan(chosen_p95(np.array([[[1.0], [np.nan]]]), np.array([[[0.0, 1.0]]])))[0]


def test_each_model_alone_has_its_own() -> None:
    """A model without latencies has none."""
    latency = np.array([[[1.0], [2.0], [np.nan]], [[3.0], [9.0], [np.nan]]])
    assert np.array_equal(single_p95(latency), [3.0, 9.0, np.nan], equal_nan=True)
