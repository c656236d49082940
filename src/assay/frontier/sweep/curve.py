"""A method's curve: quality and cost of its decisions along alpha, ready for the bootstrap over prompts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.frontier.weighed import PromptReplicates

FloatArray = npt.NDArray[np.float64]
Limits = Callable[[FloatArray], FloatArray]
MOST_EXTRAPOLATED = 100
"""At most this many replicates are extrapolated: each needs the fit of two curves for every alpha."""


@dataclass(frozen=True, slots=True)
class CurveDraws:
    """Quality and cost (S, A) of the decisions in S draws of the truth on these prompts.

    `single_quality` and `single_cost` (S, L) are each model's means in the same draws. `shared_quality` and
    `shared_cost` (A,), 0-1, are the part of a draw's deviation from the mean over draws that all prompts have
    in common: the error of the fitted model. The costs are None without costs.
    """

    quality: FloatArray
    cost: FloatArray | None
    single_quality: FloatArray
    single_cost: FloatArray | None
    shared_quality: FloatArray
    shared_cost: FloatArray | None


@dataclass(frozen=True, slots=True)
class MethodCurve:
    """Quality and cost of one method at A alphas, prompt by prompt: `quality` and `cost` (N, A).

    Their means over prompts are the estimates. With `limits` they are (N, A, G), and the estimate is the
    limit of the mean curve: `limits` takes curves (R, G) to (R,). `draws` is None for methods without a model
    of the generations. `share` (A, L) is the share of the prompts on which each model is chosen, `chosen`
    (A, N, L) the same prompt by prompt, None unless requested. `cost_estimator` says in words how the costs
    were estimated; the costs are None without costs.
    """

    quality: FloatArray
    cost: FloatArray | None
    share: FloatArray
    chosen: FloatArray | None
    cost_estimator: str | None
    limits: Limits | None = None
    draws: CurveDraws | None = None
    notes: tuple[str, ...] = ()

    def estimate(self) -> tuple[FloatArray, FloatArray | None]:
        """Return quality and cost: shape (1, A)."""
        prompts = len(self.quality)
        whole = PromptReplicates(np.full((1, prompts), 1.0 / prompts), 1.0)
        quality = _means(self.quality, self.limits, whole)
        return quality, None if self.cost is None else _mean_costs(self.cost, self.limits, whole)

    def replicates(self, replicates: PromptReplicates) -> tuple[FloatArray, FloatArray | None]:
        """Return quality and cost in each replicate of the prompts: shape (R, A).

        Each prompt's mean over draws varies as prompts do and as the luck of its few generations does, so a
        bootstrap of those means covers both. The error of the fitted model, which is common to all prompts,
        is added: replicate r takes the shared part of draw r's deviation, of quality and cost together.
        """
        quality = _means(self.quality, self.limits, replicates)
        cost = None if self.cost is None else _mean_costs(self.cost, self.limits, replicates)
        if self.draws is not None:
            draw = np.arange(len(quality)) % len(self.draws.quality)
            quality = quality + _shared_deviations(self.draws.quality, self.draws.shared_quality)[draw]
            if cost is not None and self.draws.cost is not None and self.draws.shared_cost is not None:
                cost = cost + _shared_deviations(self.draws.cost, self.draws.shared_cost)[draw]
                cost = np.maximum(cost, 0.0)
        return quality, cost


def _shared_deviations(draws: FloatArray, shared: FloatArray) -> FloatArray:
    return np.asarray((draws - draws.mean(axis=0)) * shared, dtype=np.float64)


def shared_part(draws: FloatArray, within: FloatArray, prompts: int) -> FloatArray:
    """Return the part of the draws' standard deviation that prompts do not have independently: (A,).

    `draws` (S, A) are means over prompts, `within` (A,) is the mean over prompts of the variance over draws.
    """
    total = draws.var(axis=0)
    independent = np.divide(within / prompts, total, out=np.ones_like(total), where=total > 0.0)
    return np.asarray(np.sqrt(np.clip(1.0 - independent, 0.0, 1.0)), dtype=np.float64)


def _mean_costs(table: FloatArray, limits: Limits | None, replicates: PromptReplicates) -> FloatArray:
    return np.asarray(np.maximum(_means(table, limits, replicates), 0.0), dtype=np.float64)


def _means(table: FloatArray, limits: Limits | None, replicates: PromptReplicates) -> FloatArray:
    if limits is None:
        return replicates.means(table)
    few = PromptReplicates(replicates.weights[:MOST_EXTRAPOLATED], replicates.level)
    curves = few.means(table.reshape(len(table), -1)).reshape(-1, table.shape[2])
    if not len(curves):
        return np.zeros((0, table.shape[1]))
    return limits(curves).reshape(-1, table.shape[1])


def describe_ties(tied: float, prompts: int) -> tuple[str, ...]:
    """Return a note on how many prompts models equal in quality and cost share the choice at alpha = 1."""
    if round(tied) < 1:
        return ()
    return (
        f"chosen: on {tied:.0f} of {prompts} prompts several models are equal in quality and cost and share "
        "the choice evenly",
    )


def single_point_curve(quality: FloatArray, cost: FloatArray | None) -> MethodCurve:
    """Return the curve of one point from draws (S, N) of one choice for each prompt."""
    prompts = quality.shape[1]

    def shared(values: FloatArray) -> FloatArray:
        return shared_part(values.mean(axis=1)[:, None], np.array([values.var(axis=0).mean()]), prompts)

    draws = CurveDraws(
        quality.mean(axis=1)[:, None],
        None if cost is None else cost.mean(axis=1)[:, None],
        np.zeros((len(quality), 0)),
        None,
        shared(quality),
        None if cost is None else shared(cost),
    )
    return MethodCurve(
        quality.mean(axis=0)[:, None],
        None if cost is None else cost.mean(axis=0)[:, None],
        np.zeros((1, 0)),
        None,
        None,
        draws=draws,
    )
