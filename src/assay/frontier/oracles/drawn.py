"""The oracle's value from draws of the truth: within each draw every prompt goes to its best model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from assay.frontier.biased.chosen import cheapest_best
from assay.frontier.oracles.gathered import Gathered
from assay.frontier.oracles.predictive import misfit
from assay.frontier.oracles.valued import Figure, Value
from assay.frontier.posterior import Posterior
from assay.frontier.prepared import fitting
from assay.frontier.sweep.reached import reached_by
from assay.frontier.tensor import Tensor


def drawn_oracle(
    gathered: Gathered,
    method: Literal["shrink", "pgm"],
    posterior: Posterior | None,
    progress: Callable[[str], None] | None = None,
) -> Value:
    """Return the mean over draws of the mean over prompts of the best model's quality and cost.

    Of a draw's equally good models, which a grid of rates makes many, the cheapest is taken: value, draws and
    replicates (`Reached.replicated`) are those of the frontier at alpha = 1.
    """
    estimator = f"mean over {method}'s draws of the expected cost of the draw's best model on each prompt"
    if posterior is None:
        if gathered.tensor.generations < 2:
            told = "one generation in every cell: a model cannot tell luck from skill, so there is no value"
            return Value(None, None, estimator, (told,))
        kept = _fitted(gathered.tensor, method, gathered.seed, progress)
    else:
        kept = fitting(posterior, gathered.given, gathered.prepared)
    best = cheapest_best(kept.quality, kept.cost, kept.may_choose)[:, :, None]
    quality = np.take_along_axis(kept.quality, best, axis=2)[:, :, 0]
    cost = None if kept.cost is None else np.take_along_axis(kept.cost, best, axis=2)[:, :, 0]
    replicated = reached_by(quality, cost).replicated(gathered.replicates)
    singles = kept.quality[:, :, gathered.best].mean(axis=1)
    return Value(
        Figure(float(quality.mean()), replicated[0][:, 0], quality.mean(axis=1)),
        None
        if cost is None or replicated[1] is None
        else Figure(float(cost.mean()), replicated[1][:, 0], cost.mean(axis=1)),
        estimator,
        (*kept.notes, *misfit(kept, gathered.tensor, np.random.default_rng([gathered.seed, 3]))),
        single_draws=singles,
    )


def _fitted(
    tensor: Tensor,
    method: Literal["shrink", "pgm"],
    seed: int,
    progress: Callable[[str], None] | None,
) -> Posterior:
    if method == "pgm":
        from assay.frontier.graphical import fit_pgm

        return fit_pgm(tensor, seed=seed, progress=progress).posterior
    from assay.frontier.shrink.fit import fit_shrink

    return fit_shrink(tensor, seed=seed)
