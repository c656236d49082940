"""The composites of all models on the same resampled prompts, and paired tests between models."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from assay.ranking.cells import Cells, over
from assay.ranking.measured import BoolArray, FloatArray, IntArray
from assay.stats.holm import holm
from assay.stats.resample import drawn


@dataclass(frozen=True, slots=True)
class Resampled:
    """Composites (0-1) of shape (replicates, models), NaN where a model has none; a row shares its prompts.

    `basis` (M,) is 0 for a model without composite, 1 with both halves, 2 with judges only, 3 with G-Eval
    only. `contribution` (M, P) is the sum of the halves on each prompt, NaN without either.
    """

    composites: FloatArray
    basis: IntArray
    contribution: FloatArray


@dataclass(frozen=True, slots=True)
class Comparison:
    """How two models' composites (0-1) differ on the same prompts.

    `difference` is first less second, with its unadjusted interval; `p` two-sided, `p_holm` corrected over
    all pairs of the board. None (and p 1) where the two cannot be compared.
    """

    first: str
    second: str
    difference: float | None
    low: float | None
    high: float | None
    p: float
    p_holm: float


@dataclass(frozen=True, slots=True)
class Comparisons:
    """All pairs of models: arrays of shape (M, M), row less column; NaN (p 1) where not comparable."""

    models: tuple[str, ...]
    difference: FloatArray
    low: FloatArray
    high: FloatArray
    p: FloatArray
    p_holm: FloatArray

    def between(self, first: str, second: str) -> Comparison:
        """Return the comparison of two models by name; ValueError for an unknown one."""
        row, column = self.models.index(first), self.models.index(second)

        def known(values: FloatArray) -> float | None:
            value = float(values[row, column])
            return None if np.isnan(value) else value

        return Comparison(
            first,
            second,
            known(self.difference),
            known(self.low),
            known(self.high),
            float(self.p[row, column]),
            float(self.p_holm[row, column]),
        )


def resample(cells: Cells, counting: BoolArray, rng: np.random.Generator, replicates: int) -> Resampled:
    """Draw prompts with replacement, the same ones for all models, and score every model on each draw.

    The halves are not rounded here. A half is the mean over the drawn prompts that have it; because a
    counting judge marked every answered prompt, the judges' half is one number a prompt.
    """
    judged = np.where(counting[:, None, :], cells.marks, np.nan)
    return _scored(over(judged, -1), cells.geval, drawn(rng, len(cells.prompts), replicates))


def _scored(panel: FloatArray, geval: FloatArray, weights: FloatArray) -> Resampled:
    """Return the composites of per-prompt panel means (M, P) and G-Eval (M, P) under weights (B, P)."""
    normal = (panel - 1.0) / 4.0
    judged, metered = ~np.isnan(normal), ~np.isnan(geval)
    basis = np.select(
        [judged.any(axis=1) & metered.any(axis=1), judged.any(axis=1), metered.any(axis=1)], [1, 2, 3], 0
    )
    halves = _weighted(normal, judged, weights), _weighted(geval, metered, weights)
    composites = np.select(
        [basis == 1, basis == 2, basis == 3], [0.5 * halves[0] + 0.5 * halves[1], *halves], np.nan
    )
    sums = np.where(judged, normal, 0.0) + np.where(metered, geval, 0.0)
    contribution = np.where(judged | metered, sums, np.nan)
    return Resampled(composites, basis, contribution)


def _weighted(values: FloatArray, there: BoolArray, weights: FloatArray) -> FloatArray:
    total = weights @ np.where(there, values, 0.0).T
    count = weights @ there.astype(np.float64).T
    mean: FloatArray = np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0)
    return mean


def compare(
    names: tuple[str, ...], composites: FloatArray, resampled: Resampled, level: float = 0.95
) -> Comparisons:
    """Test every pair of models whose composites (M,) have the same basis.

    The paired bootstrap gives the standard error of each difference; p is the two-sided t test of
    difference / error with one degree of freedom less than the fewer prompts of the two. Shares of replicates
    could not be used: 2,000 of them give no p below 1/1,000, and Holm's correction for 200 models needs
    0.05/19,900. p is never below 2^(1 - k), the smallest that the sign test could give on the k shared
    prompts where the two differ: a handful of equal differences has no spread, and is no certainty for that.
    """
    scored = resampled.composites
    usable = (resampled.basis > 0) & ~np.isnan(scored).any(axis=0)
    centred = np.where(usable, scored, 0.0)
    centred = centred - centred.mean(axis=0)
    covariance = centred.T @ centred / (len(scored) - 1)
    variance = np.diag(covariance)
    spread = np.maximum(variance[:, None] + variance[None, :] - 2.0 * covariance, 0.0)
    there = ~np.isnan(resampled.contribution)
    answered = there.sum(axis=1)
    fewer = np.minimum(answered[:, None], answered[None, :])
    error = np.sqrt(spread * fewer / np.maximum(fewer - 1, 1))
    error[error < 1e-12] = 0.0
    comparable = (
        usable[:, None]
        & usable[None, :]
        & (resampled.basis[:, None] == resampled.basis[None, :])
        & (fewer >= 2)
    )
    np.fill_diagonal(comparable, False)
    difference = np.where(comparable, composites[:, None] - composites[None, :], np.nan)
    freedom = np.maximum(fewer - 1, 1)
    reach = np.asarray(stats.t.ppf(0.5 + level / 2.0, freedom)) * error
    ratio = np.divide(np.abs(difference), error, out=np.full(error.shape, np.inf), where=error > 0)
    p = np.where(comparable, 2.0 * np.asarray(stats.t.sf(ratio, freedom)), 1.0)
    p = np.minimum(1.0, np.maximum(p, 2.0 ** (1.0 - _differing(resampled.contribution))))
    p = np.where(comparable, p, 1.0)
    return Comparisons(
        names, difference, difference - reach, difference + reach, p, _corrected(p, comparable)
    )


def _differing(contribution: FloatArray) -> IntArray:
    """Return on how many shared prompts each pair of models differs, (M, M)."""
    counts = [np.count_nonzero(np.abs(contribution - row) > 1e-12, axis=1) for row in contribution]
    return np.array(counts, dtype=np.int64).reshape(len(contribution), len(contribution))


def _corrected(p: FloatArray, comparable: BoolArray) -> FloatArray:
    """Return Holm's adjusted p over the comparable pairs, each counted once."""
    rows, columns = np.nonzero(np.triu(comparable, 1))
    adjusted = np.ones(p.shape)
    adjusted[rows, columns] = adjusted[columns, rows] = holm(p[rows, columns])
    return adjusted
