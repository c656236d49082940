"""Judges' marks on exam answers: one for each answer and judge, and the marks that were replaced."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sqlalchemy import Engine, and_, func, insert, select, update

from assay.store.engine import reading, writing
from assay.store.exam.series import note_session_change
from assay.store.schema_exam import exam_marks, exam_remarks

_OLD = ("session", "position", "judge", "stars", "why", "rationale", "run", "marked_at")


class ExamMark(NamedTuple):
    """One judge's mark on one answer. `stars` is None if no reply could be parsed; `why` is the reason.

    `rationale` and `reply` are sealed; `prompt` holds the versions of the wording.
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
    """A mark that was replaced, with the person who replaced it and the reason."""

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
    """Store a mark; an earlier one of the judge moves to the replaced marks, with `reason` and `by`."""
    same = _same_mark(mark.session, mark.position, mark.judge)
    with writing(engine) as connection:
        note_session_change(connection, mark.session)
        old = connection.execute(select(exam_marks).where(same).with_for_update()).first()
        if old is None:
            connection.execute(insert(exam_marks).values(mark._asdict()))
            return
        values = {name: getattr(old, name) for name in _OLD}
        values |= {"replaced_at": mark.marked_at, "reason": reason, "by": by}
        connection.execute(insert(exam_remarks).values(values))
        connection.execute(update(exam_marks).where(same).values(mark._asdict()))


def marks_of(engine: Engine, session: str, judges: Collection[str] | None = None) -> list[ExamMark]:
    """Return the marks of a session, of all or of some judges."""
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
    """Return a judge's stars by position; None if its reply could not be parsed."""
    query = select(exam_marks.c.position, exam_marks.c.stars).where(
        exam_marks.c.session == session, exam_marks.c.judge == judge
    )
    with reading(engine) as connection:
        return dict(connection.execute(query).tuples().all())


def replaced_marks(engine: Engine, session: str) -> list[ReplacedMark]:
    """Return the replaced marks of a session by position and time."""
    columns = [exam_remarks.c[name] for name in ("position", "judge", "stars", "why", "run", "marked_at")]
    query = (
        select(*columns, *(exam_remarks.c[name] for name in ("replaced_at", "reason", "by", "rationale")))
        .where(exam_remarks.c.session == session)
        .order_by(exam_remarks.c.position, exam_remarks.c.id)
    )
    with reading(engine) as connection:
        return [ReplacedMark(*row) for row in connection.execute(query)]


def count_marks(engine: Engine) -> dict[str, int]:
    """Return the number of marks with stars that each judge has given, by its name."""
    count = func.count(exam_marks.c.stars)
    query = select(exam_marks.c.judge, count).group_by(exam_marks.c.judge).order_by(exam_marks.c.judge)
    with reading(engine) as connection:
        return dict(connection.execute(query).tuples().all())


def _same_mark(session: str, position: int, judge: str) -> Any:
    return and_(
        exam_marks.c.session == session, exam_marks.c.position == position, exam_marks.c.judge == judge
    )
