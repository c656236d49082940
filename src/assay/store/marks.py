"""Marks by judges: looking up what was judged before, and reading a run's marks."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import Engine, func, select

from assay.store.engine import reading
from assay.store.ledger import MarkRow
from assay.store.schema import marks, models

CHUNK = 500


def marks_by_key(engine: Engine, keys: Collection[bytes]) -> dict[bytes, MarkRow]:
    """Return the newest readable mark of each key that has one."""
    found: dict[bytes, MarkRow] = {}
    listed = list(keys)
    with reading(engine) as connection:
        for start in range(0, len(listed), CHUNK):
            query = (
                select(marks)
                .where(marks.c.key.in_(listed[start : start + CHUNK]), marks.c.value.is_not(None))
                .order_by(marks.c.marked_at)
            )
            for row in connection.execute(query):
                kept = MarkRow(*row)
                assert kept.key is not None
                found[bytes(kept.key)] = kept
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
            found.extend(RunMark(row[0], MarkRow(*row[1:])) for row in connection.execute(query))
    return found


def marks_of_run(engine: Engine, run: int, metric: str = "rubric") -> dict[int, float]:
    """Return a run's readable marks for a metric by position; one judge's, where several marked."""
    query = (
        select(marks.c.position, marks.c.value)
        .where(marks.c.run == run, marks.c.metric == metric, marks.c.value.is_not(None))
        .order_by(marks.c.position, marks.c.judge.desc())
    )
    with reading(engine) as connection:
        return {row.position: row.value for row in connection.execute(query)}


def marks_by_judge(engine: Engine) -> dict[str, int]:
    """Return how many readable marks each judge has given, by its name."""
    query = (
        select(models.c.name, func.count(marks.c.value))
        .join(models, models.c.id == marks.c.judge)
        .group_by(models.c.name)
    )
    with reading(engine) as connection:
        return {row[0]: row[1] for row in connection.execute(query)}
