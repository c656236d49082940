"""Selection of the greatest mark, by a judge whose marks of graded quality are off by Gaussian noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.frontier.estimate import Estimate
from assay.frontier.per_prompt import estimates
from assay.frontier.tensor import Tensor

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class NoisyPoint:
    """k answers a model: the quality of that with the greatest mark, and what all and their marks cost.

    `error` is the standard error of the simulation, apart from the intervals. `cost` is None without costs.
    """

    k: int
    quality: Estimate
    error: float
    cost: Estimate | None


@dataclass(frozen=True, slots=True)
class Noisy:
    """The curve over k, simulated `runs` times; `noise` is the marks' deviation, in quality's unit."""

    noise: float
    price: float
    runs: int
    points: tuple[NoisyPoint, ...]


def noisy_selection(
    tensor: Tensor,
    noise: float,
    *,
    price: float = 0.0,
    models: Sequence[str] | None = None,
    most: int | None = None,
    runs: int = 200,
    level: float = 0.9,
    resamples: int = 500,
    seed: int = 0,
) -> Noisy:
    """Simulate a judge that marks k recorded answers of every model and takes the greatest mark.

    A mark is the answer's quality and N(0, `noise`) of its own; k = 1 to `most` answers of each cell are
    drawn without replacement (all, where it has fewer), which is unbiased up to the number recorded. `price`
    is that of a mark. Noise of 0 takes the best answer. InvalidInput for negative noise or price.
    """
    if not (0.0 <= noise < np.inf and 0.0 <= price < np.inf):
        raise InvalidInput(Problem(f"noise {noise!r} and price {price!r}: give 0 or more"))
    places = [tensor.models.index(name) for name in (models or tensor.models)]
    part = tensor.take(np.flatnonzero(tensor.there[:, places].any(axis=1)), places)
    most = tensor.generations if most is None else most
    if not part.prompts or most < 1:
        raise InvalidInput(
            Problem("nothing to choose from: give a prompt with an answer, and k of 1 or more")
        )
    rng = np.random.default_rng(seed)
    by_prompt, by_run = np.zeros((len(part.prompts), most)), np.zeros((runs, most))
    for run in range(runs):
        found = _one_run(part.quality, noise, most, rng)
        by_prompt += found / runs
        by_run[run] = found.mean(axis=0)
    error = by_run.std(axis=0, ddof=1) / np.sqrt(runs) if runs > 1 else np.full(most, np.nan)
    quality = estimates(by_prompt, None, level=level, resamples=resamples, seed=seed)
    costs = _costs(part, price, most)
    cost = None if costs is None else estimates(costs, None, level=level, resamples=resamples, seed=seed)
    return Noisy(
        noise,
        price,
        runs,
        tuple(
            NoisyPoint(k + 1, quality[k], float(error[k]), None if cost is None else cost[k])
            for k in range(most)
        ),
    )


def _one_run(quality: FloatArray, noise: float, most: int, rng: np.random.Generator) -> FloatArray:
    """Return the quality of the greatest mark among 1, 2, … answers a model: shape (N, most)."""
    prompts, _, answers = quality.shape
    keys = np.where(np.isnan(quality), 2.0, rng.random(quality.shape))
    shown = np.take_along_axis(quality, keys.argsort(axis=2), axis=2)
    marks = np.where(np.isnan(shown), -np.inf, shown + rng.normal(0.0, noise, quality.shape))
    rows = np.arange(prompts)
    top, taken = np.full(prompts, -np.inf), np.zeros(prompts)
    found = np.zeros((prompts, most))
    for k in range(most):
        if k < answers:
            best = marks[:, :, k].argmax(axis=1)
            mark = marks[rows, best, k]
            better = mark > top
            taken = np.where(better, shown[rows, best, k], taken)
            top = np.where(better, mark, top)
        found[:, k] = taken
    return found


def _costs(part: Tensor, price: float, most: int) -> FloatArray | None:
    mean = part.mean_cost()
    if mean is None or np.isnan(np.where(part.there, mean, 0.0)).any():
        return None
    made = np.stack([np.minimum(part.given, k) for k in range(1, most + 1)], axis=2)
    paid = made * (np.where(part.there, mean, 0.0) + price)[:, :, np.newaxis]
    return np.asarray(paid.sum(axis=1), dtype=np.float64)


def residual_noise(quality: npt.ArrayLike, marks: npt.ArrayLike) -> float:
    """Return a judge's noise in quality's unit, from marks of answers whose quality is known: both (n,).

    The spread of marks around their straight line in quality, over its slope: a judge that is strict, or
    marks on another scale, chooses no worse for it. InvalidInput where marks do not rise with quality.
    """
    known, given = np.asarray(quality, dtype=np.float64), np.asarray(marks, dtype=np.float64)
    kept = ~(np.isnan(known) | np.isnan(given))
    known, given = known[kept], given[kept]
    if len(known) < 3 or known.std() == 0.0:
        raise InvalidInput(Problem("noise needs at least 3 marks, of answers of different quality"))
    slope = float(np.cov(known, given)[0, 1] / known.var(ddof=1))
    if slope <= 0.0:
        raise InvalidInput(Problem(f"marks change by {slope:.3g} with quality: this judge cannot choose"))
    rest = given - given.mean() - slope * (known - known.mean())
    return float(np.sqrt((rest**2).sum() / (len(rest) - 2)) / slope)
