"""Simulation of the oracle's uplift by topic entropy (the paper's appendix G)."""

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
    """Simulated uplift (eq. 26) at each mixture (M), from equal shares to a single topic.

    `entropy` (M) is in nats. `uplift` (M) is the mean over repeats, and `oracle` and `best_single` (M) are
    the means of its two parts. `low` and `high` are the percentile interval of single repeats at `LEVEL`,
    which shows how far simulated worlds differ; `by_repeat` (repeats, M) has all. `rank_correlation` is
    Spearman's correlation of the mean uplift with the entropy. `rising` is the share of repeats in which no
    step towards equal shares lowers the uplift.
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
    """Simulate appendix G: rates (1 - D) A with D ~ Beta(1, 1) and A ~ Beta(5, 5).

    The topics' shares move from 1 / T each to one topic alone in equal `steps`. Within a repeat the mixtures
    share difficulties, aptitudes, topics and generations: a prompt keeps its topic up to a random step and
    then changes to the single topic, so that topics are drawn with exactly these shares at every step. The
    generations of a prompt and model are one binomial count, the sum of Bernoulli draws. Raises InvalidInput
    for values that cannot be simulated.
    """
    sizes = {"models": models, "topics": topics, "prompts": prompts, "generations": generations}
    _check({**sizes, "steps": steps, "repeats": repeats})
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
    topic, change = rng.integers(topics, size=prompts), rng.random(prompts)
    mixed, alone = ease * aptitude[topic], ease * aptitude[0]
    counts = rng.binomial(generations, np.stack([mixed, alone])) / generations
    changed = change[:, None] < weights
    best = np.where(changed, alone.max(axis=1)[:, None], mixed.max(axis=1)[:, None])
    moved = changed.T.astype(np.float64)
    means = ((1.0 - moved) @ counts[0] + moved @ counts[1]) / prompts
    return best.mean(axis=0), means.max(axis=1)


LEAST = {"models": 2, "topics": 1, "prompts": 1, "generations": 1, "steps": 2, "repeats": 2}


def _check(numbers: dict[str, int]) -> None:
    wrong = [
        Problem(f"{number} {name}: give {LEAST[name]} or more")
        for name, number in numbers.items()
        if number < LEAST[name]
    ]
    if wrong:
        raise InvalidInput(wrong)
