"""Two ends with the true oracle between them, without a model: cross-fitted below, naive above."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.frontier.tensor import Tensor, cell_means

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
LEAST = 2
"""From so many generations on, a cell has one to choose by beside the one that is left out."""
PLACES = 4_000_000
EQUAL = 1e-12
"""Means of the same values in another order differ by less than this share of their range: they are tied."""


@dataclass(frozen=True, slots=True)
class Bracket:
    """Each prompt's two ends, shapes (N,); NaN where the prompt has no such end.

    `lower` is what the model chosen by all generations but one of each cell reaches on the one left out,
    `lower_cost` what that one costs. `upper` is the greatest observed mean.
    """

    lower: FloatArray
    lower_cost: FloatArray | None
    upper: FloatArray


def cross_fitted(tensor: Tensor) -> Bracket:
    """Bracket each prompt's true oracle value without a model of the data.

    Below: of every cell one generation is left out, a model is chosen by the rest, and the generation that it
    left out is its value. That one took no part in the choice, so its expectation is the chosen model's true
    quality, which is at most the best one's: the mean over prompts never exceeds the true oracle in
    expectation. Above: the greatest mean of all generations, which never falls short of it in expectation.
    All choices of what is left out, each cell's apart, are averaged exactly: no seed is needed and no
    Monte-Carlo error arises.

    Leaving one out is the tightest split for choosing: every other split chooses by fewer generations. It is
    fixed beforehand, since taking the best of several splits would be a choice by luck again. The choice is
    by the greatest mean of the rest and of the model's mean on the other prompts, which counts as one more
    generation: it knows nothing of what was left out here either, it settles most ties, of which few
    generations make many, and it steadies cells of one or two. What still ties is shared evenly. `lower` is
    NaN where a prompt's models have neither other prompts nor a second generation.

    Generations are exchangeable within a cell and cells independent of each other, so this is the expectation
    over the product of the cells' choices. The chance 1/(1 + number tied) of a shared choice is the integral
    over t of prod_j (P(S_j < s) + t P(S_j = s)), exact by Gauss and Legendre's rule.
    """
    quality, cost = tensor.quality, tensor.cost
    weights, scores, values, costs = _atoms(tensor, quality, cost)
    prompts = len(quality)
    scores = _ranks(np.where(weights > 0, scores, -np.inf))
    lower = np.zeros(prompts)
    lower_cost = None if costs is None else np.zeros(prompts)
    floor = np.where(weights > 0, scores, np.inf).min(axis=2)
    floor = np.where(np.isfinite(floor), floor, -np.inf).max(axis=1)
    rows, models, places = np.nonzero((weights > 0) & (scores >= floor[:, None, None]))
    step = max(1, PLACES // max(1, weights.shape[1] * weights.shape[2]))
    for first in range(0, len(rows), step):
        part = slice(first, first + step)
        n, m, a = rows[part], models[part], places[part]
        share = weights[n, m, a] * _chosen(weights, scores, n, m, scores[n, m, a])
        np.add.at(lower, n, share * values[n, m, a])
        if costs is not None and lower_cost is not None:
            np.add.at(lower_cost, n, share * costs[n, m, a])
    upper = np.where(np.isnan(cell_means(quality)), -np.inf, cell_means(quality)).max(axis=1)
    shut = ~(weights > 0).any(axis=(1, 2))
    lower[shut] = np.nan
    if lower_cost is not None:
        lower_cost[shut] = np.nan
    return Bracket(lower, lower_cost, np.where(np.isfinite(upper), upper, np.nan))


def _atoms(
    tensor: Tensor, quality: FloatArray, cost: FloatArray | None
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray | None]:
    """Return chance, score, value and cost of each thing that a cell can leave out: shapes (N, L, A).

    For 0/1 quality it leaves out a right or a wrong answer (A = 2), else any one generation (A = G).
    """
    given = tensor.given[:, :, None]
    total = np.where(np.isnan(quality), 0.0, quality).sum(axis=2)[:, :, None]
    if tensor.binary:
        values = np.broadcast_to(np.array([1.0, 0.0]), (*quality.shape[:2], 2))
        weights = np.concatenate([total, given - total], axis=2) / np.maximum(given, 1)
        costs = None
        if cost is not None:
            by_value = [cell_means(np.where(quality == value, cost, np.nan)) for value in (1.0, 0.0)]
            costs = np.stack(by_value, axis=2)
    else:
        there = ~np.isnan(quality)
        values, costs = np.where(there, quality, 0.0), cost
        weights = there / np.maximum(given, 1)
    elsewhere = _elsewhere(tensor)[:, :, None]
    known = ~np.isnan(elsewhere)
    number = given - 1 + known
    weights = np.where(number > 0, weights, 0.0)
    scores = (total - values + np.where(known, elsewhere, 0.0)) / np.maximum(number, 1)
    if costs is not None:
        costs = np.where(np.isnan(costs), cell_means(cost)[:, :, None], costs)  # type: ignore[arg-type]
        costs = np.where(weights > 0, costs, 0.0)
    return weights, scores, values, costs


def _elsewhere(tensor: Tensor) -> FloatArray:
    """Return each model's mean quality on the other prompts, shape (N, L); NaN where it has none."""
    means = tensor.mean_quality()
    there = ~np.isnan(means)
    known = np.where(there, means, 0.0)
    count = there.sum(axis=0) - there
    total = known.sum(axis=0) - known
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def _ranks(scores: FloatArray) -> FloatArray:
    """Return dense ranks of scores (N, L, A) within each prompt; those within rounding share one."""
    values = scores.reshape(len(scores), -1)
    order = np.argsort(values, axis=1)
    lined = np.take_along_axis(values, order, axis=1)
    scale = np.where(np.isfinite(lined), np.abs(lined), 0.0).max(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        steps = np.diff(lined, axis=1) > EQUAL * scale
    ranks = np.zeros(values.shape)
    np.put_along_axis(ranks, order[:, 1:], np.cumsum(steps, axis=1), axis=1)
    return ranks.reshape(scores.shape)


def _chosen(
    weights: FloatArray, scores: FloatArray, rows: IntArray, models: IntArray, at: FloatArray
) -> FloatArray:
    """Return the chance (K,) that `models` (K,) with the score `at` are chosen on the prompts `rows`."""
    weight, score = weights[rows], scores[rows]
    below = (weight * (score < at[:, None, None])).sum(axis=2)
    equal = (weight * (score == at[:, None, None])).sum(axis=2)
    stay = (weight.sum(axis=2) == 0) | (np.arange(weight.shape[1]) == models[:, None])
    below, equal = np.where(stay, 1.0, below), np.where(stay, 0.0, equal)
    found = below.prod(axis=1)
    tied = np.flatnonzero((equal > 0).any(axis=1))
    if tied.size:
        most = int((equal[tied] > 0).sum(axis=1).max())
        nodes, shares = np.polynomial.legendre.leggauss(most // 2 + 1)
        found[tied] = sum(
            share / 2.0 * (below[tied] + (node + 1.0) / 2.0 * equal[tied]).prod(axis=1)
            for node, share in zip(nodes, shares, strict=True)
        )
    return np.asarray(found, dtype=np.float64)
