"""The judge's error rate at which post-hoc selection stops beating one answer of the best single model."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.frontier.per_prompt import estimates
from assay.frontier.posterior import Posterior
from assay.frontier.selection.answer_pool import answer_pool
from assay.frontier.selection.attempts import AnswerChances
from assay.frontier.selection.judged import erring
from assay.frontier.selection.selecting import by_worth, over_answered, selected_first, selected_uniformly
from assay.frontier.tensor import Tensor
from assay.results.frontier_selection import BreakEven, BreakEvenPoint, SelectionRule

FloatArray = npt.NDArray[np.float64]
ERRORS = np.linspace(0.0, 0.5, 51)
"""The error rates at which the gain is computed; it is interpolated between them."""
DRAWS = 5
"""The largest number of draws of a posterior that are used, each at every error rate."""


def break_even(
    tensor: Tensor,
    k: int,
    *,
    posterior: Posterior | None = None,
    models: Sequence[str] | None = None,
    rule: SelectionRule = "uniform",
    level: float = 0.95,
    resamples: int = 500,
    seed: int = 0,
) -> BreakEven:
    """Return the judge's error rate at which selection among k answers of every model stops paying.

    Rules and fallback are those of `posthoc`. The judge is free, so a judge with a price must err less. Only
    the answers of `models` are selected among, all by default.
    """
    if k < 1:
        raise InvalidInput(Problem(f"invalid number of answers per model {k!r}: give 1 or more"))
    source = answer_pool(tensor, posterior, models=models, most=DRAWS)
    differences = [_differences(cells, source.best, k, rule) for cells in source.cells]
    by_prompt, by_draw = np.mean(differences, axis=0), np.array([gains.mean(axis=0) for gains in differences])
    every = estimates(
        by_prompt, by_draw, level=level, resamples=resamples, seed=seed, of=lambda means: _crossing(means)
    )
    mean_gains = over_answered(by_prompt.mean(axis=0))
    curve = tuple(map(BreakEvenPoint, ERRORS.tolist(), mean_gains.tolist()))
    return BreakEven(k, rule, source.models[source.best], every[0], curve)


def _differences(cells: AnswerChances, best: int, k: int, rule: SelectionRule) -> FloatArray:
    """Return the gain at each error rate, and 1 where the best single model has an answer: shape (N, E + 1).

    Where it has no answer there is nothing to compare, and the row is 0.
    """
    observed = np.where(cells.observed[:, best], 1.0, 0.0)
    order, ks = by_worth(cells, best), np.array([k])
    select = selected_first if rule == "first" else selected_uniformly
    gains = [
        observed * (select(cells, erring(float(error)), ks, order)[0] - cells.success[:, best])
        for error in ERRORS
    ]
    return np.stack([*gains, observed], axis=1)


def _crossing(means: FloatArray) -> FloatArray:
    """Return the least error rate without a gain, interpolated between two; NaN if there is none."""
    gains = over_answered(means)
    lost = gains <= 0.0
    first = lost.argmax(axis=-1)
    after = np.take_along_axis(gains, first[..., np.newaxis], axis=-1)[..., 0]
    place = np.maximum(first - 1, 0)
    before = np.take_along_axis(gains, place[..., np.newaxis], axis=-1)[..., 0]
    fall = np.where(before > after, before - after, 1.0)
    share = np.clip(np.where(before > 0.0, before / fall, 0.0), 0.0, 1.0)
    error = ERRORS[place] + share * (ERRORS[first] - ERRORS[place])
    return np.where(lost.any(axis=-1), error, np.nan)[..., np.newaxis]
