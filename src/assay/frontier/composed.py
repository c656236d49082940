"""Puts a frontier's result together from what a method reaches: estimates, intervals, gains, bias."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.frontier.estimate import Estimate
from assay.frontier.gains import gains_of
from assay.frontier.pareto import undominated, upper_hull
from assay.frontier.prepared import NAMED, named
from assay.frontier.reached import Reached
from assay.frontier.result import Bias, Frontier, Point, Single
from assay.frontier.singles import Alone, alone
from assay.frontier.tail_latency import alone_p95, chosen_p95
from assay.frontier.tensor import Tensor, cell_means
from assay.frontier.weighed import Weighed

FloatArray = npt.NDArray[np.float64]
DIGITS = 12
"""Points are equal that agree to so many decimals of quality and of the dearest point's cost."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What a frontier is composed of: the tensor it is about and what the decisions of each kind reach."""

    method: str
    tensor: Tensor
    alphas: FloatArray
    reached: Reached
    naive: Reached
    old_decisions: Reached | None
    weighed: Weighed
    notes: tuple[str, ...]


def compose(parts: Parts) -> Frontier:
    """Return the result."""
    tensor, reached, weighed = parts.tensor, parts.reached, parts.weighed
    models = alone(tensor)
    singles, best = _singles(tensor, models, reached, weighed)
    points = _points(parts.alphas, reached, tensor, weighed)
    old = parts.old_decisions
    return Frontier(
        method=parts.method,
        unit=tensor.unit,
        prompts=len(tensor.prompts),
        models=tensor.models,
        alphas=parts.alphas,
        points=points,
        naive=_points(parts.alphas, parts.naive, tensor, weighed),
        share=reached.share,
        hull=_corners(points),
        singles=singles,
        best_single=best,
        gains=gains_of(parts.alphas, reached, models, best, weighed, bounded=_bounded(tensor)),
        bias=_bias(parts.naive, reached, weighed),
        paper_bias=None,
        old_decisions=None if old is None else _points(parts.alphas, old, tensor, weighed),
        cost_estimator=reached.cost_estimator,
        level=weighed.level,
        notes=(*parts.notes, *_coverage(models), *reached.notes),
    )


def _bounded(tensor: Tensor) -> bool:
    return bool(np.nanmin(tensor.quality) >= 0.0 and np.nanmax(tensor.quality) <= 1.0)


def _points(alphas: FloatArray, reached: Reached, tensor: Tensor, weighed: Weighed) -> tuple[Point, ...]:
    quality = reached.quality.mean(axis=0)
    qualities = weighed.estimates(quality, weighed.means(reached.quality), reached.draws_quality)
    cost = np.zeros_like(quality) if reached.cost is None else reached.cost.mean(axis=0)
    costs = [Estimate(None)] * len(alphas)
    if reached.cost is not None:
        costs = weighed.estimates(cost, weighed.means(reached.cost), reached.draws_cost)
    near = np.round(quality, DIGITS), np.round(cost / (cost.max() or 1.0), DIGITS)
    corners = {(near[0][place], near[1][place]) for place in upper_hull(*near)}
    best = undominated(*near)
    slow = np.full(len(alphas), np.nan)
    if tensor.latency is not None and reached.chosen is not None:
        slow = chosen_p95(tensor.latency, reached.chosen)
    return tuple(
        Point(
            float(alpha),
            qualities[place],
            costs[place],
            bool(best[place]),
            (near[0][place], near[1][place]) in corners,
            _known(slow[place]),
        )
        for place, alpha in enumerate(alphas)
    )


def _corners(points: tuple[Point, ...]) -> tuple[int, ...]:
    """Return the positions of the hull's corners, of equal points the one with the greatest alpha."""
    marked = [place for place, point in enumerate(points) if point.on_hull]
    kept = [
        place
        for place, after in zip(marked, [*marked[1:], None], strict=True)
        if after is None or not _equal(points[place], points[after])
    ]
    return tuple(kept)


