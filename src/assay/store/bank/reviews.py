"""What reviewers decided, one decision for each question, version and reviewer, and what waits for one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from sqlalchemy import Connection, Engine, func, select

from assay.core.question import QuestionState
from assay.store.engine import reading
from assay.store.schema_bank import duplicates, questions, reviewers, reviews

CHUNK = 500
IN_PLAY = (QuestionState.REVIEWED, QuestionState.RAW)
"""What waits for a reviewer, the begun ones first."""


class ReviewRow(NamedTuple):
    """One decision: `accept` or `reject`, with its reason and the seconds that reading took, if known."""

    question: int
    version: int
    reviewer: int
    decision: str
    reason: str
    at: float
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Standing:
    """How a question stands on its way into exams."""

    id: int
    uuid: str
    version: int
    state: QuestionState
    discipline: str
    retired: bool


@dataclass(frozen=True, slots=True)
class Review:
    """A decision as it stands in the bank."""

    reviewer: str
    version: int
    decision: str
    reason: str
    at: float
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Disputed:
    """A question on which reviewers disagree: it waits for a third."""

    uuid: str
    discipline: str
    accepts: int
    rejects: int


def keep_reviews(connection: Connection, rows: Sequence[ReviewRow]) -> int:
    """Store decisions and return how many are new: a second one of a reviewer on a version is left out."""
    made = 0
    for start in range(0, len(rows), CHUNK):
        part = rows[start : start + CHUNK]
        statement = _insert(connection.dialect.name, len(part))
        values = tuple([value for row in part for value in row])
        made += connection.exec_driver_sql(statement, values).rowcount
    return made


@cache
def _insert(dialect: str, rows: int) -> str:
    mark = "?" if dialect == "sqlite" else "%s"
    row = f"({','.join([mark] * len(ReviewRow._fields))})"
    return (
        f"INSERT INTO reviews ({','.join(ReviewRow._fields)}) VALUES {','.join([row] * rows)} "
        "ON CONFLICT DO NOTHING"
    )


def standings(connection: Connection, uuids: Sequence[str]) -> dict[str, Standing]:
    """Return how questions stand, and hold them until the transaction ends; unknown uuids are left out."""
    return {each.uuid: each for each in _standings(connection, questions.c.uuid, uuids)}


def standings_by_id(connection: Connection, ids: Sequence[int]) -> dict[int, Standing]:
    """Return how the questions of these rows stand, and hold them until the transaction ends."""
    return {each.id: each for each in _standings(connection, questions.c.id, ids)}


def _standings(connection: Connection, column: object, values: Sequence[object]) -> list[Standing]:
    found: list[Standing] = []
    for start in range(0, len(values), CHUNK):
        query = (
            select(
                questions.c.id,
                questions.c.uuid,
                questions.c.version,
                questions.c.state,
                questions.c.discipline,
                questions.c.retired,
            )
            .where(column.in_(values[start : start + CHUNK]))  # type: ignore[attr-defined]
            .order_by(questions.c.id)
            .with_for_update()
        )
        found += [
            Standing(
                row.id,
                row.uuid,
                row.version,
                QuestionState(row.state),
                row.discipline,
                row.retired is not None,
            )
            for row in connection.execute(query)
        ]
    return found


def decisions_on(connection: Connection, ids: Collection[int]) -> dict[int, dict[int, str]]:
    """Return what was decided on the present version of each question: the decision by reviewer."""
    listed = list(ids)
    found: dict[int, dict[int, str]] = {}
    for start in range(0, len(listed), CHUNK):
        query = (
            select(reviews.c.question, reviews.c.reviewer, reviews.c.decision)
            .join(
                questions, (questions.c.id == reviews.c.question) & (questions.c.version == reviews.c.version)
            )
            .where(reviews.c.question.in_(listed[start : start + CHUNK]))
        )
        for row in connection.execute(query):
            found.setdefault(row.question, {})[row.reviewer] = row.decision
    return found


def reviews_of(engine: Engine, question: int) -> list[Review]:
    """Return every decision on a question, of all its versions, in the order of time."""
    query = (
        select(reviews, reviewers.c.name)
        .join(reviewers, reviewers.c.id == reviews.c.reviewer)
        .where(reviews.c.question == question)
        .order_by(reviews.c.at, reviews.c.id)
    )
    with reading(engine) as connection:
        return [
            Review(row.name, row.version, row.decision, row.reason, row.at, row.seconds)
            for row in connection.execute(query)
        ]


def next_unread(
    connection: Connection, reviewer: int, disciplines: Sequence[str], *, skip: Collection[int] = ()
) -> int | None:
    """Return the row of the next question for a reviewer who reads these disciplines (none: all).

    What another reviewer has begun comes before what is raw; what this one has decided never comes again.
    """
    own = (
        select(reviews.c.id)
        .where(
            reviews.c.question == questions.c.id,
            reviews.c.version == questions.c.version,
            reviews.c.reviewer == reviewer,
        )
        .exists()
    )
    for state in IN_PLAY:
        query = select(questions.c.id).where(
            questions.c.state == state.value, questions.c.retired.is_(None), ~own
        )
        if disciplines:
            query = query.where(questions.c.discipline.in_(disciplines))
        if skip:
            query = query.where(questions.c.id.not_in(list(skip)))
        found: int | None = connection.execute(query.order_by(questions.c.id).limit(1)).scalar()
        if found is not None:
            return found
    return None


def disputed(engine: Engine) -> list[Disputed]:
    """Return the questions on which reviewers disagree, those that wait longest first."""
    accepts = func.count().filter(reviews.c.decision == "accept")
    rejects = func.count().filter(reviews.c.decision == "reject")
    query = (
        select(questions.c.uuid, questions.c.discipline, accepts.label("accepts"), rejects.label("rejects"))
        .join(reviews, (questions.c.id == reviews.c.question) & (questions.c.version == reviews.c.version))
        .where(questions.c.state == QuestionState.REVIEWED.value, questions.c.retired.is_(None))
        .group_by(questions.c.id, questions.c.uuid, questions.c.discipline)
        .having(accepts == rejects)
        .order_by(func.min(reviews.c.at))
    )
    with reading(engine) as connection:
        return [Disputed(*row) for row in connection.execute(query)]


def near_duplicates(engine: Engine) -> dict[int, str]:
    """Return the rows that wait and read nearly like another question, with that one's uuid, until resolved.

    Of two that wait it is the later one. A retired question still has duplicates, lest it come back under
    another number; a rejected one has none.
    """
    one, other = questions.alias("one"), questions.alias("other")
    query = (
        select(
            *(one.c.id, one.c.uuid, one.c.state, one.c.retired),
            other.c.id.label("id_2"),
            other.c.uuid.label("uuid_2"),
            other.c.state.label("state_2"),
            other.c.retired.label("retired_2"),
        )
        .select_from(duplicates)
        .join(one, one.c.id == duplicates.c.question)
        .join(other, other.c.id == duplicates.c.other)
        .where(
            duplicates.c.resolution.is_(None),
            one.c.state != QuestionState.REJECTED.value,
            other.c.state != QuestionState.REJECTED.value,
        )
    )
    found: dict[int, str] = {}
    with reading(engine) as connection:
        for row in connection.execute(query):
            waits = _waits(row.state, row.retired), _waits(row.state_2, row.retired_2)
            if waits[0] and (not waits[1] or row.id > row.id_2):
                found[row.id] = row.uuid_2
            elif waits[1]:
                found[row.id_2] = row.uuid
    return found


def _waits(state: str, retired: int | None) -> bool:
    return state in IN_PLAY and retired is None
