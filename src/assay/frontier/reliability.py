"""Reliability: how consistently each model succeeds or fails over its generations, corrected for luck."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

from assay.core.errors import InvalidInput, Problem
from assay.frontier.counts import checked_counts
from assay.frontier.posterior import Posterior
from assay.frontier.tensor import Tensor, cell_means
from assay.results.frontier_report import Correlation

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
GRID = np.linspace(0.0, 1.0, 4097)
"""Rates at which the expected measure is computed exactly; between them it is interpolated (error 1e-6)."""
LEAST = 3
"""The smallest number of models for a correlation."""


@dataclass(frozen=True, slots=True)
class Reliabilities:
    """Each model's reliability, arrays (L,); NaN for a model without any generation.

    `measured` is equation 24. `coin` is the measured value of a model that flips a fair coin (true
    reliability 0) with the same generations. `remaining` is the posterior's 2 E|p - 0.5|, `expected` is the
    measured value to be expected with such p, and `expected - remaining` is the bias; they are None without
    a posterior. `prompts` is the number of prompts on which the model was observed. `with_quality` and
    `with_cost` are the correlations of `measured` with mean quality and cost over models;
    `remaining_with_quality` and `remaining_with_cost` are those of `remaining`.
    """

    measured: FloatArray
    coin: FloatArray
    remaining: FloatArray | None
    expected: FloatArray | None
    prompts: IntArray
    with_quality: Correlation
    with_cost: Correlation | None
    remaining_with_quality: Correlation | None
    remaining_with_cost: Correlation | None


def reliability(correct: npt.ArrayLike, answers: npt.ArrayLike) -> FloatArray:
    """Return equation 24, 2 mean_n |share right - 0.5|, of each model over its observed prompts: shape (L,).

    It is 0 for a model that is right half of the time on every prompt, and 1 for a model that is always or
    never right on each prompt. It is biased upwards at finite G, because |.| is convex: with one generation
    it is always 1. It depends on quality by definition: a model that fails everything is as reliable as one
    that solves everything.
    """
    right, number = checked_counts(correct, answers)
    return _mean_over_prompts(2.0 * np.abs(right / np.maximum(number, 1) - 0.5), number > 0)


def coin_reliability(answers: npt.ArrayLike) -> FloatArray:
    """Return 2 E|Binomial(n, 1/2)/n - 1/2| for each n of 1 or more, and 0 for n = 0; any shape.

    It is C(m, m/2)/2^m with m = n for even n and m = n - 1 for odd n: 1 at n = 1, 0.25 at n = 10, 0.08 at
    n = 100. Source: De Moivre's mean absolute deviation (P. Diaconis and S. Zabell, Statistical Science 6
    (1991) 284-302).
    """
    number = np.asarray(answers, dtype=np.float64)
    even = number - number % 2
    value = np.exp(
        scipy.special.gammaln(even + 1) - 2 * scipy.special.gammaln(even / 2 + 1) - even * np.log(2.0)
    )
    return np.asarray(np.where(number > 0, value, 0.0), dtype=np.float64)


def expected_reliability(rates: npt.ArrayLike, answers: npt.ArrayLike) -> FloatArray:
    """Return 2 E|Binomial(n, p)/n - 1/2| for rates p and numbers n of 1 or more, broadcast together.

    E|X - a| = 2(a F(a; n, p) - n p F(a - 1; n - 1, p)) + n p - a, where a = n/2 and F is the binomial
    distribution function at the integer part of its argument.
    """
    rate, number = np.broadcast_arrays(
        np.asarray(rates, dtype=np.float64), np.asarray(answers, dtype=np.float64)
    )
    half, whole = number / 2.0, np.floor(number / 2.0)
    lower = np.where(
        whole >= 1.0, scipy.special.bdtr(np.maximum(whole - 1.0, 0.0), _whole(number - 1), rate), 0.0
    )
    upper = scipy.special.bdtr(whole, _whole(number), rate)
    away = 2.0 * (half * upper - number * rate * lower) + number * rate - half
    return np.asarray(2.0 * away / number, dtype=np.float64)


def measure(tensor: Tensor, posterior: Posterior | None = None) -> Reliabilities:
    """Return every model's reliability, its bias (with a posterior) and its correlations.

    All figures are over observed cells. Raises InvalidInput for quality other than 0 and 1, for which
    equation 24 has no meaning.
    """
    if not tensor.binary:
        raise InvalidInput(
            Problem("quality has values other than 0 and 1: reliability (equation 24) needs right or wrong")
        )
    number, observed = tensor.answers, tensor.observed
    measured = reliability(tensor.correct, number)
    remaining = expected = None
    if posterior is not None:
        remaining = _mean_over_prompts(2.0 * np.abs(posterior.quality - 0.5).mean(axis=0), observed)
        expected = _mean_over_prompts(_expected_by_cell(posterior.quality, number), observed)
    quality = _mean_over_prompts(np.nan_to_num(tensor.mean_quality()), observed)
    costs = tensor.mean_cost()
    cost = None if costs is None else _mean_over_prompts(np.nan_to_num(costs), ~np.isnan(costs))
    return Reliabilities(
        measured,
        _mean_over_prompts(coin_reliability(number), observed),
        remaining,
        expected,
        np.asarray(observed.sum(axis=0), dtype=np.int64),
        correlation(measured, quality),
        None if cost is None else correlation(measured, cost),
        None if remaining is None else correlation(remaining, quality),
        None if remaining is None or cost is None else correlation(remaining, cost),
    )


def correlation(first: npt.ArrayLike, second: npt.ArrayLike) -> Correlation:
    """Return Pearson's and Spearman's correlation of two figures over models; NaN pairs are left out."""
    x, y = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    known = ~np.isnan(x) & ~np.isnan(y)
    x, y = x[known], y[known]
    if len(x) < LEAST or _constant(x) or _constant(y):
        return Correlation(len(x), None, None, None, None)
    pearson, spearman = scipy.stats.pearsonr(x, y), scipy.stats.spearmanr(x, y)
    return Correlation(len(x), float(pearson[0]), float(pearson[1]), float(spearman[0]), float(spearman[1]))


def _constant(values: FloatArray) -> bool:
    return bool(np.ptp(values) <= 1e-12 * np.abs(values).max())


def _whole(number: FloatArray) -> IntArray:
    return np.asarray(number, dtype=np.int64)


def _mean_over_prompts(values: FloatArray, observed: npt.NDArray[np.bool_]) -> FloatArray:
    return cell_means(np.where(observed, values, np.nan).T)


def _expected_by_cell(rates: FloatArray, number: IntArray) -> FloatArray:
    """Return each cell's expected measure, averaged over draws (S, N, L): shape (N, L)."""
    expected = np.zeros(number.shape)
    for generations in np.unique(number[number > 0]):
        cells = number == generations
        on_grid = expected_reliability(GRID, generations)
        expected[cells] = np.interp(rates[:, cells], GRID, on_grid).mean(axis=0)
    return expected
