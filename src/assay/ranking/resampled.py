"""The composites of all models on the same resampled prompts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.ranking.cells import Cells, over
from assay.ranking.measured import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Resampled:
    """Composites (0-1) of shape (replicates, models), NaN where a model has none; a row shares its prompts.

    `exact` (M,) are the composites of the prompts themselves, unrounded. `basis` (M,) is 0 for a model
    without composite, 1 with both halves, 2 with judges only, 3 with G-Eval only. Of shape (M, P):
    `contribution`, the sum of the halves on each prompt, NaN without either; `influence`, how far each
    prompt pulls the composite, times the number of prompts (means 0).
    """

    composites: FloatArray
    exact: FloatArray
    basis: IntArray
    contribution: FloatArray
    influence: FloatArray


def seed_halves(cells: Cells, counting: BoolArray) -> tuple[FloatArray, FloatArray]:
    """Return the halves (M, P) of the seed's composite: the counting judges' mark as 0-1, and G-Eval."""
    judged = np.where(counting[:, None, :], cells.marks, np.nan)
    return (over(judged, -1) - 1.0) / 4.0, cells.geval


def resample(normal: FloatArray, geval: FloatArray, weights: FloatArray) -> Resampled:
    """Score every model on each draw of prompts `weights` (B, P), the same ones for all models.

    `normal` (M, P) is the judges' half (0-1) on each prompt, `geval` (M, P) the other one. The halves are not
    rounded here. A half is the mean over the drawn prompts that have it.
    """
    basis = basis_of(normal, geval)
    either = ~np.isnan(normal) | ~np.isnan(geval)
    contribution = np.where(either, np.nan_to_num(normal) + np.nan_to_num(geval), np.nan)
    return Resampled(
        composites=blended(basis, weighted(normal, weights), weighted(geval, weights)),
        exact=blended(basis, over(normal, -1), over(geval, -1)),
        basis=basis,
        contribution=contribution,
        influence=blended(basis, _pull(normal).T, _pull(geval).T).T,
    )


def basis_of(normal: FloatArray, geval: FloatArray) -> IntArray:
    """Return which halves (M, P) each model has: 0 neither, 1 both, 2 judges only, 3 G-Eval only."""
    judges, metered = ~np.isnan(normal).all(axis=1), ~np.isnan(geval).all(axis=1)
    return np.select([judges & metered, judges, metered], [1, 2, 3], 0)


def weighted(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the means (B, M) of values (M, P) under weights (B, P), NaN left out."""
    there = ~np.isnan(values)
    total = weights @ np.where(there, values, 0.0).T
    count = weights @ there.astype(np.float64).T
    mean: FloatArray = np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0)
    return mean


def _pull(values: FloatArray) -> FloatArray:
    """Return each value's influence on its row's mean, times the number of columns; 0 where there is none."""
    there = ~np.isnan(values)
    count = np.maximum(there.sum(axis=1), 1)[:, None]
    mean = np.where(there, values, 0.0).sum(axis=1, keepdims=True) / count
    return np.where(there, (values - mean) * values.shape[1] / count, 0.0)


def blended(basis: IntArray, judges: FloatArray, geval: FloatArray) -> FloatArray:
    """Join the halves (..., M) as each model's basis says."""
    both = 0.5 * judges + 0.5 * geval
    return np.select([basis == 1, basis == 2, basis == 3], [both, judges, geval], np.nan)
