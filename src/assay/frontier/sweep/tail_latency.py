"""P95 latency of the answers that decisions choose: the third objective, as a figure."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
SHARE = 0.95


def chosen_p95(latency: FloatArray, chosen: FloatArray, share: float = SHARE) -> FloatArray:
    """Return the latency that `share` of the chosen answers do not exceed, at each alpha: shape (A,).

    `latency` (N, L, G) in seconds, NaN where unknown; `chosen` (A, N, L) is the weight of each cell, spread
    evenly over its recorded latencies. The least latency at which the weights reach the share (the inverse
    distribution function); NaN where no chosen cell has a latency. Source: T^95 of seed 004, equation 1.
    """
    known = ~np.isnan(latency)
    of_each = 1.0 / np.maximum(known.sum(axis=2), 1)
    order = np.argsort(latency[known], kind="stable")
    sorted_latency = latency[known][order]
    place = np.flatnonzero(known)[order] // latency.shape[2]
    found = np.full(len(chosen), np.nan)
    for row, weights in enumerate(chosen):
        summed = np.cumsum((weights * of_each).reshape(-1)[place])
        if summed.size and summed[-1] > 0.0:
            at = int(np.searchsorted(summed, share * summed[-1] * (1.0 - 1e-12)))
            found[row] = sorted_latency[min(at, summed.size - 1)]
    return found


def alone_p95(latency: FloatArray, share: float = SHARE) -> FloatArray:
    """Return each model's own P95 over its prompts, each prompt with equal weight: shape (L,)."""
    there = (~np.isnan(latency).all(axis=2)).astype(np.float64)
    only = there * np.eye(latency.shape[1])[:, None, :]
    return chosen_p95(latency, np.asarray(only), share)
