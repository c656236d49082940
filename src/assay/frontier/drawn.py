"""The oracle's value from draws of the truth: within each draw every prompt goes to its best model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
import numpy.typing as npt

from assay.frontier.gathered import Gathered
from assay.frontier.posterior import Posterior
from assay.frontier.prepared import fitting
from assay.frontier.tensor import Tensor
from assay.frontier.valued import Figure, Value

FloatArray = npt.NDArray[np.float64]


def drawn_oracle(
    gathered: Gathered,
    method: Literal["shrink", "pgm"],
    posterior: Posterior | None,
    progress: Callable[[str], None] | None = None,
) -> Value:
    """Return the mean over draws of the mean over prompts of the best model's quality and cost.

    The interval over prompts is a bootstrap of each prompt's mean over the draws. Those means vary from
    prompt to prompt as prompts do and as the luck of their few generations does, so both are in it. What all
    prompts share, the model's own parameters, is not, and is added: each replicate takes a random draw's
    departure from the mean over draws, scaled to the part of its variance that no prompt has for itself.
    (Replicates of the draws themselves would count each prompt's own uncertainty twice.)
    """
    estimator = f"mean over {method}'s draws of the expected cost of the draw's best model on each prompt"
    if posterior is None:
        if gathered.tensor.generations < 2:
            told = "one generation in every cell: a model cannot tell luck from skill, so there is no value"
            return Value(None, None, estimator, (told,))
        kept = _fitted(gathered.tensor, method, gathered.seed, progress)
    else:
        kept = fitting(posterior, gathered.given, gathered.prepared)
    open_ = np.where(kept.may_choose, kept.quality, -np.inf)
    best = open_.argmax(axis=2)[:, :, None]
    rng = np.random.default_rng([gathered.seed, 2])
    draws = rng.integers(len(open_), size=len(gathered.replicates.weights))
    quality = _figure(gathered, np.take_along_axis(kept.quality, best, axis=2)[:, :, 0], draws)
    cost = None
    if kept.cost is not None:
        cost = _figure(gathered, np.take_along_axis(kept.cost, best, axis=2)[:, :, 0], draws)
    singles = kept.quality[:, :, gathered.best].mean(axis=1)
    return Value(quality, cost, estimator, kept.notes, single_draws=singles)


def _figure(gathered: Gathered, values: FloatArray, draws: npt.NDArray[np.int64]) -> Figure:
    """Return the figure of values (S, N); replicate r takes the shared departure of row `draws[r]`."""
    by_draw, value = values.mean(axis=1), float(values.mean())
    whole, apart = float(by_draw.var()), float(values.var(axis=0).sum()) / values.shape[1] ** 2
    shared = np.sqrt(max(0.0, 1.0 - apart / whole)) if whole > 0 else 0.0
    replicates = gathered.replicates.weights @ values.mean(axis=0) + shared * (by_draw[draws] - value)
    return Figure(value, replicates, by_draw)


def _fitted(
    tensor: Tensor,
    method: Literal["shrink", "pgm"],
    seed: int,
    progress: Callable[[str], None] | None,
) -> Posterior:
    if method == "pgm":
        from assay.frontier.graphical import fit_pgm

        return fit_pgm(tensor, seed=seed, progress=progress).posterior
    from assay.frontier.shrink import fit_shrink

    return fit_shrink(tensor, seed=seed)
