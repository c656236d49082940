"""The likelihood of the counts as one matrix product, for prompts by points of difficulty by topics.

A cell of y successes among g trials whose rate is the link's f has the likelihood f^y (1 - f)^(g - y)
(equation 16). Where cells may differ from the link, their rate is Beta(f k, (1 - f) k) and the likelihood is
the beta-binomial's: products of f k + j for j < y, of (1 - f) k + j for j < g - y, over those of k + j for
j < g. The logarithm of either is a sum of (what was counted) x (what the parameters say) over the cells of a
prompt, hence a product of matrices. The binomial is the case of one factor, j = 0, and k = 1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.frontier.graphical.counts import Counts

FloatArray = npt.NDArray[np.float64]
MOST_TRIALS = 32
"""Aptitudes and links are learnt from at most so many trials a cell; the cells' own rates from all."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was counted: `cells` (N, 2 L J) multiplies a `table`, `trials` (N, J) the logs of k + j."""

    cells: FloatArray
    trials: FloatArray


def whole(counts: Counts) -> Counts:
    """Return counts in whole trials, at most `MOST_TRIALS` a cell, with the cells' rates kept nearly."""
    trials = np.minimum(np.rint(counts.trials), MOST_TRIALS)
    rate = counts.successes / np.where(counts.trials > 0, counts.trials, 1.0)
    return replace(counts, successes=np.rint(rate * trials), trials=trials)


def evidence(counts: Counts, factors: int | None) -> Evidence:
    """Return the counts as exponents of `factors` factors each; None for the binomial, with one factor."""

    def exponents(values: FloatArray) -> FloatArray:
        if factors is None:
            return values[:, :, None]
        return np.clip(values[:, :, None] - np.arange(factors), 0.0, 1.0)

    failures = np.maximum(counts.trials - counts.successes, 0.0)
    both = np.concatenate([exponents(counts.successes), exponents(failures)], axis=2)
    return Evidence(both.reshape(len(both), -1), exponents(counts.trials).sum(axis=1))


def concentrations(u: Any, coefficients: Any) -> Any:
    """Return log k at each difficulty u (M,): quadratic in u / 4 with these three coefficients."""
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

    `counted` is (cells, trials) of the evidence, `rates` (log f, log(1 - f)), each (M, K, L), `prior` (log
    weight of the difficulties (M,), log theta (K,)), `log_k` (M,) or None for the binomial.
    """
    cells, trials = counted
    before = prior[0][:, None] + prior[1][None, :]
    of_trials = 0.0
    logs = [one[..., None] for one in rates]
    if log_k is not None:
        at = xp.arange(trials.shape[1], dtype=rates[0].dtype)
        floor = xp.log(xp.maximum(at, 1e-30))
        logs = [xp.logaddexp(one + log_k[:, None, None, None], floor) for one in logs]
        of_trials = trials @ xp.log(xp.exp(log_k)[None, :] + at[:, None])
        of_trials = xp.repeat(of_trials, prior[1].shape[0], axis=1)
    table = xp.concatenate(logs, axis=-1)
    table = table.reshape(table.shape[0] * table.shape[1], -1).T
    return cells @ table + before.reshape(-1) - of_trials
