"""The tensor of observations: quality, cost and latency of prompts by models by generations."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Tensor:
    """N prompts by L models by G generations. NaN is a missing value; a cell may have fewer generations.

    Greater `quality` (N, L, G) is better. It lies in the range `scale`, by default 0 to 1; None allows any
    real number. `cost` (N, L, G), 0 or more and all in one `unit`, and `latency` (N, L, G) in seconds are
    None if none were recorded. The order of the generations in a cell has no meaning, but quality, cost and
    latency at the same position belong to the same answer. `cost_by_cell` is true if a cell's cost is a mean
    over its generations, so that the spread within the cell is unknown. `categories` (one for each prompt)
    and `texts` (the prompts' text) are used by studies and routers; None if unknown.
    """

    prompts: tuple[str, ...]
    models: tuple[str, ...]
    quality: FloatArray
    cost: FloatArray | None = None
    latency: FloatArray | None = None
    unit: str = "USD"
    cost_by_cell: bool = False
    categories: tuple[str, ...] | None = None
    texts: tuple[str, ...] | None = None
    scale: tuple[float, float] | None = (0.0, 1.0)

    def __post_init__(self) -> None:
        shape = self.quality.shape
        if len(shape) != 3 or shape[:2] != (len(self.prompts), len(self.models)):
            raise InvalidInput(
                Problem(
                    f"quality has shape {shape!r}: give (prompts, models, generations) for "
                    f"{len(self.prompts)} prompts and {len(self.models)} models"
                )
            )
        for name, values in (("cost", self.cost), ("latency", self.latency)):
            if values is not None and values.shape != shape:
                raise InvalidInput(Problem(f"{name} has shape {values.shape!r}: give quality's, {shape!r}"))

    @property
    def answers(self) -> IntArray:
        """The number of generations with a quality in each cell: shape (N, L)."""
        return np.asarray((~np.isnan(self.quality)).sum(axis=2), dtype=np.int64)

    @property
    def correct(self) -> IntArray:
        """The number of generations with quality 1 in each cell: shape (N, L). For binary quality only."""
        return np.asarray((self.quality == 1.0).sum(axis=2), dtype=np.int64)

    @property
    def binary(self) -> bool:
        """Whether every quality is 0 or 1."""
        return bool(np.all(np.isnan(self.quality) | (self.quality == 0.0) | (self.quality == 1.0)))

    @property
    def observed(self) -> BoolArray:
        """A mask of the cells with at least one quality: shape (N, L)."""
        return np.asarray(~np.isnan(self.quality).all(axis=2), dtype=np.bool_)

    @property
    def generations(self) -> int:
        """The greatest number of generations in a cell: the paper's G."""
        return int(self.answers.max(initial=0))

    def mean_quality(self) -> FloatArray:
        """Return each cell's mean quality: shape (N, L), NaN for a cell without any."""
        return cell_means(self.quality)

    def mean_cost(self) -> FloatArray | None:
        """Return each cell's mean cost: shape (N, L), NaN if unknown; None without costs."""
        return None if self.cost is None else cell_means(self.cost)

    def take(self, prompts: npt.ArrayLike | None = None, models: npt.ArrayLike | None = None) -> Self:
        """Return the tensor of prompts and models by position, in this order; positions may be repeated."""
        rows = np.arange(len(self.prompts)) if prompts is None else np.asarray(prompts, dtype=np.int64)
        columns = np.arange(len(self.models)) if models is None else np.asarray(models, dtype=np.int64)

        def cut(values: FloatArray | None) -> FloatArray | None:
            return None if values is None else values[rows][:, columns]

        def named(names: tuple[str, ...] | None) -> tuple[str, ...] | None:
            return None if names is None else tuple(names[row] for row in rows)

        return replace(
            self,
            prompts=tuple(self.prompts[row] for row in rows),
            models=tuple(self.models[column] for column in columns),
            quality=self.quality[rows][:, columns],
            cost=cut(self.cost),
            latency=cut(self.latency),
            categories=named(self.categories),
            texts=named(self.texts),
        )


def from_counts(
    prompts: tuple[str, ...],
    models: tuple[str, ...],
    correct: npt.ArrayLike,
    answers: npt.ArrayLike,
    *,
    cost: npt.ArrayLike | None = None,
    unit: str = "USD",
) -> Tensor:
    """Return the tensor with `correct` right ones among the `answers` of each cell, shapes (N, L).

    `cost` (N, L) is the mean cost of a generation in the cell, NaN if unknown. Raises InvalidInput if more
    answers are right than were given.
    """
    right, number = np.asarray(correct, dtype=np.int64), np.asarray(answers, dtype=np.int64)
    if np.any(right > number) or np.any(right < 0):
        prompt, model = np.argwhere((right > number) | (right < 0))[0]
        text = f"{right[prompt, model]} of {number[prompt, model]} are right: give 0 to the number of answers"
        raise InvalidInput(Problem(text, f"{prompts[prompt]}, {models[model]}"))
    turn = np.arange(int(number.max(initial=0)))
    quality = (turn < right[:, :, None]).astype(np.float64)
    missing = turn >= number[:, :, None]
    quality[missing] = np.nan
    costs = None
    if cost is not None:
        costs = np.repeat(np.asarray(cost, dtype=np.float64)[:, :, None], len(turn), axis=2)
        costs[missing] = np.nan
    return Tensor(prompts, models, quality, cost=costs, unit=unit, cost_by_cell=costs is not None)


def cell_means(values: FloatArray) -> FloatArray:
    """Return means over the last axis without NaN; NaN if no value is known."""
    observed = ~np.isnan(values)
    count = observed.sum(axis=-1)
    total = np.where(observed, values, 0.0).sum(axis=-1)
    return np.asarray(np.where(count > 0, total / np.maximum(count, 1), np.nan), dtype=np.float64)
