"""The smallest and then cheapest set of models that keeps most of the oracle's gain over the best single."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.frontier.carriers.best_sets import TINY
from assay.frontier.carriers.choice import PickedSet, choose
from assay.frontier.per_prompt import (
    best_single,
    estimates,
    known_mean,
    model_means,
    naive_posterior,
    observed,
    thinned,
)
from assay.frontier.posterior import Posterior
from assay.results.frontier import Estimate
from assay.results.frontier_selection import Cheapest, ModelSet

FloatArray = npt.NDArray[np.float64]
KEPT = 0.95
"""The default share of the gain to keep."""
DRAWS = 50
"""The largest number of draws of a posterior that are used."""
SHOWN = 10
"""The best sets are listed up to this number of models, or up to the chosen set."""


def cheapest(
    source: Posterior | npt.ArrayLike,
    models: Sequence[str],
    *,
    cost: npt.ArrayLike | None = None,
    share: float = KEPT,
    splits: int = 5,
    level: float = 0.95,
    resamples: int = 500,
    seed: int = 0,
) -> Cheapest:
    """Return the cheapest of the smallest sets whose oracle keeps `share` of the gain over the best single.

    The gain is the mean over prompts of the greatest quality minus the best single model's, from a posterior
    or from cell means (N, L) with their `cost`. The result is exact up to 16 models. Above, sets are chosen
    greedily with swaps, with an upper bound for all sets of that size, and for cell means integer programming
    can prove the smallest size. InvalidInput for a share outside 0-1.
    """
    if not 0.0 < share <= 1.0:
        raise InvalidInput(
            Problem(f"invalid share of the gain to keep {share!r}: give a number above 0, at most 1")
        )
    names = tuple(models)
    cells = source if isinstance(source, Posterior) else naive_posterior(source, cost)
    cells = _priced(thinned(observed(cells, len(names)), DRAWS))
    picked = choose(cells, names, share, listed=SHOWN, proof=True)
    single = best_single(*model_means(cells), names)
    gain, sets = _valued(cells, names, single, picked, level=level, resamples=resamples, seed=seed)
    held_out, sizes, often = _held_out(
        cells, names, share, splits=splits, level=level, resamples=resamples, seed=seed
    )
    return Cheapest(
        method=cells.method,
        share=share,
        single=names[single],
        gain=gain,
        chosen=sets[0],
        least_size=picked.least,
        held_out=held_out,
        sizes=sizes,
        steady={names[model]: float(often[model]) for model in picked.chosen},
        sets=sets[1:],
    )


def _priced(cells: Posterior) -> Posterior:
    """Return the cells with the model's mean cost where unknown; without costs if a model has none."""
    if cells.cost is None or not np.isnan(cells.cost).any():
        return cells
    means = known_mean(cells.cost.reshape(-1, cells.cost.shape[2]))
    cost = None if np.isnan(means).any() else np.where(np.isnan(cells.cost), means, cells.cost)
    return Posterior(cells.method, cells.quality, cost, cells.may_choose, cells.notes)


def _valued(
    cells: Posterior,
    models: tuple[str, ...],
    single: int,
    picked: PickedSet,
    *,
    level: float,
    resamples: int,
    seed: int,
) -> tuple[Estimate, tuple[ModelSet, ...]]:
    """Return the gain, and the picked set and the best sets by size with the share that they keep."""
    sets = [picked.chosen, *(best.chosen for best in picked.sets)]
    values = _values(cells, [(single,), tuple(range(len(models))), *sets])
    costs = None if cells.cost is None else _costs(cells, sets)
    columns = values if costs is None else np.concatenate([values, costs], axis=2)
    every = estimates(
        columns.mean(axis=0),
        columns.mean(axis=1),
        level=level,
        resamples=resamples,
        seed=seed,
        of=lambda means: _of(means, len(sets)),
    )
    number = len(sets)
    return every[0], tuple(
        ModelSet(
            tuple(models[model] for model in chosen),
            every[1 + place],
            every[1 + number + place],
            None if costs is None else every[1 + 2 * number + place],
            picked.kept_at_most(bound),
            bound.exact,
        )
        for place, (chosen, bound) in enumerate(zip(sets, (picked.best, *picked.sets), strict=True))
    )


def _values(cells: Posterior, sets: Sequence[tuple[int, ...]]) -> FloatArray:
    """Return the oracle's quality within each set: shape (S, N, sets)."""
    allowed = np.broadcast_to(cells.may_choose, cells.quality.shape)
    worth = np.where(allowed, cells.quality, -np.inf)
    empty = float(np.where(allowed, cells.quality, 0.0).min(initial=0.0))
    return np.stack([worth[..., list(chosen)].max(axis=-1, initial=empty) for chosen in sets], axis=-1)


def _costs(cells: Posterior, sets: Sequence[tuple[int, ...]]) -> FloatArray:
    """Return the cost of the oracle's choices within each set, of equals the cheaper: shape (S, N, sets)."""
    assert cells.cost is not None
    worth = np.where(cells.may_choose, cells.quality, -np.inf)
    costs = []
    for chosen in sets:
        part = worth[..., list(chosen)]
        top = part.max(axis=-1, keepdims=True)
        paid = np.where(part == top, cells.cost[..., list(chosen)], np.inf).min(axis=-1)
        costs.append(np.where(np.isfinite(top[..., 0]), paid, 0.0))
    return np.stack(costs, axis=-1)


def _of(means: FloatArray, sets: int) -> FloatArray:
    """Return the gain, each set's quality, the share that it keeps, and its cost."""
    alone, every, within = means[..., :1], means[..., 1:2], means[..., 2 : 2 + sets]
    gain = every - alone
    kept = np.divide(within - alone, gain, out=np.full(within.shape, np.nan), where=gain > TINY)
    return np.concatenate([gain, within, kept, means[..., 2 + sets :]], axis=-1)


def _held_out(
    cells: Posterior,
    models: tuple[str, ...],
    share: float,
    *,
    splits: int,
    level: float,
    resamples: int,
    seed: int,
) -> tuple[Estimate, tuple[int, ...], FloatArray]:
    """Choose sets on one half of the prompts and evaluate them on the other, both ways, for random halves.

    The best single model is chosen on the same half as the set. Returns the share of the gain kept, the sizes
    of the sets, and the share of halves that chose each model.
    """
    rng = np.random.default_rng(seed)
    number, count = cells.may_choose.shape
    often, sizes = np.zeros(count), []
    if number < 2 or splits < 1:
        return Estimate(None), (), often
    total = np.zeros((len(cells.quality), number, 3))
    for _ in range(splits):
        shuffled = rng.permutation(number)
        halves = shuffled[: number // 2], shuffled[number // 2 :]
        for train, test in (halves, halves[::-1]):
            training = cells.take(train)
            picked = choose(training, models, share, draws=5)
            single = best_single(*model_means(training), models)
            sets = [(single,), tuple(range(count)), picked.chosen]
            total[:, test] += _values(cells.take(test), sets) / splits
            often[list(picked.chosen)] += 1
            sizes.append(len(picked.chosen))
    kept = estimates(
        total.mean(axis=0),
        total.mean(axis=1),
        level=level,
        resamples=resamples,
        seed=seed,
        of=lambda means: _of(means, 1)[..., 2:3],
    )
    return kept[0], tuple(sorted(sizes)), often / len(sizes)
