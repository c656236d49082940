"""What was measured of some models with one version of a suite, day by day: the input of the watch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.core.case import Grading
from assay.core.conditions import Conditions
from assay.core.errors import InvalidInput, Problem

IntArray = npt.NDArray[np.integer[Any]]
FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Series:
    """A use case as it was measured. `cases` are ids, in the suite's order.

    `full` is the number of samples a case that make the evidence full-power; 0 where every day counts as
    such (imported histories, which know no re-run).
    """

    name: str
    grading: Grading
    cases: tuple[str, ...]
    full: int = 0


@dataclass(frozen=True, slots=True)
class Subject:
    """A model whose history this is. `provider` is who serves it: the pin, or the endpoint's name."""

    name: str
    provider: str | None = None


@dataclass(frozen=True, slots=True)
class JudgeCheck:
    """How a judge did on the calibration exemplars of a use case before a run.

    `shift` is how far it had moved, on the 1-5 scale; None where that was not measured. `unreadable` says
    that it was calibrated, but too few of its marks could be read to measure a shift.
    """

    shift: float | None = None
    unreadable: bool = False


@dataclass(frozen=True, slots=True)
class DayRun:
    """A run, the day it belongs to (a position, see `History.first`), and who judged it.

    `judge` names the model that marked it, None without one. `checks` holds one check of that judge for
    each use case, empty where it was not calibrated, which bars nothing.
    """

    id: int
    day: int
    judge: str | None = None
    checks: tuple[JudgeCheck, ...] = ()

    def check(self, use_case: int) -> JudgeCheck:
        """Return the judge's check in a use case, by its position."""
        return self.checks[use_case] if self.checks else JudgeCheck()


@dataclass(frozen=True, slots=True)
class Rows:
    """Samples counted by (run, model, case): parallel arrays of one length, in any order.

    `run`, `model` and `case` are positions: in `History.runs`, in `History.subjects`, and in all cases of
    `History.use_cases` laid end to end. A (run, model, case) may be split over several rows. The counts
    tell how the samples ended: `ok` has a visible, graded answer, `invalid` a success without one (it
    scores 0), `error` no answer, `ungraded` an answer that could not be graded. `total` is the sum of the
    `ok` samples' scores, each 0-100. `elsewhere` counts the answers that came from another provider than the
    pin, which are in none of the others. `conditions` are positions in `History.conditions`, -1 where they
    were not recorded; None where they were recorded of no row.
    """

    run: IntArray
    model: IntArray
    case: IntArray
    ok: IntArray
    invalid: IntArray
    error: IntArray
    ungraded: IntArray
    total: FloatArray
    elsewhere: IntArray
    conditions: IntArray | None = None


@dataclass(frozen=True, slots=True)
class History:
    """All that was measured with one version of one suite: scores are never compared across versions.

    `days` counts calendar days (UTC) from `first`; days without rows are gaps. It must reach back to the
    version's first day: the golden baseline, recovery and held states are read from the whole of it.
    """

    suite: str
    version: str
    subjects: tuple[Subject, ...]
    use_cases: tuple[Series, ...]
    first: date
    days: int
    runs: tuple[DayRun, ...]
    rows: Rows
    conditions: tuple[Conditions, ...] = ()

    @property
    def cases(self) -> tuple[str, ...]:
        """All case ids, in the order that `Rows.case` counts."""
        return tuple(case for use_case in self.use_cases for case in use_case.cases)

    @property
    def starts(self) -> tuple[int, ...]:
        """The position of each use case's first case, and one past the last case."""
        sizes = [len(use_case.cases) for use_case in self.use_cases]
        return tuple(int(start) for start in np.concatenate([[0], np.cumsum(sizes)]))

    @property
    def judged(self) -> BoolArray:
        """Which use cases a judge has a say in, shape (use cases,)."""
        return np.array([use_case.grading.judged for use_case in self.use_cases], dtype=bool)

    @property
    def full(self) -> IntArray:
        """Samples that full-power evidence of each use case has, all cases together; shape (use cases,)."""
        return np.array([use_case.full * len(use_case.cases) for use_case in self.use_cases], dtype=np.int64)

    @property
    def judge(self) -> str | None:
        """The judge that marked last, None without one."""
        return next((run.judge for run in reversed(self.runs) if run.judge is not None), None)

    def date_of(self, day: int) -> date:
        """Return the calendar date of a day's position."""
        return self.first + timedelta(days=day)

    def day_of(self, when: date) -> int:
        """Return the position of a calendar date; InvalidInput when the history does not hold it."""
        day = (when - self.first).days
        if not 0 <= day < self.days:
            last = self.date_of(self.days - 1)
            raise InvalidInput(f"{when} is not in the history, which runs from {self.first} to {last}")
        return day

    def check(self) -> None:
        """Raise InvalidInput with every way in which the rows do not fit the rest."""
        problems = [Problem(text) for text in _misfits(self)]
        if problems:
            raise InvalidInput(problems)


