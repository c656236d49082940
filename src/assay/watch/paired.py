"""Today against the baseline window case by case, never on means."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.stats.permutation import least_relabelled, mcnemar, relabelled
from assay.watch.history import BoolArray, FloatArray

FLIP = 0.5
"""A case has flipped when its mean (0-1) moved by at least this much: with one sample, from pass to fail."""


@dataclass(frozen=True, slots=True)
class PairedTest:
    """The exact relabelling test of a fall on `cases` cases.

    `p` is one-sided; `least_p` the smallest that these days allow (today 0 on every case); `difference`
    the mean over cases of today's score less the window's, in points of 0-100.
    """

    p: float
    least_p: float
    difference: float
    cases: int
    days: int


@dataclass(frozen=True, slots=True)
class Flip:
    """A case whose mean (0-1) moved by at least a half since the previous scored day."""

    case: str
    before: float
    after: float


def paired(case_scores: FloatArray, window: BoolArray, day: int) -> PairedTest | None:
    """Test one day of some cases, `case_scores` of shape (cases, days) and 0-1, for a fall.

    `window` marks the days that the baseline of each case's use case is made of, of the same shape. Cases
    without a score today, or in the window, take no part; None when none is left.
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
        p=relabelled(today, pools),
        least_p=least_relabelled(pools),
        difference=100.0 * float(np.mean(falls)),
        cases=len(pools),
        days=max(past.size for past in pools),
    )


def flips(cases: tuple[str, ...], before: FloatArray, after: FloatArray) -> tuple[Flip, ...]:
    """Return the cases that flipped between two days, given their scores of shape (cases,)."""
    return tuple(
        Flip(case, float(old), float(new))
        for case, old, new in zip(cases, before, after, strict=True)
        if abs(new - old) >= FLIP - 1e-9
    )


def day_on_day(found: tuple[Flip, ...]) -> float:
    """Return McNemar's exact one-sided p that more cases fell than rose since the previous scored day."""
    fell = sum(flip.after < flip.before for flip in found)
    return mcnemar(fell, len(found) - fell)
