"""Quality as successes among trials in every cell, and a split of them into kept and held-out counts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.frontier.tensor import Tensor

FloatArray = npt.NDArray[np.float64]
LEAST_DISPERSION = 0.05
"""A generation of continuous quality counts as at most 20 trials, however little it varies within cells."""


@dataclass(frozen=True, slots=True)
class SuccessCounts:
    """Successes among trials, shapes (N, L). With fractions the likelihood is a quasi-likelihood."""

    successes: FloatArray
    trials: FloatArray


def counted(quality: FloatArray) -> SuccessCounts:
    """Return the sum and number of generations in each cell of quality (N, L, G), without NaN."""
    observed = ~np.isnan(quality)
    successes = np.where(observed, quality, 0.0).sum(axis=2)
    return SuccessCounts(successes, observed.sum(axis=2).astype(np.float64))


def check_quality(tensor: Tensor) -> None:
    """Raise InvalidInput unless there is a quality and every quality is from 0 to 1."""
    quality = tensor.quality
    if not np.isfinite(quality).any():
        raise InvalidInput(Problem("no generation has a quality: the graphical model needs at least one"))
    outside = np.argwhere(~np.isnan(quality) & ~((quality >= 0.0) & (quality <= 1.0)))
    if len(outside):
        n, model, g = outside[0]
        number = f" ({len(outside)} values are outside)" if len(outside) > 1 else ""
        text = (
            f"quality is {float(quality[n, model, g])!r}: rescale quality to 0-1, or use another method than "
            f"pgm, which models rates of success{number}"
        )
        raise InvalidInput(Problem(text, f"{tensor.prompts[n]}, {tensor.models[model]}"))


def dispersion(quality: FloatArray) -> float:
    """Return the variance within cells, divided by that of 0/1 quality of the same mean.

    It is 1 for 0/1 quality, and also if no cell of quality (N, L, G) has two generations. Over the cells with
    two or more, W is the mean of the unbiased variances and B the mean of m (1 - m) for cell means m;
    p (1 - p) is estimated by B + W/g.
    """
    answers = (~np.isnan(quality)).sum(axis=2)
    several = answers > 1
    if not several.any():
        return 1.0
    cells, number = quality[several], answers[several]
    means = np.nansum(cells, axis=1) / number
    within = np.nansum((cells - means[:, None]) ** 2, axis=1) / (number - 1)
    binary = means * (1.0 - means) + within / number
    if binary.sum() <= 0.0:
        return 1.0
    return float(np.clip(within.sum() / binary.sum(), LEAST_DISPERSION, 1.0))


def split(quality: FloatArray, share: float, rng: np.random.Generator) -> tuple[SuccessCounts, SuccessCounts]:
    """Return (kept, held-out) counts; a random `share` of every cell's generations is held out.

    For 0/1 quality the held-out successes are hypergeometric. If the share is not a whole number of
    generations, it is rounded up or down at random, so that a cell of one generation is either kept or held
    out.
    """
    observed = ~np.isnan(quality)
    size = share * observed.sum(axis=2)
    number = np.floor(size) + (rng.random(size.shape) < size - np.floor(size))
    order = np.where(observed, rng.random(quality.shape), np.inf).argsort(axis=2).argsort(axis=2)
    out = observed & (order < number[:, :, None])
    return counted(np.where(out, np.nan, quality)), counted(np.where(out, quality, np.nan))
