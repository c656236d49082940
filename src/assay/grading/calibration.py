"""Judge calibration: a judge's marks on the exemplars today, compared with its own frozen marks."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from assay.core.suite import Suite
from assay.results.judges import Shift
from assay.stats.intervals import Interval

ROUNDING = 1e-9
ADDED_SQUARES = 0.25
MOST_EXEMPLARS = 1000
LEAST_SHARE = 0.8


@dataclass(frozen=True, slots=True)
class Exemplars:
    """The calibration set of a suite: the exemplars with an expert's mark, in parallel tuples.

    `positions` number them within a run: case ordinal * `MOST_EXEMPLARS` + the exemplar's index in its case.
    """

    positions: tuple[int, ...]
    use_cases: tuple[str, ...]
    experts: tuple[float, ...]


def calibration_set(suite: Suite) -> Exemplars:
    """Return the exemplars of a suite's judged use cases that have an expert's mark."""
    rows = [
        (ordinal * MOST_EXEMPLARS + index, case.use_case, exemplar.marks)
        for ordinal, case in enumerate(suite.cases)
        if suite.use_case(case.use_case).grading.judged
        and any(spec.name == "rubric" for spec in case.graders)
        for index, exemplar in enumerate(case.exemplars[:MOST_EXEMPLARS])
        if exemplar.marks is not None
    ]
    positions, use_cases, experts = zip(*rows, strict=True) if rows else ((), (), ())
    return Exemplars(positions, use_cases, experts)


def judge_shifts(
    chosen: Exemplars, frozen: Mapping[int, float], today: Mapping[int, float], *, limit: float
) -> tuple[Shift, ...]:
    """Return the shift of each use case, in the order of their first exemplars.

    `frozen` and `today` are marks by position, without those that could not be read. `limit` is the suite's
    `judge_shift` (0.3 in seed 001).
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
    experts = float(np.mean([abs(mark - expert) for mark, expert in marked])) if marked else None
    if not both or len(both) < LEAST_SHARE * sum(position in frozen for position, _ in mine):
        missing = len(mine) - len(both)
        return Shift(use_case, len(both), missing, None, None, None, None, True, False, experts)
    before = np.array([frozen[position] for position, _ in both])
    now = np.array([today[position] for position, _ in both])
    low, high = shift_interval((now - before).tolist())
    shift = abs(float((now - before).mean()))
    moved = shift > limit + ROUNDING
    sure = (low > limit or high < -limit) if moved else max(-low, high) <= limit
    return Shift(
        use_case,
        len(both),
        len(mine) - len(both),
        float(before.mean()),
        float(now.mean()),
        shift,
        Interval(low, high),
        moved,
        sure,
        experts,
    )


def shift_interval(differences: Sequence[float], level: float = 0.95) -> tuple[float, float]:
    """Return the interval of a mean difference of marks, by Student's t.

    A quarter (half a mark squared) is added to the sum of squares, so that the width is never 0: a judge that
    repeated all marks of a small set may still change on the next exemplar. For a single difference the
    interval is the whole scale.
    """
    n = len(differences)
    if n < 2:
        return -4.0, 4.0
    values = np.asarray(differences, dtype=np.float64)
    mean = float(values.mean())
    spread = math.sqrt((float(((values - mean) ** 2).sum()) + ADDED_SQUARES) / (n - 1))
    half = float(scipy.special.stdtrit(n - 1, 0.5 + level / 2)) * spread / math.sqrt(n)
    return max(-4.0, mean - half), min(4.0, mean + half)
