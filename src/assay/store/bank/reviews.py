"""Reviewers' decisions on versions of questions, undone or in force, and the questions that wait for one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Column, ColumnElement, Connection, Engine, case, func, select

from assay.core.question import QuestionKind, QuestionState
from assay.results.bank import Review
from assay.results.review import Disputed
from assay.store.engine import driver_sql, in_parts, reading
from assay.store.schema_bank import duplicates, questions, reviewers, reviews
from assay.store.schema_exam import draw_questions, served, sessions

IN_PLAY = (QuestionState.REVIEWED, QuestionState.RAW, QuestionState.SCREENED)
"""The states of questions that wait for a reviewer, in the order in which they are offered."""


class ReviewRow(NamedTuple):
    """One decision, `accept` or `reject`, with its reason and the seconds of reading, if known.

    `unaccept` and `unreject` undo the decision before. `turn` numbers a reviewer's rows on a version from 1.
    """

    question: int
    version: int
    reviewer: int
    decision: str
    reason: str
    at: float
    seconds: float | None
    turn: int
    state_before: str | None


UNDONE = {"accept": "unaccept", "reject": "unreject"}
"""What undoes a decision."""


class KeptReview(NamedTuple):
    """A stored decision with its number, and whether it is the reviewer's last row on the version."""

    id: int
    row: ReviewRow
    last: bool


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
    """Store decisions and return how many are new; a reviewer has one row for each turn on a version."""
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
    """Return the decisions in force on the current version of each question, by question and reviewer."""
    current = (questions.c.id == reviews.c.question) & (questions.c.version == reviews.c.version)
    query = select(reviews.c.question, reviews.c.reviewer, reviews.c.decision).join(questions, current)
    in_force: dict[int, dict[int, list[str]]] = {}
    for part in in_parts(ids):
        for row in connection.execute(query.where(reviews.c.question.in_(part)).order_by(reviews.c.turn)):
            own = in_force.setdefault(row.question, {}).setdefault(row.reviewer, [])
            if row.decision in UNDONE:
                own.append(row.decision)
            elif own:
                own.pop()
    return {
        question: {reviewer: own[-1] for reviewer, own in by_reviewer.items() if own}
        for question, by_reviewer in in_force.items()
    }


def turns_of(connection: Connection, reviewer: int, ids: Collection[int]) -> dict[int, int]:
    """Return the number of a reviewer's rows on the current version of each question that has any."""
    current = (questions.c.id == reviews.c.question) & (questions.c.version == reviews.c.version)
    query = select(reviews.c.question, func.count()).join(questions, current).group_by(reviews.c.question)
    turns: dict[int, int] = {}
    for part in in_parts(ids):
        found = query.where(reviews.c.question.in_(part), reviews.c.reviewer == reviewer)
        turns.update({question: int(number) for question, number in connection.execute(found)})
    return turns


def kept_reviews(
    connection: Connection, *conditions: ColumnElement[bool], limit: int | None = None
) -> list[KeptReview]:
    """Return the stored decisions that meet the conditions, the last one first."""
    later = reviews.alias("later")
    same = [later.c[name] == reviews.c[name] for name in ("question", "version", "reviewer")]
    last = ~select(later.c.id).where(*same, later.c.turn > reviews.c.turn).exists()
    query = (
        select(reviews.c.id, *(reviews.c[name] for name in ReviewRow._fields), last)
        .where(*conditions)
        .order_by(reviews.c.at.desc(), reviews.c.id.desc())
        .limit(limit)
    )
    return [
        KeptReview(number, ReviewRow(*row), bool(newest))
        for number, *row, newest in connection.execute(query)
    ]


def decided_later(connection: Connection, review: KeptReview) -> bool:
    """Whether another reviewer has decided on the question after a review, and has not undone that."""
    row = review.row
    net = func.sum(case((reviews.c.decision.in_(UNDONE), 1), else_=-1))
    query = (
        select(reviews.c.reviewer)
        .where(
            reviews.c.question == row.question, reviews.c.reviewer != row.reviewer, reviews.c.id > review.id
        )
        .group_by(reviews.c.reviewer)
        .having(net > 0)
    )
    return connection.execute(query).first() is not None


def is_served(connection: Connection, question: int) -> bool:
    """Whether a question was served in an exam, or an open session is going to serve it."""
    given = select(served.c.session).where(
        served.c.session == sessions.c.id, served.c.position == draw_questions.c.position
    )
    query = (
        select(sessions.c.id)
        .join(draw_questions, draw_questions.c.draw == sessions.c.draw)
        .where(draw_questions.c.question == question, (sessions.c.state == "open") | given.exists())
    )
    return connection.execute(query.limit(1)).first() is not None


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
    connection: Connection,
    reviewer: int,
    disciplines: Sequence[str],
    *,
    skip: Collection[int] = (),
    kind: QuestionKind | None = None,
) -> int | None:
    """Return the id of the next question for a reviewer of these disciplines (none: all), None if none waits.

    Questions that another reviewer has read come before raw ones. A reviewer gets a question version again
    only after undoing the decision on it. With `kind`, only questions of this kind count.
    """
    own = (
        select(func.coalesce(func.sum(case((reviews.c.decision.in_(UNDONE), 1), else_=-1)), 0))
        .where(
            reviews.c.question == questions.c.id,
            reviews.c.version == questions.c.version,
            reviews.c.reviewer == reviewer,
        )
        .scalar_subquery()
    )
    for state in IN_PLAY:
        query = select(questions.c.id).where(
            questions.c.state == state.value, questions.c.retired.is_(None), own == 0
        )
        if kind is not None:
            query = query.where(questions.c.kind == kind.value)
        if disciplines:
            query = query.where(questions.c.discipline.in_(disciplines))
        if skip:
            query = query.where(questions.c.id.not_in(list(skip)))
        number: int | None = connection.execute(query.order_by(questions.c.id).limit(1)).scalar()
        if number is not None:
            return number
    return None


def in_force(decision: str) -> ColumnElement[int]:
    """Return the number of these decisions in a group of reviews, without those that were undone."""
    each = case((reviews.c.decision == decision, 1), (reviews.c.decision == UNDONE[decision], -1), else_=0)
    return func.coalesce(func.sum(each), 0)


def disputed(engine: Engine) -> list[Disputed]:
    """Return the questions on which reviewers disagree, longest waiting first."""
    accepts, rejects = in_force("accept"), in_force("reject")
    query = (
        select(questions.c.uuid, questions.c.discipline, accepts.label("accepts"), rejects.label("rejects"))
        .join(reviews, (questions.c.id == reviews.c.question) & (questions.c.version == reviews.c.version))
        .where(questions.c.state == QuestionState.REVIEWED.value, questions.c.retired.is_(None))
        .group_by(questions.c.id, questions.c.uuid, questions.c.discipline)
        .having((accepts == rejects) & (accepts > 0))
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
