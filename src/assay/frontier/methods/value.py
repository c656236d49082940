"""The value of the oracle by a method: its inputs, the value itself, and the estimates made from it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.frontier.prepared import PreparedTensor
from assay.frontier.singles import SingleModels
from assay.frontier.tensor import Tensor
from assay.frontier.weighed import PromptReplicates
from assay.results.frontier import Estimate
from assay.stats.intervals import Interval
from assay.stats.resample import percentile

FloatArray = npt.NDArray[np.float64]
PERFECT = 1e-12
"""A best single model with an error below this is perfect: there is no error to reduce."""


@dataclass(frozen=True, slots=True)
class OracleInputs:
    """The inputs of every method: a tensor, its biased oracle, and bootstrap replicates of the prompts.

    `original` is the whole tensor, and `prepared` is its usable part. `quality` and `cost` (N, G) are those
    of the model chosen by g generations of each cell, the cheapest of equals; `cost` is None without costs.
    `error` (G,) is the Monte-Carlo standard error of the mean quality at g, 0 if it is exact. `best` is the
    position of the best single model in `singles`. `paper_cost` is the paper's own estimate of the cost,
    equation 12 on the mean cost curve; None without costs or below 5 generations.
    """

    original: Tensor
    prepared: PreparedTensor
    quality: FloatArray
    cost: FloatArray | None
    error: FloatArray
    singles: SingleModels
    best: int
    replicates: PromptReplicates
    paper_cost: Estimate | None
    seed: int

    @property
    def tensor(self) -> Tensor:
        """The part of the tensor that is used."""
        return self.prepared.tensor


@dataclass(frozen=True, slots=True)
class ReplicatedMean:
    """One mean over prompts: its `value`, its bootstrap `replicates` (R,), its posterior `draws` (S,)."""

    value: float
    replicates: FloatArray
    draws: FloatArray | None = None

    def estimate(self, level: float) -> Estimate:
        """Return the value with its percentile intervals."""
        return Estimate(
            self.value,
            percentile(self.replicates, level),
            None if self.draws is None else percentile(self.draws, level),
        )


@dataclass(frozen=True, slots=True)
class MethodValue:
    """A method's value of the oracle. `quality` is None if it has none; `notes` then give the reason.

    `single_draws` (S,) is the best single model's mean quality in each draw. A bracket has `lower` and
    `upper` instead of `quality`; without a lower end `lower` is None.
    """

    quality: ReplicatedMean | None
    cost: ReplicatedMean | None
    cost_estimator: str
    notes: tuple[str, ...] = ()
    single_draws: FloatArray | None = None
    lower: ReplicatedMean | None = None
    upper: ReplicatedMean | None = None


@dataclass(frozen=True, slots=True)
class ValueEstimates:
    """The estimates made from a value, under the names of `OracleEstimate`."""

    quality: Estimate
    cost: Estimate | None
    lower: Estimate | None
    upper: Estimate | None
    gain: Estimate
    error_reduction: Estimate


def mean_over_prompts(inputs: OracleInputs, values: FloatArray) -> ReplicatedMean:
    """Return the mean of values (N,), NaN left out, with its bootstrap replicates."""
    return ReplicatedMean(float(np.nanmean(values)), inputs.replicates.means(values[:, None])[:, 0])


def describe_ties(inputs: OracleInputs) -> tuple[str, ...]:
    """Return a note on the number of prompts where several models have the best mean; none without ties."""
    if inputs.cost is None:
        return ()
    means = inputs.tensor.mean_quality()
    best = np.nanmax(means, axis=1, keepdims=True)
    tied = int(((means >= best - PERFECT).sum(axis=1) > 1).sum())
    if not tied:
        return ()
    return (
        f"cost: several models tie for the best on {tied} of {len(means)} prompts, and the cheapest of them "
        "is taken; with more generations most ties would break, often in favour of a more expensive model",
    )


def best_single(inputs: OracleInputs, draws: FloatArray | None = None) -> tuple[ReplicatedMean, FloatArray]:
    """Return the best single model's quality, and that of each replicate's own best model (R,)."""
    singles, replicates = inputs.singles, inputs.replicates
    quality = replicates.means(singles.quality)
    cost = None if singles.cost is None else replicates.means(singles.cost)
    best = quality[np.arange(len(quality)), singles.best(quality, cost)] if len(quality) else quality[:, 0]
    value = float(np.nanmean(singles.quality[:, inputs.best]))
    return ReplicatedMean(value, quality[:, inputs.best], draws), best


def best_single_estimate(inputs: OracleInputs, value: MethodValue) -> Estimate:
    """Return the quality of the best single model; the interval is that of this one model."""
    return best_single(inputs, value.single_draws)[0].estimate(inputs.replicates.level)


def estimate_value(inputs: OracleInputs, value: MethodValue) -> ValueEstimates:
    """Return a value's estimates. Gains are over the best single model, which each replicate picks anew."""
    level = inputs.replicates.level
    single, best = best_single(inputs, value.single_draws)
    cost = None if value.cost is None else value.cost.estimate(level)
    if value.quality is not None:
        return ValueEstimates(
            quality=value.quality.estimate(level),
            cost=cost,
            lower=None,
            upper=None,
            gain=_gain(value.quality, single, best).estimate(level),
            error_reduction=_error_reduction(inputs, value.quality, single, best),
        )
    lower = None if value.lower is None else value.lower.estimate(level)
    upper = None if value.upper is None else value.upper.estimate(level)
    quality = gain = reduction = Estimate(None)
    if value.lower is not None and value.upper is not None:
        ends = (value.lower, value.upper)
        quality = _between(lower, upper)
        gain = _between(*(_gain(end, single, best).estimate(level) for end in ends))
        reduction = _between(*(_error_reduction(inputs, end, single, best) for end in ends))
    return ValueEstimates(quality, cost, lower, upper, gain, reduction)


def _gain(oracle: ReplicatedMean, single: ReplicatedMean, best: FloatArray) -> ReplicatedMean:
    draws = None if oracle.draws is None or single.draws is None else oracle.draws - single.draws
    return ReplicatedMean(oracle.value - single.value, oracle.replicates - best, draws)


def _error_reduction(
    inputs: OracleInputs, oracle: ReplicatedMean, single: ReplicatedMean, best: FloatArray
) -> Estimate:
    quality = inputs.tensor.quality
    bounded = np.nanmin(quality) >= 0.0 and np.nanmax(quality) <= 1.0
    if not bounded or 1.0 - single.value <= PERFECT:
        return Estimate(None)
    draws = None if oracle.draws is None or single.draws is None else _reduction(oracle.draws, single.draws)
    value = float(_reduction(np.array([oracle.value]), np.array([single.value]))[0])
    replicates = _reduction(oracle.replicates, best)
    return ReplicatedMean(value, replicates, draws).estimate(inputs.replicates.level)


def _reduction(quality: FloatArray, single: FloatArray) -> FloatArray:
    """Return 1 - (1 - quality)/(1 - single); NaN where the single model has no error."""
    error = 1.0 - single
    remaining: FloatArray = np.divide(
        1.0 - quality, error, out=np.full(error.shape, np.nan), where=error > PERFECT
    )
    return 1.0 - remaining


def _between(lower: Estimate | None, upper: Estimate | None) -> Estimate:
    """Return the interval from the lower limit of one end to the upper limit of the other."""
    low = None if lower is None else lower.over_prompts
    high = None if upper is None else upper.over_prompts
    if low is None or high is None:
        return Estimate(None)
    return Estimate(None, Interval(low.low, high.high, low.level))
