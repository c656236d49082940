"""K-shot quantities of continuous quality: the expected greatest of k generations of a cell."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from assay.frontier.counts import checked_sizes, log_factorials
from assay.frontier.selection.kshot import Shots, shots, shots_of_rates
from assay.frontier.tensor import Tensor

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


def shots_of(tensor: Tensor, *, ks: Sequence[int] | None = None) -> tuple[Shots, ...]:
    """Return a tensor's k-shot quantities with its costs, from counts if quality is 0 or 1."""
    cost = tensor.mean_cost()
    if tensor.binary:
        return shots(tensor.correct, tensor.answers, ks=ks, cost=cost)
    return shots_of_quality(tensor.quality, ks=ks, cost=cost)


def shots_of_quality(
    quality: FloatArray, *, ks: Sequence[int] | None = None, cost: npt.ArrayLike | None = None
) -> tuple[Shots, ...]:
    """Return the k-shot quantities of any quality (N, L, G), NaN where missing, at k = 1..G or at `ks`.

    The perfect judge keeps the best answer. A cell's value is the mean of the greatest over all choices of k
    of its n generations, sum_i C(i - 1, k - 1)/C(n, k) x_(i) over its sorted values, which is unbiased. For
    all models together it is the greatest over independent cells; its distribution function is the product
    of the cells' C(#(x <= t), k)/C(n, k). For 0/1 quality these are the forms of `kshot.shots`. The rules
    there on missing cells, cells with fewer than k generations, `cost` (N, L) and bias hold here too.
    """
    ordered = np.sort(quality, axis=2)
    number = np.asarray((~np.isnan(quality)).sum(axis=2), dtype=np.int64)
    most = int(number.max(initial=0))
    sizes = checked_sizes(ks, most)
    price = None if cost is None else np.asarray(cost, dtype=np.float64)
    logs = log_factorials(most)
    merged = _Merged(ordered, number)
    quantities = []
    for k in sizes:
        log_below = _log_below(int(k), most, logs)
        together = merged.greatest(int(k), log_below)
        rate = _greatest_by_cell(ordered, number, log_below)
        quantities.append(shots_of_rates(int(k), rate, together, number, price, None))
    return tuple(quantities)


def _log_below(k: int, most: int, logs: FloatArray) -> FloatArray:
    """Return log P(min(k, n) drawn of n are all among the j least), shape (n + 1, j + 1); -inf for 0."""
    number, least = np.arange(most + 1)[:, None], np.arange(most + 1)[None, :]
    drawn = np.minimum(number, k)
    possible = (least >= drawn) & (least <= number)
    left = np.where(possible, least - drawn, 0)
    value = logs[least] - logs[left] - logs[number] + logs[number - drawn]
    return np.where(possible, value, -np.inf)


def _greatest_by_cell(ordered: FloatArray, number: IntArray, log_below: FloatArray) -> FloatArray:
    """Return each cell's expected greatest, shape (N, L); NaN where missing."""
    weights = np.diff(np.exp(log_below), axis=1)[number]
    inside = np.arange(weights.shape[2]) < number[:, :, None]
    values = np.where(inside, ordered[:, :, : weights.shape[2]], 0.0)
    return np.where(number > 0, (values * np.where(inside, weights, 0.0)).sum(axis=2), np.nan)


class _Merged:
    """Every prompt's values in one ascending row, each with its position within its own cell."""

    def __init__(self, ordered: FloatArray, number: IntArray) -> None:
        prompts, models, wide = ordered.shape
        flat = ordered.reshape(prompts, models * wide)
        order = np.argsort(flat, axis=1, kind="stable")
        self.values = np.nan_to_num(np.take_along_axis(flat, order, axis=1))
        self.known = np.arange(flat.shape[1]) < number.sum(axis=1)[:, None]
        self.place = np.where(self.known, order % wide + 1, 0)
        self.number = np.where(self.known, np.take_along_axis(number, order // wide, axis=1), 0)
        self.cells = (number > 0).sum(axis=1)[:, None]

    def greatest(self, k: int, log_below: FloatArray) -> FloatArray:
        """Return the expected greatest over all cells' choices of k, shape (N,); 0 without any cell."""
        open_at = np.minimum(self.number, k)
        opens, counted = self.known & (self.place == open_at), self.known & (self.place >= open_at)
        now = np.where(counted, log_below[self.number, self.place], 0.0)
        before = np.where(counted & ~opens, log_below[self.number, np.maximum(self.place - 1, 0)], 0.0)
        below = np.exp(np.cumsum(now - np.where(np.isfinite(before), before, 0.0), axis=1))
        below = np.where(np.cumsum(opens, axis=1) == self.cells, below, 0.0)
        gained = np.diff(below, axis=1, prepend=0.0)
        return np.asarray((self.values * np.where(self.known, gained, 0.0)).sum(axis=1), dtype=np.float64)
