"""Hulls in the plane of cost and quality: what a router that may randomise reaches, many at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
ROUNDING = 1e-9
"""Sums of thousands of numbers differ by less than this though they are meant to be equal."""


@dataclass(frozen=True, slots=True)
class Edge:
    """One edge of many hulls: on `rows` it leads from choice `start` to choice `end`.

    `slope` is the quality gained for each unit of cost on it, more than 0.
    """

    rows: IntArray
    start: IntArray
    end: IntArray
    slope: FloatArray


def cheapest(quality: FloatArray, cost: FloatArray) -> IntArray:
    """Return the cheapest choice of each row; ties go to the better, then to the first. Shapes (rows, K).

    A choice that is not open has cost inf and quality -inf; every row has one that is.
    """
    least = cost.min(axis=1, keepdims=True)
    return np.asarray(np.where(cost == least, quality, -np.inf).argmax(axis=1), dtype=np.int64)


def edges(quality: FloatArray, cost: FloatArray, start: IntArray) -> Iterator[Edge]:
    """Walk the upper hull of each row's points from the cheapest to the best; shapes (rows, K).

    The hull is the least concave, non-decreasing function of cost that lies on or above all points (the
    lower convex hull of cost and error). Each round gives the next edge of all rows that have one left:
    the steepest from where they stand (gift wrapping), so slopes fall along a row. `start` is `cheapest`.
    Source: R. A. Jarvis, Information Processing Letters 2 (1973) 18-21.
    """
    rows, here = np.arange(len(quality)), start
    while rows.size:
        at = np.arange(rows.size)
        more = quality - quality[at, here][:, None]
        dearer = cost - cost[at, here][:, None]
        better = (more > 0.0) & (dearer > 0.0)
        slopes = np.divide(more, dearer, out=np.zeros_like(more), where=better)
        end = slopes.argmax(axis=1)
        steep = slopes[at, end]
        on = steep > 0.0
        if not on.all():
            rows, here, end, steep = rows[on], here[on], end[on], steep[on]
            quality, cost = quality[on], cost[on]
        if rows.size:
            yield Edge(rows, here, end, np.asarray(steep, dtype=np.float64))
        here = end


def upper_hull(quality: npt.ArrayLike, cost: npt.ArrayLike) -> IntArray:
    """Return which points (K,) span the upper hull, from the cheapest to the best.

    This is RouterBench's non-decreasing convex hull; in the plane of cost and error it is the lower convex
    hull, cut where error stops falling. Points inside an edge are left out.
    """
    points, costs = _row(quality), _row(cost)
    start = cheapest(points, costs)
    return np.array([int(start[0]), *(int(edge.end[0]) for edge in edges(points, costs, start))])


def undominated(quality: npt.ArrayLike, cost: npt.ArrayLike) -> BoolArray:
    """Return which points (K,) no other beats in quality or cost without losing in the other.

    NaN in either is dominated. Of equal points all stay.
    """
    better, cheaper = np.asarray(quality, dtype=np.float64), np.asarray(cost, dtype=np.float64)
    no_worse = (better[:, None] >= better) & (cheaper[:, None] <= cheaper)
    ahead = (better[:, None] > better) | (cheaper[:, None] < cheaper)
    known = ~np.isnan(better) & ~np.isnan(cheaper)
    return np.asarray(known & ~(no_worse & ahead).any(axis=0), dtype=np.bool_)


def mean_height(
    quality: FloatArray, cost: FloatArray, low: FloatArray | None = None, high: FloatArray | None = None
) -> FloatArray:
    """Return the mean height of the upper hull over the costs from `low` to `high` (rows,); shapes (rows, K).

    Without them over the hull's own costs, which is AIQ, the average improvement in quality: the area under
    the non-decreasing convex hull divided by c_max - c_min, c_min the cost of the cheapest point and c_max
    that of the best. Beyond the best point the hull is flat. NaN where the range is empty or begins below
    the cheapest point. Source: Q. J. Hu et al., RouterBench (2024), arXiv:2403.12031, section 3; their code
    divides by the greatest cost of all routers compared instead.
    """
    rows, start = np.arange(len(quality)), cheapest(quality, cost)
    last, left = start.copy(), cost[rows, start]
    walked = list(edges(quality, cost, start))
    for edge in walked:
        last[edge.rows] = edge.end
    low = left if low is None else low
    high = cost[rows, last] if high is None else high
    area = np.maximum(high - np.maximum(low, cost[rows, last]), 0.0) * quality[rows, last]
    for edge in walked:
        at, begin = edge.rows, cost[edge.rows, edge.start]
        first = np.clip(begin, low[at], high[at])
        final = np.clip(cost[at, edge.end], low[at], high[at])
        height = quality[at, edge.start] + edge.slope * ((first + final) / 2.0 - begin)
        area[at] += np.maximum(final - first, 0.0) * height
    there = (high > low) & (low >= left * (1.0 - ROUNDING))
    heights = np.divide(area, high - low, out=np.full(len(area), np.nan), where=there)
    return np.asarray(heights, dtype=np.float64)


def quality_at(quality: FloatArray, cost: FloatArray, spend: FloatArray) -> FloatArray:
    """Return the greatest quality on the upper hull for a mean cost of at most `spend` (rows,).

    NaN where the cheapest point costs more. Shapes (rows, K).
    """
    start = cheapest(quality, cost)
    at = np.arange(len(quality))
    allowed = spend * (1.0 + ROUNDING)
    best = np.where(cost[at, start] <= allowed, quality[at, start], np.nan)
    for edge in edges(quality, cost, start):
        low, high = cost[edge.rows, edge.start], cost[edge.rows, edge.end]
        on = low <= allowed[edge.rows]
        way = np.minimum(spend[edge.rows], high) - low
        best[edge.rows[on]] = (quality[edge.rows, edge.start] + way * edge.slope)[on]
    return best


def cost_of(quality: FloatArray, cost: FloatArray, reach: FloatArray) -> FloatArray:
    """Return the least mean cost on the upper hull whose quality is at least `reach` (rows,).

    NaN where no point reaches it. Shapes (rows, K).
    """
    start = cheapest(quality, cost)
    at = np.arange(len(quality))
    needed = reach - ROUNDING
    least = np.where(quality[at, start] >= needed, cost[at, start], np.nan)
    for edge in edges(quality, cost, start):
        low, high = quality[edge.rows, edge.start], quality[edge.rows, edge.end]
        on = (low < needed[edge.rows]) & (high >= needed[edge.rows])
        way = np.minimum(reach[edge.rows], high) - low
        least[edge.rows[on]] = (cost[edge.rows, edge.start] + way / edge.slope)[on]
    return least


def _row(values: npt.ArrayLike) -> FloatArray:
    return np.asarray(values, dtype=np.float64)[None, :]
