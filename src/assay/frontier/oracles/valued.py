"""A method's value of the oracle with its replicates and draws, and the estimates that come of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.frontier.estimate import Estimate
from assay.frontier.oracles.gathered import Gathered
from assay.stats.intervals import Interval
from assay.stats.resample import percentile

FloatArray = npt.NDArray[np.float64]
PERFECT = 1e-12
"""A best single model with less error than this has none to reduce."""


@dataclass(frozen=True, slots=True)
class Figure:
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
class Value:
    """What a method says. `quality` None: it has no value, and `notes` say why.

    `single_draws` (S,) is the best single model's mean quality in each draw. A bracket has `lower` and
    `upper` in the place of `quality`; without `lower` it is open below.
    """

    quality: Figure | None
    cost: Figure | None
    cost_estimator: str
    notes: tuple[str, ...] = ()
    single_draws: FloatArray | None = None
    lower: Figure | None = None
    upper: Figure | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """A value's estimates, as `oracle.OracleEstimate` names them."""

    quality: Estimate
    cost: Estimate | None
    lower: Estimate | None
    upper: Estimate | None
    gain: Estimate
    error_reduction: Estimate


def over(gathered: Gathered, table: FloatArray) -> Figure:
    """Return the mean over prompts of a table (N,), NaN left out, with its replicates."""
    return Figure(float(np.nanmean(table)), gathered.replicates.means(table[:, None])[:, 0])


def plain(gathered: Gathered) -> Value:
    """Return equation 5 at all generations, as it stands."""
    cost = None if gathered.cost is None else over(gathered, gathered.cost[:, -1])
    return Value(
        over(gathered, gathered.quality[:, -1]),
        cost,
        "mean cost of the model with the greatest observed quality on each prompt, the cheapest of equals",
        ("equation 5 as it stands: luck is part of it, so it overstates the oracle", *ties(gathered)),
    )


def ties(gathered: Gathered) -> tuple[str, ...]:
    """Say on how many prompts the observed best is a tie, which the cheapest wins; nothing without ties."""
    if gathered.cost is None:
        return ()
    means = gathered.tensor.mean_quality()
    best = np.nanmax(means, axis=1, keepdims=True)
    tied = int(((means >= best - PERFECT).sum(axis=1) > 1).sum())
    if not tied:
        return ()
    return (
        f"cost: several models tie for the best on {tied} of {len(means)} prompts, and the cheapest of them "
        "is taken; with more generations most ties would break, often for a dearer one",
    )


def only_model(gathered: Gathered) -> Value:
    """Return the value for one model: nothing is chosen, so every method says the same and none errs."""
    found = plain(gathered)
    return Value(
        found.quality,
        found.cost,
        "mean cost of the one model",
        ("one model: the oracle is that model, nothing is chosen, and there is no bias",),
    )


def single(gathered: Gathered, draws: FloatArray | None = None) -> tuple[Figure, FloatArray]:
    """Return the best single model's quality, and that of each replicate's own best model (R,)."""
    models, weighed = gathered.singles, gathered.replicates
    quality = weighed.means(models.quality)
    cost = None if models.cost is None else weighed.means(models.cost)
    best = quality[np.arange(len(quality)), models.best(quality, cost)] if len(quality) else quality[:, 0]
    value = float(np.nanmean(models.quality[:, gathered.best]))
    return Figure(value, quality[:, gathered.best], draws), best


def best_single(gathered: Gathered, value: Value) -> Estimate:
    """Return the quality of the best single model; its interval is that of this one model."""
    return single(gathered, value.single_draws)[0].estimate(gathered.replicates.level)


def estimated(gathered: Gathered, value: Value) -> Told:
    """Return a value's estimates. Gains are over the best single model, which each replicate picks anew."""
    level = gathered.replicates.level
    alone, best = single(gathered, value.single_draws)
    cost = None if value.cost is None else value.cost.estimate(level)
    if value.quality is not None:
        gain = _gain(value.quality, alone, best).estimate(level)
        return Told(
            value.quality.estimate(level),
            cost,
            None,
            None,
            gain,
            _reduction(gathered, value.quality, alone, best),
        )
    lower = None if value.lower is None else value.lower.estimate(level)
    upper = None if value.upper is None else value.upper.estimate(level)
    quality = gain = reduced = Estimate(None)
    if value.lower is not None and value.upper is not None:
        quality = _between(lower, upper)
        gain = _between(*(_gain(end, alone, best).estimate(level) for end in (value.lower, value.upper)))
        reduced = _between(*(_reduction(gathered, end, alone, best) for end in (value.lower, value.upper)))
    return Told(quality, cost, lower, upper, gain, reduced)


def _gain(of: Figure, alone: Figure, best: FloatArray) -> Figure:
    draws = None if of.draws is None or alone.draws is None else of.draws - alone.draws
    return Figure(of.value - alone.value, of.replicates - best, draws)


def _reduction(gathered: Gathered, of: Figure, alone: Figure, best: FloatArray) -> Estimate:
    quality = gathered.tensor.quality
    bounded = np.nanmin(quality) >= 0.0 and np.nanmax(quality) <= 1.0
    if not bounded or 1.0 - alone.value <= PERFECT:
        return Estimate(None)
    draws = None if of.draws is None or alone.draws is None else _share(of.draws, alone.draws)
    value = float(_share(np.array([of.value]), np.array([alone.value]))[0])
    return Figure(value, _share(of.replicates, best), draws).estimate(gathered.replicates.level)


def _share(quality: FloatArray, alone: FloatArray) -> FloatArray:
    error = 1.0 - alone
    left: FloatArray = np.divide(
        1.0 - quality, error, out=np.full(error.shape, np.nan), where=error > PERFECT
    )
    return 1.0 - left


def _between(lower: Estimate | None, upper: Estimate | None) -> Estimate:
    """Return what lies between the lower limit of one end and the upper limit of the other."""
    low = None if lower is None else lower.over_prompts
    high = None if upper is None else upper.over_prompts
    if low is None or high is None:
        return Estimate(None)
    return Estimate(None, Interval(low.low, high.high, low.level))
