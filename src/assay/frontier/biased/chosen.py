"""Quality and cost of the biased oracle's choices at every number of generations."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.frontier.biased.exact import distinct_pairs
from assay.frontier.counts import checked_counts, log_factorials

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
PLACES = 2_000_000
DRAWS = 64
TIED = 1e-12


def cheapest_best(
    quality: FloatArray, cost: FloatArray | None, may_choose: npt.NDArray[np.bool_]
) -> IntArray:
    """Return the position of the best model that may be chosen: shape (S, N) for (S, N, L).

    Ties go to the cheapest model, then to the first; if no cost is known, to the first.
    """
    worth = np.where(may_choose, quality, -np.inf)
    if cost is None:
        return np.asarray(worth.argmax(axis=2), dtype=np.int64)
    best = worth == worth.max(axis=2, keepdims=True)
    price = np.where(best & ~np.isnan(cost), cost, np.inf)
    priced = np.isfinite(price.min(axis=2))
    return np.asarray(np.where(priced, price.argmin(axis=2), worth.argmax(axis=2)), dtype=np.int64)


def chosen_costs(correct: npt.ArrayLike, answers: npt.ArrayLike, cost: npt.ArrayLike) -> FloatArray:
    """Return the expected cost of the model chosen by g generations on each prompt, shape (N, G).

    `correct`, `answers` and `cost` (the cell's mean cost over all of its generations) have shape (N, L). For
    each g = 1..G the model with the greatest share right among g drawn generations is chosen; ties go to the
    cheapest, as at alpha = 1 of the frontier. Cells with fewer than g generations use all they have, as in
    `exact.per_prompt_curves`, which has the quality of the same choices. Only the choice depends on g: a
    model's cost is always its mean over all generations. Missing cells are never chosen; a prompt without any
    generation has NaN. Raises InvalidInput if a cell with generations has no cost.
    """
    right, number = checked_counts(correct, answers)
    costs = np.asarray(cost, dtype=np.float64)
    if costs.shape != right.shape:
        raise InvalidInput(
            Problem(f"cost has shape {costs.shape!r}: give the shape of the counts, {right.shape!r}")
        )
    if np.isnan(costs[number > 0]).any():
        raise InvalidInput(Problem("a cell with generations has no cost: leave the cell out"))
    order = np.argsort(np.where(number > 0, costs, np.inf), axis=1, kind="stable")
    right, number = np.take_along_axis(right, order, axis=1), np.take_along_axis(number, order, axis=1)
    costs = np.where(number > 0, np.take_along_axis(costs, order, axis=1), 0.0)
    most = int(number.max(initial=0))
    pairs = distinct_pairs(right, number)
    curves = np.zeros((len(right), most))
    step = max(1, PLACES // max(1, right.shape[1]))
    for size in range(1, most + 1):
        chance, below, upto = _tables(pairs.correct, pairs.answers, size)
        for first in range(0, len(right), step):
            part = slice(first, first + step)
            index = pairs.index[part]
            for level in range(chance.shape[1]):
                lower = _before(below[index, level])
                higher = _before(upto[index, level][:, ::-1])[:, ::-1]
                curves[part, size - 1] += (chance[index, level] * lower * higher * costs[part]).sum(axis=1)
    curves[~(number > 0).any(axis=1)] = np.nan
    return curves


def _tables(right: IntArray, number: IntArray, size: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return P(share = v), P(share < v) and P(share <= v) of each pair of counts, for every level v.

    The share of a missing cell is below all levels.
    """
    logs, turn = log_factorials(int(number.max(initial=0))), np.arange(size + 1)
    short = (number <= size) & (number > 0)
    levels = np.unique(np.concatenate([turn / size, right[short] / number[short]]))
    chance = np.zeros((len(right), len(levels)))
    chance[short, np.searchsorted(levels, right[short] / number[short])] = 1.0
    deep = np.flatnonzero(number > size)
    some, wrong = right[deep, None], (number - right)[deep, None]
    possible = (turn <= some) & (size - turn <= wrong)
    hits, misses = np.where(possible, turn, 0), np.where(possible, size - turn, 0)
    log = logs[some] - logs[hits] - logs[some - hits] + logs[wrong] - logs[misses] - logs[wrong - misses]
    log -= logs[some + wrong] - logs[size] - logs[some + wrong - size]
    chance[np.ix_(deep, np.searchsorted(levels, turn / size))] = np.where(possible, np.exp(log), 0.0)
    upto = np.minimum(np.cumsum(chance, axis=1), 1.0)
    below = np.concatenate([np.zeros((len(right), 1)), upto[:, :-1]], axis=1)
    missing = number == 0
    below[missing] = upto[missing] = 1.0
    return chance, below, upto


def _before(factors: FloatArray) -> FloatArray:
    """Return the product of the factors before each position in a row."""
    products = np.ones_like(factors)
    np.cumprod(factors[:, :-1], axis=1, out=products[:, 1:])
    return products


def sampled_curves(
    quality: FloatArray, cost: FloatArray | None, rng: np.random.Generator, *, draws: int = DRAWS
) -> tuple[FloatArray, FloatArray | None, FloatArray]:
    """Return quality and cost of the choice by g generations, (N, G) each, for quality of any kind.

    `quality` is (N, L, G), NaN if missing, and `cost` (N, L) is each cell's mean cost. The generations of
    every cell are put in `draws` random orders, and the first g of each order choose: the mean over the
    orders estimates the mean over all subsets of g. The third array (G,) is the Monte-Carlo standard error of
    the mean quality over prompts; it is 0 at g = G, which is exact. Every prompt needs a generation. Ties are
    broken as in `chosen_costs`.
    """
    observed = ~np.isnan(quality)
    number = observed.sum(axis=2)
    most = int(number.max(initial=0))
    turn = np.minimum(np.arange(1, most + 1), np.maximum(number, 1)[:, :, None])
    values, costs = np.zeros((quality.shape[0], most)), np.zeros((quality.shape[0], most))
    means = np.zeros((draws, most))
    for draw in range(draws):
        order = np.argsort(np.where(observed, rng.random(quality.shape), np.inf), axis=2)
        known = np.cumsum(np.nan_to_num(np.take_along_axis(quality, order, axis=2)), axis=2)
        shares = np.take_along_axis(known, turn - 1, axis=2) / turn
        shares = np.where(number[:, :, None] > 0, shares, -np.inf)
        top = shares.max(axis=1)
        values += top
        means[draw] = top.mean(axis=0)
        if cost is not None:
            tied = shares >= (top - TIED * np.abs(top))[:, None]
            costs += np.where(tied, cost[:, :, None], np.inf).min(axis=1)
    error = means.std(axis=0, ddof=1) / np.sqrt(draws) if draws > 1 else np.full(most, np.nan)
    error[-1] = 0.0
    return values / draws, None if cost is None else costs / draws, error
