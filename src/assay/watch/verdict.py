"""The seed's rule: from a day's scores and their baselines to states (docs/methodology/verdict.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.core.suite import Thresholds
from assay.core.verdict import UseCaseState as State
from assay.watch.baseline import Baseline
from assay.watch.history import BoolArray, FloatArray, IntArray

TOLERANCE = 1e-9
"""A bound counts as reached within this distance, in z and in drop: 80 against 100 is a drop of 20 %."""

StateArray = npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class BoundColumns:
    """The bounds of each use case, as columns that broadcast over (models, use cases, days)."""

    suspicious_z: FloatArray
    suspicious_drop: FloatArray
    cooked_z: FloatArray
    cooked_drop: FloatArray
    collapse_drop: FloatArray
    floor: FloatArray

    @classmethod
    def of(cls, thresholds: Thresholds, judged: BoolArray) -> BoundColumns:
        """Return the bounds of use cases; `judged` marks those that a judge marks."""

        def column(name: str) -> FloatArray:
            bounds = (getattr(thresholds.judged, name), getattr(thresholds.deterministic, name))
            chosen: FloatArray = np.where(judged, *bounds).astype(np.float64)[:, np.newaxis]
            return chosen

        return cls(*(column(name) for name in cls.__slots__))


@dataclass(frozen=True, slots=True)
class StateEvidence:
    """The result of the rule for each (model, use case, day).

    `z` and `drop` are NaN without score or baseline, `drop` also if the mean is 0. `reading` is the state by
    the day's numbers alone: GAP (no score), CALIBRATING, OK, SUSPICIOUS or COOKED. `counted` marks the days
    whose reading became the state. On other scored days with a baseline the state was `held`: carried over
    from the last counted day. `underpowered` marks suspicious days without full-power evidence.
    """

    z: FloatArray
    drop: FloatArray
    reading: StateArray
    state: StateArray
    counted: BoolArray
    held: BoolArray
    underpowered: BoolArray


def evaluate(
    scores: FloatArray,
    baseline: Baseline,
    bounds: BoundColumns,
    thresholds: Thresholds,
    *,
    fit: BoolArray,
    powered: BoolArray,
) -> StateEvidence:
    """Apply the seed's thresholds to scores of shape (models, use cases, days).

    A day is not counted, and the earlier state kept, if it is not `fit` (the judge moved) or looks
    suspicious without being `powered`. Uncounted days and gaps neither count towards a sustained fall nor
    interrupt it; a calibrating day interrupts it.
    """
    scored = ~np.isnan(scores)
    z = (scores - baseline.mean) / baseline.spread
    drop = falls(scores, baseline.mean)
    fallen = _reaches(z, bounds.cooked_z, drop, bounds.cooked_drop)
    collapsed = drop >= bounds.collapse_drop - TOLERANCE
    suspicious = _reaches(z, bounds.suspicious_z, drop, bounds.suspicious_drop) | fallen | collapsed
    underpowered = scored & fit & suspicious & ~powered
    counted = scored & fit & ~underpowered
    sustained = fallen
    for _ in range(thresholds.sustained_days - 1):
        sustained = fallen & carried(sustained, counted, False)
    reading = np.full(scores.shape, State.OK, dtype=np.int8)
    reading[suspicious] = State.SUSPICIOUS
    reading[sustained | collapsed] = State.COOKED
    reading[~baseline.exists] = State.CALIBRATING
    reading[~scored] = State.GAP
    held = scored & baseline.exists & ~counted
    before = carried(reading, counted, np.int8(State.CALIBRATING))
    state = np.where(held, before, reading).astype(np.int8)
    return StateEvidence(z, drop, reading, state, counted, held, underpowered)


def falls(scores: FloatArray, mean: FloatArray) -> FloatArray:
    """Return the fall from the mean as a fraction of it; NaN if the mean is 0."""
    shape = np.broadcast_shapes(scores.shape, mean.shape)
    drop: FloatArray = np.divide(mean - scores, mean, out=np.full(shape, np.nan), where=mean > 0)
    return drop


def carried(values: npt.NDArray[Any], counted: BoolArray, otherwise: Any) -> npt.NDArray[Any]:
    """Return, for each position of the last axis, the value at the last counted position before it."""
    last = previous(counted)
    before = np.take_along_axis(values, np.maximum(last, 0), axis=-1)
    return np.where(last >= 0, before, otherwise)


def previous(counted: BoolArray) -> IntArray:
    """Return the last counted position before each position of the last axis, or -1."""
    days = counted.shape[-1]
    latest = np.maximum.accumulate(np.where(counted, np.arange(days), -1), axis=-1)
    before = np.full(counted.shape, -1, dtype=np.int64)
    before[..., 1:] = latest[..., :-1]
    return before


def roll_up(states: StateArray, calibrated: BoolArray, gap: BoolArray, thresholds: Thresholds) -> StateArray:
    """Return the state of each (model, day) from those of its use cases, shape (models, use cases, days).

    `calibrated` marks the use cases with a baseline, `gap` (models, days) the days that are gaps by the gap
    rule. Precedence: GAP (also if no use case has a score), CALIBRATING (no use case has a baseline), then
    COOKED, SUSPICIOUS, OK.
    """
    cooked = (states == State.COOKED).sum(axis=1)
    suspicious = (states == State.SUSPICIOUS).sum(axis=1)
    verdict = np.full(gap.shape, State.OK, dtype=np.int8)
    verdict[(cooked + suspicious) > 0] = State.SUSPICIOUS
    beside = (cooked >= 1) & (suspicious >= thresholds.suspicious_beside_cooked)
    verdict[(cooked >= thresholds.cooked_use_cases) | beside] = State.COOKED
    verdict[~calibrated.any(axis=1)] = State.CALIBRATING
    verdict[gap | (states == State.GAP).all(axis=1)] = State.GAP
    return verdict


def _reaches(z: FloatArray, z_bound: FloatArray, drop: FloatArray, drop_bound: FloatArray) -> BoolArray:
    reached: BoolArray = (z <= z_bound + TOLERANCE) | (drop >= drop_bound - TOLERANCE)
    return reached
