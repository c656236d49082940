"""Appendix G of the paper: the oracle's uplift in simulated workloads, by the entropy of their topics."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.frontier.simulate.mixtures import mixtures_between, rank_correlations, topic_entropy
from assay.stats.resample import percentile

FloatArray = npt.NDArray[np.float64]
LEVEL = 0.95
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class SimulatedEntropy:
    """Simulated uplift (eq. 26) at each mixture (M), from the most even one to a single topic.

    `entropy` (M) in nats; `by_repeat` (repeats, M); `oracle` and `best_single` (M) are its two parts, means
    over the repeats. `uplift` is the mean over repeats, `low` and `high` the percentile interval of single
    repeats at `LEVEL`: how far two worlds of this kind differ. `rank_correlation` is Spearman's, of the mean
    uplift with the entropy; `rising` the share of repeats in which no step towards evenness lowers it.
    """

    entropy: FloatArray
    uplift: FloatArray
    low: FloatArray
    high: FloatArray
    oracle: FloatArray
    best_single: FloatArray
    by_repeat: FloatArray
    rank_correlation: float | None
    rising: float
    observations: int


def simulate_entropy(
    rng: np.random.Generator,
    *,
    models: int = 10,
    topics: int = 30,
    prompts: int = 1_000,
    generations: int = 10_000,
    steps: int = 11,
    repeats: int = 200,
) -> SimulatedEntropy:
    """Simulate appendix G: D ~ Beta(1, 1), A ~ Beta(5, 5), rates (1 - D) A, topics from even to one.

    The topics' shares go from 1 / T each to one topic alone in equal `steps`. Within a repeat the mixtures
    share difficulties, aptitudes, topics and generations: a prompt keeps its topic until its own turn to
    change to the single one comes, which draws every prompt's topic from exactly the shares. The
    generations of a prompt and model are one binomial count, which is what Bernoulli draws sum to.
    Raises InvalidInput for values that cannot be simulated.
    """
    given = {"models": models, "topics": topics, "prompts": prompts, "generations": generations}
    _check({**given, "steps": steps, "repeats": repeats})
    weights = np.linspace(0.0, 1.0, steps)
    entropy = topic_entropy(mixtures_between(np.full(topics, 1.0 / topics), 0, weights))
    oracle, single = np.empty((repeats, steps)), np.empty((repeats, steps))
    for repeat in range(repeats):
        oracle[repeat], single[repeat] = _world(rng, models, topics, prompts, generations, weights)
    uplift = oracle - single
    ends = [percentile(column, LEVEL) for column in uplift.T]
    correlation = rank_correlations(entropy, uplift.mean(axis=0))[0]
    falls = np.diff(uplift, axis=1) <= ROUNDING
    return SimulatedEntropy(
        entropy,
        uplift.mean(axis=0),
        low=np.array([end.low if end else np.nan for end in ends]),
        high=np.array([end.high if end else np.nan for end in ends]),
        oracle=oracle.mean(axis=0),
        best_single=single.mean(axis=0),
        by_repeat=uplift,
        rank_correlation=float(correlation) if np.isfinite(correlation) else None,
        rising=float(falls.all(axis=1).mean()),
        observations=prompts * models * generations,
    )


def _world(
    rng: np.random.Generator,
    models: int,
    topics: int,
    prompts: int,
    generations: int,
    weights: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """Return the true oracle and the best single model's mean at each weight of the single topic."""
    ease = 1.0 - rng.beta(1.0, 1.0, size=(prompts, 1))
    aptitude = rng.beta(5.0, 5.0, size=(topics, models))
    topic, turn = rng.integers(topics, size=prompts), rng.random(prompts)
    mixed, alone = ease * aptitude[topic], ease * aptitude[0]
    counts = rng.binomial(generations, np.stack([mixed, alone])) / generations
    changed = turn[:, None] < weights
    best = np.where(changed, alone.max(axis=1)[:, None], mixed.max(axis=1)[:, None])
    moved = changed.T.astype(np.float64)
    means = ((1.0 - moved) @ counts[0] + moved @ counts[1]) / prompts
    return best.mean(axis=0), means.max(axis=1)


LEAST = {"models": 2, "topics": 1, "prompts": 1, "generations": 1, "steps": 2, "repeats": 2}


def _check(given: dict[str, int]) -> None:
    wrong = [
        Problem(f"{number} {name}: give {LEAST[name]} or more")
        for name, number in given.items()
        if number < LEAST[name]
    ]
    if wrong:
        raise InvalidInput(wrong)
