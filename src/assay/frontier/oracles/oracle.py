"""The value of the oracle, the best model for every prompt, by any of the methods, with intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.frontier.estimate import Estimate
from assay.frontier.oracles.bracketed import bracketed
from assay.frontier.oracles.drawn import drawn_oracle
from assay.frontier.oracles.extrapolated import extrapolated
from assay.frontier.oracles.gathered import Gathered, gather
from assay.frontier.oracles.remarks import remarks
from assay.frontier.oracles.valued import Value, best_single, estimated, only_model, plain
from assay.frontier.posterior import Posterior
from assay.frontier.tensor import Tensor

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
Method = Literal["naive", "power", "smooth", "shrink", "pgm", "bracket"]
METHODS: tuple[Method, ...] = get_args(Method)
NO_COSTS = "no costs were recorded"
NO_VALUE = "none: the method gives no value here"


@dataclass(frozen=True, slots=True)
class OracleEstimate:
    """What all models together reach on these prompts when each goes to its best model (seed 004, eq. 4).

    `quality` and `cost` (of one answer of the chosen model, mean over prompts, None without costs) are by
    `method`; `cost_estimator` says how the cost was estimated, `paper_cost` is the paper's own (equation 12
    on the cost curve), None where there is none. `bracket` has no one value: its `quality` is an interval,
    `lower` and `upper` its ends, None otherwise. `best_single` is the quality of the model `best_model`,
    `gain` what the oracle has more, `error_reduction` the share of its error 1 - quality that goes; None
    where quality is not on 0-1 or has no error. `curve` (G,) is the biased oracle's value (eq. 5) at `sizes`
    1..G, `cost_curve` what its choices cost. `prompts` counts those used, `unit` is the costs'.
    """

    method: Method
    quality: Estimate
    cost: Estimate | None
    cost_estimator: str
    paper_cost: Estimate | None
    sizes: IntArray
    curve: FloatArray
    cost_curve: FloatArray | None
    lower: Estimate | None
    upper: Estimate | None
    best_model: str
    best_single: Estimate
    gain: Estimate
    error_reduction: Estimate
    prompts: int
    unit: str
    notes: tuple[str, ...]


def oracle(
    tensor: Tensor,
    method: Method = "shrink",
    *,
    posterior: Posterior | None = None,
    level: float = 0.9,
    resamples: int = 500,
    seed: int = 0,
) -> OracleEstimate:
    """Return the oracle's value by one method.

    `naive` is equation 5 as it stands, `power` and `smooth` extrapolate its curve (11, 12), `shrink` and
    `pgm` model the generations, `bracket` encloses the value without a model. Intervals are at `level`:
    `over_prompts` from `resamples` bootstrap replicates of the prompts, each of which fits its curve or takes
    a draw of the posterior anew; `these_prompts` from the posterior's draws. `posterior` saves a fit: draws
    for this very tensor. Raises InvalidInput for what cannot be used, naming it; a method that needs more
    generations than there are has no value and says so in its notes.
    """
    return value_by(gather(tensor, level=level, resamples=resamples, seed=seed), method, posterior=posterior)


def oracles(
    tensor: Tensor,
    methods: Sequence[Method] = METHODS,
    *,
    level: float = 0.9,
    resamples: int = 500,
    seed: int = 0,
) -> tuple[OracleEstimate, ...]:
    """Return the oracle's value by several methods, all over the same replicates of the prompts."""
    gathered = gather(tensor, level=level, resamples=resamples, seed=seed)
    return tuple(value_by(gathered, method) for method in methods)


def value_by(
    gathered: Gathered,
    method: Method,
    *,
    posterior: Posterior | None = None,
    progress: Callable[[str], None] | None = None,
) -> OracleEstimate:
    """Return the oracle's value by one method from what `gather` made ready; long fits tell `progress`."""
    if method not in METHODS:
        raise InvalidInput(Problem(f"unknown method {method!r}: give {', '.join(METHODS)}"))
    return _composed(gathered, method, _value(gathered, method, posterior, progress))


def without_value(gathered: Gathered, method: Method, reason: str) -> OracleEstimate:
    """Return what stands in the place of a method that cannot be used here, with the reason in its notes."""
    return _composed(gathered, method, Value(None, None, NO_VALUE, (reason,)))


def _composed(gathered: Gathered, method: Method, value: Value) -> OracleEstimate:
    told = estimated(gathered, value)
    return OracleEstimate(
        method=method,
        quality=told.quality,
        cost=told.cost,
        cost_estimator=NO_COSTS if gathered.cost is None else value.cost_estimator,
        paper_cost=gathered.paper_cost,
        sizes=np.arange(1, gathered.quality.shape[1] + 1),
        curve=gathered.quality.mean(axis=0),
        cost_curve=None if gathered.cost is None else gathered.cost.mean(axis=0),
        lower=told.lower,
        upper=told.upper,
        best_model=gathered.tensor.models[gathered.best],
        best_single=best_single(gathered, value),
        gain=told.gain,
        error_reduction=told.error_reduction,
        prompts=len(gathered.tensor.prompts),
        unit=gathered.tensor.unit,
        notes=(*value.notes, *remarks(gathered, value)),
    )


def _value(
    gathered: Gathered,
    method: Method,
    posterior: Posterior | None,
    progress: Callable[[str], None] | None,
) -> Value:
    if len(gathered.tensor.models) == 1:
        return only_model(gathered)
    if method == "naive":
        return plain(gathered)
    if method == "bracket":
        return bracketed(gathered)
    if method in ("power", "smooth"):
        return extrapolated(gathered, "power" if method == "power" else "smooth")
    return drawn_oracle(gathered, "pgm" if method == "pgm" else "shrink", posterior, progress)
