"""The capability frontier: what all models together reach at each cost, corrected for luck."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.frontier.composed import Parts, compose
from assay.frontier.decisions import Scale, checked_alphas, scale_of
from assay.frontier.posterior import Posterior
from assay.frontier.prepared import Prepared, fitting, prepare
from assay.frontier.prices import Change, Price, change
from assay.frontier.reached import Reached, from_posterior, naive
from assay.frontier.result import Frontier
from assay.frontier.tensor import Tensor
from assay.frontier.weighed import weigh

Method = Literal["naive", "power", "smooth", "shrink", "pgm", "bracket"]


def frontier(
    tensor: Tensor,
    method: Method = "shrink",
    *,
    posterior: Posterior | None = None,
    alphas: npt.ArrayLike | None = None,
    prices: Mapping[str, Price] | None = None,
    level: float = 0.9,
    resamples: int = 500,
    seed: int = 0,
) -> Frontier:
    """Return the frontier by one method.

    `posterior` holds the draws of `shrink` or `pgm` on this very tensor. `alphas` are those of the sweep
    (eq. 19-21; 0 and 1 are always in it), `decisions.default_alphas` unless given; without costs there is
    alpha = 1 only. `prices` decide and count at new prices, by model. Intervals are at `level`:
    `over_prompts` from `resamples` bootstrap replicates of the prompts, the fitted model and the scale of
    eq. 20-21 held fixed, `these_prompts` from the draws. Raises InvalidInput for what cannot be used.
    """
    prepared = prepare(tensor)
    kept = prepared.tensor
    moved = None if prices is None else _change(prices, tensor, prepared)
    sweep = np.array([1.0]) if kept.cost is None else checked_alphas(alphas)
    scale = scale_of(kept.quality, kept.cost)
    priced, new_scale = kept, scale
    if moved is not None:
        priced = moved.of_tensor(kept)
        new_scale = scale_of(priced.quality, priced.cost)
    fitted = None if posterior is None else fitting(posterior, tensor, prepared)
    new_fitted = fitted if moved is None or fitted is None else moved.of_posterior(fitted)
    by_prompt = kept.latency is not None
    parts = Parts(
        method=method,
        tensor=priced,
        alphas=sweep,
        reached=_reached(method, priced, new_fitted, new_scale, sweep, by_prompt=by_prompt),
        naive=naive(priced, new_scale, sweep, by_prompt=by_prompt),
        old_decisions=None,
        weighed=weigh(len(priced.prompts), resamples, level, np.random.default_rng(seed)),
        notes=(*prepared.notes, *_said(kept, new_scale)),
    )
    return compose(parts)


def _change(prices: Mapping[str, Price], tensor: Tensor, prepared: Prepared) -> Change:
    if tensor.cost is None:
        raise InvalidInput(Problem("prices were given, but no costs were recorded: leave the prices out"))
    return change(prices, tensor.models).take(prepared.models)


def _reached(
    method: Method,
    tensor: Tensor,
    posterior: Posterior | None,
    scale: Scale,
    alphas: npt.NDArray[np.float64],
    *,
    by_prompt: bool,
) -> Reached:
    if method == "naive":
        return naive(tensor, scale, alphas, by_prompt=by_prompt)
    if method in ("shrink", "pgm"):
        if posterior is None:
            raise InvalidInput(Problem(f"method {method!r} needs a posterior: fit one and hand it over"))
        return from_posterior(posterior, scale, alphas, by_prompt=by_prompt)
    known = "naive, power, smooth, shrink, pgm or bracket"
    raise InvalidInput(Problem(f"there is no method {method!r}: give {known}"))


def _said(tensor: Tensor, scale: Scale) -> tuple[str, ...]:
    """Return what a reader must know of the tensor itself."""
    told = []
    if tensor.cost is None:
        told.append("no costs were recorded: only alpha = 1 exists, and nothing about cost can be said")
    elif scale.cost is not None and scale.cost[0] == scale.cost[1]:
        told.append("every answer costs the same: cost is 0 in phi, and every alpha decides by quality")
    if scale.quality[0] == scale.quality[1]:
        told.append("every answer has the same quality: it is 0 in phi, and every alpha decides by cost")
    if tensor.generations == 1:
        told.append("one generation a cell (G = 1): the bias of naive figures cannot be measured")
    return tuple(told)


__all__ = ["Frontier", "Method", "Price", "frontier"]
