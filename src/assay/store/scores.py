"""Counts and scores of samples by run, model and case."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson
from sqlalchemy import Connection, Engine, case, func, literal_column, select
from sqlalchemy.engine.interfaces import DBAPICursor

from assay.core.conditions import Conditions
from assay.results.runs import StatusCounts
from assay.store.engine import in_parts, reading
from assay.store.rows import SampleRow
from assay.store.schema import cases, conditions, models, run_models, runs, samples
from assay.store.sealing import filled, open_row

Ints = npt.NDArray[np.int64]
WATCHED = ("watch", "import")


@dataclass(frozen=True, slots=True)
class DayRuns:
    """The runs of a suite that the watch reads: their numbers, ISO days, and whether they were simulated.

    `judges` is the model row of each run's single judge; None without one. `shifts` is the judge's shift
    before the run by use case, None for a use case with too few readable marks; None if the judge was not
    calibrated. `partial` are the (run, model row) pairs without all base samples, which are not judged.
    """

    ids: tuple[int, ...]
    days: tuple[str, ...]
    simulated: bool
    judges: tuple[int | None, ...] = ()
    shifts: tuple[Mapping[str, float | None] | None, ...] = ()
    partial: frozenset[tuple[int, int]] = frozenset()


@dataclass(frozen=True, slots=True)
class SampleCounts:
    """Samples counted by (run, model row, case ordinal), as parallel arrays; `total` sums scores, 0-100.

    `topped` is 1 for samples beyond the base epochs of their case, which are counted separately, and 0 for
    the others. Samples under different `conditions` are counted separately, too; the value is the number of
    the conditions, -1 if they were not recorded.
    """

    run: Ints
    model: Ints
    case: Ints
    ok: Ints
    invalid: Ints
    error: Ints
    ungraded: Ints
    elsewhere: Ints
    topped: Ints
    conditions: Ints
    total: npt.NDArray[np.float64]

    def statuses(self, chosen: npt.NDArray[np.bool_]) -> StatusCounts:
        """Return the number of samples of each status in the chosen entries."""
        columns = (self.ok, self.invalid, self.error, self.ungraded)
        return StatusCounts(*(int(column[chosen].sum()) for column in columns))

    def sums(
        self, chosen: npt.NDArray[np.bool_], cases: int
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Return the number of scored samples and the sum of scores of each case in the chosen entries."""
        scored, total = np.zeros(cases), np.zeros(cases)
        np.add.at(scored, self.case[chosen], (self.ok + self.invalid)[chosen])
        np.add.at(total, self.case[chosen], self.total[chosen])
        return scored, total


def watched_runs(engine: Engine, suite: str, *, until: str | None = None) -> DayRuns:
    """Return the watch's and imported runs of a suite, by its digest, up to an ISO day, oldest first.

    If a run stopped before all base samples of a model were finished, the model was measured on some cases
    only: it is left out of that run until the run is resumed. A run without a complete model is left out,
    too. A run that stopped during its top-ups is complete.
    """
    query = (
        select(runs.c.id, runs.c.day, runs.c.simulated, runs.c.status, runs.c.plan)
        .where(runs.c.suite == suite, runs.c.kind.in_(WATCHED), runs.c.day.is_not(None))
        .order_by(runs.c.day, runs.c.id)
    )
    if until is not None:
        query = query.where(runs.c.day <= until)
    with reading(engine) as connection:
        rows = [(row, orjson.loads(row.plan)) for row in connection.execute(query)]
        stopped = {row.id: plan for row, plan in rows if row.status != "finished" and not plan.get("topped")}
        complete, partial = _split_complete(connection, suite, stopped)
        rows = [(row, plan) for row, plan in rows if row.id not in stopped or row.id in complete]
        calibrated = (
            _calibrations(connection, suite) if any(plan.get("calibrations") for _, plan in rows) else {}
        )
    return DayRuns(
        tuple(row.id for row, _ in rows),
        tuple(row.day for row, _ in rows),
        any(row.simulated for row, _ in rows),
        tuple((plan.get("judges") or [None])[0] for _, plan in rows),
        tuple(_largest_shifts(calibrated, plan.get("calibrations") or ()) for _, plan in rows),
        partial,
    )


