"""Counts and scores of samples by run, model and case."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson
from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Integer,
    and_,
    case,
    false,
    func,
    literal_column,
    or_,
    select,
    true,
)

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
    s = samples.c
    included: ColumnElement[bool] = s.routing_changed == 0 if pinned_only else true()

    def counted(condition: ColumnElement[bool]) -> ColumnElement[int]:
        return func.sum(case((and_(included, condition), 1), else_=0)).cast(Integer)

    topped = case((_within(base), 0), else_=1)
    points = case((and_(included, s.status == "ok"), s.score), else_=literal_column("0.0"))
    columns: list[ColumnElement[Any]] = [
        s.run,
        s.model,
        s.case_ordinal,
        counted((s.status == "ok") & filled(samples, "score")),
        counted(s.status == "invalid"),
        counted(s.status == "error"),
        counted((s.status == "ok") & ~filled(samples, "score")),
        func.sum(s.routing_changed).cast(Integer),
        topped,
        func.coalesce(func.sum(points), 0.0),
        func.coalesce(s.conditions, -1),
    ]
    rows: list[tuple[Any, ...]] = []
    sealed: dict[tuple[int, ...], float] = {}
    with reading(engine) as connection:
        for part in in_parts(run_ids):
            query = (
                select(*columns)
                .where(s.run.in_(part))
                .group_by(s.run, s.model, s.case_ordinal, topped, s.conditions)
            )
            rows.extend(tuple(row) for row in connection.execute(query))
            sealed.update(_sealed_points(engine, part, topped, included))
    if partial:
        rows = [row for row in rows if (row[0], row[1]) not in partial]
    # Numbers of conditions do not fit a float.
    under = np.array([row[-1] for row in rows], dtype=np.int64)
    table = np.array([row[:-1] for row in rows], dtype=np.float64).reshape(len(rows), len(columns) - 1)
    run, model, ordinal, ok, invalid, error, ungraded, elsewhere, beyond = (
        np.ascontiguousarray(table[:, column].astype(np.int64)) for column in range(9)
    )
    total = table[:, 9]
    if sealed:
        keys = zip(run, model, ordinal, beyond, under, strict=True)
        total = total + np.array([sealed.get(tuple(map(int, key)), 0.0) for key in keys])
    return SampleCounts(run, model, ordinal, ok, invalid, error, ungraded, elsewhere, beyond, under, total)


def _sealed_points(
    engine: Engine, run_ids: Sequence[int], topped: ColumnElement[int], included: ColumnElement[bool]
) -> dict[tuple[int, ...], float]:
    """Return the summed scores of sealed samples by (run, model row, case ordinal, topped, conditions)."""
    query = select(samples, topped.label("topped")).where(
        samples.c.run.in_(run_ids), samples.c.sealed.is_not(None), samples.c.status == "ok", included
    )
    points: dict[tuple[int, ...], float] = {}
    with reading(engine) as connection:
        for *values, beyond in connection.execute(query):
            row = open_row(SampleRow(*values), engine)
            under = -1 if row.conditions is None else row.conditions
            key = (row.run, row.model, row.case_ordinal, beyond, under)
            points[key] = points.get(key, 0.0) + (row.score or 0.0)
    return points


def read_conditions(engine: Engine, numbers: Sequence[int]) -> dict[int, Conditions]:
    """Return conditions by their numbers; those that are not stored are left out."""
    stored: dict[int, Conditions] = {}
    with reading(engine) as connection:
        for part in in_parts(numbers):
            query = select(conditions.c.id, conditions.c.body).where(conditions.c.id.in_(part))
            stored.update((row.id, Conditions(**orjson.loads(row.body))) for row in connection.execute(query))
    return stored


def _within(base: Mapping[int, int]) -> ColumnElement[bool]:
    """Return the condition that a sample is among the base epochs of its case."""
    by_count: dict[int, list[int]] = {}
    for ordinal, count in base.items():
        by_count.setdefault(count, []).append(ordinal)
    return or_(
        false(),
        *(
            and_(samples.c.case_ordinal.in_(ordinals), samples.c.epoch < count)
            for count, ordinals in by_count.items()
        ),
    )
