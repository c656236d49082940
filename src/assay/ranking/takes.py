"""What a model's answers take: means and totals of tokens, latency and cost, the unknown ones told."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from assay.ranking.measured import FloatArray, IntArray, Status
from assay.ranking.score import mean


@dataclass(frozen=True, slots=True)
class Average:
    """A mean over `n` prompts for which it is known; None when it is known for none."""

    value: float | None
    n: int


def average(values: FloatArray) -> Average:
    """Return the exactly summed mean of the values that are not NaN."""
    return Average(mean(values), int(np.count_nonzero(~np.isnan(values))))


def total_cost(status: IntArray, cost: FloatArray) -> tuple[float | None, int]:
    """Return the total cost of one model's samples, and how many answered samples have an unknown one.

    `status` and `cost` (USD, NaN where unknown) have one shape. The total is None as soon as one is unknown.
    """
    there = status != Status.ABSENT
    unknown = int(np.count_nonzero(np.isnan(cost) & there & (status != Status.ERROR)))
    known = cost[there & ~np.isnan(cost)].tolist()
    return (None if unknown or not there.any() else math.fsum(known)), unknown
