"""Equation 17: how a prompt's difficulty and a model's aptitude for its topic make a rate of success.

Everything is written in logits, u of 1 - D and v of A, so that rates near 0 and 1 keep their digits. The
array package is an argument: the fit runs on jax.numpy, what follows it on numpy, by the same formulas.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy.special import roots_jacobi

FloatArray = npt.NDArray[np.float64]
Link = Literal["multiplicative", "neural"]


def difficulties(nodes: int, prior: tuple[float, float]) -> tuple[FloatArray, FloatArray]:
    """Return (u, log weight), each (nodes,): a Beta prior of D as points, u = logit(1 - D)."""
    a, b = prior
    points, weights = roots_jacobi(nodes, b - 1.0, a - 1.0)
    return np.log1p(-points) - np.log1p(points), np.log(weights / weights.sum())


def log_rates(xp: Any, u: Any, v: Any, weights: dict[str, Any] | None) -> tuple[Any, Any]:
    """Return (log f, log(1 - f)) at every pair of u (M,) and v (K, L): each (M, K, L).

    Without `weights` f is (1 - D) A. With the neural link's, logit f is slope * logit((1 - D) A) plus the
    output of a feed-forward network of (1 - D, A) with two hidden layers of tanh, all of whose weights are
    positive, so that f rises with aptitude and falls with difficulty.
    """
    easy, able = u[:, None, None], v[None]
    right = -xp.logaddexp(0.0, -easy) - xp.logaddexp(0.0, -able)
    wrong = xp.logaddexp(-xp.logaddexp(0.0, easy), -xp.logaddexp(0.0, -easy) - xp.logaddexp(0.0, able))
    if weights is None:
        return right, wrong
    logit = xp.exp(weights["slope"]) * (right - wrong) + _network(xp, u, v, weights)
    return -xp.logaddexp(0.0, -logit), -xp.logaddexp(0.0, logit)


def _network(xp: Any, u: Any, v: Any, weights: dict[str, Any]) -> Any:
    """Return the network's output at every pair: (M, K, L). Its first layer is a sum of two parts."""
    easy, able = xp.exp(-xp.logaddexp(0.0, -u)) - 0.5, xp.exp(-xp.logaddexp(0.0, -v)) - 0.5
    first = {name: xp.logaddexp(0.0, weights[name]) for name in ("easy", "able", "second", "out")}
    below = easy[:, None, None, None] * first["easy"] + able[None, :, :, None] * first["able"]
    hidden = xp.tanh(below + weights["shift"])
    hidden = xp.tanh(hidden @ first["second"] + weights["second_shift"])
    return hidden @ first["out"] + weights["out_shift"]


def start(hidden: int, rng: np.random.Generator) -> dict[str, FloatArray]:
    """Return weights at which the network says next to nothing: the link is the multiplicative one."""
    return {
        "slope": np.zeros(()),
        "easy": rng.normal(1.0, 0.5, hidden),
        "able": rng.normal(1.0, 0.5, hidden),
        "shift": rng.normal(0.0, 0.5, hidden),
        "second": rng.normal(-1.5, 0.5, (hidden, hidden)),
        "second_shift": rng.normal(0.0, 0.5, hidden),
        "out": np.full(hidden, -5.0),
        "out_shift": np.zeros(()),
    }
