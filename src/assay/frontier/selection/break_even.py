"""At which error rate of the judge selection after the fact stops beating one answer of the best model."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.frontier.per_prompt import estimates
from assay.frontier.posterior import Posterior
from assay.frontier.selection.asked import asked
from assay.frontier.selection.attempts import AnswerChances
from assay.frontier.selection.judged import erring
from assay.frontier.selection.selecting import by_worth, selected_first, selected_uniformly
from assay.frontier.tensor import Tensor
from assay.results.frontier_selection import BreakEven, BreakEvenPoint, SelectionRule

FloatArray = npt.NDArray[np.float64]
ERRORS = np.linspace(0.0, 0.5, 51)
"""Error rates that are looked at; between two the difference is interpolated."""

DRAWS = 5
"""At most so many draws of a posterior are used, each at every error rate."""


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

    Rules and fallback are those of `posthoc`; the judge is free, so that this is the most it may err. With
    one model, or for the models that a user names, the question is the same.
    """
    if k < 1:
        raise InvalidInput(Problem(f"{k!r} answers a model: give 1 or more"))
    source = asked(tensor, posterior, models=models, most=DRAWS)
    found = [_differences(each, source.best, k, rule) for each in source.cells]
    by_prompt, by_draw = np.mean(found, axis=0), np.array([each.mean(axis=0) for each in found])
    every = estimates(
        by_prompt, by_draw, level=level, resamples=resamples, seed=seed, of=lambda means: _crossing(means)
    )
    gains = _per_there(by_prompt.mean(axis=0))
    curve = tuple(map(BreakEvenPoint, ERRORS.tolist(), gains.tolist()))
    return BreakEven(k, rule, source.models[source.best], every[0], curve)


def _differences(cells: AnswerChances, best: int, k: int, rule: SelectionRule) -> FloatArray:
    """Return the gain at each error rate and presence of the best single: shape (N, E + 1).

    Prompts on which the best single has no answer are left out: nothing can be compared there.
    """
    there = np.where(cells.there[:, best], 1.0, 0.0)
    order, ks = by_worth(cells, best), np.array([k])
    select = selected_first if rule == "first" else selected_uniformly
    gains = [
        there * (select(cells, erring(float(error)), ks, order)[0] - cells.success[:, best])
        for error in ERRORS
    ]
    return np.stack([*gains, there], axis=1)


def _per_there(means: FloatArray) -> FloatArray:
    there = means[..., -1:]
    full = np.full_like(means[..., :-1], np.nan)
    return np.asarray(np.divide(means[..., :-1], there, out=full, where=there > 0), dtype=np.float64)


def _crossing(means: FloatArray) -> FloatArray:
    """Return the first error at which the gain is gone, between two by interpolation; NaN where none is."""
    gains = _per_there(means)
    lost = gains <= 0.0
    first = lost.argmax(axis=-1)
    after = np.take_along_axis(gains, first[..., np.newaxis], axis=-1)[..., 0]
    place = np.maximum(first - 1, 0)
    before = np.take_along_axis(gains, place[..., np.newaxis], axis=-1)[..., 0]
    fall = np.where(before > after, before - after, 1.0)
    share = np.clip(np.where(before > 0.0, before / fall, 0.0), 0.0, 1.0)
    error = ERRORS[place] + share * (ERRORS[first] - ERRORS[place])
    return np.where(lost.any(axis=-1), error, np.nan)[..., np.newaxis]
