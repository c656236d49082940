"""Stochastic variational inference of the aptitudes, topic shares and link, in numpyro.

The difficulty and topic of each prompt are summed out exactly (over the points of `difficulties` and over the
topics). The variational distributions that remain are: q(A) = prod_tl q(A_tl), logit-normal; q(theta), normal
for the logarithms of gamma variables; q of the concentration, log-normal; and the neural link's weights at
their most probable values. The exact conditional of (D_n, T_n) thereby replaces the paper's factorised
q(D_n) q(T_n): the bound is the same, but tighter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy

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
"""The log share of an unused topic. Arrays have the shape for the most topics, so that jax compiles once."""


@dataclass(frozen=True, slots=True)
class FitShape:
    """The settings that a fit is compiled for; `factors` is None if cells follow the link exactly."""

    link: Link
    factors: int | None
    topics: int
    settings: PgmSettings


@dataclass(frozen=True, slots=True)
class Fitted:
    """The variational posterior of one fit: locations and scales of normals, K topics by L models.

    `aptitude` (K, L) holds logits of A; `gamma` (K,) holds logarithms of gamma variables, which are theta
    when normalised; `log_k` (3,) holds the coefficients of `concentrations`, None for the binomial; `weights`
    are those of the neural link. `trace` has the mean bound of each block; `elbo` is that of the last block.
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
    """Fit `topics` (at most the shape's) from one random start near the aptitudes' logits `guess` (L,)."""
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
        params = {name: np.asarray(value, dtype=np.float64) for name, value in mean.items()}
    weights = None
    if shape.link == "neural":
        weights = {name: params[f"weights_{name}"] for name in initial["weights"]}
    log_k = None
    if shape.factors is not None:
        middle, widths = _spread(settings)
        log_k = middle + widths * params["log_k"], widths * params["log_k_scale"]
    return Fitted(
        (params["aptitude"][:topics], params["aptitude_scale"][:topics]),
        (params["gamma"][:topics], params["gamma_scale"][:topics]),
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
    """Return (begin, block) of the fit, once for each shape, so that jax compiles it once."""
    return compiled(_model(shape), _guide(shape), shape.settings)


def _model(shape: FitShape) -> Callable[[Any], None]:
    """Return the numpyro model: the priors, and the likelihood with difficulty and topic summed out."""
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
        # The Beta density of the logit; with a = b = 1 this is the logistic distribution.
        v = sample("v", flat(dist.constraints.real_matrix, (), initial["aptitude"].shape))
        a, b = settings.aptitude
        factor("aptitude_prior", jnp.sum(a * log_sigmoid(v) + b * log_sigmoid(-v)))
        # Normalised gamma variables are Dirichlet.
        x = sample("x", flat(dist.constraints.real_vector, (), mask.shape))
        factor("topic_prior", jnp.sum(settings.topic * x - jnp.exp(x)))
        log_k = None
        if shape.factors is not None:
            # In units of the prior's width, so that Adam's steps are in proportion to it.
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
    """Return the numpyro guide: normals in the unconstrained space, and a point for the link's weights."""
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
    """One draw of the parameters that prompts share, and its consequences for each prompt.

    `rates` (M, K, L) are the link's rates at each difficulty and topic, and `chances` (N, M, K) are each
    prompt's probabilities of difficulty and topic. `concentration` (M,) is None if cells follow the link.
    """

    rates: FloatArray
    chances: FloatArray
    concentration: FloatArray | None


def states(
    shape: FitShape, fitted: Fitted, learnt: SuccessCounts, draws: int, rng: np.random.Generator
) -> Iterator[DrawnState]:
    """Draw aptitudes, topic shares and concentrations, given the counts that were fitted (`learnt`)."""
    counted = evidence(learnt, shape.factors)
    u, log_weight = difficulties(shape.settings.nodes, shape.settings.difficulty)

    def draw(normal: tuple[FloatArray, FloatArray]) -> FloatArray:
        location, scale = normal
        return np.asarray(location + scale * rng.standard_normal(location.shape))

    for _ in range(draws):
        rates = log_rates(np, u, draw(fitted.aptitude), fitted.weights)
        share = draw(fitted.gamma)
        log_k = None if fitted.log_k is None else concentrations(u, draw(fitted.log_k))
        prior = (log_weight, share - scipy.special.logsumexp(share))
        joint = log_joint(np, (counted.cells, counted.trials), rates, prior, log_k)
        joint -= joint.max(axis=1, keepdims=True)
        np.exp(joint, out=joint)
        joint /= joint.sum(axis=1, keepdims=True)
        chances = joint.reshape(len(joint), len(u), -1)
        yield DrawnState(np.exp(rates[0]), chances, None if log_k is None else np.exp(log_k))


def expected(state: DrawnState, counts: SuccessCounts) -> FloatArray:
    """Return each cell's expected rate of success given one drawn state: (N, L)."""
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
    ascending = np.cumsum(state.chances.reshape(len(state.chances), -1), axis=1)
    picks = (ascending < rng.random(len(ascending))[:, None] * ascending[:, -1:]).sum(axis=1)
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
