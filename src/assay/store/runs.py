"""Runs and the models that they measured."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from pydantic import TypeAdapter
from sqlalchemy import Connection, Engine, case, func, insert, select, update

from assay.core.errors import Conflict, NotFound
from assay.core.model import Model
from assay.results.runs import RunCounts, RunStatus, Spend, StatusCounts
from assay.store.engine import in_parts, insert_new, reading, writing
from assay.store.ledger import cost_missing
from assay.store.locks import HeldLock, Lease, ensure_held, held_locks, run_lock
from assay.store.schema import calls, models, run_models, runs, samples, suites
from assay.store.sealing import filled

_MODEL = TypeAdapter(Model)
IMPORTING = "import"
"""The lock that an import holds, for any number of runs."""


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A stored run. `models` holds each model with the number of its row, in the order of the plan.

    `judges` does the same for the plan's judges. `status` is `running`, `finished`, `stopped`, or `dead` for
    a run whose process ended without recording it; `holder` is the process that executes a running one.
    """

    id: int
    kind: str
    suite: str
    suite_name: str
    suite_version: str
    day: str | None
    plan: Mapping[str, Any]
    status: RunStatus
    reason: str | None
    simulated: bool
    created_at: float
    finished_at: float | None
    models: tuple[tuple[int, Model], ...]
    judges: tuple[tuple[int, Model], ...] = ()
    holder: HeldLock | None = None


def keep_model(connection: Connection, model: Model) -> int:
    """Return the number of a model's row, which is made if the fingerprint is new.

    Fields that do not affect the fingerprint (prices, family, release date) are updated.
    """
    fingerprint, spec = model.fingerprint, _MODEL.dump_json(model).decode()
    query = select(models.c.id, models.c.spec).where(models.c.fingerprint == fingerprint)
    row = connection.execute(query).first()
    if row is None:
        values = {"fingerprint": fingerprint, "name": model.name, "spec": spec}
        insert_new(connection, models, values)
        row = connection.execute(query).one()
    if row.spec != spec:
        connection.execute(update(models).where(models.c.id == row.id).values(spec=spec))
    return int(row.id)


def new_run(
    engine: Engine,
    *,
    kind: str,
    suite: str,
    subjects: Sequence[Model],
    plan: Mapping[str, Any],
    day: str | None,
    simulated: bool,
    clock: Callable[[], float],
) -> StoredRun:
    """Store a new run with its models and return it."""
    with writing(engine) as connection:
        run = connection.execute(
            insert(runs)
            .values(
                kind=kind,
                suite=suite,
                day=day,
                plan=orjson.dumps(plan).decode(),
                status="running",
                simulated=int(simulated),
                created_at=clock(),
            )
            .returning(runs.c.id)
        ).scalar()
        assert run is not None
        rows = _rows(connection, subjects)
        for ordinal, model in enumerate(subjects):
            values = {"run": run, "ordinal": ordinal, "model": rows[model.fingerprint]}
            connection.execute(insert(run_models).values(values))
    return read_run(engine, run)


def read_run(engine: Engine, run: int, kind: str | None = None) -> StoredRun:
    """Return one run. Raises NotFound for an unknown number, Conflict if it is not of this `kind`."""
    listed = list_runs(engine, only=run)
    if not listed:
        raise NotFound(f"there is no run {run}: see `assay runs`")
    if kind not in (None, listed[0].kind):
        raise Conflict(
            f"run {run} is of kind {listed[0].kind!r}, not {kind!r}: see `assay runs --kind {kind}`"
        )
    return listed[0]


