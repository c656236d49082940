"""The carriers of the frontier: Shapley values of the oracle's quality, leave-one-out, and clear winners."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.frontier.per_prompt import estimates, naive_posterior, observed
from assay.frontier.posterior import Posterior
from assay.results.frontier_selection import Carrier, Carriers

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]
MARGIN = 0.05
"""A model is clearly the best on a prompt if it beats every other by more than this."""


def carriers(
    source: Posterior | npt.ArrayLike,
    models: Sequence[str],
    *,
    groups: Sequence[str] | None = None,
    margin: float = MARGIN,
    level: float = 0.95,
    resamples: int = 500,
    seed: int = 0,
) -> Carriers:
    """Return each model's contribution to the oracle's quality at alpha = 1.

    `source` is a posterior or cell means (N, L). The game is v(S) = the mean over prompts of the greatest
    quality among the models of S that were observed on the prompt, and v(empty) = 0. Another value b of the
    empty set would subtract b/L from every model's value and change no order. Each draw of a posterior is a
    separate game; means over draws are debiased, cell means are not. With `groups`, one label per model (for
    example the model of an arm), the values are Owen's: the values of a group add up to its Shapley value as
    one player with its best arm. The values are exact, without sampling.
    Source: S. Littlechild and G. Owen, Management Science 20 (1973) 370-372; G. Owen, Values of games with a
    priori unions (1977).
    """
    names = tuple(models)
    cells = observed(source if isinstance(source, Posterior) else naive_posterior(source), len(names))
    labels = _labels(groups, names)
    draws, (prompts, count) = len(cells.quality), cells.may_choose.shape
    by_prompt, by_draw = np.zeros((prompts, 3 * count)), np.zeros((draws, 3 * count))
    for draw, quality in enumerate(cells.quality):
        top = without(quality, cells.may_choose)
        contributions = np.hstack([shares(quality, cells.may_choose, labels), top, top > margin])
        by_prompt += contributions / draws
        by_draw[draw] = contributions.mean(axis=0)

    def of(means: FloatArray) -> FloatArray:
        value, alone = means[..., :count], means[..., 2 * count :]
        oracle = value.sum(axis=-1, keepdims=True)
        share = np.divide(value, oracle, out=np.full(value.shape, np.nan), where=oracle > 0)
        return np.concatenate([means, share, oracle, 1.0 - alone.sum(axis=-1, keepdims=True)], axis=-1)

    every = estimates(by_prompt, by_draw, level=level, resamples=resamples, seed=seed, of=of)
    contributors = [
        Carrier(name, *(every[place + part * count] for part in (0, 3, 1, 2)))
        for place, name in enumerate(names)
    ]
    ordered = sorted(contributors, key=lambda carrier: (-(carrier.shapley.value or 0.0), carrier.model))
    return Carriers(cells.method, every[-2], every[-1], tuple(ordered), margin, prompts)


def grouped(source: Posterior, groups: Sequence[str]) -> tuple[Posterior, tuple[str, ...]]:
    """Return the posterior of groups of arms, each with its best arm on each prompt, and their names.

    A group's quality is the greatest among its arms that may be chosen; its cost is that arm's (the cheaper
    of equal ones). Groups are in the order of first appearance.
    """
    names = tuple(dict.fromkeys(groups))
    labels = _labels(groups, tuple(str(place) for place in range(source.may_choose.shape[1])))
    quality, cost, allowed = [], [], []
    for group in range(len(names)):
        arms = np.flatnonzero(labels == group)
        may = source.may_choose[:, arms]
        worth = np.where(may, source.quality[..., arms], -np.inf)
        best = worth.max(axis=-1)
        allowed.append(may.any(axis=1))
        quality.append(np.where(allowed[-1], best, source.quality[..., arms].mean(axis=-1)))
        if source.cost is not None:
            price = np.where(may, source.cost[..., arms], np.inf)
            chosen = np.where(worth == best[..., np.newaxis], price, np.inf).min(axis=-1)
            cost.append(np.where(allowed[-1], chosen, source.cost[..., arms].mean(axis=-1)))
    costs = None if source.cost is None else np.stack(cost, axis=-1)
    may_choose = np.stack(allowed, axis=-1)
    return Posterior(source.method, np.stack(quality, axis=-1), costs, may_choose, source.notes), names


def shares(quality: FloatArray, may_choose: BoolArray, groups: IntArray | None = None) -> FloatArray:
    """Return each model's Shapley value in each prompt's maximum game: shape (N, L), rows add to the maximum.

    With sorted qualities, each increment is shared equally by the models that reach it (a model that may not
    be chosen reaches none). With `groups` (L,), numbered from 0, it is shared equally by the groups that
    reach it, and within each group by the arms that do: the Owen value.
    """
    worth = np.where(may_choose, quality, -np.inf)
    order = np.argsort(worth, axis=1)
    ranked = np.take_along_axis(worth, order, axis=1)
    below = np.concatenate([np.full((len(ranked), 1), -np.inf), ranked[:, :-1]], axis=1)
    floor = np.where(np.isfinite(below), below, 0.0)
    rise = np.where(np.isfinite(ranked), ranked, floor) - floor
    if groups is None:
        reach = np.arange(ranked.shape[1], 0, -1, dtype=np.float64)
        taken = np.cumsum(rise / reach, axis=1)
    else:
        taken = _owen(rise, groups[order])
    values = np.zeros_like(taken)
    np.put_along_axis(values, order, np.where(np.isfinite(ranked), taken, 0.0), axis=1)
    return values


def _owen(rise: FloatArray, group: IntArray) -> FloatArray:
    """Return each rank's part of the increments up to it, shared by groups, then within them."""
    taken = np.zeros_like(rise)
    members = np.flip(
        np.stack([np.cumsum(np.flip(group == label, 1), 1) for label in range(group.max() + 1)]), 2
    )
    present = (members > 0).sum(axis=0)
    for label, reaching in enumerate(members):
        part = np.divide(rise, present * reaching, out=np.zeros_like(rise), where=reaching > 0)
        taken += np.where(group == label, np.cumsum(part, axis=1), 0.0)
    return taken


def without(quality: FloatArray, may_choose: BoolArray) -> FloatArray:
    """Return the loss of each prompt's maximum without each model: shape (N, L), 0 except for the best one.

    If only one model was observed, the loss is its whole quality, because the empty set has the value 0.
    """
    worth = np.where(may_choose, quality, -np.inf)
    best = worth.argmax(axis=1)
    rows = np.arange(len(worth))
    top = worth[rows, best]
    worth[rows, best] = -np.inf
    second = worth.max(axis=1, initial=-np.inf)
    losses = np.zeros_like(quality)
    losses[rows, best] = top - np.where(np.isfinite(second), second, 0.0)
    return losses


def _labels(groups: Sequence[str] | None, models: Sequence[str]) -> IntArray | None:
    if groups is None:
        return None
    if len(groups) != len(models):
        raise InvalidInput(
            Problem(f"{len(groups)} group labels for {len(models)} models: give one label per model")
        )
    places = {name: place for place, name in enumerate(dict.fromkeys(groups))}
    return np.array([places[name] for name in groups], dtype=np.int64)
