"""The cross-fitted frontier: what is chosen by all answers but one of each cell reaches on that one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.frontier.oracles.bracket import cross_fitted
from assay.frontier.sweep.decisions import Rule, Views, sweep
from assay.frontier.tensor import Tensor

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
DRAWS = 40
PLACES = 8_000_000
"""The most places of one temporary array: prompts are taken in blocks."""

BETWEEN = (
    "bracket: the points are cross-fitted, the naive ones stand above; in expectation phi(alpha) of the true "
    "frontier lies between the two at every alpha: quality itself at alpha = 1, cost itself at alpha = 0"
)


@dataclass(frozen=True, slots=True)
class Crossed:
    """Quality and cost (N, A) of cross-fitted decisions, the share (A, L) of prompts each model is chosen on.

    `cost` is None without costs; `notes` say what stands on weaker ground.
    """

    quality: FloatArray
    cost: FloatArray | None
    share: FloatArray
    notes: tuple[str, ...]


def crossed(
    tensor: Tensor, rule: Rule, alphas: FloatArray, rng: np.random.Generator, *, draws: int = DRAWS
) -> Crossed:
    """Return the cross-fitted sweep.

    In each draw every cell leaves one random answer out. The others decide by phi(alpha), together with the
    model's mean on the other prompts, which counts as one more answer in quality and stands in for the cost
    of a cell without others. The one left out is counted, quality and cost: it took no part in the choice, so
    it is unbiased for the choices made, and phi of it is at most the true oracle's in expectation. At
    alpha = 1 quality and cost are those of `bracket.cross_fitted`, which averages over all that can be left
    out exactly. A prompt of whose models nothing else is known counts their mean.
    """
    prompts, models = len(tensor.prompts), len(tensor.models)
    quality = np.zeros((prompts, len(alphas)))
    cost = None if tensor.cost is None else np.zeros_like(quality)
    share = np.zeros((len(alphas), models))
    closed = np.zeros(prompts, dtype=np.bool_)
    for rows, views, few in _blocks(tensor, rule, rng, draws):
        swept = sweep(views, alphas)
        quality[rows], closed[rows] = swept.quality, few
        share += swept.share * len(few) / prompts
        if cost is not None and swept.cost is not None:
            cost[rows] = swept.cost
    ends = cross_fitted(tensor)
    quality[:, -1] = np.where(np.isnan(ends.lower), quality[:, -1], ends.lower)
    if cost is not None and ends.lower_cost is not None:
        cost[:, -1] = np.where(np.isnan(ends.lower_cost), cost[:, -1], ends.lower_cost)
    return Crossed(quality, cost, share, _notes(tensor, closed))


def _blocks(
    tensor: Tensor, rule: Rule, rng: np.random.Generator, draws: int
) -> Iterator[tuple[slice, Views, BoolArray]]:
    """Yield blocks of prompts, their views (draws, n, L), and which have nothing to choose by."""
    prompts = len(tensor.prompts)
    means, spent = tensor.mean_quality(), tensor.mean_cost()
    usual, usual_cost = _elsewhere(means), None if spent is None else _elsewhere(spent)
    there = ~np.isnan(tensor.quality)
    step = max(1, PLACES // (draws * len(tensor.models)))
    for first in range(0, prompts, step):
        rows = slice(first, min(first + step, prompts))
        places = [_place(there[rows], rng) for _ in range(draws)]
        rest, left = _apart(tensor.quality[rows], places, usual[rows])
        few = np.asarray(np.isnan(rest).all(axis=2).any(axis=0))
        decides, counted = None, None
        if tensor.cost is not None and spent is not None and usual_cost is not None:
            others, paid = _apart(tensor.cost[rows], places, None)
            decides = np.where(np.isnan(others), usual_cost[rows], others)
            decides = np.where(np.isnan(decides), spent[rows], decides)
            counted = np.where(np.isnan(paid), spent[rows], paid)
            counted = np.where(few[:, None], np.nanmean(spent[rows], axis=1)[:, None], counted)
        rest = np.where(few[:, None], means[rows], rest)
        left = np.where(few[:, None], np.nanmean(means[rows], axis=1)[:, None], left)
        yield rows, rule.views(rest, decides, ~np.isnan(rest), left, counted), few


def _place(there: BoolArray, rng: np.random.Generator) -> IntArray:
    """Return the answer that each cell leaves out, (n, L, 1)."""
    place = np.where(there, rng.random(there.shape), -1.0).argmax(axis=2)
    return np.asarray(place[:, :, None], dtype=np.int64)


def _elsewhere(means: FloatArray) -> FloatArray:
    """Return each model's mean on the other prompts, (N, L); NaN where it has none."""
    there = ~np.isnan(means)
    known = np.where(there, means, 0.0)
    count = there.sum(axis=0) - there
    total = known.sum(axis=0) - known
    found = np.divide(total, count, out=np.full(means.shape, np.nan), where=count > 0)
    return np.where(there, found, np.nan)


def _apart(
    values: FloatArray, places: list[IntArray], prior: FloatArray | None
) -> tuple[FloatArray, FloatArray]:
    """Return, for each draw, the mean of the other answers and the one left out: (draws, n, L) each.

    `prior` (n, L) counts as one more of the others where it is known. NaN where there are none.
    """
    known = ~np.isnan(values)
    total, count = np.where(known, values, 0.0).sum(axis=2), known.sum(axis=2)
    if prior is not None:
        total, count = total + np.nan_to_num(prior), count + ~np.isnan(prior)
    left = np.stack([np.take_along_axis(values, place, axis=2)[:, :, 0] for place in places])
    others = count - ~np.isnan(left)
    rest = np.divide(total - np.nan_to_num(left), others, out=np.full(left.shape, np.nan), where=others > 0)
    return rest, left


def _notes(tensor: Tensor, closed: BoolArray) -> tuple[str, ...]:
    told = [BETWEEN]
    if closed.any():
        told.append(
            f"on {int(closed.sum())} of {len(closed)} prompts nothing is known of any model but one answer: "
            "the mean of their models is counted there"
        )
    if tensor.cost_by_cell:
        told.append("costs are known by cell: the answer left out costs its cell's mean")
    return tuple(told)
