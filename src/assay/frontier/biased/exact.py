"""The biased oracle at every number of generations, computed exactly from counts of right answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

from assay.frontier.counts import checked_counts, checked_sizes, log_factorials

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

PLACES = 2_000_000
"""The largest number of elements of a temporary array, so that memory does not grow with the prompts."""
CODES = 4_000_000
"""Up to this number of possible (correct, answers) pairs, those that occur are marked instead of sorted."""
CACHED = 100_000
"""Cells are coded in blocks of this size, which fit into the processor's cache."""
NEVER = 1e-300
"""The smallest probability: the logarithm of 0 could not be multiplied by a count of 0."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """The distinct pairs (correct, answers) of the cells; `index` (N, L) is the pair of every cell."""

    correct: IntArray
    answers: IntArray
    index: npt.NDArray[np.int32]


def biased_curve(
    correct: npt.ArrayLike, answers: npt.ArrayLike, *, sizes: Sequence[int] | None = None
) -> FloatArray:
    """Return the biased oracle (equation 5) at g generations, for g = 1..G or for given `sizes`.

    It is the mean of `per_prompt_curves` over prompts with a generation. At g = G it is equation 5 on all
    generations; it never rises with g.
    """
    curves = per_prompt_curves(correct, answers, sizes=sizes)
    observed = (np.asarray(answers) > 0).any(axis=1)
    if not observed.any():
        return np.full(curves.shape[1], np.nan)
    return np.asarray(curves[observed].mean(axis=0), dtype=np.float64)


def per_prompt_curves(
    correct: npt.ArrayLike, answers: npt.ArrayLike, *, sizes: Sequence[int] | None = None
) -> FloatArray:
    """Return each prompt's expected greatest share right among g drawn generations per cell, shape (N, G).

    `correct` and `answers` (N, L) count the right and all answers of each cell; a cell with 0 answers is
    missing and never chosen. Column g - 1 is E[max_l Y_l / g], where Y_l is the number right among g answers
    drawn without replacement from the cell (hypergeometric) and cells are independent. It is the
    mean over all choices of generations, without resampling noise. A cell with fewer than g generations uses
    all it has, so that every g has the same models and the last column is equation 5 on all generations; if
    such cells were left out, the curve would bend where models drop out. Such a cell keeps the bias of its
    own number. A prompt without any generation has NaN. `sizes`, each from 1 to G, selects columns (all of
    them at G = 1,000 take seconds). Raises InvalidInput if more are right than were given or shapes differ.

    The value is computed as the integral of 1 - prod_l P(Y_l <= y). The product depends only on how many of
    the prompt's cells have each pair of counts, so that it is the exponential of one matrix product.
    """
    right, number = checked_counts(correct, answers)
    most = int(number.max(initial=0))
    numbers = checked_sizes(sizes, most)
    curves = np.full((len(right), len(numbers)), np.nan)
    pairs = distinct_pairs(right, number)
    tables = _Tables(pairs, most)
    for rows in _chunks(pairs, most):
        cells = _cells_by_pair(pairs.index[rows], len(pairs.answers))
        short_cells = _ShortCells(right[rows], number[rows])
        for column in np.argsort(numbers):
            size = int(numbers[column])
            below = np.exp(cells @ tables.log_below(size))
            curves[rows, column] = short_cells.expected_maximum(size, below)
    curves[~(number > 0).any(axis=1)] = np.nan
    return curves


def distinct_pairs(right: IntArray, number: IntArray) -> Pairs:
    """Return the pairs of counts that occur, and the pair of each cell."""
    base = int(number.max(initial=0)) + 1
    if base * base > CODES:
        codes, inverse = np.unique(number * base + right, return_inverse=True)
        index = inverse.reshape(right.shape).astype(np.int32)
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
    """The logarithms of P(Y <= y), y = 0..g-1, for every pair of counts, computed once for each g."""

    def __init__(self, pairs: Pairs, most: int) -> None:
        self.pairs = pairs
        self.factorials = log_factorials(most)
        # A negative index counts from the end: 1/(-n)! is 0, so that an impossible number gets -infinity.
        self.or_never = np.concatenate([self.factorials, np.full(most, np.inf)])
        self.tables: dict[int, FloatArray] = {}

    def log_below(self, size: int) -> FloatArray:
        """Return the table (pairs, size), 0 for pairs of `size` or fewer generations (`_ShortCells`)."""
        if size not in self.tables:
            self.tables[size] = self._log_below(size)
            while len(self.tables) > 1 and sum(table.size for table in self.tables.values()) > PLACES:
                self.tables.pop(next(iter(self.tables)))
        return self.tables[size]

    def _log_below(self, size: int) -> FloatArray:
        logs, turn = self.factorials, np.arange(size)
        table = np.zeros((len(self.pairs.answers), size))
        deep = np.flatnonzero(self.pairs.answers > size)
        right, number = self.pairs.correct[deep, None], self.pairs.answers[deep, None]
        wrong = number - right
        ways = logs[right] + logs[wrong] - logs[number] + logs[size] + logs[number - size]
        chance = ways - (logs[turn] + logs[size - turn])
        chance -= self.or_never[right - turn] + self.or_never[wrong - size + turn]
        below = np.minimum(np.cumsum(np.exp(chance, out=chance), axis=1), 1.0)
        table[deep] = np.log(np.where(turn >= right, 1.0, np.maximum(below, NEVER)))
        return table


class _ShortCells:
    """Cells with g generations or fewer, whose share right is certain; each prompt's greatest such share."""

    def __init__(self, right: IntArray, number: IntArray) -> None:
        self.right, self.number = right, number
        self.depths = [int(depth) for depth in np.flatnonzero(np.bincount(number.ravel())) if depth]
        self.greatest = np.zeros(len(right))

    def expected_maximum(self, size: int, below: FloatArray) -> FloatArray:
        """Return E[max] over short and drawn cells, where `below` (N, g) is P(every drawn Y <= y).

        Must be called with ascending sizes.
        """
        while self.depths and self.depths[0] <= size:
            depth = self.depths.pop(0)
            most = np.where(self.number == depth, self.right, 0).max(axis=1)
            self.greatest = np.maximum(self.greatest, most / depth)
        if not self.depths:
            return self.greatest
        if not self.greatest.any():
            return np.asarray(1.0 - below @ np.full(size, 1.0 / size), dtype=np.float64)
        steps = np.arange(1, size + 1) / size - self.greatest[:, None]
        above = np.clip(steps, 0.0, 1.0 / size) * (1.0 - below)
        return np.asarray(self.greatest + above.sum(axis=1), dtype=np.float64)


def _chunks(pairs: Pairs, most: int) -> Iterator[slice]:
    prompts, models = pairs.index.shape
    width = max(1, most, models, min(len(pairs.answers), 8 * models))
    step = max(1, PLACES // (4 * width))
    return (slice(start, start + step) for start in range(0, prompts, step))


def _cells_by_pair(index: npt.NDArray[np.int32], pairs: int) -> FloatArray | scipy.sparse.csr_matrix:
    """Return the number of each prompt's cells with each pair, shape (N, pairs); sparse for many pairs."""
    prompts, models = index.shape
    if pairs > 8 * models:
        starts = np.arange(prompts + 1) * models
        return scipy.sparse.csr_matrix((np.ones(index.size), index.ravel(), starts), shape=(prompts, pairs))
    places = index + (np.arange(prompts, dtype=np.int64) * pairs)[:, None]
    counts = np.bincount(places.ravel(), minlength=prompts * pairs)
    return counts.reshape(prompts, pairs).astype(np.float64)
