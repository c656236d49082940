"""What a board is made from: the samples of some runs with their last calls, and what was flagged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import orjson
from sqlalchemy import Engine, func, select

from assay.store.engine import reading
from assay.store.schema import calls, grades, run_models, runs, samples

CHUNK = 500


class BoardSample(NamedTuple):
    """One sample with its subject's last call: output tokens, seconds and US dollars, None where unknown."""

    run: int
    position: int
    model: int
    case_ordinal: int
    epoch: int
    status: str
    scored: int
    error: str | None
    tokens: int | None
    latency: float | None
    cost: float | None


def latest_runs(
    engine: Engine, suite: str, kinds: Sequence[str], *, among: Sequence[int] | None = None
) -> dict[int, int]:
    """Return for each model row the newest run of a suite that has a sample of it: {model: run}.

    A finished run goes before one that stopped. `among` keeps these runs.
    """
    query = (
        select(runs.c.id, runs.c.status, run_models.c.model)
        .join(run_models, run_models.c.run == runs.c.id)
        .where(runs.c.suite == suite, runs.c.kind.in_(kinds))
        .order_by(runs.c.id)
    )
    if among is not None:
        query = query.where(runs.c.id.in_(among))
    chosen: dict[int, tuple[bool, int]] = {}
    with reading(engine) as connection:
        for row in connection.execute(query).all():
            there = select(samples.c.position).where(samples.c.run == row.id, samples.c.model == row.model)
            if connection.execute(there.limit(1)).first() is None:
                continue
            found = (row.status == "finished", row.id)
            chosen[row.model] = max(chosen.get(row.model, found), found)
    return {model: run for model, (_, run) in chosen.items()}


def board_samples(engine: Engine, run_ids: Sequence[int]) -> Iterator[BoardSample]:
    """Yield the samples of these runs."""
    for start in range(0, len(run_ids), CHUNK):
        chosen = run_ids[start : start + CHUNK]
        last = (
            select(func.max(calls.c.id).label("id"))
            .where(calls.c.run.in_(chosen), calls.c.purpose == "subject")
            .group_by(calls.c.run, calls.c.position)
            .subquery()
        )
        columns = (calls.c.run, calls.c.position, calls.c.error, calls.c.completion_tokens)
        mine = select(*columns, calls.c.latency, calls.c.cost).join(last, last.c.id == calls.c.id).subquery()
        query = (
            select(
                samples.c.run,
                samples.c.position,
                samples.c.model,
                samples.c.case_ordinal,
                samples.c.epoch,
                samples.c.status,
                samples.c.score.is_not(None),
                mine.c.error,
                mine.c.completion_tokens,
                mine.c.latency,
                mine.c.cost,
            )
            .outerjoin(mine, (mine.c.run == samples.c.run) & (mine.c.position == samples.c.position))
            .where(samples.c.run.in_(chosen))
        )
        with reading(engine) as connection:
            for row in connection.execute(query).all():
                yield BoardSample(*row)


def flag_counts(engine: Engine, run_ids: Sequence[int]) -> dict[tuple[int, int], int]:
    """Return how many flags the auto-checks raised, by run and position; samples without one are left out."""
    found: dict[tuple[int, int], int] = {}
    for start in range(0, len(run_ids), CHUNK):
        query = select(grades.c.run, grades.c.position, grades.c.evidence).where(
            grades.c.run.in_(run_ids[start : start + CHUNK]), grades.c.evidence.like('%"flags":[{%')
        )
        with reading(engine) as connection:
            for row in connection.execute(query).all():
                flags = orjson.loads(row.evidence).get("flags", ())
                key = (row.run, row.position)
                found[key] = found.get(key, 0) + len(flags)
    return found


def choices_read(engine: Engine, run_ids: Sequence[int]) -> dict[tuple[int, int], tuple[float, bool]]:
    """Return the mark of each graded choice, and whether a letter could be read, by run and position."""
    found: dict[tuple[int, int], tuple[float, bool]] = {}
    for start in range(0, len(run_ids), CHUNK):
        query = select(grades.c.run, grades.c.position, grades.c.value, grades.c.evidence).where(
            grades.c.run.in_(run_ids[start : start + CHUNK]), grades.c.value.is_not(None)
        )
        with reading(engine) as connection:
            for row in connection.execute(query).all():
                read = orjson.loads(row.evidence).get("letter") is not None
                found[row.run, row.position] = (row.value, read)
    return found
