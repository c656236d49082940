"""Allocating human marks to strata: Neyman's allocation from a pilot, and the half-width it gives."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
LEAST = 3
"""The fewest human marks in a stratum, as far as it has answers: without any its mean is unknown."""


@dataclass(frozen=True, slots=True)
class PilotStrata:
    """Means and variances (strata,) of human marks, 0-1, by stratum."""

    means: FloatArray
    variances: FloatArray


def pilot_strata(human: FloatArray, stratum: IntArray, strata: int) -> PilotStrata:
    """Return means and variances of the pilot's human marks (n,) in each stratum.

    A stratum's variance is averaged with that of all strata together, which counts as two more marks: a
    stratum in which all pilot marks agree is not taken for certain. A stratum without marks has the overall
    mean and variance.
    """
    n = np.bincount(stratum, minlength=strata).astype(np.float64)
    total = np.bincount(stratum, human, minlength=strata)
    overall = float(human.mean())
    means = np.divide(total, n, out=np.full(strata, overall), where=n > 0)
    squares = np.bincount(stratum, (human - means[stratum]) ** 2, minlength=strata)
    used = float(np.count_nonzero(n))
    pooled = (float(squares.sum()) + 1.0 / len(human)) / max(1.0, len(human) - used)
    variances = (squares + 2.0 * pooled) / (np.maximum(n - 1.0, 0.0) + 2.0)
    return PilotStrata(means, np.where(n > 0, variances, max(pooled, float(human.var()))))


def half_width(
    pilot: PilotStrata, sizes: IntArray, marks: IntArray, settled: IntArray, level: float = 0.95
) -> float:
    """Return the expected half-width of the stratified mean with these human marks per stratum, at most 0.5.

    The variance is sum(W^2 s^2/n) + sum(W (m - mean)^2)/N for shares W of the N answers, means m and
    variances s^2 of the strata; `settled` answers of a stratum have no variance. Strata with answers but
    without a mark count as if they had half a mark.
    Source: W. Cochran, Sampling Techniques (3rd edition, 1977), section 12.2 (double sampling).
    """
    total = float(sizes.sum())
    open_share = (sizes - settled) / total
    means = np.where(settled > 0, 0.0, pilot.means)
    share = sizes / total
    between = float(share @ (means - float(share @ means)) ** 2) / total
    within = float((open_share**2) @ (pilot.variances / np.maximum(marks, 0.5)))
    return min(0.5, float(scipy.special.ndtri(0.5 + level / 2.0) * np.sqrt(within + between)))


def allocate(pilot: PilotStrata, answers: IntArray, done: IntArray, n: int) -> IntArray:
    """Return how many of each stratum's answers to have marked in total, about n over all strata.

    Strata get marks in proportion to answers times standard deviation (J. Neyman, JRSS 97 (1934) 558-625),
    at least `LEAST`, at least those that are done, and at most the answers that they have.
    """
    fewest = np.maximum(done, np.minimum(LEAST, answers))
    appeal = answers * np.sqrt(pilot.variances)
    planned = fewest.astype(np.float64)
    low, high = 0.0, float(answers.sum()) / max(1e-12, float(appeal[appeal > 0].min(initial=1.0)))
    for _ in range(60):
        middle = (low + high) / 2.0
        planned = np.clip(middle * appeal, fewest, answers)
        low, high = (middle, high) if planned.sum() < n else (low, middle)
    return np.minimum(np.ceil(planned - 1e-9).astype(np.int64), answers)


def least_marks(
    pilot: PilotStrata, sizes: IntArray, done: IntArray, settled: IntArray, wanted: float
) -> int | None:
    """Return the fewest human marks that give the wanted half-width; None if all answers do not suffice."""
    answers = sizes - settled
    if half_width(pilot, sizes, answers, settled) > wanted:
        return None
    low, high = int(done.sum()), int(answers.sum())
    while low < high:
        middle = (low + high) // 2
        enough = half_width(pilot, sizes, allocate(pilot, answers, done, middle), settled) <= wanted
        low, high = (low, middle) if enough else (middle + 1, high)
    return low
