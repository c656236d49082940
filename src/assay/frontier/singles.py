"""Each model alone: its quality, cost and coverage, and the best of them on a fair footing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.frontier.tensor import Tensor, cell_means
from assay.stats.two_way import rater_effects

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class SingleModels:
    """Every model on every prompt, shapes (N, L), with empty cells filled so that column means compare.

    `quality` fills a cell by prompt + model (additive effects); `cost` by prompt x model (multiplicative),
    scaled so that each model's fitted costs sum to its recorded ones. Without empty cells nothing is filled.
    `coverage` (L,) is the share of the prompts that each model has. `joined` (L,) says which models a chain
    of shared prompts joins to the largest group: the others keep NaN in their empty cells, as the group does
    on prompts that only others have, and cannot be compared. None where all are.
    """

    models: tuple[str, ...]
    quality: FloatArray
    cost: FloatArray | None
    coverage: FloatArray
    joined: BoolArray | None = None

    @property
    def comparable(self) -> BoolArray:
        """Which models can be the best: those joined, or all where none is joined to another."""
        if self.joined is None or not self.joined.any():
            return np.ones(len(self.models), dtype=np.bool_)
        return self.joined

    @property
    def complete(self) -> bool:
        """Whether every model has every prompt."""
        return bool(np.all(self.coverage == 1.0))

    def best(self, quality: FloatArray, cost: FloatArray | None) -> IntArray:
        """Return the best single model of each row of means (R, L): the greatest quality, then the lower
        cost, then the first name."""
        rank = np.argsort(np.argsort(np.array(self.models)))
        top = np.where(np.isnan(quality) | ~self.comparable, -np.inf, quality)
        tied = top >= top.max(axis=1, keepdims=True) - ROUNDING
        if cost is not None:
            spent = np.where(tied & ~np.isnan(cost), cost, np.inf)
            tied &= spent <= spent.min(axis=1, keepdims=True) * (1.0 + ROUNDING)
        return np.asarray(np.where(tied, rank, len(self.models)).argmin(axis=1), dtype=np.int64)


def single_models(tensor: Tensor) -> SingleModels:
    """Return what each model does alone. Every prompt and every model has at least one quality.

    Source: the additive fill is the fixed point of the two-way layout's least squares, so its column means
    are the models' effects (H. Scheffé, The Analysis of Variance, 1959, chapter 4).
    """
    quality, cost = tensor.mean_quality(), tensor.mean_cost()
    coverage = np.asarray((~np.isnan(quality)).mean(axis=0), dtype=np.float64)
    joined = None
    if np.any(coverage < 1.0):
        joined = np.asarray(~np.isnan(rater_effects(quality)), dtype=np.bool_)
    filled_cost = None if cost is None else _filled_cost(cost)
    return SingleModels(tensor.models, _filled(quality), filled_cost, coverage, joined)


def levels(table: FloatArray) -> FloatArray:
    """Return each model's mean over all prompts from a table (N, L) with empty cells: shape (L,).

    Empty cells are filled as in `SingleModels`, so that a model that answered easy prompts alone gains
    nothing. NaN for a model that cannot be compared; where none can, each one's mean over its own prompts.
    """
    means = cell_means(_filled(table).T)
    if not np.isnan(table).any():
        return means
    joined = ~np.isnan(rater_effects(table))
    return np.where(joined, means, np.nan) if joined.any() else means


def _filled(table: FloatArray) -> FloatArray:
    empty = np.isnan(table)
    if not empty.any():
        return table
    effects = rater_effects(table)
    return np.where(empty, _levels(table, effects)[:, None] + effects, table)


def _levels(table: FloatArray, effects: FloatArray) -> FloatArray:
    """Return each row's level: the mean of its values less their columns' effects; NaN where unknown."""
    rest = table - effects
    known = ~np.isnan(rest)
    total = np.where(known, rest, 0.0).sum(axis=1)
    count = known.sum(axis=1)
    levels = np.divide(total, count, out=np.full(len(table), np.nan), where=count > 0)
    return np.asarray(levels, dtype=np.float64)


def _filled_cost(table: FloatArray) -> FloatArray:
    empty = np.isnan(table)
    if not empty.any():
        return table
    logs = np.log(np.where(table > 0.0, table, np.nan))
    effects = rater_effects(logs)
    fitted = np.exp(_levels(logs, effects)[:, None] + effects)
    both = ~empty & ~np.isnan(fitted)
    recorded = np.where(both, table, 0.0).sum(axis=0)
    expected = np.where(both, fitted, 0.0).sum(axis=0)
    ratio = np.divide(recorded, expected, out=np.full(table.shape[1], np.nan), where=expected > 0.0)
    free = np.nansum(table, axis=0) == 0.0
    return np.where(empty, np.where(free, 0.0, fitted * ratio), table)
