"""Reading a suite's history from the store for the watch to judge."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import numpy as np
from sqlalchemy import Engine

from assay.core.errors import NotFound
from assay.core.suite import Suite
from assay.store.scores import count_samples, watched_models, watched_runs
from assay.store.suites import read_suite
from assay.watch.history import DayRun, History, Rows, Series, Subject


@dataclass(frozen=True, slots=True)
class StoredHistory:
    """A history with the rows of its models, in the order of its subjects; whether any is simulated."""

    history: History
    suite: Suite
    models: tuple[int, ...]
    simulated: bool


def stored_history(engine: Engine, digest: str, *, until: date | None = None) -> StoredHistory:
    """Return all that the watch measured with a suite, up to a day.

    Raises NotFound when nothing was measured.
    """
    suite = read_suite(engine, digest)
    iso = None if until is None else until.isoformat()
    found = watched_runs(engine, digest, until=iso)
    if not found.ids:
        raise NotFound(
            f"nothing was measured with suite {suite.name!r} {suite.version} yet: run `assay watch`, or "
            "import a history with `assay import table`"
        )
    subjects = watched_models(engine, digest, until=iso)
    first = date.fromisoformat(found.days[0])
    last = until or date.fromisoformat(found.days[-1])
    counts = count_samples(engine, found.ids)
    rows = Rows(
        run=_places(found.ids, counts.run),
        model=_places([row for row, _ in subjects], counts.model),
        case=counts.case,
        ok=counts.ok,
        invalid=counts.invalid,
        error=counts.error,
        ungraded=counts.ungraded,
        total=counts.total,
        elsewhere=counts.elsewhere,
    )
    history = History(
        suite=suite.name,
        version=suite.version,
        subjects=tuple(Subject(name, name.partition("/")[0]) for _, name in subjects),
        use_cases=tuple(
            Series(
                use_case.name,
                use_case.grading,
                tuple(case.id for case in use_case.cases),
                use_case.full if use_case.full > use_case.base else 0,
            )
            for use_case in suite.use_cases
        ),
        first=first,
        days=(last - first).days + 1,
        runs=tuple(
            DayRun(run, (date.fromisoformat(day) - first).days)
            for run, day in zip(found.ids, found.days, strict=True)
        ),
        rows=rows,
    )
    return StoredHistory(history, suite, tuple(row for row, _ in subjects), found.simulated)


def _places(known: tuple[int, ...] | list[int], values: np.ndarray) -> np.ndarray:
    """Return the position in `known` of each value."""
    order = np.argsort(known)
    return order[np.searchsorted(np.asarray(known)[order], values)] if len(values) else values
