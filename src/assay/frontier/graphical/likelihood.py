"""The likelihood of the counts in the graphical model: difficulties, link and beta-binomial factors."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import scipy

from assay.frontier.graphical.counts import SuccessCounts

FloatArray = npt.NDArray[np.float64]
Link = Literal["multiplicative", "neural"]


def difficulties(nodes: int, prior: tuple[float, float]) -> tuple[FloatArray, FloatArray]:
    """Return (u, log weight), each (nodes,): quadrature points of a Beta prior of D; u = logit(1 - D)."""
    a, b = prior
    points, weights = scipy.special.roots_jacobi(nodes, b - 1.0, a - 1.0)
    return np.log1p(-points) - np.log1p(points), np.log(weights / weights.sum())


def log_rates(xp: Any, u: Any, v: Any, weights: dict[str, Any] | None) -> tuple[Any, Any]:
    """Return (log f, log(1 - f)) at every pair of u (M,) and v (K, L): each (M, K, L).

    Without `weights` f is (1 - D) A. With the neural link's weights, logit f is slope * logit((1 - D) A) plus
    the output of a feed-forward network of (1 - D, A). The network has two hidden layers of tanh, and all of
    its weights are positive, so that f rises with aptitude and falls with difficulty.
    """
    easy, able = u[:, None, None], v[None]
    right = -xp.logaddexp(0.0, -easy) - xp.logaddexp(0.0, -able)
    wrong = xp.logaddexp(-xp.logaddexp(0.0, easy), -xp.logaddexp(0.0, -easy) - xp.logaddexp(0.0, able))
    if weights is None:
        return right, wrong
    logit = xp.exp(weights["slope"]) * (right - wrong) + _network(xp, u, v, weights)
    return -xp.logaddexp(0.0, -logit), -xp.logaddexp(0.0, logit)


def _network(xp: Any, u: Any, v: Any, weights: dict[str, Any]) -> Any:
    """Return the network's output at every pair: (M, K, L). Its first layer is a sum of two parts."""
    easy, able = xp.exp(-xp.logaddexp(0.0, -u)) - 0.5, xp.exp(-xp.logaddexp(0.0, -v)) - 0.5
    first = {name: xp.logaddexp(0.0, weights[name]) for name in ("easy", "able", "second", "out")}
    below = easy[:, None, None, None] * first["easy"] + able[None, :, :, None] * first["able"]
    hidden = xp.tanh(below + weights["shift"])
    hidden = xp.tanh(hidden @ first["second"] + weights["second_shift"])
    return hidden @ first["out"] + weights["out_shift"]


def start(hidden: int, rng: np.random.Generator) -> dict[str, FloatArray]:
    """Return initial weights, at which the network has almost no effect and the link is multiplicative."""
    return {
        "slope": np.zeros(()),
        "easy": rng.normal(1.0, 0.5, hidden),
        "able": rng.normal(1.0, 0.5, hidden),
        "shift": rng.normal(0.0, 0.5, hidden),
        "second": rng.normal(-1.5, 0.5, (hidden, hidden)),
        "second_shift": rng.normal(0.0, 0.5, hidden),
        "out": np.full(hidden, -5.0),
        "out_shift": np.zeros(()),
    }


MOST_TRIALS = 32
"""Aptitudes and links are fitted to at most this many trials in a cell; the cells' rates to all trials."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The counts as exponents: `cells` (N, 2 L J) of the factors of the rates, `trials` (N, J) of k + j."""

    cells: FloatArray
    trials: FloatArray


def whole(counts: SuccessCounts) -> SuccessCounts:
    """Return counts in whole trials, at most `MOST_TRIALS` in a cell, with nearly the same rates."""
    trials = np.minimum(np.rint(counts.trials), MOST_TRIALS)
    rate = counts.successes / np.where(counts.trials > 0, counts.trials, 1.0)
    return replace(counts, successes=np.rint(rate * trials), trials=trials)


def evidence(counts: SuccessCounts, factors: int | None) -> Evidence:
    """Return the counts as exponents of `factors` factors each; None means one factor (binomial)."""

    def exponents(values: FloatArray) -> FloatArray:
        if factors is None:
            return values[:, :, None]
        return np.clip(values[:, :, None] - np.arange(factors), 0.0, 1.0)

    failures = np.maximum(counts.trials - counts.successes, 0.0)
    both = np.concatenate([exponents(counts.successes), exponents(failures)], axis=2)
    return Evidence(both.reshape(len(both), -1), exponents(counts.trials).sum(axis=1))


def concentrations(u: Any, coefficients: Any) -> Any:
    """Return log k at each difficulty u (M,), which is quadratic in u / 4 with three coefficients."""
    ease = u / 4.0
    return coefficients[0] + coefficients[1] * ease + coefficients[2] * ease**2


def log_joint(
    xp: Any,
    counted: tuple[Any, Any],
    rates: tuple[Any, Any],
    prior: tuple[Any, Any],
    log_k: Any,
) -> Any:
    """Return the log probability of each prompt's counts with each difficulty and topic: (N, M K).

    `counted` is (cells, trials) of the evidence; `rates` is (log f, log(1 - f)), each (M, K, L); `prior` is
    (log weight of the difficulties (M,), log theta (K,)); `log_k` is (M,), or None for the binomial.
    """
    cells, trials = counted
    log_prior = prior[0][:, None] + prior[1][None, :]
    of_trials = 0.0
    logs = [log_rate[..., None] for log_rate in rates]
    if log_k is not None:
        j = xp.arange(trials.shape[1], dtype=rates[0].dtype)
        floor = xp.log(xp.maximum(j, 1e-30))
        logs = [xp.logaddexp(log_rate + log_k[:, None, None, None], floor) for log_rate in logs]
        of_trials = trials @ xp.log(xp.exp(log_k)[None, :] + j[:, None])
        of_trials = xp.repeat(of_trials, prior[1].shape[0], axis=1)
    table = xp.concatenate(logs, axis=-1)
    table = table.reshape(table.shape[0] * table.shape[1], -1).T
    return cells @ table + log_prior.reshape(-1) - of_trials
