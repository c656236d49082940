"""How many topics: judged on generations that the fits have not seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.core.wording import counted
from assay.frontier.graphical.counts import SuccessCounts
from assay.frontier.graphical.inference import FitShape, Fitted, fit, mean_rates
from assay.frontier.graphical.likelihood import evidence, whole

FloatArray = npt.NDArray[np.float64]
DRAWS = 20
"""Draws of the aptitudes behind one predictive probability."""
SURELY = 3
"""So many numbers of topics are always tried: two may be no better than one where four are."""


@dataclass(frozen=True, slots=True)
class HeldOut:
    """How well a number of topics foretells held-out generations, from the best of several fits.

    `spread` says whether cells could differ from the link. `score` is the mean log probability of a held-out
    generation. `behind` is by how much the best row is better, `error` the standard error of that difference
    over prompts, both a generation.
    """

    topics: int
    spread: bool
    score: float
    behind: float
    error: float
    converged: bool


@dataclass(frozen=True, slots=True)
class BestFit:
    """Fits of one model of the same counts from several seeds, and the one of the greatest bound."""

    fits: tuple[Fitted, ...]

    @property
    def best(self) -> Fitted:
        """The fit of the greatest evidence lower bound."""
        return max(self.fits, key=lambda one: one.elbo)


def best_fit(
    shape: FitShape, counts: SuccessCounts, topics: int, seeds: Sequence[np.random.SeedSequence]
) -> BestFit:
    """Fit from every seed."""
    counted = evidence(counts, shape.factors)
    share = (counts.successes.sum(axis=0) + 0.5) / (counts.trials.sum(axis=0) + 1.0)
    guess = np.log(share) - np.log1p(-share)
    return BestFit(tuple(fit(shape, counted, guess, topics, np.random.default_rng(seed)) for seed in seeds))


def log_scores(rates: FloatArray, held: SuccessCounts) -> FloatArray:
    """Return the log probability of each prompt's held-out generations under rates (N, L): (N,)."""
    sure = np.clip(rates, 1e-9, 1.0 - 1e-9)
    failures = held.trials - held.successes
    return np.asarray((held.successes * np.log(sure) + failures * np.log1p(-sure)).sum(axis=1))


@dataclass(frozen=True, slots=True)
class HeldOutSplit:
    """Generations kept for fits and generations held out, and the starts of the fits."""

    kept: SuccessCounts
    held: SuccessCounts
    starts: Sequence[np.random.SeedSequence]


def judge(
    candidates: Sequence[tuple[FitShape, int]], parts: HeldOutSplit, told: Callable[[str], None] | None
) -> tuple[HeldOut, ...]:
    """Fit the (shape, number of topics) on what is kept, in this order, and score them on what is held out.

    Ends early, after `SURELY` of them, where the last is no better than the best before it by one standard
    error of the difference.
    """
    scores: list[FloatArray] = []
    settled: list[bool] = []
    for shape, topics in candidates:
        if told is not None:
            told(f"held-out generations: {counted(topics, 'topic')}")
        learnt = parts.kept if shape.factors is None else whole(parts.kept)
        starts = parts.starts if topics > 1 else parts.starts[:1]
        best = best_fit(shape, learnt, topics, starts).best
        rates = mean_rates(shape, best, learnt, parts.kept, DRAWS, np.random.default_rng(parts.starts[0]))
        scores.append(log_scores(rates, parts.held))
        settled.append(best.converged)
        if len(scores) > SURELY:
            worse, error = _lag(_leader(scores[:-1]), scores[-1])
            if worse > -error:
                break
    number = max(float(parts.held.trials.sum()), 1.0)
    rows = []
    for (shape, topics), score, ended in zip(candidates, scores, settled, strict=False):
        behind, error = _lag(_leader(scores), score)
        total = float(score.sum()) / number
        wide = shape.factors is not None
        rows.append(HeldOut(topics, wide, total, behind / number, error / number, ended))
    return tuple(rows)


def _leader(scores: Sequence[FloatArray]) -> FloatArray:
    """Return the scores by prompt whose total is greatest."""
    return max(scores, key=lambda score: float(score.sum()))


def _lag(leader: FloatArray, score: FloatArray) -> tuple[float, float]:
    """Return by how much the leader's total is greater, and the standard error of that over prompts."""
    lag = leader - score
    return float(lag.sum()), float(np.std(lag) * np.sqrt(len(lag)))


def choose(rows: Sequence[HeldOut]) -> HeldOut:
    """Return the first row that is behind the best by at most one standard error of the difference."""
    return next(row for row in rows if row.behind <= row.error)
