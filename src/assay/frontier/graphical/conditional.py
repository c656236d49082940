"""What a fit says of the cells: exact conditionals of difficulty, topic and rate given drawn aptitudes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import logsumexp

from assay.frontier.graphical.counts import Counts
from assay.frontier.graphical.evidence import evidence, log_joint
from assay.frontier.graphical.inference import Fitted, Shape
from assay.frontier.graphical.link import difficulties, log_rates

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class State:
    """One draw of what prompts share: the link's rates at each (difficulty, topic) (M K, L), the probability
    of each for every prompt (N, M K), and the concentration, infinite where cells follow the link."""

    rates: FloatArray
    chances: FloatArray
    concentration: float


def states(
    shape: Shape, fitted: Fitted, counts: Counts, draws: int, rng: np.random.Generator
) -> Iterator[State]:
    """Draw aptitudes, topic shares and concentration; give with each what follows for the prompts."""
    along = shape.steps
    counted = evidence(counts, along)
    u, log_weight = difficulties(shape.settings.nodes, shape.settings.difficulty)
    for _ in range(draws):
        v, x, log_k = (
            at + spread * rng.standard_normal(np.shape(at))
            for at, spread in (fitted.aptitude, fitted.gamma, fitted.log_k)
        )
        rates = log_rates(np, u, np.asarray(v), fitted.weights)
        prior = (log_weight, x - logsumexp(x))
        joint = log_joint(np, (counted.cells, counted.trials), rates, prior, log_k, along)
        joint -= joint.max(axis=1, keepdims=True)
        np.exp(joint, out=joint)
        joint /= joint.sum(axis=1, keepdims=True)
        concentration = np.inf if shape.along is None else float(np.exp(log_k))
        yield State(np.exp(rates[0]).reshape(joint.shape[1], -1), joint, concentration)


def expected(state: State, counts: Counts) -> FloatArray:
    """Return each cell's expected rate of success given one state of the world: (N, L)."""
    by_link = state.chances @ state.rates
    if np.isinf(state.concentration):
        return np.asarray(by_link)
    k = state.concentration
    return np.asarray((k * by_link + counts.successes) / (k + counts.trials))


def drawn(state: State, counts: Counts, rng: np.random.Generator) -> FloatArray:
    """Draw each prompt's difficulty and topic, then each cell's rate: (N, L)."""
    reached = np.cumsum(state.chances, axis=1)
    picks = (reached < rng.random(len(reached))[:, None] * reached[:, -1:]).sum(axis=1)
    by_link = state.rates[picks]
    if np.isinf(state.concentration):
        return np.asarray(by_link)
    k = state.concentration
    least = np.finfo(np.float64).tiny
    a = np.maximum(k * by_link + counts.successes, least)
    b = np.maximum(k * (1.0 - by_link) + counts.trials - counts.successes, least)
    return np.asarray(rng.beta(a, b))


def mean_rates(
    shape: Shape, fitted: Fitted, counts: Counts, draws: int, rng: np.random.Generator
) -> FloatArray:
    """Return the posterior mean of each cell's rate over `draws` of the aptitudes: (N, L)."""
    total = np.zeros(counts.trials.shape)
    for state in states(shape, fitted, counts, draws, rng):
        total += expected(state, counts)
    return total / draws
