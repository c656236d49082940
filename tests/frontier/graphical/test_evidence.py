"""Counts as exponents of factors: the likelihood, and the held-out split."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import logsumexp
from scipy.stats import betabinom, binom

from assay.frontier.graphical.counts import SuccessCounts, counted, dispersion, split
from assay.frontier.graphical.likelihood import difficulties, evidence, log_joint, log_rates, start, whole

SUCCESSES = np.array([[0.0, 3.0], [5.0, 2.0]])
TRIALS = np.array([[0.0, 4.0], [5.0, 9.0]])
APTITUDE = np.array([[-1.0, 0.5], [2.0, 0.1], [0.3, -3.0]])


def likelihood(log_k: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Return (log likelihoods by prompt, difficulty and topic, the link's rates) for the counts above."""
    u, _ = difficulties(4, (1.0, 1.0))
    rates = log_rates(np, u, APTITUDE, None)
    exponents = evidence(SuccessCounts(SUCCESSES, TRIALS), None if log_k is None else 9)
    joint = log_joint(np, (exponents.cells, exponents.trials), rates, (np.zeros(4), np.zeros(3)), log_k)
    return joint.reshape(2, 4, 3), np.exp(rates[0])


def test_binomial() -> None:
    """Without a concentration the likelihood is the binomial's, but for its coefficient."""
    computed, rates = likelihood(None)
    expected = binom.logpmf(SUCCESSES[:, None, None], TRIALS[:, None, None], rates).sum(axis=-1)
    apart = computed - expected
    np.testing.assert_allclose(apart - apart[:, :1, :1], 0.0, atol=1e-10)


def test_beta_binomial() -> None:
    """With a concentration by difficulty it is the beta-binomial's, but for its coefficient."""
    log_k = np.log([0.5, 3.0, 20.0, 100.0])
    computed, rates = likelihood(log_k)
    k = np.exp(log_k)[:, None, None]
    cells = betabinom.logpmf(SUCCESSES[:, None, None], TRIALS[:, None, None], rates * k, (1.0 - rates) * k)
    apart = computed - cells.sum(axis=-1)
    np.testing.assert_allclose(apart - apart[:, :1, :1], 0.0, atol=1e-10)


def test_multiplicative_link() -> None:
    """The link is (1 - D) A, and its complement keeps its digits near 1."""
    u, v = np.array([-1.0, 40.0]), np.array([[2.0, 40.0]])
    right, wrong = log_rates(np, u, v, None)
    expit = 1.0 / (1.0 + np.exp(-u[:, None] - 0.0)), 1.0 / (1.0 + np.exp(-v))
    np.testing.assert_allclose(np.exp(right[:, 0]), expit[0] * expit[1])
    assert wrong[1, 0, 1] == pytest.approx(np.log(2.0) - 40.0)


def test_neural_link_starts_multiplicative_and_is_monotone() -> None:
    """The neural link starts within 0.03 of the multiplicative one; it rises with ease and aptitude."""
    weights = start(8, np.random.default_rng(0))
    ramp = np.linspace(-4.0, 4.0, 9)
    computed = np.exp(log_rates(np, ramp, ramp[None], weights)[0][:, 0])
    plain = np.exp(log_rates(np, ramp, ramp[None], None)[0][:, 0])
    assert np.abs(computed - plain).max() < 0.03
    weights["out"] = weights["out"] + 6.0
    steep = np.exp(log_rates(np, ramp, ramp[None], weights)[0][:, 0])
    assert (np.diff(steep, axis=0) > 0).all() and (np.diff(steep, axis=1) > 0).all()


def test_difficulties_integrate() -> None:
    """The points of difficulty carry the Beta prior's mean and variance."""
    u, log_weight = difficulties(24, (2.0, 3.0))
    easy = 1.0 / (1.0 + np.exp(-u))
    assert logsumexp(log_weight) == pytest.approx(0.0)
    mean = float(np.exp(log_weight) @ (1.0 - easy))
    assert mean == pytest.approx(2 / 5)
    assert float(np.exp(log_weight) @ (1.0 - easy - mean) ** 2) == pytest.approx(6 / (25 * 6))


def test_split_is_a_partition() -> None:
    """Kept and held-out counts add up to all, with a quarter of every full cell held out."""
    rng = np.random.default_rng(3)
    quality = (rng.random((30, 4, 8)) < 0.4).astype(np.float64)
    quality[0, 0] = np.nan
    kept, held = split(quality, 0.25, rng)
    whole_counts = counted(quality)
    np.testing.assert_array_equal(kept.successes + held.successes, whole_counts.successes)
    np.testing.assert_array_equal(held.trials, np.where(whole_counts.trials > 0, 2.0, 0.0))


def test_dispersion() -> None:
    """0/1 quality has dispersion 1; quality that hardly varies within cells has little."""
    rng = np.random.default_rng(4)
    rates = rng.random((200, 5, 1))
    binary = (rng.random((200, 5, 6)) < rates).astype(np.float64)
    assert dispersion(binary) == pytest.approx(1.0)
    steady = np.clip(rates + rng.normal(0.0, 0.1, (200, 5, 6)), 0.0, 1.0)
    assert dispersion(steady) == pytest.approx(0.01 * 6.0, abs=0.02)


def test_whole_trials() -> None:
    """Cells of very many trials are cut to 32 at their rate."""
    cut = whole(SuccessCounts(np.array([[50.0]]), np.array([[100.0]])))
    assert (cut.successes[0, 0], cut.trials[0, 0]) == (16.0, 32.0)
