"""Routers measured against the frontier, as a result."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.frontier.estimate import Estimate
from assay.frontier.routing.features import Kind

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Spot:
    """Quality and cost per prompt at one setting of a trade-off; cost is None without costs."""

    quality: float
    cost: float | None


@dataclass(frozen=True, slots=True)
class Matched:
    """A router held to the best single model's cost, its setting chosen in training.

    `cost` is what it truly spends on held-out prompts, `share` the part it reaches of what the frontier gains
    at the best single model's cost.
    """

    quality: Estimate
    cost: Estimate
    gain: Estimate
    share: Estimate


@dataclass(frozen=True, slots=True)
class Routed:
    """One router on prompts that it was not trained on.

    `quality` and `cost` are where quality alone counts (alpha = 1), `gain` is the quality above the best
    single model's, `share` the part of the oracle's gain that it is. `over_shuffled` is the quality above the
    same router's with the features dealt out at random, None where there are none: unless its interval lies
    above 0 the router has learnt nothing that can be shown. `between_repeats` is the standard deviation of
    the quality over repeats of the folds. `curve` is the trade-off of quality and cost. `settings` are those
    chosen in the training sets, with how many chose each; `models` are those chosen at alpha = 1, with the
    share of the prompts. `answers` says that it reads answers before it decides, which the oracle does not.
    """

    name: str
    kind: Kind
    quality: Estimate
    cost: Estimate
    gain: Estimate
    share: Estimate
    over_shuffled: Estimate | None
    between_repeats: float | None
    matched: Matched | None
    aiq: Estimate
    curve: tuple[Spot, ...]
    settings: tuple[tuple[str, int], ...]
    models: tuple[tuple[str, float], ...]
    answers: bool = False


@dataclass(frozen=True, slots=True)
class Routing:
    """All routers over the same folds, against the oracle of `method`.

    `best_single` and `nested` (the router type chosen in training) are among `routers`, by name. `gap` is the
    oracle's quality above the best single model's, both valued on these prompts; `gap_at_cost` the same for
    the frontier at the best single model's cost. `frontier` is the frontier's curve, `singles` are the models
    alone.
    """

    method: str
    unit: str
    prompts: int
    groups: int
    folds: int
    repeats: int
    level: float
    models: tuple[str, ...]
    oracle: Estimate
    oracle_cost: Estimate
    gap: Estimate
    gap_at_cost: Estimate
    frontier: tuple[Spot, ...]
    frontier_aiq: Estimate
    singles: tuple[tuple[str, Spot], ...]
    routers: tuple[Routed, ...]
    best_single: str
    nested: str
    random: Spot
    notes: tuple[str, ...]

    def router(self, name: str) -> Routed:
        """Return the router of that name."""
        return next(each for each in self.routers if each.name == name)
