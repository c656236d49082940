"""Reading a suite's history from the store for the watch to judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
from sqlalchemy import Engine

from assay.core.errors import NotFound
from assay.core.suite import Suite
from assay.store.runs import model_name
from assay.store.scores import SampleCounts, count_samples, read_conditions, watched_models, watched_runs
from assay.store.suites import read_suite
from assay.watch.history import BoolArray, DayRun, History, IntArray, JudgeCheck, Rows, Series, Subject

IMPORTED = "imported"


@dataclass(frozen=True, slots=True)
class StoredHistory:
    """A history with the rows of its models, in the order of its subjects; whether any is simulated.

    `base` counts base samples alone, in the same form. `judge` is who marked last, None without a judge.
    `partial` are the (run, model row) pairs that a stopped run left without all their base samples.
    """

    history: History
    base: Rows
    suite: Suite
    models: tuple[int, ...]
    simulated: bool
    judge: str | None = None
    partial: frozenset[tuple[int, int]] = frozenset()


def stored_history(engine: Engine, digest: str, *, until: date | None = None) -> StoredHistory:
    """Return all that the watch measured with a suite, up to a day.

    What a run was topped up with counts as a run of its own: where a re-run failed, the gap rule leaves
    it out alone. Raises NotFound when nothing was measured.
    """
    suite = read_suite(engine, digest)
    iso = None if until is None else until.isoformat()
    found = watched_runs(engine, digest, until=iso)
    if not found.ids:
        raise NotFound(
            f"nothing was measured with suite {suite.name!r} {suite.version} yet: run `assay watch`, or "
            "import a history with `assay import table`"
        )
    subjects = watched_models(engine, found)
    first = date.fromisoformat(found.days[0])
    last = until or date.fromisoformat(found.days[-1])
    counts = count_samples(
        engine, found.ids, base=_base_epochs(suite), pinned_only=True, partial=found.partial
    )
    numbers = np.unique(counts.conditions[counts.conditions >= 0])
    known = read_conditions(engine, numbers.tolist())
    under = {number: place for place, number in enumerate(sorted(known))}
    conditions = np.array([under.get(number, -1) for number in counts.conditions.tolist()], dtype=np.int64)
    places = Places(
        run=_places(found.ids, counts.run) + len(found.ids) * counts.topped,
        model=_places([row for row, _ in subjects], counts.model),
        conditions=conditions,
    )
    base = counts.topped == 0
    days = [(date.fromisoformat(day) - first).days for day in found.days]
    names = _judge_names(engine, found.judges)
    judges = [None if row is None else names[row] for row in found.judges]
    checks = [_checks(suite, measured) for measured in found.shifts]
    history = History(
        suite=suite.name,
        version=suite.version,
        subjects=tuple(Subject(name, _provider(name)) for _, name in subjects),
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
            DayRun(run, day, judge, checked)
            for run, day, judge, checked in zip(found.ids * 2, days * 2, judges * 2, checks * 2, strict=True)
        ),
        rows=_rows(counts, places, np.ones_like(base)),
        conditions=tuple(known[number] for number in sorted(known)),
    )
    return StoredHistory(
        history,
        _rows(counts, places, base),
        suite,
        tuple(row for row, _ in subjects),
        found.simulated,
        history.judge,
        found.partial,
    )


def _judge_names(engine: Engine, judges: Sequence[int | None]) -> dict[int, str]:
    """Return a name for each judge's row; settings of one model are told apart by the row's number."""
    names = {row: model_name(engine, row) for row in set(judges) if row is not None}
    several = Counter(names.values())
    return {row: name if several[name] == 1 else f"{name} (settings {row})" for row, name in names.items()}


def _checks(suite: Suite, measured: Mapping[str, float | None] | None) -> tuple[JudgeCheck, ...]:
    """Return the checks of a run's judge, by use case, from the shifts that its calibrations measured."""
    if measured is None:
        return ()
    return tuple(
        JudgeCheck(measured[use_case.name], measured[use_case.name] is None)
        if use_case.name in measured
        else JudgeCheck()
        for use_case in suite.use_cases
    )


def _provider(name: str) -> str | None:
    """Return who serves a model; nobody knows that of an imported one that was named without a provider."""
    provider = name.partition("/")[0]
    return None if provider == IMPORTED else provider


def _base_epochs(suite: Suite) -> dict[int, int]:
    """Return how many epochs of each case, by ordinal, are base samples."""
    return {ordinal: suite.use_case(case.use_case).base for ordinal, case in enumerate(suite.cases)}


@dataclass(frozen=True, slots=True)
class Places:
    """For each counted row: the positions of its run, model and conditions (-1: none) in the history."""

    run: IntArray
    model: IntArray
    conditions: IntArray


def _rows(counts: SampleCounts, places: Places, chosen: BoolArray) -> Rows:
    return Rows(
        run=places.run[chosen],
        model=places.model[chosen],
        case=counts.case[chosen],
        ok=counts.ok[chosen],
        invalid=counts.invalid[chosen],
        error=counts.error[chosen],
        ungraded=counts.ungraded[chosen],
        total=counts.total[chosen],
        elsewhere=counts.elsewhere[chosen],
        conditions=places.conditions[chosen],
    )


def _places(known: Sequence[int], values: IntArray) -> IntArray:
    """Return the position in `known` of each value."""
    order = np.argsort(known)
    found: IntArray = order[np.searchsorted(np.asarray(known)[order], values)]
    return found
