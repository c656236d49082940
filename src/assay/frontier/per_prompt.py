"""Means over prompts and figures computed from them, with both kinds of interval."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.frontier.posterior import Posterior
from assay.frontier.singles import levels
from assay.frontier.tensor import cell_means
from assay.results.frontier import Estimate
from assay.stats.resample import draw_counts, percentile

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


def naive_posterior(quality: npt.ArrayLike, cost: npt.ArrayLike | None = None) -> Posterior:
    """Return cell means (N, L) as a posterior of one draw; everything computed from it is naive.

    NaN in `quality` is a cell that was never observed; `cost` (N, L) is NaN if unknown.
    """
    means = np.asarray(quality, dtype=np.float64)
    if means.ndim != 2:
        raise InvalidInput(Problem(f"cell means have shape {means.shape!r}: give (prompts, models)"))
    costs = None if cost is None else np.asarray(cost, dtype=np.float64)
    if costs is not None and costs.shape != means.shape:
        raise InvalidInput(Problem(f"cost has shape {costs.shape!r}: give quality's, {means.shape!r}"))
    known = np.asarray(~np.isnan(means), dtype=np.bool_)
    return Posterior("naive", means[np.newaxis], None if costs is None else costs[np.newaxis], known)


def observed(source: Posterior, models: int | None = None) -> Posterior:
    """Return the posterior of the prompts on which any model was observed.

    Raises InvalidInput if there is no such prompt, or if the number of models is not `models`.
    """
    columns = source.may_choose.shape[1]
    if models is not None and columns != models:
        raise InvalidInput(
            Problem(f"{models} model names for cells of {columns} models: give one name for each model")
        )
    rows = np.asarray(source.may_choose.any(axis=1), dtype=np.bool_)
    if not rows.any():
        raise InvalidInput(Problem("no cell was observed: give at least one prompt with an answer"))
    if rows.all():
        return source
    return source.take(rows)


def thinned(source: Posterior, most: int) -> Posterior:
    """Return at most `most` draws, evenly spaced."""
    draws = len(source.quality)
    if draws <= most:
        return source
    chosen = np.linspace(0, draws - 1, most).round().astype(np.int64)
    cost = None if source.cost is None else source.cost[chosen]
    return Posterior(source.method, source.quality[chosen], cost, source.may_choose, source.notes)


def estimates(
    by_prompt: FloatArray,
    by_draw: FloatArray | None,
    *,
    level: float,
    resamples: int,
    seed: int,
    of: Callable[[FloatArray], FloatArray] | None = None,
) -> tuple[Estimate, ...]:
    """Return estimates of K figures that the function `of` computes from M means over prompts.

    `by_prompt` (N, M) are the prompts' contributions, averaged over draws. `by_draw` (S, M) are the means
    over prompts within each draw; if it is None or has one row, nothing was drawn and `these_prompts` is
    None. `of` maps means (..., M) to figures (..., K), with NaN for an undefined figure; by default the
    figures are the means. The bootstrap draws prompts, and all M columns share its draws.
    """
    figures = of or (lambda means: means)
    weights = _weights(seed, len(by_prompt), resamples) if resamples else None
    values = figures(by_prompt.mean(axis=0))
    over = None if weights is None else figures(weights @ by_prompt / len(by_prompt))
    these = None if by_draw is None or len(by_draw) < 2 else figures(by_draw)
    return tuple(
        Estimate(
            None if np.isnan(value) else float(value),
            None if over is None or np.isnan(value) else percentile(over[:, place], level),
            None if these is None or np.isnan(value) else percentile(these[:, place], level),
        )
        for place, value in enumerate(values)
    )


@lru_cache(maxsize=4)
def _weights(seed: int, prompts: int, resamples: int) -> FloatArray:
    """Return how often each replicate draws each prompt. Many figures share these numbers."""
    weights = draw_counts(np.random.default_rng(seed), prompts, resamples)
    weights.flags.writeable = False
    return weights


def best_single(quality: FloatArray, cost: FloatArray | None, models: tuple[str, ...]) -> int:
    """Return the position of the model with the greatest mean quality.

    Ties are broken by lower cost, then by name. `quality` and `cost` (L,) are means over prompts, NaN for a
    model without any.
    """
    costs = np.zeros(len(models)) if cost is None else np.where(np.isnan(cost), np.inf, cost)
    worth = np.where(np.isnan(quality), -np.inf, quality)
    return min(range(len(models)), key=lambda place: (-worth[place], costs[place], models[place]))


def model_means(source: Posterior) -> tuple[FloatArray, FloatArray | None]:
    """Return each model's mean quality and mean cost over prompts, each of shape (L,).

    Draws of a posterior exist for every cell, so that its means are over all prompts. Cell means have empty
    cells: their quality is filled in (`singles.levels`), and their mean cost is over the observed cells.
    """
    quality = source.quality.mean(axis=0)
    cost = None if source.cost is None else source.cost.mean(axis=0)
    return levels(quality), None if cost is None else known_mean(cost)


def known_mean(values: FloatArray) -> FloatArray:
    """Return means over the first axis without NaN; NaN if no value is known."""
    return cell_means(np.moveaxis(values, 0, -1))
