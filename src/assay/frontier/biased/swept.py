"""The biased frontier at every number of generations, from which `power` and `smooth` extrapolate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.frontier.biased.chosen import chosen_costs, sampled_curves
from assay.frontier.biased.exact import per_prompt_curves
from assay.frontier.sweep.decisions import PhiRule, Views, sweep
from assay.frontier.tensor import Tensor, cell_means

FloatArray = npt.NDArray[np.float64]
DRAWS = 20
"""The number of orders of the generations. Each order gives every g, so that curves are smooth in g."""

PLACES = 8_000_000
"""The largest number of elements of a temporary array; prompts are taken in blocks."""


@dataclass(frozen=True, slots=True)
class SweptCurves:
    """Quality and cost of decisions by g generations, prompt by prompt: shapes (N, A, G).

    `share` (A, L) is each model's share of the choices by all generations. `cost` is None without costs.
    `error` bounds the Monte-Carlo standard error of a mean quality over prompts, as if the orders were
    independent; at g = G the curves are exact.
    """

    quality: FloatArray
    cost: FloatArray | None
    share: FloatArray
    error: float


def end_curves(tensor: Tensor, rng: np.random.Generator) -> tuple[FloatArray, FloatArray | None]:
    """Return quality and cost at alpha = 1, prompt by prompt (N, G); they are exact for 0/1 quality."""
    cost = tensor.mean_cost()
    if not tensor.binary:
        return sampled_curves(tensor.quality, cost, rng)[:2]
    right, number = tensor.correct, tensor.answers
    return per_prompt_curves(right, number), None if cost is None else chosen_costs(right, number, cost)


def swept_curves(
    tensor: Tensor, rule: PhiRule, alphas: FloatArray, rng: np.random.Generator, *, draws: int = DRAWS
) -> SweptCurves:
    """Return the biased frontier at g = 1..G.

    The generations of each cell are put in `draws` random orders. The first g decide and are counted; a cell
    with fewer uses all it has. At alpha = 1 the curves are `end_curves`, which count the mean cost over all
    generations of the chosen cell.
    """
    prompts, models, most = len(tensor.prompts), len(tensor.models), tensor.generations
    quality = np.zeros((prompts, len(alphas), most))
    cost = None if tensor.cost is None else np.zeros_like(quality)
    by_order = np.zeros((draws, len(alphas), most))
    share = np.zeros((len(alphas), models))
    step = max(1, PLACES // (draws * models * most))
    for first in range(0, prompts, step):
        rows = slice(first, min(first + step, prompts))
        block = tensor.take(np.arange(rows.start, rows.stop))
        orders = _orders(block, rng, draws)
        for size in range(1, most + 1):
            swept = sweep(_views(rule, block, orders if size < most else orders[:1], size), alphas)
            quality[rows, :, size - 1] = swept.quality
            by_order[:, :, size - 1] += swept.quality_of_view * len(block.prompts)
            if cost is not None and swept.cost is not None:
                cost[rows, :, size - 1] = swept.cost
        share += swept.share * len(block.prompts)
    ends = end_curves(tensor, rng)
    quality[:, -1] = ends[0]
    if cost is not None and ends[1] is not None:
        cost[:, -1] = ends[1]
    error = by_order[:, :-1].std(axis=0, ddof=1).max(initial=0.0) / (prompts * np.sqrt(draws))
    return SweptCurves(quality, cost, share / prompts, float(error))


def _orders(
    tensor: Tensor, rng: np.random.Generator, draws: int
) -> list[tuple[FloatArray, FloatArray | None]]:
    """Return `draws` pairs of running means (N, L, G) of quality and cost over orders of each cell's answers.

    A random order is used once from each of its positions, as a circle, before the next one is drawn. Every
    answer is then first equally often, which removes most of the Monte-Carlo error.
    """
    observed = ~np.isnan(tensor.quality)
    count = np.maximum(observed.sum(axis=2, keepdims=True), 1)
    turn = np.arange(observed.shape[2])
    orders: list[tuple[FloatArray, FloatArray | None]] = []
    for draw in range(draws):
        if draw % tensor.generations == 0:
            order = np.argsort(np.where(observed, rng.random(observed.shape), np.inf), axis=2)
        place = np.where(turn < count, (turn + draw) % count, turn)
        turned = np.take_along_axis(order, place, axis=2)
        cost = None if tensor.cost is None else _running(np.take_along_axis(tensor.cost, turned, axis=2))
        orders.append((_running(np.take_along_axis(tensor.quality, turned, axis=2)), cost))
    return orders


def _running(values: FloatArray) -> FloatArray:
    """Return the mean of the known values among the first g; NaN if there are none."""
    count = np.cumsum(~np.isnan(values), axis=2)
    total = np.cumsum(np.nan_to_num(values), axis=2)
    return np.asarray(np.divide(total, count, out=np.full(values.shape, np.nan), where=count > 0))


def _views(
    rule: PhiRule, tensor: Tensor, orders: list[tuple[FloatArray, FloatArray | None]], size: int
) -> Views:
    quality = np.stack([qualities[:, :, size - 1] for qualities, _ in orders])
    may_choose = ~np.isnan(quality)
    if tensor.cost is None:
        return rule.views(quality, None, may_choose, quality, None)
    means = cell_means(tensor.cost)
    cost = np.stack([costs[:, :, size - 1] for _, costs in orders if costs is not None])
    cost = np.where(np.isnan(cost), means, cost)
    return rule.views(quality, cost, may_choose, quality, cost)
