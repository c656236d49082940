"""Which sample of a run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SampleKey:
    """Positions of the case in the suite and of the model in the run; the epoch counts from 0."""

    case: int
    model: int
    epoch: int
