"""Answers given to experts to mark, blind: who has which, and what was marked."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection, Engine, and_, func, insert, select, update

from assay.core.exam import AnswerStatus, SessionState
from assay.core.sealed import mark_about
from assay.store.bank.sealed_columns import sealed_column
from assay.store.engine import reading
from assay.store.schema_exam import answers, draw_questions, exam_exclusions, human_marks, sessions

HUMAN_RATIONALES = sealed_column(
    human_marks,
    "rationale",
    lambda row: human_about(row.session, row.position, row.reviewer),
    human_marks.c.session,
    human_marks.c.position,
    human_marks.c.reviewer,
)
"""What experts said, to be sealed anew with the rest when the bank's key is changed."""


class Answer(NamedTuple):
    """An answer that experts may mark."""

    session: str
    position: int
    discipline: str
    model: str


class Assignment(NamedTuple):
    """An answer that an expert has, by its code; `stars` is None until it is marked."""

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
class Given:
    """One expert's mark, to be stored. `rationale` is sealed; `seconds` is None where nobody measured."""

    code: str
    stars: int
    rationale: bytes
    seconds: float | None
    marked_at: float


def human_about(session: str, position: int, reviewer: int) -> str:
    """Return what an expert's words on an answer are sealed for."""
    return mark_about(session, position, f"reviewer {reviewer}")


def markable(engine: Engine, only: Collection[str] = ()) -> list[Answer]:
    """Return the answers of closed sessions that were given in time and count, those of `only` where named.

    Blank ones are left out; order is that of sessions and positions.
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
    if only:
        query = query.where(sessions.c.id.in_(list(only)))
    with reading(engine) as connection:
        return [Answer(*row) for row in connection.execute(query)]


def assignments(engine: Engine) -> list[Assignment]:
    """Return everything that experts were given, in order of codes."""
    with reading(engine) as connection:
        return assigned(connection)


def assigned(connection: Connection, reviewer: int | None = None) -> list[Assignment]:
    """Return what experts were given, or one of them; codes are random, so their order is a shuffle."""
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
        named = [
            {"code": code, "session": session, "position": place, "reviewer": who, "assigned_at": now}
            for code, session, place, who in rows
        ]
        connection.execute(insert(human_marks), named)


def marked_since(connection: Connection, reviewer: int, since: float) -> int:
    """Return how many answers an expert has marked since a time."""
    query = (
        select(func.count())
        .select_from(human_marks)
        .where(human_marks.c.reviewer == reviewer, human_marks.c.marked_at >= since)
    )
    return int(connection.execute(query).scalar_one())


def keep_human_mark(connection: Connection, given: Given) -> bool:
    """Store an expert's mark; False where that answer has the expert's mark already, which stays."""
    values = {
        "stars": given.stars,
        "rationale": given.rationale,
        "seconds": given.seconds,
        "marked_at": given.marked_at,
    }
    here = and_(human_marks.c.code == given.code, human_marks.c.marked_at.is_(None))
    return connection.execute(update(human_marks).where(here).values(values)).rowcount > 0
