"""What a board is made from: the samples of some runs with their last calls, and what was flagged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import orjson
from sqlalchemy import Engine, case, func, or_, select

from assay.store.engine import reading
from assay.store.ledger import last_attempts
from assay.store.rows import GradeRow
from assay.store.schema import grades, marks, models, runs, samples
from assay.store.sealing import filled, opened

CHUNK = 500


class BoardSample(NamedTuple):
    """One sample with its subject's last attempt: output tokens and seconds, None where unknown.

    `cost` is what all attempts at the subject cost, US dollars, None where unknown.
    """

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


class CaseSamples(NamedTuple):
    """How many samples of one case and model a run has, how many with a visible answer, how many errored."""

    run: int
    model: int
    case_ordinal: int
    samples: int
    answers: int
    errors: int


class JudgeMarks(NamedTuple):
    """How many answers of one model in one run a judge has marked, by the metric of the mark."""

    run: int
    model: int
    judge: str
    metric: str
    marked: int


def case_samples(
    engine: Engine, suite: str, kinds: Sequence[str], *, among: Sequence[int] | None = None
) -> list[CaseSamples]:
    """Return what a suite's runs have of each model and case; `among` keeps these runs."""
    query = (
        select(
            samples.c.run,
            samples.c.model,
            samples.c.case_ordinal,
            func.count(),
            func.sum(case((samples.c.status == "ok", 1), else_=0)),
            func.sum(case((samples.c.status == "error", 1), else_=0)),
        )
        .join(runs, runs.c.id == samples.c.run)
        .where(runs.c.suite == suite, runs.c.kind.in_(kinds))
        .group_by(samples.c.run, samples.c.model, samples.c.case_ordinal)
    )
    if among is not None:
        query = query.where(runs.c.id.in_(among))
    with reading(engine) as connection:
        return [CaseSamples(*map(int, row)) for row in connection.execute(query)]


def judge_marks(engine: Engine, run_ids: Sequence[int]) -> Iterator[JudgeMarks]:
    """Yield how many answers of each model each judge has marked readably in these runs."""
    for start in range(0, len(run_ids), CHUNK):
        query = (
            select(marks.c.run, samples.c.model, models.c.name, marks.c.metric, func.count())
            .join(samples, (samples.c.run == marks.c.run) & (samples.c.position == marks.c.position))
            .join(models, models.c.id == marks.c.judge)
            .where(
                marks.c.run.in_(run_ids[start : start + CHUNK]),
                filled(marks, "value"),
                samples.c.status == "ok",
            )
            .group_by(marks.c.run, samples.c.model, models.c.name, marks.c.metric)
        )
        with reading(engine) as connection:
            for row in connection.execute(query).all():
                yield JudgeMarks(*row)


def board_samples(engine: Engine, run_ids: Sequence[int]) -> Iterator[BoardSample]:
    """Yield the samples of these runs."""
    for start in range(0, len(run_ids), CHUNK):
        chosen = run_ids[start : start + CHUNK]
        mine = last_attempts(chosen)
        query = (
            select(
                samples.c.run,
                samples.c.position,
                samples.c.model,
                samples.c.case_ordinal,
                samples.c.epoch,
                samples.c.status,
                filled(samples, "score"),
                mine.c.error,
                mine.c.completion_tokens,
                mine.c.latency,
                mine.c.paid,
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
        flagged = or_(grades.c.evidence.like('%"flags":[{%'), grades.c.sealed.is_not(None))
        query = select(grades).where(grades.c.run.in_(run_ids[start : start + CHUNK]), flagged)
        with reading(engine) as connection:
            for row in opened(GradeRow, connection.execute(query).all(), engine):
                flags = orjson.loads(row.evidence).get("flags", ())
                if flags:
                    key = (row.run, row.position)
                    found[key] = found.get(key, 0) + len(flags)
    return found


def choices_read(engine: Engine, run_ids: Sequence[int]) -> dict[tuple[int, int], tuple[float, bool]]:
    """Return the mark of each graded choice, and whether a letter could be read, by run and position."""
    found: dict[tuple[int, int], tuple[float, bool]] = {}
    for start in range(0, len(run_ids), CHUNK):
        query = select(grades).where(
            grades.c.run.in_(run_ids[start : start + CHUNK]), filled(grades, "value")
        )
        with reading(engine) as connection:
            for row in opened(GradeRow, connection.execute(query).all(), engine):
                assert row.value is not None
                read = orjson.loads(row.evidence).get("letter") is not None
                found[row.run, row.position] = (row.value, read)
    return found
