"""Additive effects of raters in a table of items by raters with empty cells."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]


def rater_effects(table: npt.ArrayLike) -> FloatArray:
    """Return each rater's effect, in the table's units, from least squares on mark = item + rater + error.

    `table` has shape (items, raters), NaN for a missing mark. The effects sum to 0 over the raters that have
    one. Only items with at least two marks are informative. Raters that no chain of shared items connects to
    the largest group (by marks) have NaN, since their level cannot be known. Without empty cells an effect is
    the rater's mean minus the grand mean.
    Source: H. Scheffé, The Analysis of Variance (1959), chapter 4 (two-way layout, unequal numbers).
    """
    marks = np.asarray(table, dtype=np.float64)
    present = ~np.isnan(marks)
    shared = present & (present.sum(axis=1, keepdims=True) >= 2)
    group = _connected(shared)
    effects = np.full(marks.shape[1], np.nan)
    if not group.any():
        return effects
    used = shared[:, group]
    used = np.where(used.sum(axis=1, keepdims=True) >= 2, used, False).astype(np.float64)
    filled = np.where(used > 0, np.where(present[:, group], marks[:, group], 0.0), 0.0)
    count = np.maximum(used.sum(axis=1), 1.0)
    normal = np.diag(used.sum(axis=0)) - (used / count[:, None]).T @ used
    right = filled.sum(axis=0) - (used / count[:, None]).T @ filled.sum(axis=1)
    # Solutions differ by a constant; the one that sums to 0 is returned.
    solution = np.linalg.lstsq(normal, right, rcond=None)[0]
    effects[group] = solution - solution.mean()
    return effects


def _connected(shared: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return which raters belong to the group, connected by shared items, that has the most marks."""
    connected = (shared.astype(np.int64).T @ shared.astype(np.int64)) > 0
    marks = shared.sum(axis=0)
    best = np.zeros(shared.shape[1], dtype=np.bool_)
    for rater in range(shared.shape[1]):
        group = connected[rater].copy()
        while True:
            wider = connected[group].any(axis=0) if group.any() else group
            if np.array_equal(wider, group):
                break
            group = wider
        if marks[group].sum() > marks[best].sum():
            best = group
    return best
