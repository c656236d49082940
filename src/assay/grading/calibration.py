"""Whether a judge still marks as it did: today's marks on frozen exemplars against its own frozen marks."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assay.core.suite import Suite

HAIR = 1e-9
UNSEEN = 0.25
MOST_EXEMPLARS = 1000
LEAST_SHARE = 0.8


@dataclass(frozen=True, slots=True)
class Shift:
    """How far a judge has moved on one use case, in marks of the 1-5 scale.

    `n` exemplars have both a frozen mark and one of today, `missing` lack one. `shift` is the absolute
    difference of the two means over those n; `low` and `high` bound the signed difference (95 %).
    `moved` says that the shift passes the limit, or that too few exemplars could be marked to tell; `sure`
    that the whole interval agrees. `experts` is the mean absolute difference from the experts' marks.
    """

    use_case: str
    n: int
    missing: int
    frozen_mean: float
    mean: float
    shift: float
    low: float
    high: float
    moved: bool
    sure: bool
    experts: float


@dataclass(frozen=True, slots=True)
class Exemplars:
    """The calibration set of a suite: for each exemplar with an expert's marks, what it belongs to.

    `positions` number them within a run: case ordinal * `MOST_EXEMPLARS` + the exemplar's place in its case.
    """

    positions: tuple[int, ...]
    use_cases: tuple[str, ...]
    experts: tuple[float, ...]


def calibration_set(suite: Suite) -> Exemplars:
    """Return the exemplars of a suite's judged use cases that carry an expert's marks."""
    found = [
        (ordinal * MOST_EXEMPLARS + place, case.use_case, exemplar.marks)
        for ordinal, case in enumerate(suite.cases)
        if suite.use_case(case.use_case).grading.judged
        and any(spec.name == "rubric" for spec in case.graders)
        for place, exemplar in enumerate(case.exemplars[:MOST_EXEMPLARS])
        if exemplar.marks is not None
    ]
    positions, use_cases, experts = zip(*found, strict=True) if found else ((), (), ())
    return Exemplars(positions, use_cases, experts)


def judge_shifts(
    chosen: Exemplars, frozen: Mapping[int, float], today: Mapping[int, float], *, limit: float
) -> tuple[Shift, ...]:
    """Return the shift of each use case, in the order in which the set first names them.

    `frozen` and `today` are marks by position; a mark that could not be read is left out. `limit` is the
    suite's `judge_shift` (0.3 in seed 001).
    """
    return tuple(
        _shift(use_case, chosen, frozen, today, limit) for use_case in dict.fromkeys(chosen.use_cases)
    )


def _shift(
    use_case: str, chosen: Exemplars, frozen: Mapping[int, float], today: Mapping[int, float], limit: float
) -> Shift:
    mine = [
        (position, expert)
        for position, name, expert in zip(chosen.positions, chosen.use_cases, chosen.experts, strict=True)
        if name == use_case
    ]
    both = [(position, expert) for position, expert in mine if position in frozen and position in today]
    marked = [(today[position], expert) for position, expert in mine if position in today]
    experts = float(np.mean([abs(mark - expert) for mark, expert in marked])) if marked else math.nan
    if not both or len(both) < LEAST_SHARE * sum(position in frozen for position, _ in mine):
        nan = math.nan
        missing = len(mine) - len(both)
        return Shift(use_case, len(both), missing, nan, nan, math.inf, nan, nan, True, False, experts)
    before = np.array([frozen[position] for position, _ in both])
    now = np.array([today[position] for position, _ in both])
    low, high = shift_interval((now - before).tolist())
    shift = abs(float((now - before).mean()))
    moved = shift > limit + HAIR
    sure = (low > limit or high < -limit) if moved else max(-low, high) <= limit
    return Shift(
        use_case,
        len(both),
        len(mine) - len(both),
        float(before.mean()),
        float(now.mean()),
        shift,
        low,
        high,
        moved,
        sure,
        experts,
    )


def shift_interval(differences: Sequence[float], level: float = 0.95) -> tuple[float, float]:
    """Return the interval of a mean difference of marks, by Student's t.

    To the sum of squares a quarter is added, half a mark squared: a judge that repeated all marks of a small
    set may yet move on the next exemplar, so that the interval never has width 0. One difference alone says
    nothing: the whole scale.
    """
    n = len(differences)
    if n < 2:
        return -4.0, 4.0
    from scipy.stats import t

    values = np.asarray(differences, dtype=np.float64)
    mean = float(values.mean())
    spread = math.sqrt((float(((values - mean) ** 2).sum()) + UNSEEN) / (n - 1))
    half = float(t.ppf(0.5 + level / 2, n - 1)) * spread / math.sqrt(n)
    return max(-4.0, mean - half), min(4.0, mean + half)
