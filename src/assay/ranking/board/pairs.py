"""Paired tests of all models of a board, and the rank ranges that follow."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from assay.ranking.board.measured import BoolArray, FloatArray, IntArray
from assay.ranking.board.resampled import Resampled
from assay.results.ranking import Comparison, RankRange
from assay.stats.p_values import holm

NO_SPREAD = 1e-12


@dataclass(frozen=True, slots=True)
class Comparisons:
    """All pairs of models: arrays of shape (M, M), row less column; NaN (p 1) for pairs not comparable."""

    models: tuple[str, ...]
    difference: FloatArray
    low: FloatArray
    high: FloatArray
    p: FloatArray
    p_holm: FloatArray

    def significant(self, alpha: float) -> BoolArray:
        """Return a mask of the comparable pairs with a corrected p of at most `alpha`, (M, M)."""
        significant: BoolArray = ~np.isnan(self.difference) & (self.p_holm <= alpha)
        return significant

    def between(self, first: str, second: str) -> Comparison:
        """Return the comparison of two models by name. Raises ValueError for an unknown one."""
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


@dataclass(frozen=True, slots=True)
class PairTests:
    """The tests of all pairs before Holm's correction: arrays of shape (M, M), row less column.

    For a pair that is not `comparable` the difference and its ends are NaN and p is 1.
    """

    difference: FloatArray
    low: FloatArray
    high: FloatArray
    p: FloatArray
    comparable: BoolArray

    @classmethod
    def none(cls, models: int) -> PairTests:
        """Return the tests of models that cannot be compared."""
        shape = (models, models)
        low, high, difference = (np.full(shape, np.nan) for _ in range(3))
        return cls(difference, low, high, np.ones(shape), np.zeros(shape, dtype=np.bool_))

    def put(self, block: PairTests, among: IntArray, chosen: BoolArray) -> None:
        """Copy the chosen pairs of a block of models, whose places are `among`."""
        rows, columns = np.nonzero(chosen)
        for name in ("difference", "low", "high", "p", "comparable"):
            getattr(self, name)[among[rows], among[columns]] = getattr(block, name)[rows, columns]

    def only(self, kept: BoolArray) -> PairTests:
        """Return the tests with only these pairs comparable."""
        difference, low, high = (
            np.where(kept, values, np.nan) for values in (self.difference, self.low, self.high)
        )
        return PairTests(difference, low, high, np.where(kept, self.p, 1.0), self.comparable & kept)


def compare(
    names: tuple[str, ...], composites: FloatArray, resampled: Resampled, level: float = 0.95
) -> Comparisons:
    """Test every pair of models whose composites (M,) have the same basis, corrected over all pairs."""
    return corrected(names, test_pairs(composites, resampled, level))


def corrected(names: tuple[str, ...], tests: PairTests) -> Comparisons:
    """Return the tests with Holm's correction over all comparable pairs, each counted once."""
    rows, columns = np.nonzero(np.triu(tests.comparable, 1))
    adjusted = np.ones(tests.p.shape)
    adjusted[rows, columns] = adjusted[columns, rows] = holm(tests.p[rows, columns])
    return Comparisons(names, tests.difference, tests.low, tests.high, tests.p, adjusted)


def test_pairs(composites: FloatArray, resampled: Resampled, level: float = 0.95) -> PairTests:
    """Test every pair of models whose composites (M,) have the same basis.

    The paired bootstrap gives the standard error of each difference; the tests are of the unrounded
    composites. p is the largest of three: the two-sided t test with one degree of freedom less than the
    smaller number of prompts of the two; the same after Hall's correction for the skewness of the prompts'
    differences; and 2^(1 - k), the smallest p of the sign test on the k shared prompts on which the two
    differ. Shares of replicates are not used, as 2,000 replicates give no p below 1/1,000, and Holm's
    correction for 200 models needs 0.05/19,900. Source: P. Hall, Journal of the Royal Statistical Society B
    54 (1992) 221-228; docs/methodology/rank-ranges.md for the reasons of each of the three.
    """
    answered = (~np.isnan(resampled.contribution)).sum(axis=1)
    fewer = np.minimum(answered[:, None], answered[None, :])
    usable = (resampled.basis > 0) & ~np.isnan(resampled.composites).any(axis=0)
    comparable = (
        usable[:, None]
        & usable[None, :]
        & (resampled.basis[:, None] == resampled.basis[None, :])
        & (fewer >= 2)
        & ~np.eye(len(usable), dtype=np.bool_)
    )
    error = _error(resampled.composites, usable, fewer)
    difference = np.where(comparable, composites[:, None] - composites[None, :], np.nan)
    exact = resampled.exact[:, None] - resampled.exact[None, :]
    ratio = np.divide(exact, error, out=np.copysign(np.full(error.shape, np.inf), exact), where=error > 0)
    freedom = np.maximum(fewer - 1, 1)
    reach = np.asarray(scipy.stats.t.ppf(0.5 + level / 2.0, freedom)) * error
    nearer = np.fmin(np.abs(ratio), np.abs(_unskewed(ratio, resampled.influence)))
    p = np.maximum(2.0 * np.asarray(scipy.stats.t.sf(nearer, freedom)), 2.0 ** (1.0 - _differing(resampled)))
    p = np.where(comparable, np.minimum(1.0, p), 1.0)
    return PairTests(difference, difference - reach, difference + reach, p, comparable)


