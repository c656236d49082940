"""The biased oracle at every number of generations, exactly, from counts of right answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse

from assay.frontier.counts import checked_counts, log_factorials, wanted_sizes

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

PLACES = 2_000_000
"""The most places of one temporary array: what keeps the peak memory flat however many prompts there are."""
CODES = 4_000_000
"""Up to so many possible (correct, given) pairs, the ones that occur are ticked off instead of sorted."""
CACHED = 100_000
"""Cells are coded in blocks that stay in the processor's cache."""
NEVER = 1e-300
"""Stands for a chance of 0 or next to it, whose logarithm could not be multiplied by a count of 0."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """The distinct (correct, given) of the cells, and the pair of every cell: `index` has shape (N, L)."""

    correct: IntArray
    given: IntArray
    index: npt.NDArray[np.int32]


def biased_curve(
    correct: npt.ArrayLike, given: npt.ArrayLike, *, sizes: Sequence[int] | None = None
) -> FloatArray:
    """Return the biased oracle (equation 5) at g generations, for g = 1..G or the `sizes` named.

    The mean over prompts of `per_prompt_curves`, which see. Prompts without any generation are left out. At
    g = G it is equation 5 on everything observed; it never rises with g.
    """
    curves = per_prompt_curves(correct, given, sizes=sizes)
    there = (np.asarray(given) > 0).any(axis=1)
    if not there.any():
        return np.full(curves.shape[1], np.nan)
    return np.asarray(curves[there].mean(axis=0), dtype=np.float64)


def per_prompt_curves(
    correct: npt.ArrayLike, given: npt.ArrayLike, *, sizes: Sequence[int] | None = None
) -> FloatArray:
    """Return each prompt's expected greatest share right when g generations a cell are drawn, shape (N, G).

    `correct` and `given` (N, L) count the right answers and the generations of each cell; 0 given is a
    missing cell, which is never chosen. Column g - 1 is E[max_l Y_l / g], Y_l the number right among g drawn
    without replacement from the cell (hypergeometric), cells independent: the mean over all choices of
    generations, without resampling noise. A cell with fewer than g generations takes part with all it has,
    so that the same models stand at every g and the last column is equation 5 on everything observed;
    leaving it out would bend the curve where models drop out. Such a cell keeps the bias of its own number.
    NaN for a prompt without any generation. `sizes`, each from 1 to G, names the columns wanted (all of them
    at G = 1,000 take seconds). InvalidInput where more are right than were given or shapes differ.

    Computed as the integral of 1 - prod_l P(Y_l <= y): the product needs only how many of the prompt's cells
    hold each pair of counts, so that it is the exponential of one matrix product.
    """
    right, number = checked_counts(correct, given)
    most = int(number.max(initial=0))
    wanted = wanted_sizes(sizes, most)
    curves = np.full((len(right), len(wanted)), np.nan)
    pairs = distinct_pairs(right, number)
    tables = _Tables(pairs, most)
    for rows in _chunks(pairs, most):
        held = _held(pairs.index[rows], len(pairs.given))
        floors = _Floors(right[rows], number[rows])
        for column in np.argsort(wanted):
            size = int(wanted[column])
            below = np.exp(held @ tables.log_below(size))
            curves[rows, column] = floors.raised(size, below)
    curves[~(number > 0).any(axis=1)] = np.nan
    return curves


def distinct_pairs(right: IntArray, number: IntArray) -> Pairs:
    """Return the pairs of counts that occur and where."""
    base = int(number.max(initial=0)) + 1
    if base * base > CODES:
        codes, found = np.unique(number * base + right, return_inverse=True)
        index = found.reshape(right.shape).astype(np.int32)
        return Pairs(codes % base, codes // base, index)
    index, seen = np.empty(right.shape, dtype=np.int32), np.zeros(base * base, dtype=np.bool_)
    step = max(1, CACHED // max(1, right.shape[1]))
    blocks = [slice(start, start + step) for start in range(0, len(right), step)]
    for rows in blocks:
        code = number[rows] * base + right[rows]
        seen[code] = True
        index[rows] = code
    codes, place = np.flatnonzero(seen), np.cumsum(seen, dtype=np.int32) - np.int32(1)
    for rows in blocks:
        index[rows] = place[index[rows]]
    return Pairs(codes % base, codes // base, index)


class _Tables:
    """The logarithm of P(Y <= y), y = 0..g-1, for every pair of counts, made once for each g."""

    def __init__(self, pairs: Pairs, most: int) -> None:
        self.pairs = pairs
        self.factorials = log_factorials(most)
        # A negative place counts from the end: 1/(-n)! is 0, so the impossible has logarithm -infinity.
        self.or_never = np.concatenate([self.factorials, np.full(most, np.inf)])
        self.made: dict[int, FloatArray] = {}

    def log_below(self, size: int) -> FloatArray:
        """Return them, shape (pairs, size); 0 for those of `size` or fewer generations: see `_Floors`."""
        if size not in self.made:
            self.made[size] = self._log_below(size)
            while len(self.made) > 1 and sum(each.size for each in self.made.values()) > PLACES:
                self.made.pop(next(iter(self.made)))
        return self.made[size]

    def _log_below(self, size: int) -> FloatArray:
        logs, turn = self.factorials, np.arange(size)
        table = np.zeros((len(self.pairs.given), size))
        deep = np.flatnonzero(self.pairs.given > size)
        right, number = self.pairs.correct[deep, None], self.pairs.given[deep, None]
        wrong = number - right
        ways = logs[right] + logs[wrong] - logs[number] + logs[size] + logs[number - size]
        chance = ways - (logs[turn] + logs[size - turn])
        chance -= self.or_never[right - turn] + self.or_never[wrong - size + turn]
        below = np.minimum(np.cumsum(np.exp(chance, out=chance), axis=1), 1.0)
        table[deep] = np.log(np.where(turn >= right, 1.0, np.maximum(below, NEVER)))
        return table


class _Floors:
    """What the cells with g generations or fewer reach for certain: each prompt's greatest share right."""

    def __init__(self, right: IntArray, number: IntArray) -> None:
        self.right, self.number = right, number
        self.depths = [int(depth) for depth in np.flatnonzero(np.bincount(number.ravel())) if depth]
        self.reached = np.zeros(len(right))

    def raised(self, size: int, below: FloatArray) -> FloatArray:
        """Return E[max] over certain and drawn cells, `below` (N, g) being P(every drawn Y <= y).

        Must be asked with growing sizes.
        """
        while self.depths and self.depths[0] <= size:
            depth = self.depths.pop(0)
            most = np.where(self.number == depth, self.right, 0).max(axis=1)
            self.reached = np.maximum(self.reached, most / depth)
        if not self.depths:
            return self.reached
        if not self.reached.any():
            return np.asarray(1.0 - below @ np.full(size, 1.0 / size), dtype=np.float64)
        steps = np.arange(1, size + 1) / size - self.reached[:, None]
        above = np.clip(steps, 0.0, 1.0 / size) * (1.0 - below)
        return np.asarray(self.reached + above.sum(axis=1), dtype=np.float64)


def _chunks(pairs: Pairs, most: int) -> Iterator[slice]:
    prompts, models = pairs.index.shape
    width = max(1, most, models, min(len(pairs.given), 8 * models))
    step = max(1, PLACES // (4 * width))
    return (slice(start, start + step) for start in range(0, prompts, step))


def _held(index: npt.NDArray[np.int32], pairs: int) -> FloatArray | sparse.csr_matrix:
    """Return how many cells of each prompt hold each pair, shape (N, pairs); sparse where pairs abound."""
    prompts, models = index.shape
    if pairs > 8 * models:
        starts = np.arange(prompts + 1) * models
        return sparse.csr_matrix((np.ones(index.size), index.ravel(), starts), shape=(prompts, pairs))
    places = index + (np.arange(prompts, dtype=np.int64) * pairs)[:, None]
    counts = np.bincount(places.ravel(), minlength=prompts * pairs)
    return counts.reshape(prompts, pairs).astype(np.float64)
