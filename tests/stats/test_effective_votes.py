"""Effective votes: by hand, as a property, and in simulations with a known correlation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from assay.stats.effective_votes import VoteCorrelations, beyond_items, effective_votes
from assay.stats.resample import draw_counts

NAN = float("nan")


def votes_of(errors: np.ndarray, replicates: int = 0) -> VoteCorrelations:
    """Return the effective votes of independent answers."""
    answers = errors.shape[1]
    draws = draw_counts(np.random.default_rng(0), answers, max(1, replicates))[:replicates]
    return effective_votes(errors, np.arange(answers), draws)


def test_two_judges_by_hand() -> None:
    """Errors on 4 and 4 of 12 answers, 2 in common: r = (2/12 - 1/9)/(2/9) = 1/4, votes 2 / (1 + 1/4)."""
    errors = np.array([[1.0] * 4 + [0.0] * 8, [0.0] * 2 + [1.0] * 4 + [0.0] * 6])
    result = votes_of(errors)
    assert result.mean == pytest.approx(0.25)
    assert result.votes == pytest.approx(1.6)
    assert result.n[0, 1] == 12


def test_copies_are_one_vote() -> None:
    """Three judges that err together are worth one."""
    one = np.array([1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0])
    assert votes_of(np.stack([one] * 3)).votes == pytest.approx(1.0)


@given(arrays(np.float64, (3, 25), elements=st.sampled_from([0.0, 1.0, 2.0, NAN])), st.permutations(range(3)))
def test_pairs_use_their_common_answers(errors: np.ndarray, order: list[int]) -> None:
    """Each correlation is numpy's on the answers of both, whatever the order of the judges; never NaN."""
    result = votes_of(errors)
    for first in range(3):
        for second in range(first):
            both = ~np.isnan(errors[[first, second]]).any(axis=0)
            x, y = errors[first, both], errors[second, both]
            value = result.correlations[first, second]
            if both.sum() >= 10 and x.std() > 0 and y.std() > 0:
                assert value == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-9)
            else:
                assert np.isnan(value)
    again = votes_of(errors[order])
    assert (again.votes is None) == (result.votes is None)
    assert result.votes is None or again.votes == pytest.approx(result.votes)


def test_a_judge_without_errors_has_no_correlation() -> None:
    """It is left out of the mean and of the number of judges."""
    rng = np.random.default_rng(1)
    errors = np.vstack([rng.normal(size=(2, 40)), np.zeros(40)])
    result = votes_of(errors)
    assert (result.judges, result.votes) == (2, pytest.approx(votes_of(errors[:2]).votes))
    nothing = votes_of(np.zeros((3, 40)), 10)
    assert (nothing.mean, nothing.votes, nothing.interval) == (None, None, None)


def test_errors_that_cancel_have_no_limit() -> None:
    """With r = -1 two judges' mean is always right."""
    one = np.random.default_rng(2).normal(size=30)
    result = votes_of(np.stack([one, -one]))
    assert (result.mean, result.votes) == (pytest.approx(-1.0), None)


@pytest.mark.slow
@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("seed", [0, 7])
def test_coverage(binary: bool, seed: int) -> None:
    """The intervals contain the true votes in 95 % of simulations, with errors in marks and 0 or 1 errors."""
    rng = np.random.default_rng(seed)
    judges, items, shared = 5, 150, 0.4

    def world(n: int) -> np.ndarray:
        latent = np.sqrt(shared) * rng.normal(size=n) + np.sqrt(1 - shared) * rng.normal(size=(judges, n))
        return (latent > 0.8).astype(float) if binary else latent

    truth = votes_of(world(400_000)).votes
    assert truth is not None
    hits = 0
    for _ in range(200):
        interval = votes_of(world(items), 400).interval
        assert interval is not None
        hits += interval.low <= truth <= interval.high
    assert 0.90 <= hits / 200 <= 0.99


@pytest.mark.parametrize("quality", [0.0, 1.0])
def test_without_a_reference_quality_counts_as_shared_error(quality: float) -> None:
    """The figure is right if items and models explain quality, and too low if answers have their own."""
    rng = np.random.default_rng(3)
    models, items = np.repeat(np.arange(12), 60), np.tile(np.arange(60), 12)
    answers = len(items)
    truth = rng.normal(size=12)[models] + rng.normal(size=60)[items] + quality * rng.normal(size=answers)
    errors = np.sqrt(0.5) * rng.normal(size=answers) + np.sqrt(0.5) * rng.normal(size=(4, answers))
    free = votes_of(beyond_items(truth + errors, items, models)).votes
    known = 4 / (1 + 3 * 0.5)
    assert free is not None
    assert free == pytest.approx(known, abs=0.1) if quality == 0.0 else free < known - 0.2


def test_what_is_beyond_items_and_models() -> None:
    """An additive table leaves nothing; an item with one answer is explained fully."""
    models, items = np.repeat([0, 1, 2], 4), np.tile([0, 1, 2, 3], 3)
    additive = np.arange(3.0)[models] + 10.0 * items
    assert beyond_items(additive[None], items, models) == pytest.approx(np.zeros((1, 12)), abs=1e-6)
    single = beyond_items(np.arange(5.0)[None], np.arange(5), np.zeros(5))
    assert np.isnan(single).all()
