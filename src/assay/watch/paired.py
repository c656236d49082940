"""Tests of today against the baseline window, case by case."""

from __future__ import annotations

import numpy as np

from assay.results.watch import DayFlip, PairedTest
from assay.stats.p_values import least_relabelling_p, mcnemar, relabelling_test
from assay.watch.history import BoolArray, FloatArray

FLIP = 0.5
"""The least change of a case's mean (0-1) that counts as a flip: with one sample, from pass to fail."""


def paired(case_scores: FloatArray, window: BoolArray, day: int) -> PairedTest | None:
    """Test one day of some cases, `case_scores` of shape (cases, days) and 0-1, for a fall.

    `window` marks the baseline's days of each case's use case, with the same shape. Cases without a score
    today or in the window are left out. Returns None if no case is left.
    """
    pools, today = [], []
    for values, chosen in zip(case_scores, window, strict=True):
        past = values[chosen & ~np.isnan(values)]
        if past.size and not np.isnan(values[day]):
            pools.append(past)
            today.append(float(values[day]))
    if not pools:
        return None
    falls = [value - past.mean() for value, past in zip(today, pools, strict=True)]
    return PairedTest(
        p=relabelling_test(today, pools),
        least_p=least_relabelling_p(pools),
        difference=100.0 * float(np.mean(falls)),
        cases=len(pools),
        days=max(past.size for past in pools),
    )


def flips(cases: tuple[str, ...], before: FloatArray, after: FloatArray) -> tuple[DayFlip, ...]:
    """Return the cases that flipped between two days, given their scores of shape (cases,)."""
    return tuple(
        DayFlip(case, float(old), float(new))
        for case, old, new in zip(cases, before, after, strict=True)
        if abs(new - old) >= FLIP - 1e-9
    )


def day_on_day(changed: tuple[DayFlip, ...]) -> float:
    """Return McNemar's exact one-sided p that more cases fell than rose since the previous scored day."""
    fell = sum(flip.after < flip.before for flip in changed)
    return mcnemar(fell, len(changed) - fell)
