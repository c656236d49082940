"""Composites of all models on the same resampled prompts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.ranking.board.cells import Cells, over, ratio
from assay.ranking.board.measured import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Resampled:
    """Composites (0-1) of shape (replicates, models), NaN for a model without one; a row has the same
    prompts.

    `exact` (M,) are the composites on the original prompts, unrounded. `basis` (M,) is 0 for a model without
    composite, 1 with both halves, 2 with judges only, 3 with G-Eval only. Of shape (M, P): `contribution`,
    the sum of the halves on each prompt, NaN without either; `influence`, the influence of each prompt on the
    composite times the number of prompts (with mean 0).
    """

    composites: FloatArray
    exact: FloatArray
    basis: IntArray
    contribution: FloatArray
    influence: FloatArray


def seed_halves(cells: Cells, counting: BoolArray) -> tuple[FloatArray, FloatArray]:
    """Return the halves (M, P) of the seed's composite: the counting judges' mean as 0-1, and G-Eval."""
    judged = np.where(counting[:, None, :], cells.marks, np.nan)
    return (over(judged, -1) - 1.0) / 4.0, cells.geval


def resample(normal: FloatArray, geval: FloatArray, weights: FloatArray) -> Resampled:
    """Score every model on each draw of prompts `weights` (B, P), which are the same for all models.

    `normal` (M, P) is the judges' half (0-1) on each prompt, `geval` (M, P) the other half. A half is the
    unrounded mean over the drawn prompts that have it.
    """
    basis = basis_of(normal, geval)
    either = ~np.isnan(normal) | ~np.isnan(geval)
    contribution = np.where(either, np.nan_to_num(normal) + np.nan_to_num(geval), np.nan)
    return Resampled(
        composites=blended(basis, weighted(normal, weights), weighted(geval, weights)),
        exact=blended(basis, over(normal, -1), over(geval, -1)),
        basis=basis,
        contribution=contribution,
        influence=blended(basis, _influence(normal).T, _influence(geval).T).T,
    )


def basis_of(normal: FloatArray, geval: FloatArray) -> IntArray:
    """Return the basis of each model from its halves (M, P): 0 none, 1 both, 2 judges only, 3 G-Eval only."""
    judges, metered = ~np.isnan(normal).all(axis=1), ~np.isnan(geval).all(axis=1)
    return np.select([judges & metered, judges, metered], [1, 2, 3], 0)


def weighted(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the means (B, M) of values (M, P) with weights (B, P), without NaN."""
    known = ~np.isnan(values)
    return ratio(weights @ np.where(known, values, 0.0).T, weights @ known.astype(np.float64).T)


def _influence(values: FloatArray) -> FloatArray:
    """Return each value's influence on its row's mean, times the number of columns; 0 for NaN."""
    known = ~np.isnan(values)
    count = np.maximum(known.sum(axis=1), 1)[:, None]
    mean = np.where(known, values, 0.0).sum(axis=1, keepdims=True) / count
    return np.where(known, (values - mean) * values.shape[1] / count, 0.0)


def blended(basis: IntArray, judges: FloatArray, geval: FloatArray) -> FloatArray:
    """Return the composites from halves (..., M), by each model's basis."""
    both = 0.5 * judges + 0.5 * geval
    return np.select([basis == 1, basis == 2, basis == 3], [both, judges, geval], np.nan)
