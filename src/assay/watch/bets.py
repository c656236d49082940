"""Bets on the rank of today's score among all days so far: the factors that the sequential test multiplies.

A bet is a density on [0, 1]. Its mean over a uniform rank is exactly 1, so money staked on uniform ranks
does not grow on average. The shape is that of the ranks after a fall. Let a share `recent` of the days lie
after the fall, including today, and let scores be standard normal before it and `fall` standard deviations
lower after it. Today's rank then has the density `f1 / ((1 - recent) f0 + recent f1)` at the rank's quantile
of the mixture. The assumption of normal scores affects only the power of the test.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt
import scipy

FALLS = (1.5, 3.0, 6.0)
"""The falls with a bet each, in standard deviations of a day's score. Their stakes are equal."""

RESERVE = 0.05
"""The share of the money that is never bet, so that one good day cannot wipe out the evidence."""

SMALLEST_RANK = 1e-5
SMALLEST_SHARE = 1e-4
CELLS = 300
SHARES = 200

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


@lru_cache(maxsize=1)
def payoffs() -> FloatArray:
    """Return the factor for every fall, share of recent days and rank; shape (SHARES, CELLS, falls).

    Within a cell of ranks the density is constant (its mean), so each row averages to exactly 1. Factors do
    not rise with the rank, so a rank that is rounded up (all ties counted) pays less.
    """
    edges = rank_edges()
    table = np.empty((SHARES, CELLS, len(FALLS)))
    for column, fall in enumerate(FALLS):
        x = np.linspace(-fall - 9.0, 9.0, 20_001)
        before, after = scipy.special.ndtr(x), scipy.special.ndtr(x + fall)
        for row, share in enumerate(np.geomspace(SMALLEST_SHARE, 1.0, SHARES)):
            quantiles = np.interp(edges, (1.0 - share) * before + share * after, x)
            reached = np.interp(quantiles, x, after)
            reached[0], reached[-1] = 0.0, 1.0
            density = np.diff(reached) / np.diff(edges)
            table[row, :, column] = np.minimum.accumulate(density) if share < 1.0 else 1.0
    widths = np.diff(edges)[None, :, None]
    table /= (table * widths).sum(axis=1, keepdims=True)
    table = (1.0 - RESERVE) * table + RESERVE
    table.setflags(write=False)
    return table


def rank_edges() -> FloatArray:
    """Return the edges of the cells of ranks, from 0 to 1; cells of small ranks are narrow."""
    return np.concatenate([[0.0], np.geomspace(SMALLEST_RANK, 1.0, CELLS)])


def rank_cells(ranks: FloatArray) -> IntArray:
    """Return the cell of each rank in (0, 1]."""
    steps = np.log(np.maximum(ranks, SMALLEST_RANK) / SMALLEST_RANK) / -np.log(SMALLEST_RANK)
    cells: IntArray = np.clip(np.ceil(steps * (CELLS - 1)), 0, CELLS - 1).astype(np.int64)
    return cells


def share_rows(shares: FloatArray) -> IntArray:
    """Return the row of the table for each share of recent days in (0, 1]."""
    steps = np.log(np.maximum(shares, SMALLEST_SHARE) / SMALLEST_SHARE) / -np.log(SMALLEST_SHARE)
    rows: IntArray = np.rint(steps * (SHARES - 1)).astype(np.int64)
    return rows
