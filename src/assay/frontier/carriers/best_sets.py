"""The best set of k models for an oracle: by trying all sets of few models, else greedily with swaps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
EXACT = 16
"""Up to so many models all 2^L sets are evaluated, whatever the number of prompts."""
SWAPS = 50
"""The largest number of exchanges of one model that improve a set."""
TINY = 1e-12


@dataclass(frozen=True, slots=True)
class QualityTable:
    """The qualities by which sets are chosen: R rows (prompts, of some draws) by L models.

    `quality` (R, L) is -inf where a model may not be chosen. If no model of a set may be chosen on a row, the
    row has the quality `empty`: 0, or the least quality if that is negative. `cost` (R, L) is None if
    unknown.
    """

    quality: FloatArray
    cost: FloatArray | None
    empty: float

    def value(self, chosen: Iterable[int]) -> float:
        """Return the mean over rows of the greatest quality within a set."""
        best = self.quality[:, list(chosen)].max(axis=1, initial=self.empty)
        return float(best.mean())

    def price(self, chosen: Iterable[int]) -> float:
        """Return the mean cost of the oracle's choices within a set; of equal models the cheaper."""
        if self.cost is None:
            return 0.0
        columns = list(chosen)
        quality = self.quality[:, columns]
        top = quality.max(axis=1, keepdims=True)
        paid = np.where(quality == top, self.cost[:, columns], np.inf).min(axis=1)
        return float(np.where(np.isfinite(top[:, 0]), paid, 0.0).mean())


def table(quality: FloatArray, cost: FloatArray | None, may_choose: BoolArray) -> QualityTable:
    """Return draws (S, N, L) of quality and cost as rows."""
    models = quality.shape[2]
    allowed = np.broadcast_to(may_choose, quality.shape)
    worth = np.where(allowed, quality, -np.inf).reshape(-1, models)
    least = float(np.where(allowed, quality, 0.0).min(initial=0.0))
    return QualityTable(worth, None if cost is None else cost.reshape(-1, models), least)


@dataclass(frozen=True, slots=True)
class BestSet:
    """A set of k models, its value, and an upper bound for all sets of k; `exact` if they are equal."""

    chosen: tuple[int, ...]
    value: float
    bound: float
    exact: bool


def best_sets(rows: QualityTable) -> Iterator[BestSet]:
    """Yield the best set of 1, 2, … models; greedy with swaps above `EXACT` models.

    The mean of the maximum is monotone and submodular, so the greedy choice alone reaches 1 - 1/e of the best
    gain over the empty set (G. Nemhauser, L. Wolsey and M. Fisher, Mathematical Programming 14 (1978)
    265-294); swaps can only improve it. The bound has the same source: a set's value plus the k greatest
    gains of one more model, the least over the sets considered.
    """
    if rows.quality.shape[1] <= EXACT:
        quality, _ = every_set(rows)
        sizes = np.bitwise_count(np.arange(len(quality), dtype=np.uint64))
        for k in range(1, rows.quality.shape[1] + 1):
            among = np.flatnonzero(sizes == k)
            mask = int(among[quality[among].argmax()])
            yield BestSet(members(mask), float(quality[mask]), float(quality[mask]), True)
        return
    yield from _searched(rows)


def _searched(rows: QualityTable) -> Iterator[BestSet]:
    columns = np.ascontiguousarray(rows.quality.T)
    models, number = columns.shape
    bounds = np.full(models, np.inf)
    current = np.full(number, rows.empty)
    chosen: list[int] = []
    for k in range(1, models + 1):
        gains = np.maximum(columns - current, 0.0).mean(axis=1)
        _tighten(bounds, float(current.mean()), gains)
        gains[chosen] = -1.0
        chosen, current = _swapped(columns, [*chosen, int(gains.argmax())], rows.empty)
        value = float(current.mean())
        after = np.maximum(columns - current, 0.0).mean(axis=1)
        _tighten(bounds, value, after)
        bound = max(float(bounds[k - 1]), value)
        yield BestSet(tuple(sorted(chosen)), value, bound, bound - value <= TINY)


def _tighten(bounds: FloatArray, value: float, gains: FloatArray) -> None:
    np.minimum(bounds, value + np.cumsum(np.sort(gains)[::-1]), out=bounds)


def _swapped(columns: FloatArray, chosen: list[int], empty: float) -> tuple[list[int], FloatArray]:
    """Exchange one model at a time while the value grows; return the set and its row maxima."""
    for _ in range(SWAPS):
        swap = _exchanges(columns, None, chosen, empty)
        new, old = np.unravel_index(int(swap.value.argmax()), swap.value.shape)
        if swap.value[new, old] <= swap.top.mean() + TINY:
            break
        chosen = [place for place in chosen if place != chosen[int(old)]] + [int(new)]
    return chosen, np.maximum(columns[chosen].max(axis=0), empty)


@dataclass(frozen=True, slots=True)
class _Exchanges:
    """Mean value and price (L, k) of a set after model j replaces its m-th; its own models cost inf."""

    top: FloatArray
    value: FloatArray
    price: FloatArray


