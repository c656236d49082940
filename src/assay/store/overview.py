"""What the pages of a site ask about the whole database: its state, watched suites, and spending."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Engine, case, func, select

from assay.store.engine import reading
from assay.store.ledger import cost_missing
from assay.store.schema import calls, issued_verdicts, runs, samples, suites
from assay.store.scores import WATCHED


class DatabaseState(NamedTuple):
    """What changes when a run begins, ends or is judged; equal states give equal pages."""

    runs: int
    last_run: int
    running: int
    finished_at: float
    verdicts: int


def database_state(engine: Engine) -> DatabaseState:
    """Return the state of the database's runs and verdicts, for which no sample is read."""
    counted = select(
        func.count(),
        func.coalesce(func.max(runs.c.id), 0),
        func.coalesce(func.sum(case((runs.c.status == "running", 1), else_=0)), 0),
        func.coalesce(func.max(runs.c.finished_at), 0.0),
    ).select_from(runs)
    with reading(engine) as connection:
        numbers = connection.execute(counted).one()
        verdicts = connection.execute(select(func.coalesce(func.max(issued_verdicts.c.id), 0))).scalar_one()
    return DatabaseState(numbers[0], numbers[1], numbers[2], numbers[3], verdicts)


def watched_suites(engine: Engine) -> list[str]:
    """Return the names of suites with runs of the watch, the one that was watched last first."""
    query = (
        select(suites.c.name)
        .join(runs, runs.c.suite == suites.c.digest)
        .where(runs.c.kind.in_(WATCHED), runs.c.day.is_not(None))
        .group_by(suites.c.name)
        .order_by(func.max(runs.c.day).desc(), suites.c.name)
    )
    with reading(engine) as connection:
        return list(connection.execute(query).scalars())


def board_suites(engine: Engine) -> list[str]:
    """Return the names of suites with runs that a board can rank, the one that was run last first."""
    query = (
        select(suites.c.name)
        .join(runs, runs.c.suite == suites.c.digest)
        .where(runs.c.kind.in_(("run", "import")))
        .group_by(suites.c.name)
        .order_by(func.max(runs.c.id).desc())
    )
    with reading(engine) as connection:
        return list(connection.execute(query).scalars())


def last_ended(engine: Engine, run_ids: Sequence[int]) -> float | None:
    """Return when the last of these runs ended (UTC seconds since 1970); None while none has."""
    query = select(func.max(runs.c.finished_at)).where(runs.c.id.in_(run_ids))
    with reading(engine) as connection:
        ended: float | None = connection.execute(query).scalar_one()
    return ended


def run_days(engine: Engine, run_ids: Sequence[int]) -> dict[int, str]:
    """Return the ISO day of each run that has one."""
    query = select(runs.c.id, runs.c.day).where(runs.c.id.in_(run_ids), runs.c.day.is_not(None))
    with reading(engine) as connection:
        return {row.id: row.day for row in connection.execute(query)}


class Spending(NamedTuple):
    """The cost of calls in US dollars, and the number of calls whose cost is unknown."""

    cost: float
    unknown: int


def spending_since(engine: Engine, start: float) -> Spending:
    """Return the spending of the runs that began at `start` (UTC seconds since 1970) or later."""
    parts = spending_apart(engine, start).values()
    return Spending(sum((part.cost for part in parts), 0.0), sum(part.unknown for part in parts))


def spending_apart(engine: Engine, start: float) -> dict[bool, Spending]:
    """Return the spending since `start` as above, apart for simulated runs (True) and real ones."""
    simulated = runs.c.simulated != 0
    query = (
        select(
            simulated,
            func.coalesce(func.sum(calls.c.cost), 0.0),
            func.sum(case((cost_missing(), 1), else_=0)),
        )
        .join(runs, runs.c.id == calls.c.run)
        .where(runs.c.created_at >= start)
        .group_by(simulated)
    )
    with reading(engine) as connection:
        return {
            bool(apart): Spending(float(cost), int(unknown or 0))
            for apart, cost, unknown in connection.execute(query)
        }


class CaseSample(NamedTuple):
    """A sample of a case, without its texts; `score` is 0-100, None without one."""

    run: int
    position: int
    case_ordinal: int
    epoch: int
    status: str
    score: float | None


def samples_of_model(engine: Engine, run_ids: Sequence[int], model: int) -> list[CaseSample]:
    """Return the samples of a model (by its row) in some runs, in the order of runs and positions.

    Scores of sealed suites are left out.
    """
    query = (
        select(
            samples.c.run,
            samples.c.position,
            samples.c.case_ordinal,
            samples.c.epoch,
            samples.c.status,
            samples.c.score,
        )
        .where(samples.c.run.in_(run_ids), samples.c.model == model)
        .order_by(samples.c.run, samples.c.position)
    )
    with reading(engine) as connection:
        return [CaseSample(*row) for row in connection.execute(query)]
