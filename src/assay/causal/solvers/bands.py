"""How hard a form is allowed to be for naive reasoners: bands around what the generator gives on average."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from assay.causal.solvers.solver import Solver


@dataclass(frozen=True, slots=True)
class Band:
    """Expected accuracies from `low` to `high`, both included."""

    low: float
    high: float

    def off(self, accuracy: float) -> float:
        """Return how far an accuracy lies outside; 0 inside."""
        return max(self.low - accuracy, accuracy - self.high, 0.0)


BANDS: Mapping[Solver, Band] = {Solver.MARGINAL: Band(0.28, 0.30), Solver.ADJUSTING: Band(0.375, 0.395)}
"""The generator's means over 50 forms without bands, 29.0 % and 38.5 %, and a point to either side."""


def off(odds: Iterable[Mapping[Solver, float]], bands: Mapping[Solver, Band] = BANDS) -> float:
    """Return how far a form lies outside its bands, summed over the solvers; 0 inside all."""
    listed = list(odds)
    return sum(band.off(sum(each[solver] for each in listed) / len(listed)) for solver, band in bands.items())
