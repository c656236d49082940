"""The questions of a sitting with their stars under one judge, and the exclusion of faulty questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Engine

from assay.core.errors import InvalidInput
from assay.ranking.exam.plausibility import Metered, flags
from assay.ranking.exam.scores import question_standing
from assay.results.exam_marking import QuestionExclusion
from assay.results.exam_sitting import LACKING, ZERO_BY_RULE, CountedQuestion, MeteringFlag, QuestionStanding
from assay.store.exam.answers import AnsweredQuestion, answered_questions, exclude, where_served
from assay.store.exam.marks import stars_of


@dataclass(frozen=True, slots=True)
class Tallied:
    """One question of a sitting. `stars` are the judge's or 0 by rule, None if there are none."""

    answer: AnsweredQuestion
    standing: QuestionStanding
    stars: int | None


def tally(engine: Engine, session: str, judge: str) -> list[Tallied]:
    """Return every position of a session in order, with its standing under a judge."""
    return tallied(answered_questions(engine, session), stars_of(engine, session, judge))


def tallied(answers: Sequence[AnsweredQuestion], stars: Mapping[int, int | None]) -> list[Tallied]:
    """Return the standing of these questions, given a judge's stars by position."""
    rows = []
    for answer in answers:
        given = stars.get(answer.position)
        standing = question_standing(
            answer.status,
            answer.text,
            excluded=answer.excluded is not None,
            asked=answer.position in stars,
            stars=given,
        )
        if standing in ZERO_BY_RULE:
            given = 0
        elif standing is not QuestionStanding.MARKED:
            given = None
        rows.append(Tallied(answer, standing, given))
    return rows


def counted(rows: Sequence[Tallied]) -> tuple[CountedQuestion, ...]:
    """Return the questions that count, with their stars; those without stars are left out."""
    return tuple(
        CountedQuestion(row.answer.question, row.answer.discipline, row.stars)
        for row in rows
        if row.stars is not None
    )


def standings(rows: Sequence[Tallied]) -> Counter[QuestionStanding]:
    """Return the number of questions with each standing."""
    return Counter(row.standing for row in rows)


def lacking(rows: Sequence[Tallied]) -> int:
    """Return the number of answers that have no stars yet."""
    return sum(row.standing in LACKING for row in rows)


def metering(rows: Sequence[Tallied]) -> tuple[MeteringFlag, ...]:
    """Return what is implausible about a sitting's metering."""
    return flags(
        [
            Metered(
                answer.text,
                answer.prompt_tokens,
                answer.completion_tokens,
                answer.seconds,
                answer.served_at,
                answer.received_at,
            )
            for answer in (row.answer for row in rows)
            if answer.text is not None and answer.served_at is not None and answer.received_at is not None
        ]
    )


def exclude_positions(
    engine: Engine, session: str, positions: Collection[int], *, reason: str, by: str, now: float
) -> list[QuestionExclusion]:
    """Exclude questions of one session, which shortens the denominator of its S; return the new exclusions.

    Raises InvalidInput without a reason or positions, NotFound for an unknown session, Conflict for a
    position that was not served.
    """
    if not positions:
        raise InvalidInput(f"no position of session {session!r} given: give one or more, as in 12 40")
    return exclude(engine, session, positions, reason=_check_reason(reason), by=by, now=now)


def exclude_question(
    engine: Engine, uuid: str, *, reason: str, by: str, now: float
) -> list[QuestionExclusion]:
    """Exclude a question from every session in which it was served; return the new exclusions.

    Excluding it from some sittings only would favour some models. Raises InvalidInput without a reason,
    NotFound for an unknown question.
    """
    checked = _check_reason(reason)
    new: list[QuestionExclusion] = []
    for session, position in where_served(engine, uuid):
        new += exclude(engine, session, [position], reason=checked, by=by, now=now)
    return new


def _check_reason(reason: str) -> str:
    if not reason.strip():
        raise InvalidInput(f"empty --reason {reason!r}: describe what is wrong with the question")
    return reason.strip()
