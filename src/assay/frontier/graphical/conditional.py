"""What a fit says of the cells: exact conditionals of difficulty, topic and rate given drawn aptitudes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import logsumexp

from assay.frontier.graphical.counts import Counts
from assay.frontier.graphical.evidence import concentrations, evidence, log_joint
from assay.frontier.graphical.inference import Fitted, Shape
from assay.frontier.graphical.link import difficulties, log_rates

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class State:
    """One draw of what prompts share, and what follows for each prompt.

    `rates` (M, K, L) are the link's at each difficulty and topic, `chances` (N, M, K) the probabilities of
    both for every prompt, `concentration` (M,) is None where cells follow the link.
    """

    rates: FloatArray
    chances: FloatArray
    concentration: FloatArray | None


def states(
    shape: Shape, fitted: Fitted, learnt: Counts, draws: int, rng: np.random.Generator
) -> Iterator[State]:
    """Draw aptitudes, topic shares and concentrations given the counts `learnt` from."""
    counted = evidence(learnt, shape.factors)
    u, log_weight = difficulties(shape.settings.nodes, shape.settings.difficulty)

    def draw(of: tuple[FloatArray, FloatArray]) -> FloatArray:
        return np.asarray(of[0] + of[1] * rng.standard_normal(of[0].shape))

    for _ in range(draws):
        rates = log_rates(np, u, draw(fitted.aptitude), fitted.weights)
        share = draw(fitted.gamma)
        log_k = None if fitted.log_k is None else concentrations(u, draw(fitted.log_k))
        prior = (log_weight, share - logsumexp(share))
        joint = log_joint(np, (counted.cells, counted.trials), rates, prior, log_k)
        joint -= joint.max(axis=1, keepdims=True)
        np.exp(joint, out=joint)
        joint /= joint.sum(axis=1, keepdims=True)
        chances = joint.reshape(len(joint), len(u), -1)
        yield State(np.exp(rates[0]), chances, None if log_k is None else np.exp(log_k))


def expected(state: State, counts: Counts) -> FloatArray:
    """Return each cell's expected rate of success given one state of the world: (N, L)."""
    if state.concentration is None:
        return np.tensordot(state.chances, state.rates, axes=2)
    total = np.zeros(counts.trials.shape)
    for node, k in enumerate(state.concentration):
        chances = state.chances[:, node]
        mean = k * (chances @ state.rates[node]) + chances.sum(axis=1)[:, None] * counts.successes
        total += mean / (k + counts.trials)
    return total


def drawn(state: State, counts: Counts, rng: np.random.Generator) -> FloatArray:
    """Draw each prompt's difficulty and topic, then each cell's rate: (N, L)."""
    reached = np.cumsum(state.chances.reshape(len(state.chances), -1), axis=1)
    picks = (reached < rng.random(len(reached))[:, None] * reached[:, -1:]).sum(axis=1)
    node, topic = np.divmod(picks, state.rates.shape[1])
    by_link = state.rates[node, topic]
    if state.concentration is None:
        return by_link
    k = state.concentration[node][:, None]
    least = np.finfo(np.float64).tiny
    a = np.maximum(k * by_link + counts.successes, least)
    b = np.maximum(k * (1.0 - by_link) + counts.trials - counts.successes, least)
    return np.asarray(rng.beta(a, b))


def mean_rates(
    shape: Shape, fitted: Fitted, learnt: Counts, counts: Counts, draws: int, rng: np.random.Generator
) -> FloatArray:
    """Return the posterior mean of each cell's rate over `draws` of the aptitudes: (N, L)."""
    total = np.zeros(counts.trials.shape)
    for state in states(shape, fitted, learnt, draws, rng):
        total += expected(state, counts)
    return total / draws
