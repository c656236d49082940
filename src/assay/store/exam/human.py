"""Answers assigned to experts for blind marking, and the experts' marks."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from typing import NamedTuple

from sqlalchemy import Connection, Engine, and_, func, insert, select, update

from assay.core.exam import AnswerStatus, SessionState
from assay.store.engine import reading
from assay.store.schema_exam import answers, draw_questions, exam_exclusions, human_marks, sessions


class AnswerToMark(NamedTuple):
    """An answer that experts may mark."""

    session: str
    position: int
    discipline: str
    model: str


class Assignment(NamedTuple):
    """An answer assigned to an expert under a code; `stars` is None until it is marked."""

    code: str
    session: str
    position: int
    reviewer: int
    discipline: str
    model: str
    stars: int | None
    seconds: float | None
    marked_at: float | None


@dataclass(frozen=True, slots=True)
class ExpertMark:
    """One expert's mark to store. `rationale` is sealed; `seconds` is None if not measured."""

    code: str
    stars: int
    rationale: bytes
    seconds: float | None
    marked_at: float


def markable(engine: Engine, of_sessions: Collection[str] = ()) -> list[AnswerToMark]:
    """Return the answers that experts can mark, by session and position; of all or of some sessions.

    These are answers of ended sessions that were given in time, are not blank and not excluded.
    """
    query = (
        select(answers.c.session, answers.c.position, draw_questions.c.discipline, sessions.c.model)
        .join(sessions, sessions.c.id == answers.c.session)
        .join(
            draw_questions,
            and_(draw_questions.c.draw == sessions.c.draw, draw_questions.c.position == answers.c.position),
        )
        .outerjoin(
            exam_exclusions,
            and_(
                exam_exclusions.c.session == answers.c.session,
                exam_exclusions.c.position == answers.c.position,
            ),
        )
        .where(
            sessions.c.state != SessionState.OPEN.value,
            answers.c.status == AnswerStatus.ANSWERED.value,
            func.length(func.trim(answers.c.text)) > 0,
            exam_exclusions.c.session.is_(None),
        )
        .order_by(answers.c.session, answers.c.position)
    )
    if of_sessions:
        query = query.where(sessions.c.id.in_(list(of_sessions)))
    with reading(engine) as connection:
        return [AnswerToMark(*row) for row in connection.execute(query)]


def assignments(engine: Engine) -> list[Assignment]:
    """Return all assignments in order of their codes."""
    with reading(engine) as connection:
        return assigned(connection)


def assigned(connection: Connection, reviewer: int | None = None) -> list[Assignment]:
    """Return the assignments of all experts or of one, in order of their codes, which is random."""
    query = (
        select(
            human_marks.c.code,
            human_marks.c.session,
            human_marks.c.position,
            human_marks.c.reviewer,
            draw_questions.c.discipline,
            sessions.c.model,
            human_marks.c.stars,
            human_marks.c.seconds,
            human_marks.c.marked_at,
        )
        .join(sessions, sessions.c.id == human_marks.c.session)
        .join(
            draw_questions,
            and_(
                draw_questions.c.draw == sessions.c.draw, draw_questions.c.position == human_marks.c.position
            ),
        )
        .order_by(human_marks.c.code)
    )
    if reviewer is not None:
        query = query.where(human_marks.c.reviewer == reviewer)
    return [Assignment(*row) for row in connection.execute(query)]


def keep_assignments(
    connection: Connection, rows: Sequence[tuple[str, str, int, int]], *, now: float
) -> None:
    """Store new assignments: code, session, position, reviewer."""
    if rows:
        values = [
            {"code": code, "session": session, "position": position, "reviewer": expert, "assigned_at": now}
            for code, session, position, expert in rows
        ]
        connection.execute(insert(human_marks), values)


def marked_since(connection: Connection, reviewer: int, since: float) -> int:
    """Return the number of answers that an expert has marked since a time."""
    query = (
        select(func.count())
        .select_from(human_marks)
        .where(human_marks.c.reviewer == reviewer, human_marks.c.marked_at >= since)
    )
    return int(connection.execute(query).scalar_one())


def keep_human_mark(connection: Connection, mark: ExpertMark) -> bool:
    """Store an expert's mark; return False if the answer has one already, which stays."""
    unmarked = and_(human_marks.c.code == mark.code, human_marks.c.marked_at.is_(None))
    return connection.execute(update(human_marks).where(unmarked).values(asdict(mark))).rowcount > 0
