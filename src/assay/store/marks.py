"""Judges' marks: finding earlier marks by key, and reading the marks of runs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import Engine, case, func, select

from assay.store.engine import in_parts, reading
from assay.store.rows import MarkRow
from assay.store.schema import marks, models
from assay.store.sealing import filled, open_row, opened


def marks_by_key(engine: Engine, keys: Collection[bytes]) -> dict[bytes, MarkRow]:
    """Return the newest readable mark of each key that has one."""
    newest: dict[bytes, MarkRow] = {}
    age = func.row_number().over(partition_by=marks.c.key, order_by=marks.c.marked_at.desc())
    with reading(engine) as connection:
        for part in in_parts(keys):
            readable = (
                select(marks, age.label("age"))
                .where(marks.c.key.in_(part), filled(marks, "value"))
                .subquery()
            )
            columns = [column for column in readable.columns if column.name != "age"]
            rows = connection.execute(select(*columns).where(readable.c.age == 1)).all()
            for mark in opened(MarkRow, rows, engine):
                assert mark.key is not None
                newest[bytes(mark.key)] = mark
    return newest


def readable_marks(
    engine: Engine, run: int, judges: Collection[int], span: tuple[int, int]
) -> dict[int, set[tuple[int, int, str]]]:
    """Return the readable marks of these judges, as (grader, judge, metric) by position.

    `span` selects the positions from its first to its second number.
    """
    query = select(marks.c.position, marks.c.ordinal, marks.c.judge, marks.c.metric).where(
        marks.c.run == run,
        marks.c.position.between(*span),
        marks.c.judge.in_(list(judges)),
        filled(marks, "value"),
    )
    readable: dict[int, set[tuple[int, int, str]]] = {}
    with reading(engine) as connection:
        for row in connection.execute(query):
            readable.setdefault(row.position, set()).add((row.ordinal, row.judge, row.metric))
    return readable


def any_marks(engine: Engine, judges: Collection[int]) -> bool:
    """Return whether one of these judges (model rows) has given a mark."""
    query = select(marks.c.run).where(marks.c.judge.in_(list(judges))).limit(1)
    with reading(engine) as connection:
        return connection.execute(query).first() is not None


@dataclass(frozen=True, slots=True)
class RunMark:
    """One mark with the name of the judge who gave it."""

    judge: str
    row: MarkRow


def read_marks(
    engine: Engine, runs: Sequence[int], *, positions: Collection[int] | None = None
) -> list[RunMark]:
    """Return the marks of these runs, in order of run, position, grader, judge and metric.

    `positions` selects the marks of these samples.
    """
    query = (
        select(models.c.name, marks)
        .join(models, models.c.id == marks.c.judge)
        .order_by(marks.c.run, marks.c.position, marks.c.ordinal, models.c.name, marks.c.metric)
    )
    if positions is not None:
        query = query.where(marks.c.position.in_(list(positions)))
    with reading(engine) as connection:
        return [
            RunMark(name, open_row(MarkRow(*row), engine))
            for part in in_parts(runs)
            for name, *row in connection.execute(query.where(marks.c.run.in_(part)))
        ]


def marks_of_run(engine: Engine, run: int, metric: str = "rubric") -> dict[int, float]:
    """Return a run's readable marks for a metric by position; those of one judge if several marked."""
    query = (
        select(marks)
        .where(marks.c.run == run, marks.c.metric == metric, filled(marks, "value"))
        .order_by(marks.c.position, marks.c.judge.desc())
    )
    with reading(engine) as connection:
        rows = opened(MarkRow, connection.execute(query).all(), engine)
    return {row.position: row.value for row in rows if row.value is not None}


def marks_by_judge(engine: Engine) -> dict[str, int]:
    """Return the number of readable marks that each judge has given, by its name."""
    query = (
        select(models.c.name, func.sum(case((filled(marks, "value"), 1), else_=0)))
        .join(models, models.c.id == marks.c.judge)
        .group_by(models.c.name)
    )
    with reading(engine) as connection:
        return {row[0]: row[1] for row in connection.execute(query)}
