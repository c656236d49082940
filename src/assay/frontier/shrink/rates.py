"""Draws of success rates from counts: the shape of what remains is learnt from cells that are alike."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from assay.frontier.shrink.coded import CodedCounts, log_sum
from assay.frontier.shrink.curves import fit_curves
from assay.frontier.shrink.groups import grouped
from assay.frontier.shrink.shapes import Shapes

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
STEPS = 100
DIFFERENCE = 1e-4
PRIOR_CELLS = 10.0
"""A group's smooth shape weighs as many cells beside those that were observed."""
RISES = 40
BURN_IN = 60
TINY = 1e-300


def draw_rates(counts: CodedCounts, draws: int, rng: np.random.Generator) -> FloatArray:
    """Return draws (S, N, L) of the cells' success rates given all counts.

    A prompt has a level of ease (`fit_curves`), a model at a level belongs to a group of pairs with a like
    expected success (`grouped`), and a cell's success rate comes from its group's distribution over a grid.
    That distribution has a Dirichlet prior around a smooth one, the beta distribution of the curves tilted
    to fit (`Shapes`), so that many cells of 0 of 10 may put much mass at 0 and few cells stay smooth. A Gibbs
    sampler draws levels, rates, shapes and weights in turn, the smooth distributions anew from their normal
    approximation: the draws also carry what is not known of the shapes. The curves are held fixed.
    Source: empirical Bayes by modelling the prior (B. Efron, Biometrika 103, 2016) and Dirichlet mixtures
    (T. Ferguson, Annals of Statistics 1, 1973; J. Liu, Annals of Statistics 24, 1996).
    """
    curves = fit_curves(counts)
    groups = grouped(counts, curves)
    model = Shapes(counts, groups, counts.likelihood(groups.rates))
    smooth = _smooth(model, model.start(curves.weights), rng)
    shapes, weights = _risen(model, next(smooth), curves.weights + TINY)
    drawn = np.empty((draws, counts.prompts, counts.models))
    for turn in range(BURN_IN + draws):
        logs = model.by_level(shapes) + np.log(weights)
        level = (logs + rng.gumbel(size=logs.shape)).argmax(axis=1)
        group = groups.of[:, level].T
        rate = _rates(counts, group, shapes, model.likelihood, rng)
        seen = np.bincount((group * len(groups.rates) + rate).ravel(), minlength=groups.guess.size)
        shapes = _dirichlet(seen.reshape(groups.guess.shape) + PRIOR_CELLS * next(smooth), rng)
        weights = _dirichlet(np.bincount(level, minlength=len(weights)) + 1.0 / len(weights), rng)
        if turn >= BURN_IN:
            drawn[turn - BURN_IN] = _spread(rate, len(groups.rates), rng)
    return drawn


def _smooth(model: Shapes, start: FloatArray, rng: np.random.Generator) -> Iterator[FloatArray]:
    """Yield the best smooth shapes (B, P), then draws of them from the normal approximation around it."""
    found = minimize(
        model.value, start, jac=True, method="L-BFGS-B", options={"maxiter": STEPS, "maxcor": 20}
    )
    centre = np.asarray(found.x)
    yield model.shapes(centre)
    root = _root(_curvature(model, centre))
    while True:
        yield model.shapes(centre + root @ rng.standard_normal(len(centre)))


def _risen(model: Shapes, smooth: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return shapes (B, P) and the levels' weights (K,) after some steps of expectation-maximisation."""
    shapes = smooth
    for _ in range(RISES):
        logs = model.by_level(shapes) + np.log(weights)
        membership = np.exp(logs - log_sum(logs)[:, None])
        expected, _ = model.expected(shapes, membership)
        shapes = expected + PRIOR_CELLS * smooth
        shapes = shapes / shapes.sum(axis=1, keepdims=True)
        weights = membership.sum(axis=0) + 1.0 / len(weights)
        weights = weights / weights.sum()
    return shapes, weights


def _rates(
    counts: CodedCounts, group: IntArray, shapes: FloatArray, likelihood: FloatArray, rng: np.random.Generator
) -> IntArray:
    """Draw the places (N, L) of the cells' rates on the grid.

    A cell's distribution depends on its group and its code: all of them stand in one rising sequence, each a
    whole number above the one before, where a search finds the place.
    """
    points = shapes.shape[1]
    chances = (shapes[:, None, :] * likelihood.T).cumsum(axis=-1)
    chances /= chances[..., -1:] + TINY
    rising = np.minimum(chances, 1.0).reshape(-1, points) + np.arange(chances[..., 0].size)[:, None]
    row = group * counts.codes + counts.code
    place = np.searchsorted(rising.ravel(), row + rng.random(row.shape)) - row * points
    return np.asarray(np.clip(place, 0, points - 1), dtype=np.int64)


def _spread(rate: IntArray, points: int, rng: np.random.Generator) -> FloatArray:
    """Return rates anywhere about their places (N, L) on the grid, 0 and 1 as they are.

    Models at one place of the grid are not equally good, and an oracle must not take the cheapest for that.
    """
    inner = (rate > 0) & (rate < points - 1)
    about = rate + np.where(inner, rng.random(rate.shape) - 0.5, 0.0)
    return np.asarray(np.where(inner, np.sin(about * (np.pi / 2.0 / (points - 1))) ** 2, rate > 0))


def _dirichlet(numbers: npt.NDArray[Any], rng: np.random.Generator) -> FloatArray:
    """Draw from Dirichlet distributions along the last axis."""
    drawn = rng.standard_gamma(numbers) + TINY
    return np.asarray(drawn / drawn.sum(axis=-1, keepdims=True))


def _curvature(model: Shapes, centre: FloatArray) -> FloatArray:
    """Return the second derivatives of the negative log posterior by central differences."""
    steps = np.eye(len(centre)) * DIFFERENCE
    rows = [model.value(centre + step)[1] - model.value(centre - step)[1] for step in steps]
    both = np.array(rows) / (2.0 * DIFFERENCE)
    return np.asarray((both + both.T) / 2.0)


def _root(curvature: FloatArray) -> FloatArray:
    """Return a square root of the inverse; directions that bend less than the prior are held to a quarter."""
    bend, turn = np.linalg.eigh(curvature)
    return np.asarray(turn / np.sqrt(np.maximum(bend, 0.25)))
