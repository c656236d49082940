"""Tests of today against the baseline window, case by case."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from assay.results.watch import DayFlip, PairedTest
from assay.stats.p_values import Relabelling, mcnemar
from assay.watch.history import BoolArray, FloatArray, IntArray

FLIP = 0.5
"""The least change of a case's mean (0-1) that counts as a flip: with one sample, from pass to fail."""


@dataclass(frozen=True, slots=True)
class PairedCases:
    """The cases of one day beside the window before it, prepared for tests on any of them.

    `place` (cases,) is each case's position among those with a score on the day and in the window, -1 for
    the others. `change` (of those) is the day's score minus the mean of the window's, and `days` the number
    of the window's scores.
    """

    place: IntArray
    change: FloatArray
    days: IntArray
    relabelling: Relabelling

    @classmethod
    def of(cls, case_scores: FloatArray, window: BoolArray, day: int) -> Self:
        """Prepare the cases of `case_scores`, shape (cases, days) and 0-1.

        `window` marks the baseline's days of each case's use case, with the same shape.
        """
        known = window & ~np.isnan(case_scores)
        used = known.any(axis=1) & ~np.isnan(case_scores[:, day])
        known, today = known[used], case_scores[used, day]
        days = known.sum(axis=1)
        before = np.split(case_scores[used][known], np.cumsum(days))[:-1]
        means = np.empty(len(days))
        for count in np.unique(days):
            alike = np.flatnonzero(days == count)
            means[alike] = np.stack([before[case] for case in alike]).mean(axis=1)
        place = np.where(used, np.cumsum(used) - 1, -1)
        return cls(place, today - means, days, Relabelling.of(today, before))

    def test(self, chosen: BoolArray) -> PairedTest | None:
        """Test the chosen cases, shape (cases,), for a fall; None if none of them can be compared."""
        places = self.place[chosen & (self.place >= 0)]
        if not places.size:
            return None
        cases = places.tolist()
        return PairedTest(
            p=self.relabelling.p(cases),
            least_p=self.relabelling.least_p(cases),
            difference=100.0 * float(np.mean(self.change[places])),
            cases=len(cases),
            days=int(self.days[places].max()),
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
