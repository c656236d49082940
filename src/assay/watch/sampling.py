"""Adaptive sampling: which (model, use case) of a day to top up to the full count."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.watch.gaps import HAIR
from assay.watch.history import BoolArray, History, IntArray
from assay.watch.scores import Daily
from assay.watch.verdict import Readings


@dataclass(frozen=True, slots=True)
class Rerun:
    """A (model, use case) whose provisional score looks suspicious; positions in the history."""

    model: int
    use_case: int


def powered(history: History, daily: Daily, share: float) -> BoolArray:
    """Return where a use case's evidence is full-power, shape (models, use cases, days).

    It is when at least 1 - `share` of the full count has a score: a re-run that leaves more than the
    gap share without one has failed.
    """
    starts = list(history.starts[:-1])
    scored: IntArray = np.add.reduceat(daily.ok + daily.invalid, starts, axis=1)
    enough: BoolArray = scored >= (1.0 - share) * history.full[:, np.newaxis] - HAIR
    return enough


def reruns(readings: Readings, day: int) -> tuple[Rerun, ...]:
    """Return what to re-run at full count on a day, before any verdict of it may flip.

    Only provisional evidence that alone would read SUSPICIOUS asks for it; days that cannot change a
    state anyway (judge moved, gap, calibrating) do not.
    """
    models, use_cases = np.nonzero(readings.thin[..., day])
    return tuple(Rerun(int(model), int(use_case)) for model, use_case in zip(models, use_cases, strict=True))
