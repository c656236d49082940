"""The share of the oracle's gain over the best single model that a router reaches, with intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.frontier.routing.evaluation import Valued
from assay.frontier.sweep.curve import MethodCurve
from assay.frontier.sweep.pareto import mean_height, quality_at
from assay.frontier.weighed import PromptReplicates, intervals
from assay.results.frontier import Estimate
from assay.results.frontier_routing import Matched, Routed, Spot
from assay.stats.resample import draw_counts

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
LEAST_GAP = 1e-9
"""A smaller gap counts as 0, and a share of it is undefined."""
ROUNDING = 1e-12
"""Smaller differences count as 0; means of the same numbers in another order differ by less."""
LEAST_MODELS = 0.005
"""Models chosen on a smaller share of the prompts are not named."""


@dataclass(frozen=True, slots=True)
class RoutingReference:
    """Reference values for measuring routers: the estimate in row 0, then R replicates; shapes (1 + R, …).

    `weights` (1 + R, N) are of prompts and `turns` (1 + R, T) of the repeats of the folds. `oracle` and
    `oracle_cost` (1 + R, A) are the frontier's curve, whose last point is the oracle. `base` and `base_cost`
    (1 + R,) are the best single model's held-out values. The costs are None without costs. `widening` is the
    factor by which intervals of differences between routers are widened (`widening_of` the folds).
    """

    weights: FloatArray
    turns: FloatArray
    level: float
    oracle: FloatArray
    oracle_cost: FloatArray | None
    base: FloatArray
    base_cost: FloatArray | None
    widening: float

    def of(self, table: FloatArray) -> FloatArray:
        """Return the weighted means of a table (T, N) or (T, N, A) over repeats and prompts."""
        return _over(self.weights, self.turns, table)

    def estimate(self, rows: FloatArray) -> Estimate:
        """Return the estimate of rows (1 + R,): the value and the interval from the replicates."""
        value = None if np.isnan(rows[0]) else float(rows[0])
        interval = intervals(rows[1:, None], self.level)[0] if value is not None and len(rows) > 1 else None
        return Estimate(value, interval)

    def difference(self, rows: FloatArray) -> Estimate:
        """Return the estimate of a difference or of a share of a gap, with a widened interval."""
        wide = rows[0] + np.concatenate([[0.0], self.widening * (rows[1:] - rows[0])])
        return self.estimate(np.where(np.abs(wide) < ROUNDING, 0.0, wide))

    @property
    def gap(self) -> FloatArray:
        """The oracle's gain over the best single model."""
        return np.asarray(self.oracle[:, -1] - self.base, dtype=np.float64)

    @property
    def gap_at_cost(self) -> FloatArray:
        """The frontier's gain at the best single model's cost; NaN without costs."""
        if self.oracle_cost is None or self.base_cost is None:
            return np.full(len(self.base), np.nan)
        return quality_at(self.oracle, self.oracle_cost, self.base_cost) - self.base


def routing_reference(
    oracle: MethodCurve,
    base: Valued,
    weighed: PromptReplicates,
    rng: np.random.Generator,
    *,
    folds: int,
    costed: bool,
) -> RoutingReference:
    """Return the reference values. `weighed` are replicates of the prompts; repeats are drawn as well."""
    repeats, prompts = base.matched_quality.shape
    weights = np.concatenate([np.full((1, prompts), 1.0 / prompts), weighed.weights])
    turns = np.full((len(weights), repeats), 1.0 / repeats)
    if len(weights) > 1:
        turns[1:] = draw_counts(rng, repeats, len(weights) - 1) / repeats
    estimate, estimate_cost = oracle.estimate()
    replicates, replicate_costs = oracle.replicates(weighed)
    cost = None
    if costed and estimate_cost is not None and replicate_costs is not None:
        cost = np.concatenate([estimate_cost, replicate_costs])
    return RoutingReference(
        weights,
        turns,
        weighed.level,
        np.concatenate([estimate, replicates]),
        cost,
        _over(weights, turns, base.quality[:, :, -1]),
        _over(weights, turns, base.cost[:, :, -1]) if costed else None,
        widening_of(folds),
    )


