"""Additive effects of raters in a table of items by raters with empty cells."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]


def rater_effects(table: npt.ArrayLike) -> FloatArray:
    """Return each rater's effect, in the table's units, from least squares on mark = item + rater + error.

    `table` has shape (items, raters), NaN where a rater gave none. The effects sum to 0 over the raters
    that have one. Only items with at least two marks tell raters apart. Raters that no chain of shared items
    connects to the largest group (by marks) have NaN: their level cannot be known. With no empty cell an
    effect is the rater's mean less the grand mean.
    Source: H. Scheffé, The Analysis of Variance (1959), chapter 4 (two-way layout, unequal numbers).
    """
    marks = np.asarray(table, dtype=np.float64)
    there = ~np.isnan(marks)
    shared = there & (there.sum(axis=1, keepdims=True) >= 2)
    group = _connected(shared)
    effects = np.full(marks.shape[1], np.nan)
    if not group.any():
        return effects
    has = shared[:, group]
    has = np.where(has.sum(axis=1, keepdims=True) >= 2, has, False).astype(np.float64)
    filled = np.where(has > 0, np.where(there[:, group], marks[:, group], 0.0), 0.0)
    count = np.maximum(has.sum(axis=1), 1.0)
    normal = np.diag(has.sum(axis=0)) - (has / count[:, None]).T @ has
    right = filled.sum(axis=0) - (has / count[:, None]).T @ filled.sum(axis=1)
    # Solutions differ by a constant, and rounding may leave any: the one that sums to 0 is meant.
    found = np.linalg.lstsq(normal, right, rcond=None)[0]
    effects[group] = found - found.mean()
    return effects


def _connected(shared: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return which raters belong to the group, joined by shared items, that holds the most marks."""
    joined = (shared.astype(np.int64).T @ shared.astype(np.int64)) > 0
    marks = shared.sum(axis=0)
    best = np.zeros(shared.shape[1], dtype=np.bool_)
    for rater in range(shared.shape[1]):
        reach = joined[rater].copy()
        while True:
            wider = joined[reach].any(axis=0) if reach.any() else reach
            if np.array_equal(wider, reach):
                break
            reach = wider
        if marks[reach].sum() > marks[best].sum():
            best = reach
    return best
