"""A sitting's questions with what each counts as under one judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Engine

from assay.ranking.exam.plausibility import Flag, Metered, flags
from assay.ranking.exam.scores import Counted
from assay.ranking.exam.standing import LACKING, ZERO_BY_RULE, Standing, standing
from assay.store.exam.answers import AnsweredQuestion, answered_questions
from assay.store.exam.marks import stars_of


@dataclass(frozen=True, slots=True)
class Tallied:
    """One question of a sitting: `stars` are the judge's, 0 by rule, None where there are none."""

    answer: AnsweredQuestion
    standing: Standing
    stars: int | None


def tally(engine: Engine, session: str, judge: str) -> list[Tallied]:
    """Return every position of a session in order, with what it counts as under a judge."""
    return tallied(answered_questions(engine, session), stars_of(engine, session, judge))


def tallied(answers: Sequence[AnsweredQuestion], stars: Mapping[int, int | None]) -> list[Tallied]:
    """Return what each of these questions counts as, from a judge's stars by position."""
    found = []
    for one in answers:
        place = one.position
        how = standing(
            one.status,
            one.text,
            excluded=one.excluded is not None,
            asked=place in stars,
            stars=stars.get(place),
        )
        given = 0 if how in ZERO_BY_RULE else stars.get(place) if how is Standing.MARKED else None
        found.append(Tallied(one, how, given))
    return found


def counted(rows: Sequence[Tallied]) -> tuple[Counted, ...]:
    """Return the questions that count, with their stars; those that still lack a mark are not among them."""
    return tuple(
        Counted(row.answer.question, row.answer.discipline, row.stars)
        for row in rows
        if row.stars is not None
    )


def standings(rows: Sequence[Tallied]) -> Counter[Standing]:
    """Return how many questions count as what."""
    return Counter(row.standing for row in rows)


def lacking(rows: Sequence[Tallied]) -> int:
    """Return how many answers have no stars yet."""
    return sum(row.standing in LACKING for row in rows)


def metering(rows: Sequence[Tallied]) -> tuple[Flag, ...]:
    """Return what is implausible about a sitting's metering."""
    return flags(
        [
            Metered(
                one.text,
                one.prompt_tokens,
                one.completion_tokens,
                one.seconds,
                one.served_at,
                one.received_at,
            )
            for one in (row.answer for row in rows)
            if one.text is not None and one.served_at is not None and one.received_at is not None
        ]
    )
