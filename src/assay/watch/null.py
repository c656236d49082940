"""Simulation of days of a suite whose cases behave as measured, with or without a fall.

A fall of d multiplies each case's expected quality by 1 - d: a case that passes or fails then passes less
often, and a graded case's score is lower.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from assay.core.case import Grading
from assay.core.errors import InvalidInput
from assay.core.suite import Suite

SMOOTHING = 0.05
"""Pseudo-samples of a pass and of a failure, so that a case that never failed can fail."""

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class SuiteShape:
    """The structure of a suite: the grading, samples a day and cases of its use cases.

    `gradings`, `base` and `full` have one entry for each use case; `use_cases` is the number of each case's
    use case.
    """

    gradings: tuple[Grading, ...]
    base: tuple[int, ...]
    full: tuple[int, ...]
    use_cases: tuple[int, ...]

    @property
    def judged(self) -> BoolArray:
        """A mask of the use cases that a judge marks, shape (use cases,)."""
        return np.array([grading.judged for grading in self.gradings], dtype=bool)

    @classmethod
    def of(cls, suite: Suite) -> Self:
        """Return the structure of a suite, with the cases in the order of its manifest."""
        return cls(
            gradings=tuple(use_case.grading for use_case in suite.use_cases),
            base=tuple(use_case.base for use_case in suite.use_cases),
            full=tuple(use_case.full for use_case in suite.use_cases),
            use_cases=tuple(index for index, use_case in enumerate(suite.use_cases) for _ in use_case.cases),
        )


@dataclass(frozen=True, slots=True)
class Profile:
    """The distribution of each case's scores on a normal day; arrays have shape (models, cases).

    `mean` is the expected score (0-1), NaN for a case that is never scored; `deviation` is the standard
    deviation of one sample. A sample of a `binary` case passes with probability `mean`, else it fails; for
    other cases a day's mean has a normal distribution within 0-1. Samples are independent except for
    `shared`, the standard deviation of a relative change of quality that all cases share on a day, with
    correlation `persistence` from one day to the next.
    """

    shape: SuiteShape
    mean: FloatArray
    deviation: FloatArray
    binary: BoolArray
    shared: float = 0.0
    persistence: float = 0.0

    @classmethod
    def measure(cls, shape: SuiteShape, scores: npt.ArrayLike) -> Self:
        """Return the profile of case scores from base samples, shape (models, cases, days).

        Scores are 0-1, NaN for none. A case is binary if all its scores are 0 or 1. A case scored on fewer
        than two days is not scored in simulations. Raises InvalidInput if a model has no case with two
        scored days.
        """
        values = np.asarray(scores, dtype=np.float64)
        days = (~np.isnan(values)).sum(axis=2)
        too_short = np.nonzero((days >= 2).sum(axis=1) == 0)[0]
        if len(too_short):
            number = int(too_short[0])
            raise InvalidInput(
                f"model {number} of {len(values)} has no case scored on two days: measure for more days"
            )
        filled = np.where(np.isnan(values), 0.0, values)
        total = filled.sum(axis=2)
        mean = total / np.maximum(days, 1)
        squares = (np.where(np.isnan(values), 0.0, values - mean[:, :, None]) ** 2).sum(axis=2)
        samples = np.array([shape.base[use_case] for use_case in shape.use_cases], dtype=np.float64)
        deviation = np.sqrt(squares / np.maximum(days - 1, 1) * samples)
        binary = (filled == np.round(filled)).all(axis=2) & (days > 0)
        smooth = (total * samples + SMOOTHING) / (days * samples + 2 * SMOOTHING)
        mean = np.where(days >= 2, np.where(binary, smooth, mean), np.nan)
        return cls(shape, mean, deviation, binary)

    def draw(self, factors: npt.ArrayLike, replicates: int, rng: np.random.Generator) -> SimulatedScores:
        """Draw simulated days. `factors` multiply the expected quality; 1 is the measured quality.

        They have shape (days,), (replicates, days) or (replicates, cases, days). Replicate r behaves like
        model r modulo the number of models.
        """
        quality = np.asarray(factors, dtype=np.float64)
        quality = quality if quality.ndim == 3 else np.atleast_2d(quality)[:, None, :]
        effect = _shared(self.shared, self.persistence, (replicates, quality.shape[2]), rng)
        rows = np.arange(replicates) % len(self.mean)
        expected = self.mean[rows][:, :, None] * (quality * (1.0 + effect)[:, None, :])
        expected = np.clip(expected, 0.0, 1.0)
        base = np.empty_like(expected)
        full = np.empty_like(expected)
        for case, use_case in enumerate(self.shape.use_cases):
            first, all_ = self.shape.base[use_case], self.shape.full[use_case]
            part = _samples(expected[:, case], self, rows, case, first, rng)
            more = _samples(expected[:, case], self, rows, case, all_ - first, rng)
            base[:, case] = part
            full[:, case] = (first * part + (all_ - first) * more) / all_
        return SimulatedScores(base, full)


@dataclass(frozen=True, slots=True)
class SimulatedScores:
    """Simulated case scores (replicates, cases, days), 0-1, of the base samples and of all samples."""

    base: FloatArray
    full: FloatArray

    def by_use_case(self, use_cases: Sequence[int]) -> tuple[FloatArray, FloatArray]:
        """Return base and full scores of each use case, 0-100 (replicates, use cases, days), NaN for none."""
        starts = np.unique(np.asarray(use_cases), return_index=True)[1]
        return _averaged(self.base, starts), _averaged(self.full, starts)


def fallen(days: int, start: int, drop: float) -> FloatArray:
    """Return the factors of a fall by the share `drop` from day `start` on, lasting to the end."""
    return np.where(np.arange(days) >= start, 1.0 - drop, 1.0)


def stated(rng: np.random.Generator, models: int, *, flipping: float = 0.1, noise: float = 0.12) -> Profile:
    """Return invented models on an invented suite of ten use cases with five cases, for benchmarks.

    Each of the 25 deterministic cases flips with probability `flipping`: it then passes with a probability
    between 0.2 and 0.8 every day; nine in ten of the others always pass and the rest never. The 25 judged
    cases have means between 0.6 and 0.9 and normal noise of `noise` for each sample.
    """
    shape = SuiteShape(
        gradings=(Grading.DETERMINISTIC,) * 5 + (Grading.HYBRID,) * 3 + (Grading.JUDGE,) * 2,
        base=(1,) * 5 + (3,) * 5,
        full=(3,) * 5 + (5,) * 5,
        use_cases=tuple(case // 5 for case in range(50)),
    )
    stable = (rng.random((models, 25)) < 0.9).astype(np.float64)
    flips = rng.random((models, 25)) < flipping
    deterministic = np.where(flips, rng.uniform(0.2, 0.8, (models, 25)), stable)
    mean = np.concatenate([deterministic, rng.uniform(0.6, 0.9, (models, 25))], axis=1)
    binary = np.broadcast_to(np.arange(50) < 25, mean.shape)
    return Profile(shape, mean, np.full(mean.shape, noise), binary)


def _shared(
    deviation: float, persistence: float, size: tuple[int, int], rng: np.random.Generator
) -> FloatArray:
    """Return the relative change of quality that all cases share, an AR(1) over the days of each row."""
    if deviation == 0.0:
        return np.zeros(size)
    noise: FloatArray = rng.standard_normal(size)
    for day in range(1, size[1]):
        fresh = np.sqrt(1.0 - persistence**2) * noise[:, day]
        noise[:, day] = persistence * noise[:, day - 1] + fresh
    return deviation * noise


def _samples(
    expected: FloatArray,
    profile: Profile,
    rows: npt.NDArray[Any],
    case: int,
    samples: int,
    rng: np.random.Generator,
) -> FloatArray:
    """Return the day means of some samples of one case, shape (replicates, days)."""
    if samples == 0:
        return np.zeros_like(expected)
    binary, never = profile.binary[rows, case], np.isnan(expected)
    drawn = np.full(expected.shape, np.nan)
    if binary.any():
        drawn[binary] = rng.binomial(samples, np.where(never, 0.0, expected)[binary]) / samples
    if not binary.all():
        spread = (profile.deviation[rows, case] / np.sqrt(samples))[~binary, None]
        graded = expected[~binary] + spread * rng.standard_normal(expected[~binary].shape)
        drawn[~binary] = np.clip(graded, 0.0, 1.0)
    return np.where(never, np.nan, drawn)


def _averaged(scores: FloatArray, starts: npt.NDArray[Any]) -> FloatArray:
    """Return the means of groups of cases that begin at `starts`, times 100, over the scored ones."""
    known = ~np.isnan(scores)
    totals = np.add.reduceat(np.where(known, scores, 0.0), starts, axis=1)
    counts = np.add.reduceat(known.astype(np.float64), starts, axis=1)
    means: FloatArray = np.divide(totals, counts, out=np.full(totals.shape, np.nan), where=counts > 0)
    return 100.0 * means
