"""Marks by judges: looking up what was judged before, and reading a run's marks."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import Engine, case, func, select

from assay.store.engine import reading
from assay.store.rows import MarkRow
from assay.store.schema import marks, models
from assay.store.sealing import filled, open_row, opened

CHUNK = 500


def marks_by_key(engine: Engine, keys: Collection[bytes]) -> dict[bytes, MarkRow]:
    """Return the newest readable mark of each key that has one."""
    found: dict[bytes, MarkRow] = {}
    listed = list(keys)
    newest = func.row_number().over(partition_by=marks.c.key, order_by=marks.c.marked_at.desc())
    with reading(engine) as connection:
        for start in range(0, len(listed), CHUNK):
            among = (
                select(marks, newest.label("place"))
                .where(marks.c.key.in_(listed[start : start + CHUNK]), filled(marks, "value"))
                .subquery()
            )
            columns = [column for column in among.columns if column.name != "place"]
            newest_rows = connection.execute(select(*columns).where(among.c.place == 1)).all()
            for kept in opened(MarkRow, newest_rows, engine):
                assert kept.key is not None
                found[bytes(kept.key)] = kept
    return found


def readable_marks(
    engine: Engine, run: int, judges: Collection[int], span: tuple[int, int]
) -> dict[int, set[tuple[int, int, str]]]:
    """Return which marks of these judges can be read, as (grader, judge, metric) by position.

    `span` keeps the positions from its first to its second number.
    """
    query = select(marks.c.position, marks.c.ordinal, marks.c.judge, marks.c.metric).where(
        marks.c.run == run,
        marks.c.position.between(*span),
        marks.c.judge.in_(list(judges)),
        filled(marks, "value"),
    )
    found: dict[int, set[tuple[int, int, str]]] = {}
    with reading(engine) as connection:
        for row in connection.execute(query):
            found.setdefault(row.position, set()).add((row.ordinal, row.judge, row.metric))
    return found


def any_marks(engine: Engine, judges: Collection[int]) -> bool:
    """Return whether any of these judges (model rows) has marked anything yet."""
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

    `positions` keeps those of these samples.
    """
    found: list[RunMark] = []
    with reading(engine) as connection:
        for start in range(0, len(runs), CHUNK):
            query = (
                select(models.c.name, marks)
                .join(models, models.c.id == marks.c.judge)
                .where(marks.c.run.in_(runs[start : start + CHUNK]))
                .order_by(marks.c.run, marks.c.position, marks.c.ordinal, models.c.name, marks.c.metric)
            )
            if positions is not None:
                query = query.where(marks.c.position.in_(list(positions)))
            found.extend(
                RunMark(row[0], open_row(MarkRow(*row[1:]), engine)) for row in connection.execute(query)
            )
    return found


def marks_of_run(engine: Engine, run: int, metric: str = "rubric") -> dict[int, float]:
    """Return a run's readable marks for a metric by position; one judge's, where several marked."""
    query = (
        select(marks)
        .where(marks.c.run == run, marks.c.metric == metric, filled(marks, "value"))
        .order_by(marks.c.position, marks.c.judge.desc())
    )
    with reading(engine) as connection:
        rows = opened(MarkRow, connection.execute(query).all(), engine)
    return {row.position: row.value for row in rows if row.value is not None}


def marks_by_judge(engine: Engine) -> dict[str, int]:
    """Return how many readable marks each judge has given, by its name."""
    query = (
        select(models.c.name, func.sum(case((filled(marks, "value"), 1), else_=0)))
        .join(models, models.c.id == marks.c.judge)
        .group_by(models.c.name)
    )
    with reading(engine) as connection:
        return {row[0]: row[1] for row in connection.execute(query)}
