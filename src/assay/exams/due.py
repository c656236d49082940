"""Which answers of a session are still to be put to which judges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Engine

from assay.core.errors import Conflict
from assay.core.exam import SessionState
from assay.core.model import Model
from assay.exams.tally import tallied
from assay.ranking.exam.standing import LACKING, Standing
from assay.store.exam.answers import (
    AnsweredQuestion,
    DrawnQuestion,
    answered_questions,
    questions_as_drawn,
    read_sitting,
)
from assay.store.exam.marks import marks_of


@dataclass(frozen=True, slots=True)
class Remarking:
    """Why answers that have their stars are marked again; `run` is the stopped marking that is taken up."""

    reason: str
    run: int | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """One answer that is to be put to one judge."""

    answer: AnsweredQuestion
    judge: Model


def due(
    engine: Engine, session: str, judges: Sequence[Model], again: Remarking | None, *, now: float
) -> tuple[list[Job], dict[int, DrawnQuestion]]:
    """Return what is to be asked, by position, and by their ids the questions that it is about.

    That is every answer without stars; with `again` also those with stars, but for what the stopped marking
    that is taken up has done. Late, timed-out, empty and excluded answers are nobody's. Raises NotFound for
    an unknown session and Conflict for one that may still take answers.
    """
    check_closed(engine, session, now)
    answers = answered_questions(engine, session)
    done = marks_of(engine, session, [judge.name for judge in judges])
    found = []
    for judge in judges:
        own = {one.position: one for one in done if one.judge == judge.name}
        for row in tallied(answers, {place: one.stars for place, one in own.items()}):
            wanted = row.standing in LACKING
            if again is not None and row.standing is Standing.MARKED:
                wanted = again.run is None or own[row.answer.position].run != again.run
            if wanted:
                found.append(Job(row.answer, judge))
    found.sort(key=lambda job: job.answer.position)
    drawn = questions_as_drawn(engine, {(job.answer.question, job.answer.version) for job in found})
    return found, drawn


def check_closed(engine: Engine, session: str, now: float) -> None:
    """Raise Conflict for a session that may still take answers, NotFound for an unknown one."""
    sitting = read_sitting(engine, session)
    if sitting.state is SessionState.OPEN and now <= sitting.deadline:
        raise Conflict(f"session {session!r} is still open: mark it when it is finished or its time is over")
