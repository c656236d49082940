"""Choice of the number of topics by held-out generations."""

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
"""The number of draws of the aptitudes for a predictive probability."""
LEAST_TRIED = 3
"""At least this many numbers of topics are tried: four topics may be better than one even if two are not."""


@dataclass(frozen=True, slots=True)
class HeldOut:
    """The prediction of held-out generations with a number of topics, by the best of several fits.

    `spread` is true if cells may differ from the link. `score` is the mean log probability of a held-out
    generation. `behind` is the difference of the best row's score from it, and `error` is the standard error
    of this difference over prompts; both are per generation.
    """

    topics: int
    spread: bool
    score: float
    behind: float
    error: float
    converged: bool


@dataclass(frozen=True, slots=True)
class BestFit:
    """Fits of one model to the same counts from several seeds."""

    fits: tuple[Fitted, ...]

    @property
    def best(self) -> Fitted:
        """The fit with the greatest evidence lower bound."""
        return max(self.fits, key=lambda fitted: fitted.elbo)


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
    """Counts kept for the fits, counts held out, and the random starts of the fits."""

    kept: SuccessCounts
    held: SuccessCounts
    starts: Sequence[np.random.SeedSequence]


def judge(
    candidates: Sequence[tuple[FitShape, int]], parts: HeldOutSplit, progress: Callable[[str], None] | None
) -> tuple[HeldOut, ...]:
    """Fit each (shape, number of topics) to the kept counts and score it on the held-out counts.

    It ends early, after `LEAST_TRIED` candidates, if the last is not better than the best before it by one
    standard error of the difference.
    """
    scores: list[FloatArray] = []
    converged: list[bool] = []
    for shape, topics in candidates:
        if progress is not None:
            progress(f"held-out generations: {counted(topics, 'topic')}")
        learnt = parts.kept if shape.factors is None else whole(parts.kept)
        starts = parts.starts if topics > 1 else parts.starts[:1]
        best = best_fit(shape, learnt, topics, starts).best
        rates = mean_rates(shape, best, learnt, parts.kept, DRAWS, np.random.default_rng(parts.starts[0]))
        scores.append(log_scores(rates, parts.held))
        converged.append(best.converged)
        if len(scores) > LEAST_TRIED:
            worse, error = _lag(_leader(scores[:-1]), scores[-1])
            if worse > -error:
                break
    number = max(float(parts.held.trials.sum()), 1.0)
    rows = []
    for (shape, topics), score, settled in zip(candidates, scores, converged, strict=False):
        behind, error = _lag(_leader(scores), score)
        total = float(score.sum()) / number
        spread = shape.factors is not None
        rows.append(HeldOut(topics, spread, total, behind / number, error / number, settled))
    return tuple(rows)


def _leader(scores: Sequence[FloatArray]) -> FloatArray:
    """Return the scores by prompt with the greatest total."""
    return max(scores, key=lambda score: float(score.sum()))


def _lag(leader: FloatArray, score: FloatArray) -> tuple[float, float]:
    """Return the difference from the leader's total, and its standard error over prompts."""
    lag = leader - score
    return float(lag.sum()), float(np.std(lag) * np.sqrt(len(lag)))


def choose(rows: Sequence[HeldOut]) -> HeldOut:
    """Return the first row that is behind the best by at most one standard error of the difference."""
    return next(row for row in rows if row.behind <= row.error)
