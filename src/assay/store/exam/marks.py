"""Judges' marks on answers of the exam: one for each answer and judge, and those that were replaced."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sqlalchemy import Engine, and_, func, insert, select, update

from assay.store.engine import reading, writing
from assay.store.schema_exam import exam_marks, exam_remarks, sessions

_OLD = ("session", "position", "judge", "stars", "why", "rationale", "run", "marked_at")


class ExamMark(NamedTuple):
    """One judge's mark on one answer. `stars` is None where no reply could be read, for `why`.

    `rationale` and `reply` are sealed; `prompt` names the wording by its versions.
    """

    session: str
    position: int
    judge: str
    stars: int | None
    why: str | None
    rationale: bytes
    reply: bytes
    prompt: str
    run: int | None
    marked_at: float


@dataclass(frozen=True, slots=True)
class ReplacedMark:
    """A mark that another took the place of, with who did that and why."""

    position: int
    judge: str
    stars: int | None
    why: str | None
    run: int | None
    marked_at: float
    replaced_at: float
    reason: str
    by: str
    rationale: bytes = field(repr=False)


def keep_mark(engine: Engine, mark: ExamMark, *, reason: str, by: str) -> None:
    """Store a mark; one that stands already is moved to the replaced ones, with the reason and by whom."""
    here = _here(mark.session, mark.position, mark.judge)
    with writing(engine) as connection:
        old = connection.execute(select(exam_marks).where(here).with_for_update()).first()
        if old is None:
            connection.execute(insert(exam_marks).values(mark._asdict()))
            return
        values = {name: getattr(old, name) for name in _OLD}
        values |= {"replaced_at": mark.marked_at, "reason": reason, "by": by}
        connection.execute(insert(exam_remarks).values(values))
        connection.execute(update(exam_marks).where(here).values(mark._asdict()))


def marks_of(engine: Engine, session: str, judges: Collection[str] | None = None) -> list[ExamMark]:
    """Return the marks of a session, of these judges only where some are named."""
    query = (
        select(exam_marks)
        .where(exam_marks.c.session == session)
        .order_by(exam_marks.c.position, exam_marks.c.judge)
    )
    if judges is not None:
        query = query.where(exam_marks.c.judge.in_(list(judges)))
    with reading(engine) as connection:
        return [ExamMark(*row) for row in connection.execute(query)]


def stars_of(engine: Engine, session: str, judge: str) -> dict[int, int | None]:
    """Return a judge's stars by position; None where it was asked and could not be read."""
    query = select(exam_marks.c.position, exam_marks.c.stars).where(
        exam_marks.c.session == session, exam_marks.c.judge == judge
    )
    with reading(engine) as connection:
        return dict(connection.execute(query).tuples().all())


def replaced_marks(engine: Engine, session: str) -> list[ReplacedMark]:
    """Return the replaced marks of a session, in order of position and time."""
    columns = [exam_remarks.c[name] for name in ("position", "judge", "stars", "why", "run", "marked_at")]
    query = (
        select(*columns, *(exam_remarks.c[name] for name in ("replaced_at", "reason", "by", "rationale")))
        .where(exam_remarks.c.session == session)
        .order_by(exam_remarks.c.position, exam_remarks.c.id)
    )
    with reading(engine) as connection:
        return [ReplacedMark(*row) for row in connection.execute(query)]


def judges_of(engine: Engine, *, organisation: int | None = None) -> dict[str, int]:
    """Return how many readable marks each judge has given, by its name, for one organisation or for all."""
    query = (
        select(exam_marks.c.judge, func.count(exam_marks.c.stars))
        .join(sessions, sessions.c.id == exam_marks.c.session)
        .group_by(exam_marks.c.judge)
        .order_by(exam_marks.c.judge)
    )
    if organisation is not None:
        query = query.where(sessions.c.organisation == organisation)
    with reading(engine) as connection:
        return dict(connection.execute(query).tuples().all())


def _here(session: str, position: int, judge: str) -> Any:
    return and_(
        exam_marks.c.session == session, exam_marks.c.position == position, exam_marks.c.judge == judge
    )