def list_runs(
    engine: Engine,
    *,
    only: int | None = None,
    kind: str | None = None,
    suite: str | None = None,
    day: str | None = None,
    before: int | None = None,
    limit: int | None = None,
) -> list[StoredRun]:
    """Return runs, the newest first: all, or those of a kind, of a suite (by its digest) or of an ISO day.

    With `before`, only runs with a lower number.
    """
    query = (
        select(runs, suites.c.name, suites.c.version)
        .join(suites, suites.c.digest == runs.c.suite)
        .order_by(runs.c.id.desc())
    )
    if only is not None:
        query = query.where(runs.c.id == only)
    if kind is not None:
        query = query.where(runs.c.kind == kind)
    if suite is not None:
        query = query.where(runs.c.suite == suite)
    if day is not None:
        query = query.where(runs.c.day == day)
    if before is not None:
        query = query.where(runs.c.id < before)
    if limit is not None:
        query = query.limit(limit)
    with reading(engine) as connection:
        rows = connection.execute(query).all()
        subjects = _subjects(connection, [row.id for row in rows])
        plans = {row.id: orjson.loads(row.plan) for row in rows}
        judges = _models(connection, {row for plan in plans.values() for row in plan.get("judges", ())})
    running = {row.id: _lock_of(row.id, row.kind) for row in rows if row.status == "running"}
    holders, dead = _executors(engine, running)
    return [
        StoredRun(
            row.id,
            row.kind,
            row.suite,
            row.name,
            row.version,
            row.day,
            plans[row.id],
            RunStatus.DEAD if row.id in dead else RunStatus(row.status),
            row.reason,
            bool(row.simulated),
            row.created_at,
            row.finished_at,
            tuple(subjects.get(row.id, ())),
            tuple((judge, judges[judge]) for judge in plans[row.id].get("judges", ()) if judge in judges),
            holders.get(row.id),
        )
        for row in rows
    ]


def count_by_status(engine: Engine) -> dict[tuple[RunStatus, bool], int]:
    """Return the number of runs by their status and by whether they are simulated."""
    simulated = runs.c.simulated != 0
    ended = select(runs.c.status, simulated, func.count()).where(runs.c.status != "running")
    begun = select(runs.c.id, runs.c.kind, simulated.label("simulated")).where(runs.c.status == "running")
    with reading(engine) as connection:
        rows = connection.execute(ended.group_by(runs.c.status, simulated)).all()
        running = connection.execute(begun).all()
    counts = {(RunStatus(status), bool(simulated)): int(number) for status, simulated, number in rows}
    _, dead = _executors(engine, {row.id: _lock_of(row.id, row.kind) for row in running})
    for row in running:
        key = (RunStatus.DEAD if row.id in dead else RunStatus.RUNNING, bool(row.simulated))
        counts[key] = counts.get(key, 0) + 1
    return counts


def last_finished(engine: Engine) -> dict[bool, float]:
    """Return when the last run ended (UTC seconds since 1970), apart for simulated runs and real ones."""
    simulated = runs.c.simulated != 0
    query = select(simulated, func.max(runs.c.finished_at)).where(runs.c.finished_at.is_not(None))
    with reading(engine) as connection:
        return {bool(simulated): at for simulated, at in connection.execute(query.group_by(simulated))}


def _lock_of(run: int, kind: str) -> str:
    return IMPORTING if kind == "import" else run_lock(run)


def _executors(engine: Engine, running: Mapping[int, str]) -> tuple[dict[int, HeldLock], set[int]]:
    """Return the holders of runs that are recorded as running, and the runs that no process executes.

    A run that ended between two queries is not dead, so runs without a holder are looked up again.
    """
    if not running:
        return {}, set()
    held = {lock.name: lock for lock in held_locks(engine)}
    holders = {run: held[name] for run, name in running.items() if name in held}
    suspects = sorted(running.keys() - holders.keys())
    dead: set[int] = set()
    with reading(engine) as connection:
        for part in in_parts(suspects):
            query = select(runs.c.id).where(runs.c.id.in_(part), runs.c.status == "running")
            dead |= set(connection.execute(query).scalars())
    return holders, dead


def keep_models(engine: Engine, models: Sequence[Model]) -> tuple[tuple[int, Model], ...]:
    """Return models with the numbers of their rows, which are made for new models."""
    if not models:
        return ()
    with writing(engine) as connection:
        rows = _rows(connection, models)
    return tuple((rows[model.fingerprint], model) for model in models)


def _rows(connection: Connection, models: Sequence[Model]) -> dict[str, int]:
    """Return the rows of models by fingerprint; they are made in a fixed order to prevent deadlocks."""
    by_fingerprint = {model.fingerprint: model for model in models}
    return {
        fingerprint: keep_model(connection, model) for fingerprint, model in sorted(by_fingerprint.items())
    }


