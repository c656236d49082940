"""Matrix completion in logit space: missing scores from row and column means and a few common factors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
EDGE = 0.005
"""Scores are moved this far into (0, 1) before their logit is taken."""
ROUNDS = 30
RANKS: tuple[int, ...] = (0, 1, 2, 3)
PENALTIES: tuple[float, ...] = (0.3, 1.0, 3.0)
FOLDS = 10
LEAST_RESIDUALS = 20


@dataclass(frozen=True, slots=True)
class FactorModel:
    """Common factors on top of row and column effects; `rank` 0 has none. `penalty` shrinks all effects."""

    rank: int
    penalty: float


@dataclass(frozen=True, slots=True)
class Completion:
    """A completed matrix (M, N) on 0-1 with intervals.

    `values` are predictions of all cells. `low` and `high` are the ends of the interval for the score that
    would be measured. `held_out` (M, N) are the predictions of measured cells from the others, NaN for
    missing cells; `error` is their mean absolute error, and `coverage` the share of measured cells within the
    interval made from the other folds.
    """

    model: FactorModel
    values: FloatArray
    low: FloatArray
    high: FloatArray
    held_out: FloatArray
    error: float
    coverage: float


def complete(scores: npt.ArrayLike, rng: np.random.Generator, *, level: float = 0.95) -> Completion:
    """Predict the missing cells of scores (M, N) on 0-1, NaN for missing, from the measured ones.

    Rank and penalty are those with the least squared error in logits over cells that were held out (10
    folds). Intervals are conformal: the level's quantile of the held-out residuals in logits, scaled by the
    size of each column's residuals. They hold for cells that are missing at random. Raises ValueError for
    fewer than 20 measured cells. Sources: A. Mnih and R. Salakhutdinov, Probabilistic Matrix Factorization,
    NeurIPS 2007; R. Barber et al., Predictive inference with the jackknife+, Annals of Statistics 49 (2021)
    486-507.
    """
    given = np.asarray(scores, dtype=np.float64)
    measured = ~np.isnan(given)
    if measured.sum() < LEAST_RESIDUALS:
        raise ValueError(f"{int(measured.sum())} measured cells: give at least {LEAST_RESIDUALS}")
    target = scipy.special.logit(np.clip(given, EDGE, 1.0 - EDGE))
    folds = _folds(measured, rng)
    ranks = [rank for rank in RANKS if _possible(rank, given)]
    candidates = [FactorModel(rank, penalty) for rank in ranks for penalty in PENALTIES]
    held = [_held_out(target, folds, candidate) for candidate in candidates]
    losses = [float(np.nanmean((target - predicted) ** 2)) for predicted in held]
    best = int(np.argmin(losses))
    residuals = np.abs(target - held[best])
    scale = _column_scale(residuals)
    reach = _quantile((residuals / scale)[measured], level)
    values = _fit(target, measured, candidates[best])
    inside = _cross_coverage(residuals / scale, folds, level)
    held_out = np.where(measured, scipy.special.expit(held[best]), np.nan)
    return Completion(
        candidates[best],
        scipy.special.expit(values),
        _end(values - reach * scale),
        _end(values + reach * scale),
        held_out,
        float(np.nanmean(np.abs(given - held_out))),
        inside,
    )


def _end(logits: FloatArray) -> FloatArray:
    """Return ends of intervals on 0-1; beyond the edge, where logits were clipped, the end is 0 or 1."""
    most = scipy.special.logit(1.0 - EDGE)
    ends: FloatArray = np.select([logits >= most, logits <= -most], [1.0, 0.0], scipy.special.expit(logits))
    return ends


def _possible(rank: int, given: FloatArray) -> bool:
    return rank == 0 or rank < min(given.shape) - 1


def _folds(measured: BoolArray, rng: np.random.Generator) -> IntArray:
    """Return the fold of each measured cell, -1 for missing ones."""
    folds = np.full(measured.shape, -1)
    cells = np.flatnonzero(measured)
    folds.flat[cells] = rng.permutation(np.arange(len(cells)) % FOLDS)
    return folds


def _held_out(target: FloatArray, folds: IntArray, model: FactorModel) -> FloatArray:
    """Return each measured cell's prediction from the other folds, NaN for missing cells."""
    predicted = np.full(target.shape, np.nan)
    for fold in range(FOLDS):
        here = folds == fold
        if here.any():
            predicted[here] = _fit(target, (folds >= 0) & ~here, model)[here]
    return predicted


