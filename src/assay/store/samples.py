"""Samples with their calls and grades."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from sqlalchemy import ColumnElement, Engine, select

from assay.core.errors import NotFound
from assay.results.run_pages import LastAttempt
from assay.store.engine import PART, in_parts, reading
from assay.store.ledger import last_attempts
from assay.store.rows import CallRow, GradeRow, SampleRow
from assay.store.schema import calls, grades, samples
from assay.store.sealing import filled, open_row, opened


@dataclass(frozen=True, slots=True)
class StoredGrade:
    """One stored grade: the grader, its mark (0-1, or None with the reason), and its evidence."""

    grader: str
    value: float | None
    reason: str | None
    evidence: dict[str, Any]


@dataclass(frozen=True, slots=True)
class StoredSample:
    """One sample with its grades and every attempt of its calls, oldest first."""

    row: SampleRow
    grades: tuple[StoredGrade, ...]
    calls: tuple[CallRow, ...]

    @property
    def answer(self) -> str | None:
        """The visible answer that was graded; None without an answer."""
        answers = [call.answer for call in self.calls if call.purpose == "subject" and call.status != "error"]
        return answers[-1] if answers else None


@dataclass(frozen=True, slots=True)
class SampleLine:
    """One sample in a list, with its last attempt."""

    row: SampleRow
    last: LastAttempt


def list_samples(
    engine: Engine, run: int, *, only: str | None = None, limit: int | None = None
) -> list[SampleLine]:
    """Return a run's samples in order of position, without answers.

    `only` selects `ok` (graded), `invalid`, `error` or `ungraded` samples.
    """
    last = last_attempts([run])
    query = (
        select(
            samples,
            last.c.error,
            last.c.provider,
            last.c.attempt,
            last.c.prompt_tokens,
            last.c.completion_tokens,
            last.c.paid,
            last.c.latency,
        )
        .outerjoin(last, last.c.position == samples.c.position)
        .where(samples.c.run == run)
        .order_by(samples.c.position)
        .limit(limit)
    )
    if only in ("ok", "ungraded"):
        graded = filled(samples, "score") if only == "ok" else ~filled(samples, "score")
        query = query.where(samples.c.status == "ok", graded)
    elif only is not None:
        query = query.where(samples.c.status == only)
    width = len(SampleRow._fields)
    with reading(engine) as connection:
        return [
            SampleLine(open_row(SampleRow(*row[:width]), engine), LastAttempt(*row[width:]))
            for row in connection.execute(query)
        ]


def read_sample(engine: Engine, run: int, position: int) -> StoredSample:
    """Return one sample. Raises NotFound if the run has none at that position."""
    at_position = list(read_samples(engine, run, positions=[position]))
    if not at_position:
        raise NotFound(f"run {run} has no sample {position}: `assay show {run}` lists its samples")
    return at_position[0]


def read_samples(
    engine: Engine, run: int, *, positions: Sequence[int] | None = None, after: int = -1, limit: int = PART
) -> Iterator[StoredSample]:
    """Yield samples of a run in order of position: those at `positions`, else at most `limit` after one."""
    if positions is not None:
        for part in in_parts(sorted(positions)):
            yield from _read_part(engine, run, samples.c.position.in_(part), None)
    else:
        yield from _read_part(engine, run, samples.c.position > after, limit)


def _read_part(
    engine: Engine, run: int, chosen: ColumnElement[bool], limit: int | None
) -> list[StoredSample]:
    """Return samples with their grades and calls, by three queries."""
    query = select(samples).where(samples.c.run == run, chosen).order_by(samples.c.position).limit(limit)
    call_columns = [column for column in calls.columns if column.name != "id"]
    with reading(engine) as connection:
        rows = opened(SampleRow, connection.execute(query).all(), engine)
        graded: dict[int, list[StoredGrade]] = {row.position: [] for row in rows}
        called: dict[int, list[CallRow]] = {row.position: [] for row in rows}
        for part in in_parts(graded):
            of_part = connection.execute(
                select(grades)
                .where(grades.c.run == run, grades.c.position.in_(part))
                .order_by(grades.c.position, grades.c.ordinal)
            )
            for grade in opened(GradeRow, of_part, engine):
                graded[grade.position].append(
                    StoredGrade(grade.grader, grade.value, grade.reason, orjson.loads(grade.evidence))
                )
            sent = select(*call_columns).where(calls.c.run == run, calls.c.position.in_(part))
            for call in opened(CallRow, connection.execute(sent.order_by(calls.c.id)), engine):
                called[call.position].append(call)
    return [StoredSample(row, tuple(graded[row.position]), tuple(called[row.position])) for row in rows]