def _exchanges(columns: FloatArray, costs: FloatArray | None, chosen: list[int], empty: float) -> _Exchanges:
    """Evaluate all exchanges of one model of a set at once; `columns` and `costs` are (L, R)."""
    number = columns.shape[1]
    paid = np.zeros_like(columns) if costs is None else costs
    (owner, top, pays), (_, second, pays_second) = _leaders(columns[chosen], paid[chosen], empty)
    owns = (owner[:, np.newaxis] == np.arange(len(chosen))).astype(np.float64)
    first_value, then_value = np.maximum(columns, top), np.maximum(columns, second)
    value = (first_value.sum(axis=1)[:, np.newaxis] + (then_value - first_value) @ owns) / number
    price = np.zeros_like(value)
    if costs is not None:
        first_price = _paid(columns, costs, top, pays)
        then_price = _paid(columns, costs, second, pays_second)
        price = (first_price.sum(axis=1)[:, np.newaxis] + (then_price - first_price) @ owns) / number
    price[chosen] = np.inf
    return _Exchanges(top, value, price)


Leader = tuple[IntArray, FloatArray, FloatArray]


def _leaders(held: FloatArray, paid: FloatArray, empty: float) -> tuple[Leader, Leader]:
    """Return the best and second best model of each row with quality and cost; of equals the cheaper."""
    leaders: list[Leader] = []
    rows = np.arange(held.shape[1])
    remaining = held.copy()
    for _ in range(2):
        best = remaining.max(axis=0)
        owner = np.where(remaining == best, paid, np.inf).argmin(axis=0)
        cost = np.where(np.isfinite(best), paid[owner, rows], 0.0)
        leaders.append((owner, np.maximum(best, empty), cost))
        remaining[owner, rows] = -np.inf
    return leaders[0], leaders[1]


def _paid(columns: FloatArray, costs: FloatArray, top: FloatArray, pays: FloatArray) -> FloatArray:
    """Return the cost (L, R) if each model joins a set whose best model has quality `top` and cost `pays`."""
    takes = (columns > top) | ((columns == top) & (costs < pays))
    return np.where(takes, costs, pays)


def every_set(rows: QualityTable) -> tuple[FloatArray, FloatArray | None]:
    """Return the value of all 2^L sets and the cost of the oracle's choices in them, by bit mask.

    On each row a set loses the best few models T that it does not contain. Both results are sums over rows of
    weights of these T, so one subset sum over all T gives the results of all sets at once.
    """
    models = rows.quality.shape[1]
    keys = (-rows.quality,) if rows.cost is None else (rows.cost, -rows.quality)
    order = np.lexsort(keys, axis=1)
    ranked = np.maximum(np.take_along_axis(rows.quality, order, axis=1), rows.empty)
    top = np.cumsum(np.left_shift(1, order), axis=1).ravel()
    floor = np.full((len(ranked), 1), rows.empty)
    falls = ranked - np.concatenate([ranked[:, 1:], floor], axis=1)
    missed = _subset_sums(top, falls.ravel(), models) / len(ranked)
    quality = ranked[:, 0].mean() - missed[::-1]
    if rows.cost is None:
        return quality, None
    allowed = np.isfinite(np.take_along_axis(rows.quality, order, axis=1))
    paid = np.where(allowed, np.take_along_axis(rows.cost, order, axis=1), 0.0)
    next_paid = np.concatenate([paid[:, 1:], np.zeros((len(paid), 1))], axis=1)
    further = _subset_sums(top, (next_paid - paid).ravel(), models) / len(ranked)
    return quality, paid[:, 0].mean() + further[::-1]


def _subset_sums(masks: IntArray, weights: FloatArray, models: int) -> FloatArray:
    """Return for every set the sum of the weights of its subsets."""
    total: FloatArray = np.bincount(masks, weights, minlength=1 << models).astype(np.float64)
    for bit in range(models):
        halves = total.reshape(-1, 2, 1 << bit)
        halves[:, 1] += halves[:, 0]
    return total


def members(mask: int) -> tuple[int, ...]:
    """Return the models of a bit mask."""
    return tuple(place for place in range(mask.bit_length()) if mask >> place & 1)


def cheapest_of_size(rows: QualityTable, best: BestSet, target: float) -> tuple[int, ...]:
    """Return the set of the size of `best` with at least the value `target` and the lowest cost.

    Up to `EXACT` models every set of that size is tried; above, models are exchanged one at a time while the
    cost falls. Of equally cheap sets the better one is returned; without costs it is `best` itself.
    """
    if rows.cost is None:
        return best.chosen
    models = rows.quality.shape[1]
    if models <= EXACT:
        quality, cost = every_set(rows)
        assert cost is not None
        sizes = np.bitwise_count(np.arange(len(quality), dtype=np.uint64))
        among = np.flatnonzero((sizes == len(best.chosen)) & (quality >= target - TINY))
        return members(int(among[np.lexsort((-quality[among], np.round(cost[among], 12)))[0]]))
    columns, costs = np.ascontiguousarray(rows.quality.T), np.ascontiguousarray(rows.cost.T)
    chosen, paid = list(best.chosen), rows.price(best.chosen)
    for _ in range(SWAPS):
        swap = _exchanges(columns, costs, chosen, rows.empty)
        price = np.where(swap.value >= target - TINY, swap.price, np.inf)
        new, old = np.unravel_index(int(price.argmin()), price.shape)
        if price[new, old] >= paid - TINY:
            break
        paid = float(price[new, old])
        chosen = [place for place in chosen if place != chosen[int(old)]] + [int(new)]
    return tuple(sorted(chosen))
