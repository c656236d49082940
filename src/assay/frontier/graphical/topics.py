"""How many topics: judged on generations that the fits have not seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.frontier.graphical.conditional import mean_rates
from assay.frontier.graphical.counts import Counts
from assay.frontier.graphical.evidence import evidence
from assay.frontier.graphical.inference import Fitted, Shape, fit

FloatArray = npt.NDArray[np.float64]
DRAWS = 20
"""Draws of the aptitudes behind one predictive probability."""


@dataclass(frozen=True, slots=True)
class HeldOut:
    """How well a number of topics foretells held-out generations, from the best of several fits.

    `score` is the mean log probability of a held-out generation. `behind` is by how much the best number of
    topics is better, `error` the standard error of that difference over prompts, both a generation.
    """

    topics: int
    score: float
    behind: float
    error: float
    converged: bool


@dataclass(frozen=True, slots=True)
class Best:
    """Fits of one model of the same counts from several seeds, and the one of the greatest bound."""

    fits: tuple[Fitted, ...]

    @property
    def best(self) -> Fitted:
        """The fit of the greatest evidence lower bound."""
        return max(self.fits, key=lambda one: one.elbo)


def best_fit(shape: Shape, counts: Counts, topics: int, seeds: Sequence[np.random.SeedSequence]) -> Best:
    """Fit from every seed."""
    counted = evidence(counts, shape.steps)
    share = (counts.successes.sum(axis=0) + 0.5) / (counts.trials.sum(axis=0) + 1.0)
    guess = np.log(share) - np.log1p(-share)
    return Best(tuple(fit(shape, counted, guess, topics, np.random.default_rng(seed)) for seed in seeds))


def log_scores(rates: FloatArray, held: Counts) -> FloatArray:
    """Return the log probability of each prompt's held-out generations under rates (N, L): (N,)."""
    sure = np.clip(rates, 1e-9, 1.0 - 1e-9)
    failures = held.trials - held.successes
    return np.asarray((held.successes * np.log(sure) + failures * np.log1p(-sure)).sum(axis=1))


def judge(
    shape: Shape,
    kept: Counts,
    held: Counts,
    grid: Sequence[int],
    seeds: Sequence[np.random.SeedSequence],
    told: Callable[[str], None] | None,
) -> tuple[HeldOut, ...]:
    """Fit every number of topics on `kept` and score it on `held`; in the order of `grid`."""
    scores, converged = [], []
    for topics in grid:
        if told is not None:
            told(f"fitting {topics} topic{'s' if topics > 1 else ''} on kept generations")
        best = best_fit(shape, kept, topics, seeds).best
        rates = mean_rates(shape, best, kept, DRAWS, np.random.default_rng(seeds[0]))
        scores.append(log_scores(rates, held))
        converged.append(best.converged)
    number = max(float(held.trials.sum()), 1.0)
    leader = scores[int(np.argmax([score.sum() for score in scores]))]
    rows = []
    for topics, score, settled in zip(grid, scores, converged, strict=True):
        lag = leader - score
        error = float(np.std(lag) * np.sqrt(len(lag))) / number
        rows.append(HeldOut(topics, float(score.sum()) / number, float(lag.sum()) / number, error, settled))
    return tuple(rows)


def choose(rows: Sequence[HeldOut]) -> int:
    """Return the fewest topics that are behind the best by at most one standard error of the difference."""
    return min(row.topics for row in rows if row.behind <= row.error)
