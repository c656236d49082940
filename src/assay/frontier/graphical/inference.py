"""Stochastic variational inference of the aptitudes, topic shares and link, in numpyro.

Difficulty and topic of each prompt are summed out exactly (over the points of `difficulties` and over the
topics), which leaves q(A) = prod_tl q(A_tl), logit-normal, q(theta), a gamma's logarithm normal, q of the
concentration, log-normal, and the neural link's weights at their most probable values. The paper's factorised
q(D_n) q(T_n) are thereby replaced by the exact conditional of (D_n, T_n): the same bound, tighter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.frontier.graphical.evidence import BINOMIAL, Evidence, Steps, log_joint
from assay.frontier.graphical.link import Link, difficulties, log_rates, start
from assay.frontier.graphical.settings import Settings

FloatArray = npt.NDArray[np.float64]
OUT = -1e4
"""The log share of a topic that is not in use: shapes stay those of the most topics, so jax compiles once."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What a compiled fit depends on beside its arrays."""

    link: Link
    along: tuple[tuple[float, ...], ...] | None
    topics: int
    settings: Settings

    @property
    def steps(self) -> Steps:
        """The steps of the rising factorials: one for the binomial."""
        return BINOMIAL if self.along is None else Steps(*(np.array(part) for part in self.along))


@dataclass(frozen=True, slots=True)
class Fitted:
    """The variational posterior of one fit: locations and scales of normals, K topics by L models.

    `aptitude` holds logits of A; `gamma` (K,) the logarithms of gamma variables that make theta when
    normalised; `log_k` the concentration's logarithm (0 and no scale for the binomial); `weights` the neural
    link's. `elbo` is the mean of the last block, `trace` those of all blocks.
    """

    aptitude: tuple[FloatArray, FloatArray]
    gamma: tuple[FloatArray, FloatArray]
    log_k: tuple[float, float]
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
    if shape.along is not None:
        initial["log_k"] = np.zeros(())
    if shape.link == "neural":
        initial["weights"] = start(settings.hidden, rng)
    mask = np.where(np.arange(shape.topics) < topics, 0.0, OUT)
    begin, block = _compiled(shape)
    with _float32() as single:
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
    log_k = (0.0, 0.0)
    if shape.along is not None:
        median, width = settings.spread
        log_k = float(np.log(median) + width * found["log_k"]), float(width * found["log_k_scale"])
    return Fitted(
        (found["aptitude"][:topics], found["aptitude_scale"][:topics]),
        (found["gamma"][:topics], found["gamma_scale"][:topics]),
        log_k,
        weights,
        tuple(trace),
        len(trace) * settings.block,
        rule.settled,
    )


@dataclass(frozen=True, slots=True)
class Rule:
    """When to stop: two blocks in a row that better the best so far by less than a share of its size."""

    tolerance: float
    best: float = -np.inf
    idle: int = 0

    @property
    def settled(self) -> bool:
        """Whether the bound has stopped rising."""
        return self.idle >= 2

    def after(self, elbo: float) -> Rule:
        """Return the rule after another block's mean ELBO."""
        rise = elbo - self.best
        small = np.isfinite(self.best) and rise < self.tolerance * abs(self.best)
        return Rule(self.tolerance, max(self.best, elbo), self.idle + 1 if small else 0)


@contextmanager
def _float32() -> Iterator[Callable[[Any], Any]]:
    """Give what turns a tree of arrays to float32, whatever precision the user has set jax to."""
    import jax
    from jax import numpy as jnp

    with jax.enable_x64(False):
        yield lambda tree: jax.tree.map(lambda leaf: jnp.asarray(leaf, dtype=jnp.float32), tree)


@cache
def _compiled(shape: Shape) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return (begin, block): a first state, and a block of steps from one; compiled once for each shape."""
    import jax
    from jax import numpy as jnp
    from numpyro.infer import SVI, Trace_ELBO
    from numpyro.optim import Adam

    svi = SVI(_model(shape), _guide(shape), Adam(shape.settings.rate), Trace_ELBO())

    def begin(seed: Any, data: Any) -> Any:
        return svi.init(jax.random.PRNGKey(seed), data)

    def block(state: Any, data: Any) -> Any:
        def step(carry: Any, _: None) -> Any:
            now, loss = svi.update(carry, data)
            return now, (loss, svi.get_params(now))

        state, (losses, params) = jax.lax.scan(step, state, None, length=shape.settings.block)
        half = shape.settings.block // 2
        return state, jnp.mean(losses), jax.tree.map(lambda leaf: jnp.mean(leaf[half:], axis=0), params)

    # svi.init also sets what svi.update and svi.get_params use, so it must have been traced before them.
    return jax.jit(begin), jax.jit(block)


def _model(shape: Shape) -> Callable[[Any], None]:
    """Return the numpyro model: the priors, and the evidence with difficulty and topic summed out."""
    from jax import numpy as jnp
    from jax.nn import log_sigmoid, log_softmax
    from jax.scipy.special import logsumexp
    from numpyro import distributions as dist
    from numpyro import factor, sample

    settings, along = shape.settings, shape.steps
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
        log_k = jnp.zeros(())
        if shape.along is not None:
            # Drawn in units of its prior, so that Adam's steps are as long as the prior is wide.
            log_k = jnp.log(settings.spread[0]) + settings.spread[1] * sample("c", dist.Normal())
        weights = None
        if shape.link == "neural":
            weights = {
                name: sample(f"w_{name}", dist.Normal(value, settings.stiffness).to_event())
                for name, value in initial["weights"].items()
            }
        rates = log_rates(jnp, jnp.asarray(u, dtype=v.dtype), v, weights)
        prior = (jnp.asarray(log_weight, dtype=v.dtype), log_softmax(x + mask))
        joint = log_joint(jnp, (cells, trials), rates, prior, log_k, along)
        factor("counts", jnp.sum(logsumexp(joint, axis=1)))

    return model


def _guide(shape: Shape) -> Callable[[Any], None]:
    """Return the numpyro guide: normals in the unconstrained space, a point for the link's weights."""
    from jax import numpy as jnp
    from numpyro import distributions as dist
    from numpyro import param, sample

    def normal(site: str, name: str, initial: Any) -> None:
        location = param(name, initial)
        wide = jnp.full(jnp.shape(initial), 0.1)
        scale = param(f"{name}_scale", wide, constraint=dist.constraints.positive)
        sample(site, dist.Normal(location, scale).to_event())

    def guide(data: Any) -> None:
        initial = data[3]
        normal("v", "aptitude", initial["aptitude"])
        normal("x", "gamma", initial["gamma"])
        if shape.along is not None:
            normal("c", "log_k", initial["log_k"])
        if shape.link == "neural":
            for name, value in initial["weights"].items():
                point = param(f"weights_{name}", value)
                sample(f"w_{name}", dist.Delta(point, event_dim=jnp.ndim(value)))

    return guide