def _equal(one: Point, other: Point) -> bool:
    pairs = ((one.quality.value, other.quality.value), (one.cost.value, other.cost.value))
    return all(np.isclose(a or 0.0, b or 0.0, rtol=1e-10, atol=0.0) for a, b in pairs)


def _singles(
    tensor: Tensor, models: Alone, reached: Reached, weighed: Weighed
) -> tuple[tuple[Single, ...], int]:
    level = models.quality.mean(axis=0)
    spent = np.zeros_like(level) if models.cost is None else models.cost.mean(axis=0)
    levels = _estimates(models.quality, reached.draws_alone_quality, weighed)
    level_costs = _estimates(models.cost, reached.draws_alone_cost, weighed) or [Estimate(None)] * len(level)
    qualities, costs = levels, level_costs
    if not models.complete:
        qualities = _estimates(tensor.mean_quality(), None, weighed)
        costs = _estimates(tensor.mean_cost(), None, weighed) or costs
    optimal = undominated(level, spent)
    slow = np.full(len(level), np.nan) if tensor.latency is None else alone_p95(tensor.latency)
    singles = tuple(
        Single(
            model,
            qualities[place],
            costs[place],
            levels[place],
            level_costs[place],
            float(models.coverage[place]),
            bool(optimal[place]),
            _known(slow[place]),
        )
        for place, model in enumerate(models.models)
    )
    return singles, int(models.best(level[None], spent[None])[0])


def _estimates(table: FloatArray | None, draws: FloatArray | None, weighed: Weighed) -> list[Estimate]:
    """Return the column means of a table (N, K), NaN left out, as estimates; nothing without a table."""
    if table is None:
        return []
    return weighed.estimates(cell_means(table.T), weighed.means(table), draws)


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _coverage(models: Alone) -> tuple[str, ...]:
    """Return what must be said of models that were not run on every prompt."""
    told = []
    partial = np.flatnonzero(models.coverage < 1.0)
    if partial.size:
        shares = [f"{models.models[one]} {models.coverage[one]:.0%}" for one in partial[:NAMED]]
        more = "" if partial.size <= NAMED else f" and {partial.size - NAMED} more"
        told.append(
            f"{partial.size} of {len(models.models)} models miss some prompts (coverage: {', '.join(shares)}"
            f"{more}): an oracle chooses among the models observed on a prompt, and single models are "
            "compared by levels that a prompt-and-model fit puts on all prompts, held fixed in the intervals"
        )
    apart = np.flatnonzero(np.isnan(models.quality).any(axis=0))
    if apart.size:
        names = named([models.models[one] for one in apart])
        told.append(f"no chain of shared prompts joins {names} to the others: they have no level")
    return tuple(told)


def _bias(plain: Reached, reached: Reached, weighed: Weighed) -> Bias:
    """Return how far the plug-in is from the method at alpha = 1, with both from the same replicates."""
    ends, means = plain.quality[:, -1:], reached.quality[:, -1:]
    draws = None if reached.draws_quality is None else 100.0 * (ends.mean() - reached.draws_quality[:, -1:])
    quality = weighed.estimates(
        100.0 * (ends.mean(axis=0) - means.mean(axis=0)),
        100.0 * (weighed.means(ends) - weighed.means(means)),
        draws,
    )[0]
    if plain.cost is None or reached.cost is None:
        return Bias(quality, Estimate(None))
    spent, true = plain.cost[:, -1:], reached.cost[:, -1:]
    over = None if reached.draws_cost is None else _excess(spent.mean(), reached.draws_cost[:, -1:])
    cost = weighed.estimates(
        _excess(spent.mean(axis=0), true.mean(axis=0)),
        _excess(weighed.means(spent), weighed.means(true)),
        over,
    )[0]
    return Bias(quality, cost)


def _excess(plain: npt.ArrayLike, true: FloatArray) -> FloatArray:
    """Return by how many per cent the plug-in exceeds the estimate; NaN where that is 0."""
    ratio = np.divide(plain, true, out=np.full(np.shape(true), np.nan), where=true > 0.0)
    return np.asarray(100.0 * (ratio - 1.0), dtype=np.float64)
