"""What a method says that decisions along alpha reach and cost, ready for the bootstrap over prompts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.frontier.decisions import Scale, Views, sweep
from assay.frontier.posterior import Posterior
from assay.frontier.tensor import Tensor

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Reached:
    """Quality and cost of one method at A alphas, prompt by prompt (N, A): their means are the estimates.

    `draws_quality` and `draws_cost` (S, A) are those of each draw of the truth on these prompts, None for
    methods without a model of the generations; `draws_alone_quality` and `draws_alone_cost` (S, L) are each
    model's means in the same draws. `share` (A, L) is the share of the prompts each model is chosen on,
    `chosen` (A, N, L) the same prompt by prompt, None unless asked for.
    `cost_estimator` says in words how the costs were estimated; the costs are None without costs.
    """

    quality: FloatArray
    cost: FloatArray | None
    share: FloatArray
    chosen: FloatArray | None
    cost_estimator: str | None
    draws_quality: FloatArray | None = None
    draws_cost: FloatArray | None = None
    draws_alone_quality: FloatArray | None = None
    draws_alone_cost: FloatArray | None = None
    notes: tuple[str, ...] = ()


def naive(tensor: Tensor, scale: Scale, alphas: FloatArray, *, by_prompt: bool = False) -> Reached:
    """Return the plug-in: cell means decide and are counted (the biased oracle, eq. 5, at every alpha)."""
    quality, cost = tensor.mean_quality()[None], tensor.mean_cost()
    costs = None if cost is None else cost[None]
    swept = sweep(views(scale, quality, costs, tensor.there[None]), alphas, by_prompt=by_prompt)
    told = None if cost is None else "mean recorded cost of the chosen cell, whose luck chose it too"
    return Reached(swept.quality, swept.cost, swept.share, swept.chosen, told)


def from_posterior(
    posterior: Posterior, scale: Scale, alphas: FloatArray, *, by_prompt: bool = False
) -> Reached:
    """Return the mean over draws of what the truth's own best decisions reach within each draw."""
    may_choose = np.broadcast_to(posterior.may_choose, posterior.quality.shape)
    swept = sweep(views(scale, posterior.quality, posterior.cost, may_choose), alphas, by_prompt=by_prompt)
    told = None
    if posterior.cost is not None:
        told = f"mean over {posterior.method}'s draws of the chosen cell's expected cost in the draw"
    return Reached(
        swept.quality,
        swept.cost,
        swept.share,
        swept.chosen,
        told,
        swept.quality_of_view,
        swept.cost_of_view,
        posterior.quality.mean(axis=1),
        None if posterior.cost is None else posterior.cost.mean(axis=1),
        posterior.notes,
    )


def views(
    scale: Scale, quality: FloatArray, cost: FloatArray | None, may_choose: npt.NDArray[np.bool_]
) -> Views:
    """Return views (S, N, L) that decide by what is counted."""
    by_cost = np.zeros_like(quality) if cost is None else scale.cost_of(cost)
    return Views(scale.quality_of(quality), by_cost, may_choose, quality, cost)