def of_scores(
    scores: npt.ArrayLike,
    gradings: Sequence[Grading],
    *,
    first: date = date(2026, 1, 1),
    suite: str = "scores",
    version: str = "1",
) -> History:
    """Return the history in which each use case is one case with one sample a day.

    `scores` are 0-100, shape (models, use cases, days), NaN for a day without a sample. For histories
    that come as daily scores only, and for simulations.
    """
    values = np.asarray(scores, dtype=np.float64)
    models, use_cases, days = values.shape
    model, case, day = (part.astype(np.int32) for part in np.nonzero(~np.isnan(values)))
    ones, zeros = np.ones(len(day), dtype=np.int32), np.zeros(len(day), dtype=np.int32)
    rows = Rows(
        run=day,
        model=model,
        case=case,
        ok=ones,
        invalid=zeros,
        error=zeros,
        ungraded=zeros,
        total=values[model, case, day],
        elsewhere=zeros,
    )
    return History(
        suite=suite,
        version=version,
        subjects=tuple(Subject(f"model-{index}") for index in range(models)),
        use_cases=tuple(
            Series(f"use-case-{index}", gradings[index], (f"case-{index}",)) for index in range(use_cases)
        ),
        first=first,
        days=days,
        runs=tuple(DayRun(index, index) for index in range(days)),
        rows=rows,
    )


def _misfits(history: History) -> list[str]:
    """Return what does not fit, one sentence each."""
    rows = history.rows
    found = []
    columns = {name: getattr(rows, name) for name in Rows.__slots__ if getattr(rows, name) is not None}
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        return [f"the columns of the rows differ in length: {lengths}"]
    limits = {
        "run": len(history.runs),
        "model": len(history.subjects),
        "case": len(history.cases),
    }
    for name, limit in limits.items():
        column = columns[name]
        if column.size and (column.min() < 0 or column.max() >= limit):
            found.append(
                f"{name} goes from {column.min()} to {column.max()}: give positions 0 to {limit - 1}"
            )
    for name in ("ok", "invalid", "error", "ungraded", "elsewhere"):
        if columns[name].size and columns[name].min() < 0:
            found.append(f"{name} counts {columns[name].min()} samples: counts are 0 or more")
    off = (rows.total < -1e-9) | (rows.total > 100.0 * rows.ok + 1e-9) | ~np.isfinite(rows.total)
    if off.any():
        where = int(np.argmax(off))
        found.append(f"row {where}: {rows.ok[where]} ok samples cannot score {rows.total[where]} together")
    astray = [run.id for run in history.runs if not 0 <= run.day < history.days]
    if astray:
        found.append(f"runs {astray} lie outside the {history.days} days of the history")
    empty = [use_case.name for use_case in history.use_cases if not use_case.cases]
    if empty:
        found.append(f"use cases without a case: {empty}")
    return found