def _error(composites: FloatArray, usable: BoolArray, fewer: IntArray) -> FloatArray:
    """Return the standard error of each difference, (M, M), from the replicates' covariances.

    The bootstrap divides by n, the unbiased variance by n - 1: this is corrected with the smaller number of
    prompts.
    """
    centred = np.where(usable, composites, 0.0)
    centred = centred - centred.mean(axis=0)
    covariance = centred.T @ centred / max(len(centred) - 1, 1)
    variance = np.diag(covariance)
    spread = np.maximum(variance[:, None] + variance[None, :] - 2.0 * covariance, 0.0)
    error = np.sqrt(spread * fewer / np.maximum(fewer - 1, 1))
    return np.where(error < NO_SPREAD, 0.0, error)


def _unskewed(ratio: FloatArray, influence: FloatArray) -> FloatArray:
    """Return Hall's monotone transform of t ratios of differences, given each prompt's influence (M, P).

    t + g t^2/(3 sqrt(n)) + g^2 t^3/(27 n) + g/(6 sqrt(n)), g the skewness of the differences over n prompts.
    """
    n = influence.shape[1]
    covariance = influence @ influence.T / n
    variance = np.diag(covariance)
    spread = np.maximum(variance[:, None] + variance[None, :] - 2.0 * covariance, 0.0)
    mixed = (influence**2) @ influence.T / n
    cubes = np.diag(mixed)
    third = cubes[:, None] - 3.0 * mixed + 3.0 * mixed.T - cubes[None, :]
    skewness = np.divide(third, spread**1.5, out=np.zeros(spread.shape), where=spread > NO_SPREAD)
    tilt = np.where(np.isfinite(ratio), skewness, 0.0) / np.sqrt(n)
    finite = np.where(np.isfinite(ratio), ratio, 0.0)
    moved = finite + tilt * finite**2 / 3.0 + tilt**2 * finite**3 / 27.0 + tilt / 6.0
    return np.where(np.isfinite(ratio), moved, ratio)


def _differing(resampled: Resampled) -> IntArray:
    """Return the number of shared prompts on which each pair of models differs, (M, M)."""
    given = resampled.contribution
    counts = [np.count_nonzero(np.abs(given - row) > NO_SPREAD, axis=1) for row in given]
    return np.array(counts, dtype=np.int64).reshape(len(given), len(given))


def rank_ranges(
    composites: FloatArray, comparisons: Comparisons, *, alpha: float = 0.05
) -> tuple[RankRange | None, ...]:
    """Return each model's range: low = 1 + models significantly better, high = models - significantly worse.

    `composites` (M,) is NaN for a model without one, which has no rank. Significant means a corrected p of at
    most `alpha`. Source: the idea is that of the rank intervals of M. Mogstad, J. Romano, A. Shaikh and
    D. Wilhelm, Review of Economic Studies 91 (2024) 476-518, with Holm's correction over all pairs.
    """
    ranked = ~np.isnan(composites)
    significant = comparisons.significant(alpha)
    better = (significant & (comparisons.difference < 0)).sum(axis=1)
    worse = (significant & (comparisons.difference > 0)).sum(axis=1)
    models = int(ranked.sum())
    return tuple(
        RankRange(1 + int(better[place]), models - int(worse[place])) if ranked[place] else None
        for place in range(len(composites))
    )
