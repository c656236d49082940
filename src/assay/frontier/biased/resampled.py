"""The biased frontier at every number of generations by resampling, where no closed form exists.

For 0/1 quality at alpha = 1, `exact` has the quality without resampling noise.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.frontier.prepared import prepare
from assay.frontier.sweep.decisions import Scale, Views, scale_of, sweep
from assay.frontier.tensor import Tensor, cell_means

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
PLACES = 4_000_000
"""The most places of one temporary array."""


@dataclass(frozen=True, slots=True)
class ResampledCurves:
    """The biased oracle's mean quality and cost at A alphas and g = 1..G, (A, G), over `prompts` prompts.

    `quality_error` and `cost_error` are the Monte-Carlo standard errors of the resampling alone, 0 at g = G
    where all generations are drawn; they say nothing about other prompts. The costs are None without costs.
    `notes` say what was left out.
    """

    alphas: FloatArray
    quality: FloatArray
    cost: FloatArray | None
    quality_error: FloatArray
    cost_error: FloatArray | None
    prompts: int
    draws: int
    notes: tuple[str, ...] = ()


def biased_curves(
    tensor: Tensor, alphas: npt.ArrayLike, *, draws: int = 8, rng: np.random.Generator
) -> ResampledCurves:
    """Return what decisions by phi(alpha) on g generations seem to reach and cost, for g = 1..G.

    In each draw every cell's generations are put in random order; its first g, without replacement, give its
    mean quality and mean cost, the same generations both. The model with the greatest
    alpha Q* - (1 - alpha) C* is chosen (equations 19-21) and its two means are counted: the same luck decides
    and counts, which is the bias. Minimum and maximum are over the whole tensor; constant quality or cost
    becomes 0. Equal phi goes to the lower cost, then the higher quality (`decisions.sweep`). A cell with
    fewer than g generations takes part with all it has, as in `exact`; drawn answers without a recorded cost
    have that of the others drawn, or the cell's mean. `alphas` (A,) in any order. InvalidInput for alphas
    outside 0-1, below 1 without costs, and fewer than 2 draws.
    """
    asked = np.asarray(alphas, dtype=np.float64).reshape(-1)
    _check(asked, tensor, draws)
    prepared = prepare(tensor)
    known = prepared.tensor
    scale = scale_of(known.quality, known.cost)
    in_order, back = np.unique(asked, return_inverse=True)
    sums = np.zeros((2, draws, known.generations, len(in_order)))
    for rows in _blocks(known, len(in_order)):
        block = known.take(prompts=rows)
        for draw in range(draws):
            views = _views(block, scale, rng, known.generations)
            swept = sweep(views, in_order)
            sums[0, draw] += swept.quality_of_view * len(rows)
            if swept.cost_of_view is not None:
                sums[1, draw] += swept.cost_of_view * len(rows)
    means = np.moveaxis(sums / len(known.prompts), 3, 2)[:, :, back]
    middle, error = means.mean(axis=1), means.std(axis=1, ddof=1) / np.sqrt(draws)
    priced = known.cost is not None
    return ResampledCurves(
        asked,
        middle[0],
        middle[1] if priced else None,
        error[0],
        error[1] if priced else None,
        len(known.prompts),
        draws,
        prepared.notes,
    )


def _check(alphas: FloatArray, tensor: Tensor, draws: int) -> None:
    wrong = alphas[~((alphas >= 0.0) & (alphas <= 1.0))]
    if wrong.size:
        raise InvalidInput(Problem(f"alpha is {float(wrong[0])!r}: give numbers from 0 to 1"))
    if tensor.cost is None and np.any(alphas < 1.0):
        raise InvalidInput(Problem(f"alpha is {float(alphas.min())!r} without costs: give 1, or costs"))
    if draws < 2:
        raise InvalidInput(Problem(f"{draws!r} draws: give 2 or more, for their standard error"))


def _blocks(tensor: Tensor, alphas: int) -> Iterator[IntArray]:
    prompts, models, deep = tensor.quality.shape
    step = max(1, PLACES // (models * max(deep, alphas + 1)))
    return (np.arange(start, min(start + step, prompts)) for start in range(0, prompts, step))


def _views(tensor: Tensor, scale: Scale, rng: np.random.Generator, deep: int) -> Views:
    """Return the tensor as each of 1..G randomly drawn generations show it: (G, N, L)."""
    there = ~np.isnan(tensor.quality)
    order = _orders(there, rng)
    there = np.take_along_axis(there, order, axis=2)
    quality = _running_means(np.take_along_axis(tensor.quality, order, axis=2), there, deep)
    open_to = np.broadcast_to(there.any(axis=2), quality.shape)
    if tensor.cost is None:
        nothing = np.zeros(quality.shape)
        return Views(scale.quality_of(quality), nothing, open_to, quality, None)
    drawn = np.take_along_axis(tensor.cost, order, axis=2)
    costed = there & ~np.isnan(drawn)
    cost = _running_means(drawn, costed, deep)
    if not np.array_equal(costed, there):
        usual = cell_means(np.where(costed, drawn, np.nan))
        usual = np.where(np.isnan(usual), cell_means(drawn), usual)
        cost = np.where(np.moveaxis(np.cumsum(costed[:, :, :deep], axis=2), 2, 0) > 0, cost, usual)
    return Views(scale.quality_of(quality), scale.cost_of(cost), open_to, quality, cost)


def _orders(there: BoolArray, rng: np.random.Generator) -> IntArray:
    """Return each cell's generations in random order, the missing ones last: shape (N, L, G)."""
    prompts, models, deep = there.shape
    number = there.sum(axis=2).reshape(-1)
    order = np.argsort(~there, axis=2, kind="stable").reshape(-1, deep)
    cells = np.arange(len(order))
    for turn in range(deep - 1):
        left = np.maximum(number - turn, 1)
        other = np.minimum(turn + (rng.random(len(order)) * left).astype(np.int64), deep - 1)
        held = order[cells, other]
        order[cells, other] = order[:, turn]
        order[:, turn] = held
    return order.reshape(prompts, models, deep)


def _running_means(values: FloatArray, there: BoolArray, deep: int) -> FloatArray:
    """Return the means of the first 1..G generations of each cell, shape (G, N, L); 0 where there is none."""
    values, there = values[:, :, :deep], there[:, :, :deep]
    total = np.cumsum(np.where(there, values, 0.0), axis=2)
    means = total / np.maximum(np.cumsum(there, axis=2), 1)
    return np.ascontiguousarray(np.moveaxis(means, 2, 0))
