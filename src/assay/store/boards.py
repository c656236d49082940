"""The data of a board: the samples of some runs with their last calls, marks, flags and choices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import orjson
from sqlalchemy import Engine, case, func, or_, select

from assay.store.engine import in_parts, reading
from assay.store.ledger import last_attempts
from assay.store.rows import GradeRow
from assay.store.schema import grades, marks, models, runs, samples
from assay.store.sealing import filled, opened


class BoardSample(NamedTuple):
    """One sample with the output tokens and seconds of its last attempt, None if unknown.

    `cost` is the cost of all attempts of the model under test in US dollars, None if unknown.
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
    """The numbers of a run's samples of one case and model: all, with a visible answer, and errored."""

    run: int
    model: int
    case_ordinal: int
    samples: int
    answers: int
    errors: int


class JudgeMarks(NamedTuple):
    """The number of one model's answers in one run that a judge has marked for a metric."""

    run: int
    model: int
    judge: str
    metric: str
    marked: int


class ReadAnswer(NamedTuple):
    """The mark (0-1) of an answer, and the letter or number that was read in it; None if none could be."""

    mark: float
    read: str | None


def case_samples(
    engine: Engine, suite: str, kinds: Sequence[str], *, among: Sequence[int] | None = None
) -> list[CaseSamples]:
    """Return the numbers of samples of a suite's runs by model and case; `among` selects some runs."""
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
    """Yield the numbers of answers of each model that each judge has marked readably in these runs."""
    for part in in_parts(run_ids):
        query = (
            select(marks.c.run, samples.c.model, models.c.name, marks.c.metric, func.count())
            .join(samples, (samples.c.run == marks.c.run) & (samples.c.position == marks.c.position))
            .join(models, models.c.id == marks.c.judge)
            .where(marks.c.run.in_(part), filled(marks, "value"), samples.c.status == "ok")
            .group_by(marks.c.run, samples.c.model, models.c.name, marks.c.metric)
        )
        with reading(engine) as connection:
            for row in connection.execute(query).all():
                yield JudgeMarks(*row)


def board_samples(engine: Engine, run_ids: Sequence[int]) -> Iterator[BoardSample]:
    """Yield the samples of these runs."""
    for part in in_parts(run_ids):
        last = last_attempts(part)
        query = (
            select(
                samples.c.run,
                samples.c.position,
                samples.c.model,
                samples.c.case_ordinal,
                samples.c.epoch,
                samples.c.status,
                filled(samples, "score"),
                last.c.error,
                last.c.completion_tokens,
                last.c.latency,
                last.c.paid,
            )
            .outerjoin(last, (last.c.run == samples.c.run) & (last.c.position == samples.c.position))
            .where(samples.c.run.in_(part))
        )
        with reading(engine) as connection:
            for row in connection.execute(query).all():
                yield BoardSample(*row)


def flag_counts(engine: Engine, run_ids: Sequence[int]) -> dict[tuple[int, int], int]:
    """Return the number of auto-checks' flags by run and position; samples without a flag are left out."""
    counts: dict[tuple[int, int], int] = {}
    flagged = or_(grades.c.evidence.like('%"flags":[{%'), grades.c.sealed.is_not(None))
    for part in in_parts(run_ids):
        query = select(grades).where(grades.c.run.in_(part), flagged)
        with reading(engine) as connection:
            for row in opened(GradeRow, connection.execute(query).all(), engine):
                flags = orjson.loads(row.evidence).get("flags", ())
                if flags:
                    key = (row.run, row.position)
                    counts[key] = counts.get(key, 0) + len(flags)
    return counts


def answers_read(engine: Engine, run_ids: Sequence[int]) -> dict[tuple[int, int], ReadAnswer]:
    """Return each graded answer with the letter or number that was read in it, by run and position."""
    answers: dict[tuple[int, int], ReadAnswer] = {}
    for part in in_parts(run_ids):
        query = select(grades).where(grades.c.run.in_(part), filled(grades, "value"))
        with reading(engine) as connection:
            for row in opened(GradeRow, connection.execute(query).all(), engine):
                assert row.value is not None
                evidence = orjson.loads(row.evidence)
                read = evidence.get("letter", evidence.get("value"))
                answers[row.run, row.position] = ReadAnswer(row.value, None if read is None else str(read))
    return answers
