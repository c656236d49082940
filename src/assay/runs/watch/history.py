"""Reading a suite's history from the store, for the watch."""

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
from assay.watch.history import (
    BoolArray,
    DayRun,
    History,
    IntArray,
    JudgeCheck,
    SampleRows,
    UseCaseSeries,
    WatchedModel,
)

IMPORTED = "imported"


@dataclass(frozen=True, slots=True)
class StoredHistory:
    """A history with its models' rows, in the order of its subjects, and whether any model is simulated.

    `base` counts base samples only, in the same form. `judge` is the last judge, None without one. `partial`
    are the (run, model row) pairs that a stopped run left without all their base samples.
    """

    history: History
    base: SampleRows
    suite: Suite
    models: tuple[int, ...]
    simulated: bool
    judge: str | None = None
    partial: frozenset[tuple[int, int]] = frozenset()


def stored_history(engine: Engine, digest: str, *, until: date | None = None) -> StoredHistory:
    """Return the whole history of the watch with a suite, up to a day.

    The top-up of a run counts as a run of its own, so that the gap rule leaves out only the top-up if it
    failed. Raises NotFound if nothing was measured.
    """
    suite = read_suite(engine, digest)
    iso = None if until is None else until.isoformat()
    runs = watched_runs(engine, digest, until=iso)
    if not runs.ids:
        raise NotFound(
            f"nothing was measured with suite {suite.name!r} {suite.version} yet: run `assay watch`, or "
            "import a history with `assay import table`"
        )
    subjects = watched_models(engine, runs)
    first = date.fromisoformat(runs.days[0])
    last = until or date.fromisoformat(runs.days[-1])
    base_epochs = {ordinal: suite.use_case(case.use_case).base for ordinal, case in enumerate(suite.cases)}
    counts = count_samples(engine, runs.ids, base=base_epochs, pinned_only=True, partial=runs.partial)
    numbers, place = np.unique(counts.conditions, return_inverse=True)
    known = read_conditions(engine, numbers.tolist())
    index_of = {number: index for index, number in enumerate(sorted(known))}
    conditions = np.array([index_of.get(number, -1) for number in numbers.tolist()], dtype=np.int64)
    positions = _Positions(
        run=_positions(runs.ids, counts.run) + len(runs.ids) * counts.topped,
        model=_positions([row for row, _ in subjects], counts.model),
        conditions=conditions[place],
    )
    rows = _rows(counts, positions, slice(None))
    base = _rows(counts, positions, counts.topped == 0) if counts.topped.any() else rows
    days = [(date.fromisoformat(day) - first).days for day in runs.days]
    names = _judge_names(engine, runs.judges)
    judges = [None if row is None else names[row] for row in runs.judges]
    checks = [_checks(suite, shifts) for shifts in runs.shifts]
    history = History(
        suite=suite.name,
        version=suite.version,
        subjects=tuple(WatchedModel(name, _provider(name)) for _, name in subjects),
        use_cases=tuple(
            UseCaseSeries(
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
            for run, day, judge, checked in zip(runs.ids * 2, days * 2, judges * 2, checks * 2, strict=True)
        ),
        rows=rows,
        conditions=tuple(known[number] for number in sorted(known)),
    )
    return StoredHistory(
        history,
        base,
        suite,
        tuple(row for row, _ in subjects),
        runs.simulated,
        history.judge,
        runs.partial,
    )


def _judge_names(engine: Engine, judges: Sequence[int | None]) -> dict[int, str]:
    """Return a name for each judge's row; judges of one name get the row's number."""
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
    """Return the provider of a model; None for an imported model without one."""
    provider = name.partition("/")[0]
    return None if provider == IMPORTED else provider


@dataclass(frozen=True, slots=True)
class _Positions:
    """The positions of each counted row's run, model and conditions (-1 for none) in the history."""

    run: IntArray
    model: IntArray
    conditions: IntArray


def _rows(counts: SampleCounts, positions: _Positions, chosen: BoolArray | slice) -> SampleRows:
    return SampleRows(
        run=positions.run[chosen],
        model=positions.model[chosen],
        case=counts.case[chosen],
        ok=counts.ok[chosen],
        invalid=counts.invalid[chosen],
        error=counts.error[chosen],
        ungraded=counts.ungraded[chosen],
        total=counts.total[chosen],
        elsewhere=counts.elsewhere[chosen],
        conditions=positions.conditions[chosen],
    )


def _positions(known: Sequence[int], values: IntArray) -> IntArray:
    """Return the position in `known` of each value."""
    order = np.argsort(known)
    positions: IntArray = order[np.searchsorted(np.asarray(known)[order], values)]
    return positions
