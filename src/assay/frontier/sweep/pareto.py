"""Upper hulls in the plane of cost and quality, many at once: what a router that may randomise reaches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
ROUNDING = 1e-9
"""Sums of thousands of numbers that should be equal differ by less than this."""


@dataclass(frozen=True, slots=True)
class HullEdge:
    """One edge of many hulls: on `rows` it leads from choice `start` to choice `end`.

    `slope` is its gain of quality for each unit of cost, more than 0.
    """

    rows: IntArray
    start: IntArray
    end: IntArray
    slope: FloatArray


def cheapest(quality: FloatArray, cost: FloatArray) -> IntArray:
    """Return the cheapest choice of each row; ties go to the better, then to the first. Shapes (rows, K).

    A choice that is not allowed has cost inf and quality -inf; every row has at least one that is allowed.
    """
    least = cost.min(axis=1, keepdims=True)
    return np.asarray(np.where(cost == least, quality, -np.inf).argmax(axis=1), dtype=np.int64)


def edges(quality: FloatArray, cost: FloatArray, start: IntArray) -> Iterator[HullEdge]:
    """Walk the upper hull of each row's points from the cheapest to the best; shapes (rows, K).

    The hull is the least concave, non-decreasing function of cost that lies on or above all points (the
    lower convex hull of cost and error). Each round yields the next edge of all rows that have another one:
    the steepest from their current point (gift wrapping), so slopes fall along a row. `start` is `cheapest`.
    Source: R. A. Jarvis, Information Processing Letters 2 (1973) 18-21.
    """
    rows, current = np.arange(len(quality)), start
    while rows.size:
        index = np.arange(rows.size)
        gains = quality - quality[index, current][:, None]
        extra_costs = cost - cost[index, current][:, None]
        better = (gains > 0.0) & (extra_costs > 0.0)
        slopes = np.divide(gains, extra_costs, out=np.zeros_like(gains), where=better)
        end = slopes.argmax(axis=1)
        steepest = slopes[index, end]
        rising = steepest > 0.0
        if not rising.all():
            rows, current, end, steepest = rows[rising], current[rising], end[rising], steepest[rising]
            quality, cost = quality[rising], cost[rising]
        if rows.size:
            yield HullEdge(rows, current, end, np.asarray(steepest, dtype=np.float64))
        current = end


def upper_hull(quality: npt.ArrayLike, cost: npt.ArrayLike) -> IntArray:
    """Return the points (K,) that span the upper hull, from the cheapest to the best.

    This is RouterBench's non-decreasing convex hull; in the plane of cost and error it is the lower convex
    hull, cut where error stops falling. Points inside an edge are left out.
    """
    points, costs = _row(quality), _row(cost)
    start = cheapest(points, costs)
    return np.array([int(start[0]), *(int(edge.end[0]) for edge in edges(points, costs, start))])


def undominated(quality: npt.ArrayLike, cost: npt.ArrayLike) -> BoolArray:
    """Return for each point (K,) whether no other is at least as good in quality and cost, and better in one.

    Points with a NaN are dominated. Of equal points none dominates the other.
    """
    quality_values, cost_values = np.asarray(quality, dtype=np.float64), np.asarray(cost, dtype=np.float64)
    no_worse = (quality_values[:, None] >= quality_values) & (cost_values[:, None] <= cost_values)
    better_in_one = (quality_values[:, None] > quality_values) | (cost_values[:, None] < cost_values)
    complete = ~np.isnan(quality_values) & ~np.isnan(cost_values)
    return np.asarray(complete & ~(no_worse & better_in_one).any(axis=0), dtype=np.bool_)


def mean_height(
    quality: FloatArray, cost: FloatArray, low: FloatArray | None = None, high: FloatArray | None = None
) -> FloatArray:
    """Return the mean height of the upper hull over the costs from `low` to `high` (rows,); shapes (rows, K).

    By default over the hull's own costs, which is AIQ, the average improvement in quality: the area under
    the non-decreasing convex hull divided by c_max - c_min, c_min the cost of the cheapest point and c_max
    that of the best. Beyond the best point the hull is flat. NaN where the range is empty or begins below
    the cheapest point. Source: Q. J. Hu et al., RouterBench (2024), arXiv:2403.12031, section 3; their code
    divides by the greatest cost of all compared routers instead.
    """
    rows, start = np.arange(len(quality)), cheapest(quality, cost)
    last, cheapest_cost = start.copy(), cost[rows, start]
    hull_edges = list(edges(quality, cost, start))
    for edge in hull_edges:
        last[edge.rows] = edge.end
    low = cheapest_cost if low is None else low
    high = cost[rows, last] if high is None else high
    area = np.maximum(high - np.maximum(low, cost[rows, last]), 0.0) * quality[rows, last]
    for edge in hull_edges:
        rows_of_edge, edge_cost = edge.rows, cost[edge.rows, edge.start]
        first = np.clip(edge_cost, low[rows_of_edge], high[rows_of_edge])
        final = np.clip(cost[rows_of_edge, edge.end], low[rows_of_edge], high[rows_of_edge])
        height = quality[rows_of_edge, edge.start] + edge.slope * ((first + final) / 2.0 - edge_cost)
        area[rows_of_edge] += np.maximum(final - first, 0.0) * height
    defined = (high > low) & (low >= cheapest_cost * (1.0 - ROUNDING))
    heights = np.divide(area, high - low, out=np.full(len(area), np.nan), where=defined)
    return np.asarray(heights, dtype=np.float64)


def quality_at(quality: FloatArray, cost: FloatArray, spend: FloatArray) -> FloatArray:
    """Return the greatest quality on the upper hull for a mean cost of at most `spend` (rows,).

    NaN where the cheapest point costs more. Shapes (rows, K).
    """
    start = cheapest(quality, cost)
    rows = np.arange(len(quality))
    allowed = spend * (1.0 + ROUNDING)
    best = np.where(cost[rows, start] <= allowed, quality[rows, start], np.nan)
    for edge in edges(quality, cost, start):
        low, high = cost[edge.rows, edge.start], cost[edge.rows, edge.end]
        affordable = low <= allowed[edge.rows]
        distance = np.minimum(spend[edge.rows], high) - low
        best[edge.rows[affordable]] = (quality[edge.rows, edge.start] + distance * edge.slope)[affordable]
    return best


def cost_of(quality: FloatArray, cost: FloatArray, reach: FloatArray) -> FloatArray:
    """Return the least mean cost on the upper hull whose quality is at least `reach` (rows,).

    NaN where no point reaches it. Shapes (rows, K).
    """
    start = cheapest(quality, cost)
    rows = np.arange(len(quality))
    needed = reach - ROUNDING
    least = np.where(quality[rows, start] >= needed, cost[rows, start], np.nan)
    for edge in edges(quality, cost, start):
        low, high = quality[edge.rows, edge.start], quality[edge.rows, edge.end]
        crossing = (low < needed[edge.rows]) & (high >= needed[edge.rows])
        rise = np.minimum(reach[edge.rows], high) - low
        least[edge.rows[crossing]] = (cost[edge.rows, edge.start] + rise / edge.slope)[crossing]
    return least


def _row(values: npt.ArrayLike) -> FloatArray:
    return np.asarray(values, dtype=np.float64)[None, :]
