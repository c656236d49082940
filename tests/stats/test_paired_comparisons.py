"""Strengths from counts: by hand, as a property, against other libraries, and where none is finite."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.special import expit

from assay.stats.paired_comparisons import (
    PairCounts,
    elo_ratings,
    fit_bradley_terry,
    sequential_elo,
    strong_parts,
)

FloatArray = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


def drawn(models: int, n: int, seed: int, ties: float = 0.2) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return n simulated comparisons: first, second and points."""
    rng = np.random.default_rng(seed)
    strengths = rng.normal(0.0, 1.0, models)
    first = rng.integers(0, models, n)
    second = (first + rng.integers(1, models, n)) % models
    points = (rng.random(n) < expit(strengths[first] - strengths[second])).astype(np.float64)
    points[rng.random(n) < ties] = 0.5
    return first, second, points


def test_two_models_by_hand() -> None:
    """3 wins to 1 are odds of 3: strengths are log(3)/2 and -log(3)/2, and 191 points of Elo apart."""
    strengths = fit_bradley_terry(np.array([[0.0, 3.0], [1.0, 0.0]]))
    assert strengths == pytest.approx([np.log(3) / 2, -np.log(3) / 2])
    assert elo_ratings(strengths) == pytest.approx([1095.42, 904.58], abs=0.01)


def test_comparisons_are_counted_as_wins_and_ties() -> None:
    """A tie counts for both, and a share of a win is split."""
    first, second = np.array([0, 1, 0, 0]), np.array([1, 0, 2, 1])
    counts = PairCounts.of(first, second, np.array([1.0, 0.0, 0.5, 0.75]), 3)
    assert counts.wins.tolist() == [[0, 2.75, 0], [0.25, 0, 0], [0, 0, 0]]
    assert counts.ties.tolist() == [[0, 0, 1], [0, 0, 0], [1, 0, 0]]
    assert counts.halved[2].tolist() == [0.5, 0.0, 0.0]


@settings(max_examples=60, deadline=None)
@given(arrays(np.float64, (5, 5), elements=st.integers(1, 50).map(float)))
def test_expected_wins_are_the_observed_ones(wins: FloatArray) -> None:
    """At the maximum every model's expected number of wins is its own; turning the order changes nothing."""
    np.fill_diagonal(wins, 0.0)
    strengths = fit_bradley_terry(wins)
    chance = expit(strengths[:, None] - strengths[None, :])
    assert ((wins + wins.T) * chance).sum(axis=1) - 0.5 * np.diag(wins) == pytest.approx(wins.sum(axis=1))
    assert fit_bradley_terry(wins[::-1, ::-1])[::-1] == pytest.approx(strengths, abs=1e-8)


def test_a_batch_is_fitted_as_one_by_one() -> None:
    """Replicates that lack a model's wins lose that model only."""
    counts = PairCounts.of(*drawn(6, 60, 5), 6)
    batch = counts.resample(np.random.default_rng(1), 40)
    batch[3, 0] = 0.0
    alone = np.stack([fit_bradley_terry(wins) for wins in batch])
    assert np.array_equal(np.isnan(alone), np.isnan(fit_bradley_terry(batch)))
    assert np.nan_to_num(fit_bradley_terry(batch)) == pytest.approx(np.nan_to_num(alone), abs=1e-8)
    assert np.isnan(alone[3]).tolist() == [True, False, False, False, False, False]


def test_models_without_a_finite_strength_have_none() -> None:
    """A model that lost everything is left out; without any cycle of wins nobody is fitted."""
    assert np.isnan(fit_bradley_terry(np.array([[0, 3, 1], [1, 0, 1], [0, 0, 0.0]]))).tolist() == [0, 0, 1]
    assert np.isnan(fit_bradley_terry(np.array([[0, 3, 1], [0, 0, 1], [0, 0, 0.0]]))).all()
    two_groups = np.kron(np.eye(2), np.array([[0.0, 1.0], [1.0, 0.0]]))
    assert strong_parts(two_groups > 0).tolist() == [0, 0, 1, 1]


