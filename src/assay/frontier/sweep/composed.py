"""Puts a frontier's result together from what a method reaches: points, gains and bias with intervals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.frontier.estimate import Estimate
from assay.frontier.singles import Alone, alone
from assay.frontier.sweep.gains import Lines, drawn_lines, gains_of, lines_of
from assay.frontier.sweep.pareto import undominated, upper_hull
from assay.frontier.sweep.reached import Reached
from assay.frontier.sweep.result import Bias, Frontier, Point
from assay.frontier.sweep.single_figures import coverage_notes, single_figures
from assay.frontier.sweep.tail_latency import chosen_p95
from assay.frontier.tensor import Tensor
from assay.frontier.weighed import Weighed, known

FloatArray = npt.NDArray[np.float64]
DIGITS = 12
"""Points are equal that agree to so many decimals of quality and of the dearest point's cost."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What a frontier is composed of: the tensor it is about and what the decisions of each kind reach.

    `paper` is equation 12 at alpha = 1 alone, None where it cannot be fitted.
    """

    method: str
    tensor: Tensor
    alphas: FloatArray
    reached: Reached
    naive: Reached
    paper: Reached | None
    old_decisions: Reached | None
    weighed: Weighed
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Three:
    """A curve as its one estimate (1, A), its replicates (R, A) and its draws (S, A), None without."""

    one: Lines
    many: Lines
    draws: Lines | None


def compose(parts: Parts) -> Frontier:
    """Return the result."""
    tensor, reached, weighed = parts.tensor, parts.reached, parts.weighed
    models = alone(tensor)
    singles, best = single_figures(tensor, models, reached, weighed)
    found, plain = _three(reached, models, weighed), _three(parts.naive, models, weighed)
    points = _points(parts.alphas, found, reached, tensor, weighed)
    old, paper = parts.old_decisions, parts.paper
    return Frontier(
        method=parts.method,
        unit=tensor.unit,
        prompts=len(tensor.prompts),
        models=tensor.models,
        alphas=parts.alphas,
        points=points,
        naive=_points(parts.alphas, plain, parts.naive, tensor, weighed),
        share=reached.share,
        hull=_corners(points),
        singles=singles,
        best_single=best,
        gains=gains_of(
            parts.alphas, (found.one, found.many, found.draws), models, weighed, bounded=_bounded(tensor)
        ),
        bias=_bias(plain, found, weighed),
        paper_bias=None if paper is None else _bias(plain, _three(paper, models, weighed), weighed),
        old_decisions=None
        if old is None
        else _points(parts.alphas, _three(old, models, weighed), old, tensor, weighed),
        cost_estimator=reached.cost_estimator,
        level=weighed.level,
        notes=(*parts.notes, *coverage_notes(models), *reached.notes),
    )


def _bounded(tensor: Tensor) -> bool:
    return bool(np.nanmin(tensor.quality) >= 0.0 and np.nanmax(tensor.quality) <= 1.0)


def _three(reached: Reached, models: Alone, weighed: Weighed) -> _Three:
    return _Three(lines_of(reached, models, None), lines_of(reached, models, weighed), drawn_lines(reached))


def _points(
    alphas: FloatArray, three: _Three, reached: Reached, tensor: Tensor, weighed: Weighed
) -> tuple[Point, ...]:
    one, many, draws = three.one, three.many, three.draws
    quality = one.quality[0]
    qualities = weighed.estimates(quality, many.quality, None if draws is None else draws.quality)
    cost, costs = np.zeros_like(quality), [Estimate(None)] * len(alphas)
    if one.cost is not None and many.cost is not None:
        cost = one.cost[0]
        costs = weighed.estimates(cost, many.cost, None if draws is None else draws.cost)
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
            known(slow[place]),
        )
        for place, alpha in enumerate(alphas)
    )


def _corners(points: tuple[Point, ...]) -> tuple[int, ...]:
    """Return the positions of the hull's corners by cost; of equal points the one with the greatest alpha."""
    corners: dict[tuple[float, float], int] = {}
    for place, point in enumerate(points):
        if point.on_hull:
            quality, cost = point.quality.value or 0.0, point.cost.value or 0.0
            corners[float(f"{cost:.10e}"), float(f"{quality:.10e}")] = place
    return tuple(corners[corner] for corner in sorted(corners))


def _bias(plain: _Three, found: _Three, weighed: Weighed) -> Bias:
    """Return how far the plug-in is from the method at alpha = 1, both from the same replicates."""
    rows = len(found.many.quality)
    draws = found.draws
    quality = weighed.estimates(
        100.0 * (plain.one.quality - found.one.quality)[0, -1:],
        100.0 * (plain.many.quality[:rows] - found.many.quality)[:, -1:],
        None if draws is None else 100.0 * (plain.one.quality - draws.quality)[:, -1:],
    )[0]
    if plain.one.cost is None or plain.many.cost is None:
        return Bias(quality, Estimate(None))
    cost = weighed.estimates(
        _excess(plain.one.cost, found.one.cost)[0],
        _excess(plain.many.cost[:rows], found.many.cost),
        None if draws is None else _excess(plain.one.cost, draws.cost),
    )[0]
    return Bias(quality, cost)


def _excess(plain: FloatArray, true: FloatArray | None) -> FloatArray:
    """Return the plug-in's excess at alpha = 1 in per cent of the estimate, (R, 1); NaN where that is 0."""
    assert true is not None
    below = true[:, -1:]
    above = np.broadcast_to(plain[:, -1:], below.shape)
    ratio = np.divide(above, below, out=np.full(below.shape, np.nan), where=below > 0.0)
    return np.asarray(100.0 * (ratio - 1.0), dtype=np.float64)