def _fit(target: FloatArray, known: BoolArray, model: FactorModel) -> FloatArray:
    """Return the fitted logits (M, N) of a penalised factor model, by alternating least squares."""
    filled = np.where(known, target, 0.0)
    centre = float(filled.sum() / max(1, known.sum()))
    rows, columns = np.zeros(len(target)), np.zeros(target.shape[1])
    left, right = _start(target, known, model.rank)
    for _ in range(ROUNDS):
        rest = np.where(known, target - centre - columns - left @ right.T, 0.0)
        rows = rest.sum(axis=1) / (known.sum(axis=1) + model.penalty)
        rest = np.where(known, target - centre - rows[:, None] - left @ right.T, 0.0)
        columns = rest.sum(axis=0) / (known.sum(axis=0) + 0.1 * model.penalty)
        if model.rank:
            rest = np.where(known, target - centre - rows[:, None] - columns, 0.0)
            left = _solve(rest, known, right, model.penalty)
            right = _solve(rest.T, known.T, left, model.penalty)
    return centre + rows[:, None] + columns + left @ right.T


def _start(target: FloatArray, known: BoolArray, rank: int) -> tuple[FloatArray, FloatArray]:
    """Return factors from the singular vectors of the doubly centred matrix, missing cells as 0."""
    if not rank:
        return np.zeros((len(target), 0)), np.zeros((target.shape[1], 0))
    filled = np.where(known, target, 0.0)
    rows = filled.sum(axis=1, keepdims=True) / np.maximum(1, known.sum(axis=1, keepdims=True))
    centred = np.where(known, target - rows, 0.0)
    columns = centred.sum(axis=0) / np.maximum(1, known.sum(axis=0))
    first, sizes, second = np.linalg.svd(np.where(known, centred - columns, 0.0), full_matrices=False)
    root = np.sqrt(sizes[:rank])
    return first[:, :rank] * root, second[:rank].T * root


def _solve(rest: FloatArray, known: BoolArray, factors: FloatArray, penalty: float) -> FloatArray:
    """Return the ridge solution of each row on the factors of its known columns, (rows, rank)."""
    products = np.einsum("ij,jk,jl->ikl", known.astype(np.float64), factors, factors)
    products += penalty * np.eye(factors.shape[1])
    return np.asarray(np.linalg.solve(products, (rest @ factors)[..., None])[..., 0], dtype=np.float64)


def _column_scale(residuals: FloatArray) -> FloatArray:
    """Return the size of each column's residuals (N,), drawn half-way to that of all columns."""
    overall = float(np.nanmean(residuals))
    n = (~np.isnan(residuals)).sum(axis=0)
    total = np.nansum(residuals, axis=0)
    weight = 5.0
    return np.asarray((total + weight * overall) / (n + weight), dtype=np.float64)


def _quantile(values: FloatArray, level: float) -> float:
    """Return the conformal quantile: the ceil((n + 1) level)-th smallest of n values."""
    place = min(len(values), int(np.ceil((len(values) + 1) * level)))
    return float(np.sort(values)[place - 1])


def _cross_coverage(standardised: FloatArray, folds: IntArray, level: float) -> float:
    """Return the share of measured cells within the interval that the other folds' residuals give."""
    inside: list[BoolArray] = []
    for fold in range(FOLDS):
        own, others = standardised[folds == fold], standardised[(folds >= 0) & (folds != fold)]
        if len(own) and len(others):
            inside.append(own <= _quantile(others, level))
    return float(np.concatenate(inside).mean())


def resampled_means(
    completion: Completion, scores: npt.ArrayLike, rng: np.random.Generator, replicates: int = 500
) -> FloatArray:
    """Return replicates (B, M) of each row's mean over all columns; measured cells stay as they are.

    In logits every missing cell varies by a held-out residual of some cell, scaled by column, and all missing
    cells of a row share an error with the variance of the row's own mean residual. The quantiles are an
    interval of a mean of which some cells are predictions.
    """
    given = np.asarray(scores, dtype=np.float64)
    missing = np.isnan(given)
    predicted = np.clip(completion.held_out, EDGE, 1.0 - EDGE)
    errors = scipy.special.logit(np.clip(given, EDGE, 1.0 - EDGE)) - scipy.special.logit(predicted)
    scale = _column_scale(np.abs(errors))
    pool = (errors / scale)[~missing]
    shared = np.sqrt(float((pool**2).mean()) / np.maximum(1, (~missing).sum(axis=1)))
    centre = scipy.special.logit(np.clip(completion.values, EDGE, 1.0 - EDGE))
    means = np.empty((replicates, len(given)))
    for number in range(replicates):
        drawn = rng.choice(pool, size=given.shape) + (shared * rng.normal(size=len(given)))[:, None]
        means[number] = np.where(missing, scipy.special.expit(centre + drawn * scale), given).mean(axis=1)
    return means
