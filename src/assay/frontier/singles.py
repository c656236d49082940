"""Single models: the quality, cost and coverage of each, and a fair choice of the best."""

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
    """Every model on every prompt, shapes (N, L), with empty cells filled in so that means are comparable.

    An empty cell of `quality` is filled in with additive effects of prompt and model, one of `cost` with
    multiplicative effects, scaled so that each model's fitted costs sum to its recorded costs. `coverage`
    (L,) is the share of prompts on which each model was observed. `joined` (L,) marks the models that a chain
    of shared prompts joins to the largest group; the other models cannot be compared and keep NaN in their
    empty cells, as the group does on prompts that only the others have. It is None if no cell is empty.
    """

    models: tuple[str, ...]
    quality: FloatArray
    cost: FloatArray | None
    coverage: FloatArray
    joined: BoolArray | None = None

    @property
    def comparable(self) -> BoolArray:
        """A mask of the models that can be the best: those joined, or all if no models are joined."""
        if self.joined is None or not self.joined.any():
            return np.ones(len(self.models), dtype=np.bool_)
        return self.joined

    @property
    def complete(self) -> bool:
        """Whether every model has every prompt."""
        return bool(np.all(self.coverage == 1.0))

    def best(self, quality: FloatArray, cost: FloatArray | None) -> IntArray:
        """Return the best single model of each row of means (R, L).

        It has the greatest quality; ties are broken by lower cost, then by the first name.
        """
        rank = np.argsort(np.argsort(np.array(self.models)))
        top = np.where(np.isnan(quality) | ~self.comparable, -np.inf, quality)
        tied = top >= top.max(axis=1, keepdims=True) - ROUNDING
        if cost is not None:
            paid = np.where(tied & ~np.isnan(cost), cost, np.inf)
            tied &= paid <= paid.min(axis=1, keepdims=True) * (1.0 + ROUNDING)
        return np.asarray(np.where(tied, rank, len(self.models)).argmin(axis=1), dtype=np.int64)


def single_models(tensor: Tensor) -> SingleModels:
    """Return the single models of a tensor in which every prompt and every model has a quality.

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

    Empty cells are filled in as in `SingleModels`, so that a model gains nothing by having answered only easy
    prompts. NaN for a model that cannot be compared; if none can, each model's mean over its own prompts.
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
    """Return the mean of each row's values minus the effects of their columns; NaN if unknown."""
    return cell_means(table - effects)


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
