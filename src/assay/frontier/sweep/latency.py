"""Latency as a third objective: each cell's P95, and decisions that put a weight on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.frontier.sweep.decisions import scale_of
from assay.frontier.sweep.tail_latency import chosen_p95
from assay.frontier.tensor import Tensor

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
ENOUGH = 20
"""With fewer latencies than this in a cell, its P95 is its greatest."""
EQUAL = 1e-12


@dataclass(frozen=True, slots=True)
class Weights:
    """What quality, cost and latency count for, each 0 or more; only their ratios matter.

    `Weights(alpha, 1 - alpha)` is phi(alpha) of equation 19.
    """

    quality: float
    cost: float = 0.0
    latency: float = 0.0


@dataclass(frozen=True, slots=True)
class Weighed:
    """What decisions with a weight on latency choose and show.

    `choice` (N,) is the model's place, -1 on prompts left out, where no model has all that carries a weight.
    `quality` and `cost` are means over the other prompts of the chosen cells' means, `latency` of their P95,
    None where one of them is unknown; `p95` is the P95 over all chosen answers. All decide and count on the
    same answers: like equation 5, they show the choices better than they are.
    """

    choice: IntArray
    quality: float
    cost: float | None
    latency: float | None
    p95: float | None
    left_out: int


def p95_latency(latency: FloatArray) -> FloatArray:
    """Return each cell's P95 latency (N, L) from (N, L, G) seconds, NaN where unknown; NaN without any.

    By nearest rank, no interpolation: the least latency that at least 95 % of the cell's do not exceed, its
    ceil(0.95 n)-th. With fewer than 20 it is the greatest, and even that is too low on average for a 95th
    percentile: the greatest of n lies at the n/(n + 1) quantile on average, the 91st percentile at n = 10.
    """
    number = (~np.isnan(latency)).sum(axis=2)
    rank = (95 * number + 99) // 100
    if not latency.shape[2]:
        return np.full(number.shape, np.nan)
    ordered = np.sort(latency, axis=2)
    return np.take_along_axis(ordered, np.maximum(rank - 1, 0)[:, :, None], axis=2)[:, :, 0]


def weigh(tensor: Tensor, weights: Weights) -> Weighed:
    """Decide by the greatest phi = a Q* - b C* - c T* on every prompt, the weights divided by their sum.

    Q* and C* are the cells' means on the scale of equations 20-21; T* is the cells' P95 latency on the scale
    of the least and greatest P95 of the tensor (T^95 of equation 1), 0 where all are the same. A cell must
    have whatever carries a weight. Equal phi goes to the lower cost, then to the lower latency, then to the
    first model. InvalidInput for weights below 0 or all 0, and for a weight on what was not recorded.
    """
    share = _shares(weights, tensor)
    quality, cost = tensor.mean_quality(), tensor.mean_cost()
    late = None if tensor.latency is None else p95_latency(tensor.latency)
    open_to = tensor.there
    if not open_to.any():
        raise InvalidInput(Problem("no cell has a quality: there is nothing to choose from"))
    scale = scale_of(tensor.quality, tensor.cost if share[1] else None)
    phi = share[0] * scale.quality_of(quality)
    if cost is not None and share[1]:
        phi, open_to = phi - share[1] * scale.cost_of(cost), open_to & ~np.isnan(cost)
    if late is not None and share[2]:
        phi, open_to = phi - share[2] * _on_its_range(late), open_to & ~np.isnan(late)
    choice = _first_of_best(phi, open_to, [each for each in (cost, late) if each is not None])
    return _counted(tensor, choice, quality, cost, late)


def _shares(weights: Weights, tensor: Tensor) -> tuple[float, float, float]:
    given = (weights.quality, weights.cost, weights.latency)
    if not all(np.isfinite(each) and each >= 0.0 for each in given) or not sum(given) > 0.0:
        raise InvalidInput(Problem(f"weights {given!r}: give numbers of 0 or more, not all 0"))
    for name, weight, values in (("cost", given[1], tensor.cost), ("latency", given[2], tensor.latency)):
        if weight and (values is None or np.isnan(values).all()):
            raise InvalidInput(
                Problem(f"{name} has weight {weight!r} but was not recorded: give it weight 0")
            )
    total = sum(given)
    return given[0] / total, given[1] / total, given[2] / total


def _on_its_range(values: FloatArray) -> FloatArray:
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    return np.zeros_like(values) if not high > low else (values - low) / (high - low)


def _first_of_best(phi: FloatArray, open_to: npt.NDArray[np.bool_], ties: list[FloatArray]) -> IntArray:
    """Return the best open place of each row, -1 without any; ties go to the least of each of `ties`."""
    left = open_to & (phi >= np.where(open_to, phi, -np.inf).max(axis=1, keepdims=True) - EQUAL)
    for values in ties:
        told = np.where(left & ~np.isnan(values), values, np.inf)
        left = left & (np.isinf(told).all(axis=1, keepdims=True) | (told == told.min(axis=1, keepdims=True)))
    return np.where(open_to.any(axis=1), left.argmax(axis=1), -1)


def _counted(
    tensor: Tensor, choice: IntArray, quality: FloatArray, cost: FloatArray | None, late: FloatArray | None
) -> Weighed:
    rows = np.flatnonzero(choice >= 0)
    if not rows.size:
        raise InvalidInput(Problem("no cell has all that carries a weight: leave a weight out"))
    columns = choice[rows]

    def told(values: FloatArray | None) -> float | None:
        chosen = None if values is None else values[rows, columns]
        return None if chosen is None or np.isnan(chosen).any() else float(chosen.mean())

    p95 = None
    if tensor.latency is not None:
        chosen = np.zeros((1, *quality.shape))
        chosen[0, rows, columns] = 1.0
        found = float(chosen_p95(tensor.latency, chosen)[0])
        p95 = None if np.isnan(found) else found
    mean = float(quality[rows, columns].mean())
    return Weighed(choice, mean, told(cost), told(late), p95, len(choice) - len(rows))
