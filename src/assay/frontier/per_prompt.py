"""Means over prompts and what is made of them, with both kinds of interval."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.frontier.posterior import Posterior
from assay.frontier.singles import levels
from assay.results.frontier import Estimate
from assay.stats.resample import draw_counts, percentile

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
Of = Callable[[FloatArray], FloatArray]


def naive_posterior(quality: npt.ArrayLike, cost: npt.ArrayLike | None = None) -> Posterior:
    """Return cell means (N, L) as a posterior of one draw, method `naive`: whatever is made of it is naive.

    NaN in `quality` is a cell that was never observed; `cost` (N, L) is NaN where unknown.
    """
    means = np.asarray(quality, dtype=np.float64)
    if means.ndim != 2:
        raise InvalidInput(Problem(f"cell means have shape {means.shape!r}: give (prompts, models)"))
    costs = None if cost is None else np.asarray(cost, dtype=np.float64)
    if costs is not None and costs.shape != means.shape:
        raise InvalidInput(Problem(f"cost has shape {costs.shape!r}: give quality's, {means.shape!r}"))
    there = np.asarray(~np.isnan(means), dtype=np.bool_)
    return Posterior("naive", means[np.newaxis], None if costs is None else costs[np.newaxis], there)


def observed(source: Posterior, models: int | None = None) -> Posterior:
    """Return the posterior of the prompts on which something was observed.

    InvalidInput where nothing was at all, or where it holds another number of models than `models`.
    """
    if models is not None and source.may_choose.shape[1] != models:
        found = source.may_choose.shape[1]
        raise InvalidInput(Problem(f"{models} models are named and the cells hold {found}: name every model"))
    rows = source.may_choose.any(axis=1)
    if not rows.any():
        raise InvalidInput(Problem("no cell was observed: give at least one prompt with an answer"))
    if rows.all():
        return source
    cost = None if source.cost is None else source.cost[:, rows]
    return Posterior(source.method, source.quality[:, rows], cost, source.may_choose[rows], source.notes)


def thinned(source: Posterior, most: int) -> Posterior:
    """Return at most this many draws, evenly spaced."""
    draws = len(source.quality)
    if draws <= most:
        return source
    kept = np.linspace(0, draws - 1, most).round().astype(np.int64)
    cost = None if source.cost is None else source.cost[kept]
    return Posterior(source.method, source.quality[kept], cost, source.may_choose, source.notes)


def estimates(
    by_prompt: FloatArray,
    by_draw: FloatArray | None,
    *,
    level: float,
    resamples: int,
    seed: int,
    of: Of | None = None,
) -> tuple[Estimate, ...]:
    """Return what `of` makes of the M means over prompts, one estimate for each of its K results.

    `by_prompt` (N, M) are contributions of prompts, averaged over draws; `by_draw` (S, M) are means over
    prompts within each draw, None or one row where nothing was drawn: `these_prompts` is then None. `of`
    takes means (..., M) to results (..., K), by default the means themselves; NaN is what is not defined.
    The bootstrap draws prompts, all M columns together.
    """
    make = of or (lambda means: means)
    weights = _weights(seed, len(by_prompt), resamples) if resamples else None
    value = make(by_prompt.mean(axis=0))
    over = None if weights is None else make(weights @ by_prompt / len(by_prompt))
    these = None if by_draw is None or len(by_draw) < 2 else make(by_draw)
    return tuple(
        Estimate(
            None if np.isnan(each) else float(each),
            None if over is None or np.isnan(each) else percentile(over[:, place], level),
            None if these is None or np.isnan(each) else percentile(these[:, place], level),
        )
        for place, each in enumerate(value)
    )


@lru_cache(maxsize=4)
def _weights(seed: int, prompts: int, resamples: int) -> FloatArray:
    """Return how often each prompt is drawn in each replicate; many figures share them."""
    weights = draw_counts(np.random.default_rng(seed), prompts, resamples)
    weights.flags.writeable = False
    return weights


def best_single(quality: FloatArray, cost: FloatArray | None, models: tuple[str, ...]) -> int:
    """Return the place of the model with the greatest mean quality; ties go by lower cost, then by name.

    `quality` and `cost` (L,) are means over prompts; NaN is a model without any.
    """
    costs = np.zeros(len(models)) if cost is None else np.where(np.isnan(cost), np.inf, cost)
    worth = np.where(np.isnan(quality), -np.inf, quality)
    return min(range(len(models)), key=lambda place: (-worth[place], costs[place], models[place]))


def model_means(source: Posterior) -> tuple[FloatArray, FloatArray | None]:
    """Return each model's mean quality and mean cost over prompts: shapes (L,).

    A posterior counts every prompt, for it has draws of cells never observed too; cell means have quality
    filled there (`singles.levels`), and count the observed costs.
    """
    quality = source.quality.mean(axis=0)
    cost = None if source.cost is None else source.cost.mean(axis=0)
    return levels(quality), None if cost is None else known_mean(cost)


def known_mean(values: FloatArray) -> FloatArray:
    """Return means over the first axis, NaN left out; NaN where nothing is left."""
    there = ~np.isnan(values)
    count = there.sum(axis=0)
    total = np.where(there, values, 0.0).sum(axis=0)
    return np.asarray(np.where(count > 0, total / np.maximum(count, 1), np.nan), dtype=np.float64)
