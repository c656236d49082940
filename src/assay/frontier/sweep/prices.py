"""New prices: the cost of each recorded answer under a factor or a fixed price for each model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.frontier.posterior import Posterior
from assay.frontier.tensor import Tensor

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Price:
    """One model's new price: its recorded costs times `factor`, or `cost` for every answer; one of the two.

    `cost` is in the tensor's unit per generation.
    """

    factor: float | None = None
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class PriceChange:
    """The change of costs, by model (L,): new = recorded * factor + fixed."""

    factor: FloatArray
    fixed: FloatArray

    def of(self, cost: FloatArray, *, models: int) -> FloatArray:
        """Return costs at the new prices; `models` is the axis of the models."""
        shape = [1] * cost.ndim
        shape[models] = -1
        known = np.where(np.isnan(cost), np.nan, 0.0)
        return cost * self.factor.reshape(shape) + self.fixed.reshape(shape) + known

    def of_tensor(self, tensor: Tensor) -> Tensor:
        """Return the tensor at the new prices; a tensor without costs is unchanged."""
        return tensor if tensor.cost is None else replace(tensor, cost=self.of(tensor.cost, models=1))

    def of_posterior(self, posterior: Posterior) -> Posterior:
        """Return the posterior at the new prices; a posterior without costs is unchanged."""
        if posterior.cost is None:
            return posterior
        return replace(posterior, cost=self.of(posterior.cost, models=2))

    def take(self, models: npt.ArrayLike) -> PriceChange:
        """Return the change for some of the models, by position."""
        kept = np.asarray(models, dtype=np.int64)
        return PriceChange(self.factor[kept], self.fixed[kept])


def price_change(prices: Mapping[str, Price], models: tuple[str, ...]) -> PriceChange:
    """Return the change of costs to these prices; models without a new price keep theirs.

    Raises InvalidInput for a model that the tensor does not have, a price that is negative or not finite,
    and one with both or neither of factor and cost.
    """
    problems = []
    factor, fixed = np.ones(len(models)), np.zeros(len(models))
    columns = {model: column for column, model in enumerate(models)}
    for model, price in prices.items():
        if model not in columns:
            known = ", ".join(repr(name) for name in models)
            problems.append(Problem(f"unknown model {model!r} in the prices: the table has {known}"))
            continue
        if (price.factor is None) == (price.cost is None):
            problems.append(Problem(f"the price of {model!r} needs a factor or a cost, and not both"))
            continue
        value = price.factor if price.cost is None else price.cost
        assert value is not None
        if not (np.isfinite(value) and value >= 0.0):
            kind = "factor" if price.cost is None else "cost"
            problems.append(Problem(f"invalid {kind} {value!r} of {model!r}: give a number, 0 or more"))
            continue
        column = columns[model]
        factor[column], fixed[column] = (value, 0.0) if price.cost is None else (0.0, value)
    if problems:
        raise InvalidInput(problems)
    return PriceChange(factor, fixed)
