"""What the model of quality sees of a tensor: successes among trials in every cell, and a split of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.frontier.tensor import Tensor

FloatArray = npt.NDArray[np.float64]
LEAST_DISPERSION = 0.05
"""Continuous quality counts as at most 20 trials a generation, however little it varies within cells."""


@dataclass(frozen=True, slots=True)
class SuccessCounts:
    """Successes among trials, shapes (N, L). Fractions are a quasi-likelihood's; no trial is no evidence."""

    successes: FloatArray
    trials: FloatArray


def counted(quality: FloatArray) -> SuccessCounts:
    """Return the sums and numbers of generations in the cells of quality (N, L, G), NaN left out."""
    there = ~np.isnan(quality)
    successes = np.where(there, quality, 0.0).sum(axis=2)
    return SuccessCounts(successes, there.sum(axis=2).astype(np.float64))


def check_quality(tensor: Tensor) -> None:
    """Raise InvalidInput unless there is a quality and every quality is from 0 to 1."""
    quality = tensor.quality
    if not np.isfinite(quality).any():
        raise InvalidInput(Problem("no generation has a quality: the graphical model has nothing to fit"))
    outside = np.argwhere(~np.isnan(quality) & ~((quality >= 0.0) & (quality <= 1.0)))
    if len(outside):
        n, model, g = outside[0]
        value = float(quality[n, model, g])
        told = f"quality outside 0-1 in {len(outside)} places, the first {value!r}"
        cure = "the graphical model explains rates of success: rescale quality to 0-1, or use another method"
        raise InvalidInput(Problem(f"{told}: {cure}", f"{tensor.prompts[n]}, {tensor.models[model]}"))


def dispersion(quality: FloatArray) -> float:
    """Return the variance within cells as a share of a 0/1 quality's of the same mean: 1 for 0/1 itself.

    From the cells with two generations or more of quality (N, L, G): with W the mean of the unbiased
    variances and B that of m (1 - m) for cell means m, p (1 - p) is estimated by B + W/g. 1 where no cell
    can say.
    """
    given = (~np.isnan(quality)).sum(axis=2)
    several = given > 1
    if not several.any():
        return 1.0
    cells, number = quality[several], given[several]
    means = np.nansum(cells, axis=1) / number
    within = np.nansum((cells - means[:, None]) ** 2, axis=1) / (number - 1)
    binary = means * (1.0 - means) + within / number
    if binary.sum() <= 0.0:
        return 1.0
    return float(np.clip(within.sum() / binary.sum(), LEAST_DISPERSION, 1.0))


def split(quality: FloatArray, share: float, rng: np.random.Generator) -> tuple[SuccessCounts, SuccessCounts]:
    """Return (kept, held out) counts: `share` of every cell's generations, chosen at random, is held out.

    For 0/1 quality the successes held out are hypergeometric. Shares that are no whole number of generations
    are rounded up or down at random, so that cells of one generation are held out whole.
    """
    there = ~np.isnan(quality)
    wanted = share * there.sum(axis=2)
    number = np.floor(wanted) + (rng.random(wanted.shape) < wanted - np.floor(wanted))
    order = np.where(there, rng.random(quality.shape), np.inf).argsort(axis=2).argsort(axis=2)
    out = there & (order < number[:, :, None])
    return counted(np.where(out, np.nan, quality)), counted(np.where(out, quality, np.nan))
