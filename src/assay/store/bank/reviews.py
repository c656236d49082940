"""Reviewers' decisions, one for each question, version and reviewer, and the questions that wait for one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Column, Connection, Engine, func, select

from assay.core.question import QuestionState
from assay.results.bank import Review
from assay.results.review import Disputed
from assay.store.engine import driver_sql, in_parts, reading
from assay.store.schema_bank import duplicates, questions, reviewers, reviews

IN_PLAY = (QuestionState.REVIEWED, QuestionState.RAW, QuestionState.SCREENED)
"""The states of questions that wait for a reviewer, in the order in which they are offered."""


class ReviewRow(NamedTuple):
    """One decision, `accept` or `reject`, with its reason and the seconds of reading, if known."""

    question: int
    version: int
    reviewer: int
    decision: str
    reason: str
    at: float
    seconds: float | None


@dataclass(frozen=True, slots=True)
class QuestionStatus:
    """The state of a question on its way into exams."""

    id: int
    uuid: str
    version: int
    state: QuestionState
    discipline: str
    retired: bool


def keep_reviews(connection: Connection, rows: Sequence[ReviewRow]) -> int:
    """Store decisions and return how many are new; a reviewer decides only once on a version."""
    marks = f"({','.join(['{mark}'] * len(ReviewRow._fields))})"
    new = 0
    for part in in_parts(rows):
        statement = (
            f"INSERT INTO reviews ({','.join(ReviewRow._fields)}) VALUES {','.join([marks] * len(part))} "
            "ON CONFLICT DO NOTHING"
        )
        values = tuple([value for row in part for value in row])
        new += connection.exec_driver_sql(driver_sql(statement, connection.dialect.name), values).rowcount
    return new


def lock_questions(connection: Connection, uuids: Sequence[str]) -> dict[str, QuestionStatus]:
    """Lock questions until the transaction ends and return their status; unknown uuids are left out."""
    return {status.uuid: status for status in _lock(connection, questions.c.uuid, uuids)}


def lock_questions_by_id(connection: Connection, ids: Sequence[int]) -> dict[int, QuestionStatus]:
    """Lock questions by id until the transaction ends and return their status."""
    return {status.id: status for status in _lock(connection, questions.c.id, ids)}


def _lock(connection: Connection, column: Column[Any], values: Sequence[object]) -> Iterator[QuestionStatus]:
    names = ("id", "uuid", "version", "state", "discipline", "retired")
    query = select(*(questions.c[name] for name in names)).order_by(questions.c.id).with_for_update()
    for part in in_parts(values):
        for row in connection.execute(query.where(column.in_(part))):
            state, retired = QuestionState(row.state), row.retired is not None
            yield QuestionStatus(row.id, row.uuid, row.version, state, row.discipline, retired)


def decisions_on(connection: Connection, ids: Collection[int]) -> dict[int, dict[int, str]]:
    """Return the decisions on the current version of each question, by question and reviewer."""
    current = (questions.c.id == reviews.c.question) & (questions.c.version == reviews.c.version)
    query = select(reviews.c.question, reviews.c.reviewer, reviews.c.decision).join(questions, current)
    decisions: dict[int, dict[int, str]] = {}
    for part in in_parts(ids):
        for row in connection.execute(query.where(reviews.c.question.in_(part))):
            decisions.setdefault(row.question, {})[row.reviewer] = row.decision
    return decisions


def reviews_of(engine: Engine, question: int) -> list[Review]:
    """Return every decision on a question, on all its versions, oldest first."""
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
    """Return the id of the next question for a reviewer of these disciplines (none: all), None if none waits.

    Questions that another reviewer has read come before raw ones. A reviewer never gets a question version
    twice.
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
        number: int | None = connection.execute(query.order_by(questions.c.id).limit(1)).scalar()
        if number is not None:
            return number
    return None


def disputed(engine: Engine) -> list[Disputed]:
    """Return the questions on which reviewers disagree, longest waiting first."""
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
    """Return the waiting questions (id) that have an unresolved near-duplicate, with the duplicate's uuid.

    If both wait, it is the later one. Retired questions count as duplicates, so that they cannot return
    under another id; rejected ones do not.
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
    duplicate_of: dict[int, str] = {}
    with reading(engine) as connection:
        for row in connection.execute(query):
            first, second = _waits(row.state, row.retired), _waits(row.state_2, row.retired_2)
            if first and (not second or row.id > row.id_2):
                duplicate_of[row.id] = row.uuid_2
            elif second:
                duplicate_of[row.id_2] = row.uuid
    return duplicate_of


def _waits(state: str, retired: int | None) -> bool:
    return state in IN_PLAY and retired is None