def _split_complete(
    connection: Connection, suite: str, plans: Mapping[int, Mapping[str, Any]]
) -> tuple[set[int], frozenset[tuple[int, int]]]:
    """Return the stopped runs with a model that has all its base samples, and the pairs that lack some."""
    if not plans:
        return set(), frozenset()
    query = select(cases.c.ordinal, cases.c.use_case).where(cases.c.suite == suite)
    use_cases = {row.ordinal: row.use_case for row in connection.execute(query)}
    asked = connection.execute(
        select(run_models.c.run, run_models.c.model).where(run_models.c.run.in_(list(plans)))
    ).all()
    counted = connection.execute(
        select(samples.c.run, samples.c.model, func.count().label("n"))
        .where(samples.c.run.in_(list(plans)))
        .group_by(samples.c.run, samples.c.model)
    )
    finished = {(row.run, row.model): row.n for row in counted}
    planned = {
        run: sum(plan["epochs"][use_cases[ordinal]] for ordinal in plan["chosen"])
        for run, plan in plans.items()
    }
    partial = {(run, model) for run, model in asked if finished.get((run, model), 0) < planned[run]}
    return {run for run, model in asked if (run, model) not in partial}, frozenset(partial)


Shifts = Mapping[str, float | None]
"""A calibration's shift of each use case; None if too few marks could be read."""


def _largest_shifts(calibrated: Mapping[int, Shifts], runs: Sequence[int]) -> Shifts | None:
    """Return the largest shift of each use case over some calibrations; None without one."""
    calibrations = [calibrated[run] for run in runs if run in calibrated]
    if not calibrations:
        return None
    shifts: dict[str, float | None] = {}
    for name in {name for calibration in calibrations for name in calibration}:
        measured = [calibration.get(name) for calibration in calibrations]
        known = [shift for shift in measured if shift is not None]
        shifts[name] = max(known) if len(known) == len(measured) else None
    return shifts


def _calibrations(connection: Connection, suite: str) -> dict[int, Shifts]:
    """Return the shifts that each calibration of a suite's judges found, by run and use case."""
    query = select(runs.c.id, runs.c.plan).where(runs.c.suite == suite, runs.c.kind == "calibrate")
    return {row.id: orjson.loads(row.plan).get("shifts") or {} for row in connection.execute(query)}


def watched_models(engine: Engine, watched: DayRuns) -> list[tuple[int, str]]:
    """Return the rows and names of the models that these runs measured, by name."""
    names: dict[int, str] = {}
    query = select(run_models.c.run, models.c.name, models.c.id).join(
        run_models, run_models.c.model == models.c.id
    )
    with reading(engine) as connection:
        for part in in_parts(watched.ids):
            names.update(
                (row.id, row.name)
                for row in connection.execute(query.where(run_models.c.run.in_(part)))
                if (row.run, row.id) not in watched.partial
            )
    return sorted(names.items(), key=lambda model: (model[1], model[0]))