def test_extreme_counts_still_converge() -> None:
    """A chain of 60 models that each beat the next a million to one has equal steps of log(10^6)."""
    wins = np.diag(np.full(59, 1e6), 1) + np.diag(np.ones(59), -1)
    assert -np.diff(fit_bradley_terry(wins)) == pytest.approx(np.full(59, np.log(1e6)))


def test_bad_counts_are_refused() -> None:
    """Counts are square, from 0 and not NaN."""
    for wins in (np.zeros((2, 3)), -np.eye(2), np.full((2, 2), np.nan)):
        with pytest.raises(ValueError, match="give counts from 0"):
            fit_bradley_terry(wins)


def test_replicates_vary_as_the_strengths_do() -> None:
    """The bootstrap's spread is the square root of the inverse information, for two models by hand."""
    counts = PairCounts(np.array([[0.0, 300.0], [100.0, 0.0]]), np.zeros((2, 2)))
    fitted = fit_bradley_terry(counts.resample(np.random.default_rng(2), 4000))
    assert (fitted[:, 0] - fitted[:, 1]).std() == pytest.approx(np.sqrt(1 / 300 + 1 / 100), rel=0.05)


def test_one_comparison_moves_elo_by_hand() -> None:
    """Equal models: the winner gains half of k. With one comparison the order cannot matter."""
    ratings = sequential_elo(
        np.array([0]), np.array([1]), np.array([1.0]), 2, np.random.default_rng(0), orders=3, k=4.0
    )
    assert ratings.tolist() == [[1002.0, 998.0]] * 3


def test_elo_in_turn_depends_on_the_order() -> None:
    """Three orders of the same comparisons differ; points only move from one model to the other."""
    ratings = sequential_elo(*drawn(4, 200, 3), 4, np.random.default_rng(0), orders=3)
    assert len({tuple(row) for row in ratings.round(6).tolist()}) == 3
    assert ratings.sum(axis=1) == pytest.approx([4000.0] * 3)


def test_choix_agrees() -> None:
    """The maximum likelihood of choix, with each comparison given twice so that ties are whole."""
    choix = pytest.importorskip("choix")
    first, second, points = drawn(8, 600, 2)
    pairs = [
        pair
        for one, other, point in zip(first.tolist(), second.tolist(), points.tolist(), strict=True)
        for pair in [(one, other)] * int(2 * point) + [(other, one)] * int(2 - 2 * point)
    ]
    ours = fit_bradley_terry(PairCounts.of(first, second, points, 8).halved)
    assert ours == pytest.approx(choix.opt_pairwise(8, pairs, alpha=0.0), abs=1e-5)


def test_evalica_agrees() -> None:
    """Strengths of evalica's Bradley-Terry, and its Elo in one order."""
    evalica = pytest.importorskip("evalica")
    first, second, points = drawn(8, 600, 2)
    winner = {1.0: evalica.Winner.X, 0.5: evalica.Winner.Draw, 0.0: evalica.Winner.Y}
    given = (first.tolist(), second.tolist(), [winner[point] for point in points.tolist()])
    scores = evalica.bradley_terry(*given, win_weight=1.0, tie_weight=0.5, tolerance=1e-12, limit=100_000)
    logs = np.log(scores.scores.loc[list(range(8))].to_numpy())
    ours = fit_bradley_terry(PairCounts.of(first, second, points, 8).halved)
    assert ours == pytest.approx(logs - logs.mean(), abs=1e-6)
    rng = np.random.default_rng(0)
    order = np.random.default_rng(0).choice(600, 600, replace=False)
    elo = evalica.elo(*([values[place] for place in order] for values in given), k=4.0)
    in_turn = sequential_elo(first, second, points, 8, rng, orders=1)
    assert in_turn[0] == pytest.approx(elo.scores.loc[list(range(8))].to_numpy(), abs=1e-6)
