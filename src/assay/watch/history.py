"""The measurements of models with one version of a suite, day by day: the input of the watch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import accumulate
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
class UseCaseSeries:
    """A use case in a history. `cases` are ids, in the suite's order.

    `full` is the number of samples of each case that full-power evidence needs; 0 if every day counts as such
    (imported histories have no re-runs).
    """

    name: str
    grading: Grading
    cases: tuple[str, ...]
    full: int = 0


@dataclass(frozen=True, slots=True)
class WatchedModel:
    """A model in a history. `provider` serves it: the pin, or the endpoint's name."""

    name: str
    provider: str | None = None


@dataclass(frozen=True, slots=True)
class JudgeCheck:
    """A judge's calibration on the exemplars of a use case before a run.

    `shift` is the change of its marks on the 1-5 scale, None if it was not measured. `unreadable` is true if
    the judge was calibrated, but too few of its marks could be read to measure a shift.
    """

    shift: float | None = None
    unreadable: bool = False


@dataclass(frozen=True, slots=True)
class DayRun:
    """A run, its day (a position, see `History.first`) and its judge.

    `judge` is the name of the model that marked it, or None. `checks` holds a check of that judge for each
    use case; it is empty if the judge was not calibrated, which freezes nothing.
    """

    id: int
    day: int
    judge: str | None = None
    checks: tuple[JudgeCheck, ...] = ()

    def check(self, use_case: int) -> JudgeCheck:
        """Return the judge's check in a use case, by its position."""
        return self.checks[use_case] if self.checks else JudgeCheck()


@dataclass(frozen=True, slots=True)
class SampleRows:
    """Samples counted by (run, model, case): parallel arrays of one length, in any order.

    `run`, `model` and `case` are positions: in `History.runs`, in `History.subjects`, and in the cases of all
    `History.use_cases` one after the other. A (run, model, case) may be split over several rows. The counts
    are by status: `ok` (a visible, graded answer), `invalid` (success without a visible answer, which scores
    0), `error` (no answer), `ungraded` (an answer that could not be graded). `total` is the sum of the `ok`
    samples' scores, each 0-100. `elsewhere` counts the answers from another provider than the pin, which are
    in no other count. `conditions` are positions in `History.conditions`, -1 if they were not recorded for a
    row; None if they were recorded for no row.
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
    """All measurements with one version of one suite. Scores of two versions are never compared.

    `days` is the number of calendar days (UTC) from `first`; days without rows are gaps. A history must begin
    on the version's first day, as the golden baseline, recovery and held states depend on all of it.
    """

    suite: str
    version: str
    subjects: tuple[WatchedModel, ...]
    use_cases: tuple[UseCaseSeries, ...]
    first: date
    days: int
    runs: tuple[DayRun, ...]
    rows: SampleRows
    conditions: tuple[Conditions, ...] = ()

    @property
    def cases(self) -> tuple[str, ...]:
        """All case ids, in the order of the positions in `SampleRows.case`."""
        return tuple(case for use_case in self.use_cases for case in use_case.cases)

    @property
    def starts(self) -> tuple[int, ...]:
        """The position of each use case's first case, and one past the last case."""
        return tuple(accumulate((len(use_case.cases) for use_case in self.use_cases), initial=0))

    @property
    def judged(self) -> BoolArray:
        """A mask of the use cases that a judge marks, shape (use cases,)."""
        return np.array([use_case.grading.judged for use_case in self.use_cases], dtype=bool)

    @property
    def full(self) -> IntArray:
        """The number of samples of full-power evidence of each use case, shape (use cases,)."""
        return np.array([use_case.full * len(use_case.cases) for use_case in self.use_cases], dtype=np.int64)

    @property
    def judge(self) -> str | None:
        """The judge of the last run with one, or None."""
        return next((run.judge for run in reversed(self.runs) if run.judge is not None), None)

    def date_of(self, day: int) -> date:
        """Return the calendar date of a day's position."""
        return self.first + timedelta(days=day)

    def day_of(self, when: date) -> int:
        """Return the position of a calendar date. Raises InvalidInput if it is outside the history."""
        day = (when - self.first).days
        if not 0 <= day < self.days:
            last = self.date_of(self.days - 1)
            raise InvalidInput(f"date {when} is outside the history: give one from {self.first} to {last}")
        return day

    def check(self) -> None:
        """Raise InvalidInput if the rows do not fit the rest, with every problem."""
        problems = [Problem(text) for text in _problems(self)]
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
    """Return a history of daily scores, in which each use case is one case with one sample a day.

    `scores` are 0-100, shape (models, use cases, days), NaN for a day without a sample.
    """
    values = np.asarray(scores, dtype=np.float64)
    models, use_cases, days = values.shape
    model, case, day = (part.astype(np.int32) for part in np.nonzero(~np.isnan(values)))
    ones, zeros = np.ones(len(day), dtype=np.int32), np.zeros(len(day), dtype=np.int32)
    rows = SampleRows(
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
        subjects=tuple(WatchedModel(f"model-{index}") for index in range(models)),
        use_cases=tuple(
            UseCaseSeries(f"use-case-{index}", gradings[index], (f"case-{index}",))
            for index in range(use_cases)
        ),
        first=first,
        days=days,
        runs=tuple(DayRun(index, index) for index in range(days)),
        rows=rows,
    )


def _problems(history: History) -> list[str]:
    rows = history.rows
    problems = []
    columns = {name: getattr(rows, name) for name in SampleRows.__slots__ if getattr(rows, name) is not None}
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
            problems.append(
                f"{name} goes from {column.min()} to {column.max()}: give positions from 0 to {limit - 1}"
            )
    for name in ("ok", "invalid", "error", "ungraded", "elsewhere"):
        if columns[name].size and columns[name].min() < 0:
            problems.append(f"{name} has the count {columns[name].min()}: give counts from 0")
    off = (rows.total < -1e-9) | (rows.total > 100.0 * rows.ok + 1e-9) | ~np.isfinite(rows.total)
    if off.any():
        where = int(np.argmax(off))
        total = f"{rows.total[where]} for {rows.ok[where]} ok samples"
        problems.append(f"row {where} has the total {total}: give 0 to 100 for each sample")
    outside = [run.id for run in history.runs if not 0 <= run.day < history.days]
    if outside:
        problems.append(f"runs {outside} are outside the {history.days} days of the history: extend it")
    empty = [use_case.name for use_case in history.use_cases if not use_case.cases]
    if empty:
        problems.append(f"use cases without cases: {empty}: give each at least one")
    return problems
