"""The gap rule, which leaves out runs with too many errors: an outage is not degradation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.watch.history import BoolArray, History, IntArray

HAIR = 1e-9
"""The absolute tolerance of comparisons of shares, so that exactly 20 % is never "more than 20 %"."""


@dataclass(frozen=True, slots=True)
class Gaps:
    """The result of the gap rule. `attempted` and `errored` count samples of a day, shape (models, days).

    `kept` marks the rows of kept runs, `gap` the days of a model on which no run was kept; `left_out` counts
    the runs of a day that were left out.
    """

    kept: BoolArray
    gap: BoolArray
    attempted: IntArray
    errored: IntArray
    left_out: IntArray


def share_exceeds(part: IntArray, whole: IntArray, share: float) -> BoolArray:
    """Return a mask of parts that are more than `share` of `whole`; never if `whole` is 0."""
    result: BoolArray = (part > share * whole + HAIR) & (whole > 0)
    return result


def gaps(history: History, share: float) -> Gaps:
    """Apply the rule run by run: a run with more than `share` of a model's samples errored is left out.

    Only `error` counts towards it; invalid and ungraded samples do not.
    """
    rows = history.rows
    models, days = len(history.subjects), history.days
    key = rows.run.astype(np.int64) * models + rows.model
    size = (len(history.runs), models)
    errored = _sums(key, rows.error, size)
    attempted = errored + _sums(key, rows.ok, size) + _sums(key, rows.invalid, size)
    attempted += _sums(key, rows.ungraded, size) + _sums(key, rows.elsewhere, size)
    broken = share_exceeds(errored, attempted, share)
    day = np.array([run.day for run in history.runs], dtype=np.int64)
    kept_runs = _by_day((attempted > 0) & ~broken, day, days)
    left_out = _by_day(broken, day, days)
    return Gaps(
        kept=~broken.ravel()[key],
        gap=(left_out > 0) & (kept_runs == 0),
        attempted=_by_day(attempted, day, days),
        errored=_by_day(errored, day, days),
        left_out=left_out,
    )


def _sums(key: IntArray, counts: IntArray, size: tuple[int, int]) -> IntArray:
    filled = np.flatnonzero(counts)
    summed = np.bincount(key[filled], weights=counts[filled], minlength=size[0] * size[1])
    return summed.reshape(size).astype(np.int64)


def _by_day(counts: IntArray | BoolArray, day: IntArray, days: int) -> IntArray:
    """Add up the runs of each day: (runs, models) becomes (models, days)."""
    total = np.zeros((days, counts.shape[1]), dtype=np.int64)
    np.add.at(total, day, counts.astype(np.int64))
    return total.T.copy()
