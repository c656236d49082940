"""The frontier's gains over the best single model: at its quality, at its cost, and at any cost."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt

from assay.frontier.singles import SingleModels
from assay.frontier.sweep.curve import MethodCurve
from assay.frontier.sweep.pareto import ROUNDING, cheapest, cost_of, edges, mean_height, quality_at
from assay.frontier.weighed import PromptReplicates
from assay.results.frontier_report import FrontierGains

FloatArray = npt.NDArray[np.float64]
NO_COSTS = "no costs were recorded"
ONE_POINT = "the hull is one point: it spans no range of costs"
PERFECT = 1e-12
"""A best single model with an error below this has no error to reduce."""
BELOW = "the single models' hull begins below the frontier's cheapest point"


@dataclass(frozen=True, slots=True)
class SingleComparison:
    """R frontiers of A points and, for each, the best single model: replicates, draws, or the one estimate.

    `quality` and `cost` (R, A), the best single's `best_quality` and `best_cost` (R,). The last point is
    alpha = 1. The costs are None without costs; NaN where unknown.
    """

    quality: FloatArray
    cost: FloatArray | None
    best_quality: FloatArray
    best_cost: FloatArray | None


@dataclass(frozen=True, slots=True)
class GainValues:
    """The gains in a `SingleComparison`, shape (R,) each; NaN if a gain does not exist.

    `error_reduction` at alpha = 1 is 1 - (1 - Q_oracle)/(1 - Q_best), the paper's table 1.
    `matched_cost` is the same for the frontier's quality `quality_for_cost` at the best single's cost, which
    the paper's abstract reports. `saving` is 1 - `cost_for_quality`/C_best, with the least cost on the
    frontier whose quality reaches the best single's: its table 2. `aiq` is the mean height of the hull.
    """

    error_reduction: FloatArray
    quality_for_cost: FloatArray
    matched_cost: FloatArray
    cost_for_quality: FloatArray
    saving: FloatArray
    aiq: FloatArray


def gain_values(comparison: SingleComparison, *, bounded: bool = True) -> GainValues:
    """Return the gains. Unless quality is `bounded` by 1 there is no error, and no reduction of it."""
    error = 1.0 - comparison.best_quality
    known = np.where((error > PERFECT) & bounded, error, np.nan)
    reduction = 1.0 - (1.0 - comparison.quality[:, -1]) / known
    if comparison.cost is None or comparison.best_cost is None:
        none = np.full(len(error), np.nan)
        return GainValues(reduction, none, none, none, none, none)
    quality = quality_at(comparison.quality, comparison.cost, comparison.best_cost)
    cost = cost_of(comparison.quality, comparison.cost, comparison.best_quality)
    best_cost = np.where(comparison.best_cost > 0.0, comparison.best_cost, np.nan)
    return GainValues(
        error_reduction=reduction,
        quality_for_cost=quality,
        matched_cost=1.0 - (1.0 - quality) / known,
        cost_for_quality=cost,
        saving=1.0 - cost / best_cost,
        aiq=mean_height(comparison.quality, comparison.cost),
    )


def missing_gains(comparison: SingleComparison, *, bounded: bool = True) -> dict[str, str | None]:
    """Return why each gain of a comparison of one frontier does not exist, by name; None if it does."""
    error, values = 1.0 - comparison.best_quality[0], gain_values(comparison, bounded=bounded)
    no_error: str | None = None
    if not bounded:
        no_error = "quality is not on 0-1, so an error rate is not defined: scale it to 0-1"
    elif error <= PERFECT:
        no_error = "the best single model has no error to reduce"
    costed = ("quality_for_cost", "matched_cost", "cost_for_quality", "saving", "aiq")
    reasons: dict[str, str | None] = {"error_reduction": no_error, "matched_cost": no_error}
    reasons |= dict.fromkeys(("quality_for_cost", "cost_for_quality", "saving", "aiq"))
    if comparison.cost is None or comparison.best_cost is None:
        return reasons | dict.fromkeys(costed, NO_COSTS)
    if np.isnan(comparison.best_cost[0]):
        return reasons | dict.fromkeys(costed[:4], "the best single model's mean cost is not known")
    if np.isnan(values.quality_for_cost[0]):
        too_expensive = "even the cheapest point of the frontier costs more than the best single model"
        reasons |= {"quality_for_cost": too_expensive, "matched_cost": no_error or too_expensive}
    if np.isnan(values.cost_for_quality[0]):
        too_low = "no point of the frontier reaches the best single model's quality"
        reasons |= {"cost_for_quality": too_low, "saving": too_low}
    elif not comparison.best_cost[0] > 0.0:
        reasons["saving"] = "the best single model costs nothing, so that nothing can be saved"
    if np.isnan(values.aiq[0]):
        reasons["aiq"] = ONE_POINT
    return reasons


@dataclass(frozen=True, slots=True)
class FrontierRows:
    """R frontiers (R, A) and R sets of single models (R, L); costs None without costs."""

    quality: FloatArray
    cost: FloatArray | None
    single_quality: FloatArray
    single_cost: FloatArray | None

    def compare(self, singles: SingleModels, best: int | None = None) -> SingleComparison:
        """Compare each frontier with the best of its own single models, or with the model at `best`."""
        chosen = singles.best(self.single_quality, self.single_cost)
        if best is not None:
            chosen = np.full_like(chosen, best)
        rows = np.arange(len(chosen))
        cost = None if self.single_cost is None else self.single_cost[rows, chosen]
        return SingleComparison(self.quality, self.cost, self.single_quality[rows, chosen], cost)

    def hull_values(self) -> dict[str, FloatArray]:
        """Return AIQ of the single models and the frontier's mean height above their hull, (R,) each."""
        if self.cost is None or self.single_cost is None:
            none = np.full(len(self.quality), np.nan)
            return {"aiq_singles": none, "height": none}
        unknown = np.isnan(self.single_quality) | np.isnan(self.single_cost)
        quality = np.where(unknown, -np.inf, self.single_quality)
        cost = np.where(unknown, np.inf, self.single_cost)
        low, high = _cost_range(quality, cost)
        singles = mean_height(quality, cost)
        return {"aiq_singles": singles, "height": mean_height(self.quality, self.cost, low, high) - singles}


