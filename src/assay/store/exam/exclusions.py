"""Questions of sittings that do not count, with the reason, by whom and when."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import Engine, and_, insert, select

from assay.core.errors import Conflict, NotFound
from assay.store.engine import reading, writing
from assay.store.schema_bank import questions
from assay.store.schema_exam import draw_questions, exam_exclusions, served, sessions


@dataclass(frozen=True, slots=True)
class Exclusion:
    """One question of one session that does not count; `at` is UTC seconds since 1970."""

    session: str
    position: int
    reason: str
    by: str
    at: float


def exclude(
    engine: Engine, session: str, positions: Collection[int], *, reason: str, by: str, now: float
) -> list[Exclusion]:
    """Exclude questions of a session and return those that were not excluded before; all or none.

    Raises NotFound for an unknown session, Conflict for a position that was not served.
    """
    wanted = sorted(set(positions))
    with writing(engine) as connection:
        if connection.execute(select(sessions.c.id).where(sessions.c.id == session)).first() is None:
            raise NotFound(f"there is no exam session {session!r}: `assay exam results` lists them")
        here = select(served.c.position).where(served.c.session == session)
        known = set(connection.execute(here).scalars())
        unserved = [place for place in wanted if place not in known]
        if unserved:
            told = ", ".join(map(str, unserved[:10]))
            raise Conflict(f"session {session!r} was not served position {told}: exclude what was served")
        before = select(exam_exclusions.c.position).where(exam_exclusions.c.session == session)
        done = set(connection.execute(before).scalars())
        made = [Exclusion(session, place, reason, by, now) for place in wanted if place not in done]
        for one in made:
            connection.execute(
                insert(exam_exclusions).values(
                    session=one.session, position=one.position, reason=one.reason, by=one.by, at=one.at
                )
            )
    return made


def where_served(engine: Engine, uuid: str) -> list[tuple[str, int]]:
    """Return each session and position at which a question was served. Raises NotFound for an unknown one."""
    query = (
        select(served.c.session, served.c.position)
        .join(sessions, sessions.c.id == served.c.session)
        .join(
            draw_questions,
            and_(
                draw_questions.c.draw == sessions.c.draw,
                draw_questions.c.position == served.c.position,
            ),
        )
        .join(questions, questions.c.id == draw_questions.c.question)
        .where(questions.c.uuid == uuid)
        .order_by(sessions.c.opened_at, served.c.session)
    )
    with reading(engine) as connection:
        if connection.execute(select(questions.c.id).where(questions.c.uuid == uuid)).first() is None:
            raise NotFound(f"the bank has no question {uuid!r}")
        return [(row[0], row[1]) for row in connection.execute(query)]


def exclusions_of(engine: Engine, session: str) -> Sequence[Exclusion]:
    """Return the exclusions of a session in order of position."""
    columns = [exam_exclusions.c[name] for name in ("session", "position", "reason", "by", "at")]
    query = select(*columns).where(exam_exclusions.c.session == session).order_by(exam_exclusions.c.position)
    with reading(engine) as connection:
        return [Exclusion(*row) for row in connection.execute(query)]
