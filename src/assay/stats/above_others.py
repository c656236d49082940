"""How lenient each judge is against the others on the same items."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from assay.stats.ratio import Draws, Estimate, mean_of

FloatArray = npt.NDArray[np.float64]


def deviations(marks: npt.ArrayLike) -> FloatArray:
    """Return each mark less the mean of the other judges' marks on that item, of the shape of `marks`.

    `marks` has shape (judges, ...), NaN for none. NaN where the judge, or every other one, gave none.
    """
    table = np.asarray(marks, dtype=np.float64)
    there = ~np.isnan(table)
    filled = np.where(there, table, 0.0)
    others = there.sum(axis=0) - there
    mean = np.divide(filled.sum(axis=0) - filled, others, out=np.full(table.shape, np.nan), where=others > 0)
    apart: FloatArray = table - mean
    return apart


def above_others(marks: npt.ArrayLike, draws: Draws | None = None) -> tuple[Estimate, ...]:
    """Return each judge's mean deviation from the other judges on the same items, in marks.

    `marks` has shape (judges, items). Positive means lenient. With two judges the two are opposite. It is not
    a board's leniency (`rater_effects`), which is against the whole panel: this is larger by
    judges/(judges - 1) when nothing is missing.
    """
    return tuple(mean_of(row, draws) for row in deviations(marks))