def _over(weights: FloatArray, turns: FloatArray, table: FloatArray) -> FloatArray:
    means = np.stack([weights @ values for values in table])
    parts = turns.T if means.ndim == 2 else turns.T[:, :, None]
    return np.asarray((parts * means).sum(axis=0), dtype=np.float64)


def widening_of(folds: int) -> float:
    """Return the factor that widens intervals of held-out differences: sqrt(1 + K / (K - 1)) for K folds.

    Prompts that are held out in one fold are used for training in the others, so held-out values are not
    independent. Their replicates vary too little, because they do not contain the effect of training on other
    prompts. The variance of J training and test sets is multiplied by 1 + J n_test / n_train. Source:
    C. Nadeau and Y. Bengio, Inference for the generalization error, Machine Learning 52 (2003) 239-281.
    """
    return float(np.sqrt(1.0 + folds / (folds - 1.0)))


def regrouped(groups: IntArray, resamples: int, level: float, rng: np.random.Generator) -> PromptReplicates:
    """Return replicates of the prompts in which similar prompts are drawn together."""
    names, place = np.unique(groups, return_inverse=True)
    if not resamples:
        return PromptReplicates(np.zeros((0, len(groups))), level)
    weights = draw_counts(rng, len(names), resamples)[:, place.reshape(-1)]
    return PromptReplicates(weights / weights.sum(axis=1, keepdims=True), level)


def regret(
    valued: Valued,
    measure: RoutingReference,
    models: Sequence[str],
    *,
    shuffled: Valued | None = None,
    answers: bool = False,
) -> Routed:
    """Measure one router. Differences are taken within replicates, with the same weights on both sides."""
    quality = measure.of(valued.quality)
    costed = measure.base_cost is not None
    cost = measure.of(valued.cost) if costed else None
    top = quality[:, -1]
    over = None if shuffled is None else measure.difference(top - measure.of(shuffled.quality[:, :, -1]))
    unknown = np.full(len(top), np.nan)
    height = unknown if cost is None else mean_height(quality, cost)
    by_repeat = valued.quality[:, :, -1].mean(axis=1)
    spread = float(by_repeat.std(ddof=1)) if len(by_repeat) > 1 else None
    settings = Counter(name for name in valued.setting if name)
    models_used = sorted(
        ((models[place], float(part)) for place, part in enumerate(valued.share) if part >= LEAST_MODELS),
        key=lambda pair: (-pair[1], pair[0]),
    )
    return Routed(
        name=valued.name,
        kind=valued.kind,
        quality=measure.estimate(top),
        cost=measure.estimate(unknown if cost is None else cost[:, -1]),
        gain=measure.difference(top - measure.base),
        share=measure.difference(_share(top - measure.base, measure.gap)),
        over_shuffled=over,
        between_repeats=spread,
        matched=_matched(valued, measure) if costed else None,
        aiq=measure.estimate(height),
        curve=_spots(quality[0], None if cost is None else cost[0]),
        settings=dict(settings.most_common()),
        models=dict(models_used),
        answers=answers,
    )


def _matched(valued: Valued, measure: RoutingReference) -> Matched:
    quality, cost = measure.of(valued.matched_quality), measure.of(valued.matched_cost)
    gain = quality - measure.base
    return Matched(
        measure.estimate(quality),
        measure.estimate(cost),
        measure.difference(gain),
        measure.difference(_share(gain, measure.gap_at_cost)),
    )


def _share(gain: FloatArray, gap: FloatArray) -> FloatArray:
    """Return the share of the gap that is gained; NaN if there is no gap."""
    open_ = gap > LEAST_GAP
    return np.asarray(np.where(open_, gain / np.where(open_, gap, 1.0), np.nan), dtype=np.float64)


def _spots(quality: FloatArray, cost: FloatArray | None) -> tuple[Spot, ...]:
    return tuple(
        Spot(float(value), None if cost is None else float(cost[place]))
        for place, value in enumerate(quality)
    )


def spots(measure: RoutingReference) -> tuple[Spot, ...]:
    """Return the frontier's own curve."""
    return _spots(measure.oracle[0], None if measure.oracle_cost is None else measure.oracle_cost[0])
