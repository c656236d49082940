"""What the frontier gains over the best single model: at its quality, at its cost, and at any cost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.frontier.estimate import Estimate
from assay.frontier.sweep.pareto import cost_of, mean_height, quality_at

FloatArray = npt.NDArray[np.float64]
NO_COSTS = "no costs were recorded"
ONE_POINT = "the hull is one point: it spans no range of costs"
PERFECT = 1e-12
"""A best single with less error than this has none to reduce."""


@dataclass(frozen=True, slots=True)
class Gain:
    """A figure that may not exist: `reason` says why its value is None, and is None where there is one.

    `defined` is the share of the bootstrap's replicates in which it exists; the interval is of those.
    """

    estimate: Estimate
    reason: str | None = None
    defined: float | None = None


@dataclass(frozen=True, slots=True)
class Against:
    """R frontiers of A points and, for each, the best single model: replicates, draws, or the one estimate.

    `quality` and `cost` (R, A), the best single's `best_quality` and `best_cost` (R,). The last point is
    alpha = 1. The costs are None without costs; NaN where unknown.
    """

    quality: FloatArray
    cost: FloatArray | None
    best_quality: FloatArray
    best_cost: FloatArray | None


@dataclass(frozen=True, slots=True)
class Gained:
    """The figures of `Against`, shape (R,) each; NaN where one does not exist.

    `error_reduction` at alpha = 1 is 1 - (1 - Q_oracle)/(1 - Q_best), the paper's table 1.
    `matched_cost` is the same for the frontier's quality `quality_for_cost` at the best single's cost, which
    its abstract speaks of. `saving` is 1 - `cost_for_quality`/C_best, with the least cost on the frontier
    whose quality reaches the best single's: its table 2. `aiq` is the mean height of the hull.
    """

    error_reduction: FloatArray
    quality_for_cost: FloatArray
    matched_cost: FloatArray
    cost_for_quality: FloatArray
    saving: FloatArray
    aiq: FloatArray


def gained(against: Against, *, bounded: bool = True) -> Gained:
    """Return the gains. Unless quality is `bounded` by 1 there is no error, and no reduction of it."""
    error = 1.0 - against.best_quality
    known = np.where((error > PERFECT) & bounded, error, np.nan)
    rows = len(error)
    top = 1.0 - (1.0 - against.quality[:, -1]) / known
    if against.cost is None or against.best_cost is None:
        none = np.full(rows, np.nan)
        return Gained(top, none, none, none, none, none)
    reached = quality_at(against.quality, against.cost, against.best_cost)
    spent = cost_of(against.quality, against.cost, against.best_quality)
    paid = np.where(against.best_cost > 0.0, against.best_cost, np.nan)
    return Gained(
        top,
        reached,
        1.0 - (1.0 - reached) / known,
        spent,
        1.0 - spent / paid,
        mean_height(against.quality, against.cost),
    )


def reasons(against: Against, *, bounded: bool = True) -> dict[str, str | None]:
    """Return why a gain of the one frontier in `against` does not exist, by its name; None where it does."""
    error, found = 1.0 - against.best_quality[0], gained(against, bounded=bounded)
    no_error: str | None = None
    if not bounded:
        no_error = "quality is not on 0-1, so an error rate is not defined: scale it to 0-1"
    elif error <= PERFECT:
        no_error = "the best single model has no error: there is none to reduce"
    told = dict.fromkeys(("error_reduction", "matched_cost"), no_error)
    costed = ("quality_for_cost", "matched_cost", "cost_for_quality", "saving", "aiq")
    told |= dict.fromkeys(("quality_for_cost", "cost_for_quality", "saving", "aiq"))
    if against.cost is None or against.best_cost is None:
        return told | dict.fromkeys(costed, NO_COSTS)
    if np.isnan(against.best_cost[0]):
        return told | dict.fromkeys(costed[:4], "the best single model's mean cost is not known")
    if np.isnan(found.quality_for_cost[0]):
        dear = "even the cheapest point of the frontier costs more than the best single model"
        told |= {"quality_for_cost": dear, "matched_cost": no_error or dear}
    if np.isnan(found.cost_for_quality[0]):
        short = "no point of the frontier reaches the best single model's quality"
        told |= {"cost_for_quality": short, "saving": short}
    elif not against.best_cost[0] > 0.0:
        told["saving"] = "the best single model costs nothing: there is nothing to save"
    if np.isnan(found.aiq[0]):
        told["aiq"] = ONE_POINT
    return told
