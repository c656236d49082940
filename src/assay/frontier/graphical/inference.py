"""Stochastic variational inference of the aptitudes, topic shares and link, in numpyro.

Difficulty and topic of each prompt are summed out exactly (over the points of `difficulties` and over the
topics), which leaves q(A) = prod_tl q(A_tl), logit-normal, q(theta), a gamma's logarithm normal, q of the
concentration, log-normal, and the neural link's weights at their most probable values. The paper's factorised
q(D_n) q(T_n) are thereby replaced by the exact conditional of (D_n, T_n): the same bound, tighter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import logsumexp

from assay.frontier.graphical.counts import SuccessCounts
from assay.frontier.graphical.likelihood import (
    Evidence,
    Link,
    concentrations,
    difficulties,
    evidence,
    log_joint,
    log_rates,
    start,
)
from assay.frontier.graphical.optimiser import PgmSettings, StoppingRule, compiled, float32, normal_site

FloatArray = npt.NDArray[np.float64]
OUT = -1e4
"""The log share of a topic that is not in use: shapes stay those of the most topics, so jax compiles once."""


@dataclass(frozen=True, slots=True)
class FitShape:
    """What a compiled fit depends on beside its arrays; `factors` is None where cells follow the link."""

    link: Link
    factors: int | None
    topics: int
    settings: PgmSettings


@dataclass(frozen=True, slots=True)
class Fitted:
    """The variational posterior of one fit: locations and scales of normals, K topics by L models.

    `aptitude` holds logits of A; `gamma` (K,) the logarithms of gamma variables that make theta when
    normalised; `log_k` (3,) the coefficients of `concentrations`, None for the binomial; `weights` the neural
    link's. `elbo` is the mean of the last block, `trace` those of all blocks.
    """

    aptitude: tuple[FloatArray, FloatArray]
    gamma: tuple[FloatArray, FloatArray]
    log_k: tuple[FloatArray, FloatArray] | None
    weights: dict[str, FloatArray] | None
    trace: tuple[float, ...]
    steps: int
    converged: bool

    @property
    def elbo(self) -> float:
        """The evidence lower bound, averaged over the last block of steps."""
        return self.trace[-1]


def fit(
    shape: FitShape, counted: Evidence, guess: FloatArray, topics: int, rng: np.random.Generator
) -> Fitted:
    """Fit `topics` (at most shape's) from one random start about the logits `guess` (L,) of the aptitudes."""
    settings = shape.settings
    initial: dict[str, Any] = {
        "aptitude": guess + rng.normal(0.0, 1.0, (shape.topics, len(guess))),
        "gamma": rng.normal(0.0, 0.1, shape.topics),
    }
    if shape.factors is not None:
        initial["log_k"] = np.zeros(3)
    if shape.link == "neural":
        initial["weights"] = start(settings.hidden, rng)
    mask = np.where(np.arange(shape.topics) < topics, 0.0, OUT)
    begin, block = _compiled(shape)
    with float32() as single:
        data = single((counted.cells, counted.trials, mask, initial))
        state = begin(int(rng.integers(2**31)), data)
        rule = StoppingRule(settings.tolerance)
        trace: list[float] = []
        while len(trace) * settings.block < settings.most_steps and not rule.settled:
            state, loss, mean = block(state, data)
            trace.append(-float(loss))
            rule = rule.after(trace[-1])
        found = {name: np.asarray(value, dtype=np.float64) for name, value in mean.items()}
    weights = None
    if shape.link == "neural":
        weights = {name: found[f"weights_{name}"] for name in initial["weights"]}
    log_k = None
    if shape.factors is not None:
        middle, widths = _spread(settings)
        log_k = middle + widths * found["log_k"], widths * found["log_k_scale"]
    return Fitted(
        (found["aptitude"][:topics], found["aptitude_scale"][:topics]),
        (found["gamma"][:topics], found["gamma_scale"][:topics]),
        log_k,
        weights,
        tuple(trace),
        len(trace) * settings.block,
        rule.settled,
    )


def _spread(settings: PgmSettings) -> tuple[FloatArray, FloatArray]:
    """Return the prior's means and standard deviations of the coefficients of log k."""
    median, width, bend = settings.spread
    return np.array([np.log(median), 0.0, 0.0]), np.array([width, bend, bend])


@cache
def _compiled(shape: FitShape) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return (begin, block) of the fit; one of a shape, so that jax compiles it once."""
    return compiled(_model(shape), _guide(shape), shape.settings)


def _model(shape: FitShape) -> Callable[[Any], None]:
    """Return the numpyro model: the priors, and the evidence with difficulty and topic summed out."""
    from jax import numpy as jnp
    from jax.nn import log_sigmoid, log_softmax
    from jax.scipy.special import logsumexp
    from numpyro import distributions as dist
    from numpyro import factor, sample

    settings = shape.settings
    middle, widths = _spread(settings)
    u, log_weight = difficulties(settings.nodes, settings.difficulty)
    flat = dist.ImproperUniform

    def model(data: Any) -> None:
        cells, trials, mask, initial = data
        # A Beta's density of the logit; where a = b = 1 this is the logistic distribution.
        v = sample("v", flat(dist.constraints.real_matrix, (), initial["aptitude"].shape))
        a, b = settings.aptitude
        factor("aptitude_prior", jnp.sum(a * log_sigmoid(v) + b * log_sigmoid(-v)))
        # Normalised gamma variables are Dirichlet.
        x = sample("x", flat(dist.constraints.real_vector, (), mask.shape))
        factor("topic_prior", jnp.sum(settings.topic * x - jnp.exp(x)))
        log_k = None
        if shape.factors is not None:
            # Drawn in units of its prior, so that Adam's steps are as long as the prior is wide.
            c = sample("c", dist.Normal(jnp.zeros(3), 1.0).to_event())
            log_k = concentrations(jnp.asarray(u, dtype=v.dtype), middle + widths * c)
        weights = None
        if shape.link == "neural":
            weights = {
                name: sample(f"w_{name}", dist.Normal(value, settings.stiffness).to_event())
                for name, value in initial["weights"].items()
            }
        rates = log_rates(jnp, jnp.asarray(u, dtype=v.dtype), v, weights)
        prior = (jnp.asarray(log_weight, dtype=v.dtype), log_softmax(x + mask))
        joint = log_joint(jnp, (cells, trials), rates, prior, log_k)
        factor("counts", jnp.sum(logsumexp(joint, axis=1)))

    return model


def _guide(shape: FitShape) -> Callable[[Any], None]:
    """Return the numpyro guide: normals in the unconstrained space, a point for the link's weights."""
    from jax import numpy as jnp
    from numpyro import distributions as dist
    from numpyro import param, sample

    def guide(data: Any) -> None:
        initial = data[3]
        normal_site("v", "aptitude", initial["aptitude"])
        normal_site("x", "gamma", initial["gamma"])
        if shape.factors is not None:
            normal_site("c", "log_k", initial["log_k"])
        if shape.link == "neural":
            for name, value in initial["weights"].items():
                point = param(f"weights_{name}", value)
                sample(f"w_{name}", dist.Delta(point, event_dim=jnp.ndim(value)))

    return guide


@dataclass(frozen=True, slots=True)
class DrawnState:
    """One draw of what prompts share, and what follows for each prompt.

    `rates` (M, K, L) are the link's at each difficulty and topic, `chances` (N, M, K) the probabilities of
    both for every prompt, `concentration` (M,) is None where cells follow the link.
    """

    rates: FloatArray
    chances: FloatArray
    concentration: FloatArray | None


def states(
    shape: FitShape, fitted: Fitted, learnt: SuccessCounts, draws: int, rng: np.random.Generator
) -> Iterator[DrawnState]:
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
        yield DrawnState(np.exp(rates[0]), chances, None if log_k is None else np.exp(log_k))


def expected(state: DrawnState, counts: SuccessCounts) -> FloatArray:
    """Return each cell's expected rate of success given one state of the world: (N, L)."""
    if state.concentration is None:
        return np.tensordot(state.chances, state.rates, axes=2)
    total = np.zeros(counts.trials.shape)
    for node, k in enumerate(state.concentration):
        chances = state.chances[:, node]
        mean = k * (chances @ state.rates[node]) + chances.sum(axis=1)[:, None] * counts.successes
        total += mean / (k + counts.trials)
    return total


def drawn(state: DrawnState, counts: SuccessCounts, rng: np.random.Generator) -> FloatArray:
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
    shape: FitShape,
    fitted: Fitted,
    learnt: SuccessCounts,
    counts: SuccessCounts,
    draws: int,
    rng: np.random.Generator,
) -> FloatArray:
    """Return the posterior mean of each cell's rate over `draws` of the aptitudes: (N, L)."""
    total = np.zeros(counts.trials.shape)
    for state in states(shape, fitted, learnt, draws, rng):
        total += expected(state, counts)
    return total / draws
