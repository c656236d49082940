"""What a calibration of a judge found, and what a watch must be told of it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from assay.grading.calibration import Shift


@dataclass(frozen=True, slots=True)
class Calibration:
    """One calibration of a judge. `reference` is the run whose marks are the frozen ones, itself when first.

    `missing` counts the exemplars that could not be marked, `reasons` tells why, the most frequent first.
    `cost` is in US dollars, of which `unknown_costs` calls are not counted.
    """

    run: int
    judge: str
    suite: str
    day: date
    reference: int | None
    shifts: tuple[Shift, ...]
    missing: int
    reasons: tuple[str, ...]
    cost: float
    unknown_costs: int
    simulated: bool

    @property
    def moved(self) -> tuple[str, ...]:
        """The use cases in which the judge has moved."""
        return tuple(shift.use_case for shift in self.shifts if shift.moved)


def remarks(found: Calibration) -> Iterator[str]:
    """Yield what a watch must be told of its judge's calibration: nothing when it stands still, surely."""
    if found.missing:
        why = f": {found.reasons[0]}" if found.reasons else ""
        yield f"judge {found.judge}: {found.missing} calibration exemplars have no mark{why}"
    judge = f"judge {found.judge}"
    for shift in found.shifts:
        name = shift.use_case
        bounds = f"95 % interval of the difference {shift.low:+.2f} to {shift.high:+.2f}, n = {shift.n}"
        if math.isinf(shift.shift):
            yield f"{judge} marked too few exemplars of {name}: no verdict may flip on it today"
        elif shift.moved:
            unsure = "" if shift.sure else "; with so few exemplars that may be chance"
            yield (
                f"{judge} moved by {shift.shift:.2f} marks in {name} ({bounds}): "
                f"no verdict may flip on it today{unsure}"
            )
        elif not shift.sure:
            yield (
                f"{judge} passed in {name} with a shift of {shift.shift:.2f} ({bounds}): "
                "the set is too small to be sure"
            )