def model_name(engine: Engine, row: int) -> str:
    """Return the name of the model in a row."""
    with reading(engine) as connection:
        return str(connection.execute(select(models.c.name).where(models.c.id == row)).scalar_one())


def _models(connection: Connection, rows: Collection[int]) -> dict[int, Model]:
    by_row = {}
    for part in in_parts(sorted(rows)):
        query = select(models.c.id, models.c.spec).where(models.c.id.in_(part))
        by_row.update({row.id: _MODEL.validate_json(row.spec) for row in connection.execute(query)})
    return by_row


def _subjects(connection: Connection, ids: Sequence[int]) -> dict[int, list[tuple[int, Model]]]:
    subjects: dict[int, list[tuple[int, Model]]] = {}
    known: dict[int, Model] = {}
    for part in in_parts(ids):
        query = (
            select(run_models.c.run, models.c.id, models.c.spec)
            .join(models, models.c.id == run_models.c.model)
            .where(run_models.c.run.in_(part))
            .order_by(run_models.c.run, run_models.c.ordinal)
        )
        for row in connection.execute(query):
            if row.id not in known:
                known[row.id] = _MODEL.validate_json(row.spec)
            subjects.setdefault(row.run, []).append((row.id, known[row.id]))
    return subjects


def end_run(
    engine: Engine,
    run: int,
    *,
    status: str,
    reason: str | None,
    clock: Callable[[], float],
    lease: Lease | None = None,
) -> None:
    """Record the status of a run: `finished`, `stopped` with the reason, or `running` again when resumed.

    Raises Conflict, and records nothing, if the `lease` on the run was lost.
    """
    finished = None if status == "running" else clock()
    with writing(engine) as connection:
        connection.execute(
            update(runs).where(runs.c.id == run).values(status=status, reason=reason, finished_at=finished)
        )
        ensure_held(connection, lease)


def keep_plan(engine: Engine, run: int, plan: Mapping[str, Any]) -> None:
    """Record a run's plan, which grows by top-ups."""
    with writing(engine) as connection:
        connection.execute(update(runs).where(runs.c.id == run).values(plan=orjson.dumps(plan).decode()))


def count_runs(engine: Engine, ids: Sequence[int]) -> dict[int, RunCounts]:
    """Return the progress and cost of each of these runs."""
    counts = dict.fromkeys(ids, StatusCounts(0, 0, 0, 0))
    spent = dict.fromkeys(ids, Spend())
    ok, graded = samples.c.status == "ok", filled(samples, "score")
    kinds = (ok & graded, samples.c.status == "invalid", samples.c.status == "error", ok & ~graded)
    by_status = (
        select(samples.c.run, *(func.sum(case((kind, 1), else_=0)) for kind in kinds))
        .where(samples.c.run.in_(ids))
        .group_by(samples.c.run)
    )
    by_cost = (
        select(
            calls.c.run,
            func.coalesce(func.sum(calls.c.cost), 0.0).label("cost"),
            func.count(calls.c.cost).label("known"),
            func.sum(case((cost_missing(), 1), else_=0)).label("unknown"),
        )
        .where(calls.c.run.in_(ids))
        .group_by(calls.c.run)
    )
    with reading(engine) as connection:
        for run, *numbers in connection.execute(by_status):
            counts[run] = StatusCounts(*numbers)
        for row in connection.execute(by_cost):
            spent[row.run] = Spend(row.cost, row.known + row.unknown, row.unknown)
    return {run: RunCounts(counts[run], spent[run]) for run in counts}


def imported_runs(engine: Engine, suite: str) -> list[tuple[int, str, str | None]]:
    """Return the number, ISO day and label of each imported run of a suite, which is given by its digest."""
    query = (
        select(runs.c.id, runs.c.day, runs.c.plan)
        .where(runs.c.suite == suite, runs.c.kind == "import")
        .order_by(runs.c.id)
    )
    with reading(engine) as connection:
        return [(row.id, row.day, orjson.loads(row.plan)["run"]) for row in connection.execute(query)]