def _cost_range(quality: FloatArray, cost: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the costs of the hull's cheapest and best points, (R,) each."""
    rows, last = np.arange(len(quality)), cheapest(quality, cost)
    low = cost[rows, last]
    for edge in edges(quality, cost, last.copy()):
        last[edge.rows] = edge.end
    return low, cost[rows, last]


def frontier_gains(
    alphas: FloatArray,
    estimate: FrontierRows,
    replicated: FrontierRows,
    drawn: FrontierRows | None,
    singles: SingleModels,
    replicates: PromptReplicates,
    *,
    bounded: bool,
) -> FrontierGains:
    """Return the gains over the best of `singles`.

    `estimate` is the one estimate; each row of `replicated` (the bootstrap) has a best model of its own;
    `drawn` are the draws of the truth, compared with the estimate's best model, None if there are none.
    """
    best = int(singles.best(estimate.single_quality, estimate.single_cost)[0])
    comparison = estimate.compare(singles)
    values = _values(estimate, comparison, bounded)
    by_replicate = _values(replicated, replicated.compare(singles), bounded)
    by_draw = None if drawn is None else _values(drawn, drawn.compare(singles, best), bounded)
    reasons = missing_gains(comparison, bounded=bounded)
    reasons |= dict.fromkeys(("aiq_singles", "height"), NO_COSTS if estimate.cost is None else ONE_POINT)
    if not np.isnan(values["aiq_singles"][0]):
        reasons["height"] = BELOW
    gains = {
        name: replicates.gain(
            float(value[0]),
            by_replicate[name],
            None if by_draw is None else by_draw[name],
            reasons[name],
        )
        for name, value in values.items()
    }
    enough = np.flatnonzero(comparison.quality[0] >= comparison.best_quality[0] - ROUNDING)
    alpha_star = float(alphas[enough[0]]) if enough.size and estimate.cost is not None else None
    same_best = singles.best(replicated.single_quality, replicated.single_cost) == best
    return FrontierGains(
        alpha_star=alpha_star, same_best=float(same_best.mean()) if same_best.size else None, **gains
    )


def frontier_rows(
    curve: MethodCurve, singles: SingleModels, replicates: PromptReplicates | None
) -> FrontierRows:
    """Return frontier and single models in each replicate of the prompts; without replicates the estimate."""
    if replicates is None:
        (quality, cost), prompts = curve.estimate(), len(singles.quality)
        rows = PromptReplicates(np.full((1, prompts), 1.0 / prompts), 1.0)
    else:
        quality, cost = curve.replicates(replicates)
        rows = PromptReplicates(replicates.weights[: len(quality)], replicates.level)
    single_cost = None if singles.cost is None else rows.means(singles.cost)
    single_quality = np.where(singles.comparable, rows.means(singles.quality), np.nan)
    return FrontierRows(quality, cost, single_quality, single_cost)


def drawn_rows(curve: MethodCurve) -> FrontierRows | None:
    """Return frontier and single models in each draw of the truth; None without draws."""
    draws = curve.draws
    if draws is None:
        return None
    return FrontierRows(draws.quality, draws.cost, draws.single_quality, draws.single_cost)


def _values(rows: FrontierRows, comparison: SingleComparison, bounded: bool) -> dict[str, FloatArray]:
    return asdict(gain_values(comparison, bounded=bounded)) | rows.hull_values()
