"""Stochastic variational inference of the aptitudes, topic shares and link, in numpyro.

Difficulty and topic of each prompt are summed out exactly (over the points of `difficulties` and over the
topics), which leaves q(A) = prod_tl q(A_tl), logit-normal, q(theta), a gamma's logarithm normal, q of the
concentration, log-normal, and the neural link's weights at their most probable values. The paper's factorised
q(D_n) q(T_n) are thereby replaced by the exact conditional of (D_n, T_n): the same bound, tighter.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.frontier.graphical.evidence import Evidence, concentrations, log_joint
from assay.frontier.graphical.link import Link, difficulties, log_rates, start
from assay.frontier.graphical.numeric import float32
from assay.frontier.graphical.rule import Rule
from assay.frontier.graphical.settings import Settings
from assay.frontier.graphical.stepping import compiled, normal_site

FloatArray = npt.NDArray[np.float64]
OUT = -1e4
"""The log share of a topic that is not in use: shapes stay those of the most topics, so jax compiles once."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What a compiled fit depends on beside its arrays; `factors` is None where cells follow the link."""

    link: Link
    factors: int | None
    topics: int
    settings: Settings


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


def fit(shape: Shape, counted: Evidence, guess: FloatArray, topics: int, rng: np.random.Generator) -> Fitted:
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
        rule = Rule(settings.tolerance)
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


def _spread(settings: Settings) -> tuple[FloatArray, FloatArray]:
    """Return the prior's means and standard deviations of the coefficients of log k."""
    median, width, bend = settings.spread
    return np.array([np.log(median), 0.0, 0.0]), np.array([width, bend, bend])


@cache
def _compiled(shape: Shape) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return (begin, block) of the fit; one of a shape, so that jax compiles it once."""
    return compiled(_model(shape), _guide(shape), shape.settings)


def _model(shape: Shape) -> Callable[[Any], None]:
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


def _guide(shape: Shape) -> Callable[[Any], None]:
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