def count_samples(
    engine: Engine,
    run_ids: Sequence[int],
    *,
    base: Mapping[int, int],
    pinned_only: bool = False,
    partial: Collection[tuple[int, int]] = (),
) -> SampleCounts:
    """Return the counts of these runs' samples. `base` has each case's base epochs by its ordinal.

    `partial` are (run, model row) pairs to leave out. With `pinned_only`, answers from another provider than
    the pin are counted in `elsewhere` only.
    """
    table = _sample_table(engine, run_ids)
    for own_run, own_model in partial:
        table = table[(table["run"] != own_run) | (table["model"] != own_model)]
    epochs = np.array([base.get(ordinal, 0) for ordinal in range(int(table["case"].max(initial=-1)) + 1)])
    topped = table["epoch"] >= epochs[table["case"]]
    unordered = (table["run"], table["model"], table["case"], topped, table["conditions"])
    order = np.lexsort(unordered[::-1])
    table, keys = table[order], [key[order] for key in unordered]
    first = np.ones(len(table), dtype=np.bool_)
    first[1:] = np.logical_or.reduce([key[1:] != key[:-1] for key in keys])
    group = np.cumsum(first) - 1
    included = (table["elsewhere"] == 0) | (not pinned_only)

    def summed(values: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        return np.bincount(group, weights=values).astype(np.float64)

    run, model, case, beyond, under = (key[first].astype(np.int64) for key in keys)
    ok, invalid, error, ungraded = (
        summed(included & (table["status"] == status)).astype(np.int64)
        for status in (_OK, _INVALID, _ERROR, _UNGRADED)
    )
    elsewhere = summed(table["elsewhere"]).astype(np.int64)
    total = summed(np.where(included & (table["status"] == _OK), table["score"], 0.0))
    return SampleCounts(run, model, case, ok, invalid, error, ungraded, elsewhere, beyond, under, total)


_OK, _INVALID, _ERROR, _UNGRADED = range(4)
_COLUMNS = np.dtype(
    [
        ("run", np.int64),
        ("position", np.int64),
        ("model", np.int32),
        ("case", np.int32),
        ("epoch", np.int32),
        ("status", np.int8),
        ("score", np.float64),
        ("elsewhere", np.int8),
        ("conditions", np.int64),
        ("sealed", np.int8),
    ]
)
_ROWS = 20_000
"""The number of rows that are fetched at a time: a row in Python takes five times the memory of its array."""


def _sample_table(engine: Engine, run_ids: Sequence[int]) -> npt.NDArray[Any]:
    """Return the samples of these runs as rows of `_COLUMNS`; unknown scores are 0, conditions -1."""
    s = samples.c
    status = case(
        (s.status == "invalid", _INVALID),
        (s.status == "error", _ERROR),
        (filled(samples, "score"), _OK),
        else_=_UNGRADED,
    )
    query = select(
        s.run,
        s.position,
        s.model,
        s.case_ordinal,
        s.epoch,
        status,
        func.coalesce(s.score, literal_column("0.0")),
        s.routing_changed,
        func.coalesce(s.conditions, -1),
        case((s.sealed.is_not(None), 1), else_=0),
    ).order_by(s.run, s.position)
    parts = [np.empty(0, dtype=_COLUMNS)]
    with reading(engine) as connection:
        for part in in_parts(run_ids):
            # The driver's own rows: SQLAlchemy's would double the time.
            cursor = connection.execute(query.where(s.run.in_(part))).cursor
            assert cursor is not None
            parts.append(np.fromiter(_fetched(cursor), dtype=_COLUMNS))
    table = np.concatenate(parts)
    sealed = np.flatnonzero((table["sealed"] == 1) & (table["status"] == _OK))
    if sealed.size:
        scores = _sealed_scores(engine, np.unique(table["run"][sealed]).tolist())
        places = zip(table["run"][sealed].tolist(), table["position"][sealed].tolist(), strict=True)
        table["score"][sealed] = [scores[place] or 0.0 for place in places]
    return table


def _fetched(cursor: DBAPICursor) -> Iterator[tuple[Any, ...]]:
    while rows := cursor.fetchmany(_ROWS):
        yield from rows


def _sealed_scores(engine: Engine, run_ids: Sequence[int]) -> dict[tuple[int, int], float | None]:
    """Return the scores of the sealed samples of these runs, by run and position."""
    query = select(samples).where(samples.c.sealed.is_not(None))
    with reading(engine) as connection:
        rows = [
            open_row(SampleRow(*row), engine)
            for part in in_parts(run_ids)
            for row in connection.execute(query.where(samples.c.run.in_(part)))
        ]
    return {(row.run, row.position): row.score for row in rows}


def read_conditions(engine: Engine, numbers: Sequence[int]) -> dict[int, Conditions]:
    """Return conditions by their numbers; those that are not stored are left out."""
    stored: dict[int, Conditions] = {}
    with reading(engine) as connection:
        for part in in_parts(numbers):
            query = select(conditions.c.id, conditions.c.body).where(conditions.c.id.in_(part))
            stored.update((row.id, Conditions(**orjson.loads(row.body))) for row in connection.execute(query))
    return stored
