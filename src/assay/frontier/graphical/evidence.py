"""The likelihood of the counts as one matrix product, for prompts by points of difficulty by topics.

A cell of y successes among g trials whose rate is the link's f has the likelihood f^y (1 - f)^(g - y)
(equation 16). Where cells may differ from the link, their rate is Beta(f k, (1 - f) k) and the likelihood is
the beta-binomial's: products of f k + j for j < y, of (1 - f) k + j for j < g - y, over those of k + j for
j < g. The logarithm of either is a sum of (what was counted) x (what the parameters say) over the cells of a
prompt, hence a product of matrices.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.frontier.graphical.counts import Counts

FloatArray = npt.NDArray[np.float64]
EXACT, GROWTH = 4.0, 0.2
"""Steps of the rising factorials are single up to 4 trials, then widen by a fifth of the number reached."""


@dataclass(frozen=True, slots=True)
class Steps:
    """Where the factors of a rising factorial stand: the steps' starts, widths and mid-points, each (J,).

    The factors within one step are taken as equal to the one in its middle.
    """

    starts: FloatArray
    widths: FloatArray
    middles: FloatArray


BINOMIAL = Steps(np.zeros(1), np.full(1, np.inf), np.zeros(1))
"""One step with the factor f itself: with the concentration k = 1 the beta-binomial turns to the binomial."""


def steps(most: float) -> Steps:
    """Return the steps of a rising factorial of up to `most` trials."""
    edges = [0.0]
    while edges[-1] < most:
        edges.append(edges[-1] + max(1.0, np.ceil(GROWTH * edges[-1]) if edges[-1] > EXACT else 1.0))
    edges_array = np.array(edges if len(edges) > 1 else [0.0, 1.0])
    starts, widths = edges_array[:-1], np.diff(edges_array)
    return Steps(starts, widths, starts + (widths - 1.0) / 2.0)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was counted: `cells` (N, 2 L J) multiplies what `table` gives, `trials` (N, J) the logs of k + j."""

    cells: FloatArray
    trials: FloatArray


def evidence(counts: Counts, along: Steps) -> Evidence:
    """Return how far each cell's successes, failures and trials reach into each step."""

    def reach(values: FloatArray) -> FloatArray:
        return np.clip(values[:, :, None] - along.starts, 0.0, along.widths)

    failures = np.maximum(counts.trials - counts.successes, 0.0)
    both = np.concatenate([reach(counts.successes), reach(failures)], axis=2)
    return Evidence(both.reshape(len(both), -1), reach(counts.trials).sum(axis=1))


def table(xp: Any, right: Any, wrong: Any, log_k: Any, along: Steps) -> Any:
    """Return the logarithms of the factors, (2 L J, M K), from log f and log(1 - f), each (M, K, L)."""
    at = xp.asarray(along.middles, dtype=right.dtype)
    with_floor = xp.log(xp.maximum(at, 1e-30))

    def factors(log_rate: Any) -> Any:
        return xp.logaddexp((log_rate + log_k)[..., None], with_floor)

    both = xp.concatenate([factors(right), factors(wrong)], axis=-1)
    return both.reshape(both.shape[0] * both.shape[1], -1).T


def log_joint(
    xp: Any,
    counted: tuple[Any, Any],
    rates: tuple[Any, Any],
    prior: tuple[Any, Any],
    log_k: Any,
    along: Steps,
) -> Any:
    """Return the log probability of each prompt's counts with each difficulty and topic: (N, M K).

    `counted` is (cells, trials) of the evidence, `rates` (log f, log(1 - f)), `prior` (log weight of the
    difficulties (M,), log theta (K,)).
    """
    cells, trials = counted
    right, wrong = rates
    at = xp.asarray(along.middles, dtype=right.dtype)
    of_trials = trials @ xp.log(xp.exp(log_k) + at)
    before = (prior[0][:, None] + prior[1][None, :]).reshape(-1)
    return cells @ table(xp, right, wrong, log_k, along) + before - of_trials[:, None]
