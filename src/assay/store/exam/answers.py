"""The questions of sessions as they were drawn, with answers, times and exclusions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import orjson
from sqlalchemy import Connection, Engine, Row, and_, func, insert, select

from assay.core.errors import Conflict, NotFound
from assay.core.exam import AnswerStatus, Prompting, SessionState
from assay.core.question import Question, QuestionKind
from assay.results.exam_marking import QuestionExclusion
from assay.results.exam_sitting import SittingRow
from assay.store.bank.questions import questions_by_id
from assay.store.engine import reading, writing
from assay.store.exam.series import note_session_change
from assay.store.schema_bank import passages, question_versions, questions, sources
from assay.store.schema_exam import (
    answers,
    draw_questions,
    draws,
    exam_exclusions,
    exam_voids,
    organisations,
    served,
    sessions,
)


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """One position of a session. `status` is None without an answer.

    `excluded` is the reason why the question does not count, None if it counts.
    """

    position: int
    question: int
    uuid: str
    version: int
    discipline: str
    served_at: float | None
    status: AnswerStatus | None
    text: str | None = field(repr=False)
    prompt_tokens: int | None
    completion_tokens: int | None
    seconds: float | None
    finish_reason: str | None
    received_at: float | None
    excluded: str | None


@dataclass(frozen=True, slots=True)
class DrawnQuestion:
    """A question in the version that was drawn, with its key sealed for that version."""

    id: int
    question: Question
    version: int
    sealed: bytes = field(repr=False)


def list_sittings(
    engine: Engine,
    *,
    session: str | None = None,
    draw: str | None = None,
    series: int | None = None,
) -> list[SittingRow]:
    """Return sessions, oldest first: all, one, or those of a named draw or a series."""
    query = (
        select(sessions, organisations.c.name.label("owner"), draws.c.name.label("draw_name"))
        .add_columns(draws.c.n.label("drawn_n"), draws.c.allocation, exam_voids.c.reason.label("void"))
        .join(organisations, organisations.c.id == sessions.c.organisation)
        .join(draws, draws.c.id == sessions.c.draw)
        .join(exam_voids, exam_voids.c.session == sessions.c.id, isouter=True)
        .order_by(sessions.c.opened_at, sessions.c.id)
    )
    for column, value in ((sessions.c.id, session), (draws.c.name, draw), (sessions.c.series, series)):
        if value is not None:
            query = query.where(column == value)
    with reading(engine) as connection:
        return [_sitting(row) for row in connection.execute(query)]


def questions_of_source(engine: Engine, kind: str) -> dict[str, int]:
    """Return the number of questions from a kind of source by session, without sessions that have none."""
    query = (
        select(sessions.c.id, func.count())
        .join(draw_questions, draw_questions.c.draw == sessions.c.draw)
        .join(questions, questions.c.id == draw_questions.c.question)
        .join(sources, sources.c.id == questions.c.source)
        .where(sources.c.kind == kind)
        .group_by(sessions.c.id)
    )
    with reading(engine) as connection:
        return dict(connection.execute(query).tuples().all())


def read_sitting(engine: Engine, session: str) -> SittingRow:
    """Return one session. Raises NotFound for an unknown id."""
    sittings = list_sittings(engine, session=session)
    if not sittings:
        raise _unknown_session(session)
    return sittings[0]


def _unknown_session(session: str) -> NotFound:
    return NotFound(f"unknown exam session {session!r}: list sessions with `assay exam sessions`")


def _sitting(row: Row[Any]) -> SittingRow:
    return SittingRow(
        row.id,
        row.organisation,
        row.owner,
        row.model,
        Prompting(row.prompting),
        row.draw,
        row.draw_name,
        row.revision,
        row.drawn_n,
        dict(orjson.loads(row.allocation)),
        SessionState(row.state),
        bool(row.simulated),
        row.opened_at,
        row.started_at,
        row.closed_at,
        row.deadline,
        row.series,
        row.void,
    )


def answered_questions(engine: Engine, session: str) -> list[AnsweredQuestion]:
    """Return every position of a session's draw in order, answered or not."""
    query = (
        select(
            draw_questions.c.position,
            draw_questions.c.question,
            questions.c.uuid,
            draw_questions.c.version,
            draw_questions.c.discipline,
            served.c.at,
            answers.c.status,
            answers.c.text,
            answers.c.prompt_tokens,
            answers.c.completion_tokens,
            answers.c.seconds,
            answers.c.finish_reason,
            answers.c.received_at,
            exam_exclusions.c.reason,
        )
        .select_from(sessions)
        .join(draw_questions, draw_questions.c.draw == sessions.c.draw)
        .join(questions, questions.c.id == draw_questions.c.question)
        .outerjoin(served, _at_position(served))
        .outerjoin(answers, _at_position(answers))
        .outerjoin(exam_exclusions, _at_position(exam_exclusions))
        .where(sessions.c.id == session)
        .order_by(draw_questions.c.position)
    )
    with reading(engine) as connection:
        rows = connection.execute(query).all()
    return [
        replace(AnsweredQuestion(*row), status=None if row.status is None else AnswerStatus(row.status))
        for row in rows
    ]


def _at_position(table: Any) -> Any:
    return and_(table.c.session == sessions.c.id, table.c.position == draw_questions.c.position)


def questions_as_drawn(engine: Engine, drawn: Collection[tuple[int, int]]) -> dict[int, DrawnQuestion]:
    """Return questions by id; `drawn` holds pairs of id and version.

    A question that was edited since is read from the bank's earlier versions.
    """
    versions = dict(drawn)
    as_drawn = {}
    current = questions_by_id(engine, versions)
    with reading(engine) as connection:
        for number, stored in current.items():
            if stored.version == versions[number]:
                as_drawn[number] = DrawnQuestion(number, stored.question, stored.version, stored.sealed)
            else:
                as_drawn[number] = _older_version(connection, number, stored.question, versions[number])
    return as_drawn


def _older_version(connection: Connection, number: int, now: Question, version: int) -> DrawnQuestion:
    query = select(question_versions).where(
        question_versions.c.question == number, question_versions.c.version == version
    )
    row = connection.execute(query).first()
    if row is None:
        raise NotFound(f"the bank has no version {version} of question {now.uuid!r}")
    content = orjson.loads(row.content)
    material = select(passages.c.text).where(passages.c.id == content["passage"])
    question = Question(
        now.uuid,
        QuestionKind(content["kind"]),
        content["stem"],
        content["discipline"],
        tuple(orjson.loads(content["options"])),
        connection.execute(material).scalar(),
        content["secondary"],
        content["language"],
        now.parent,
    )
    return DrawnQuestion(number, question, version, bytes(row.key))


def exclude(
    engine: Engine, session: str, positions: Collection[int], *, reason: str, by: str, now: float
) -> list[QuestionExclusion]:
    """Exclude questions of a session, all or none, and return the new exclusions.

    Raises NotFound for an unknown session, Conflict for a position that was not served.
    """
    chosen = sorted(set(positions))
    with writing(engine) as connection:
        if connection.execute(select(sessions.c.id).where(sessions.c.id == session)).first() is None:
            raise _unknown_session(session)
        of_session = select(served.c.position).where(served.c.session == session)
        known = set(connection.execute(of_session).scalars())
        unserved = [position for position in chosen if position not in known]
        if unserved:
            listed = ", ".join(map(str, unserved[:10]))
            raise Conflict(
                f"session {session!r} was not served position {listed}: give positions that were served"
            )
        before = select(exam_exclusions.c.position).where(exam_exclusions.c.session == session)
        done = set(connection.execute(before).scalars())
        new = [QuestionExclusion(session, number, reason, by, now) for number in chosen if number not in done]
        if new:
            note_session_change(connection, session)
            connection.execute(insert(exam_exclusions), [asdict(exclusion) for exclusion in new])
    return new


def where_served(engine: Engine, uuid: str) -> list[tuple[str, int]]:
    """Return the sessions and positions where a question was served. Raises NotFound for an unknown uuid."""
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


def exclusions_of(engine: Engine, session: str) -> Sequence[QuestionExclusion]:
    """Return the exclusions of a session in the order of positions."""
    columns = [exam_exclusions.c[name] for name in ("session", "position", "reason", "by", "at")]
    query = select(*columns).where(exam_exclusions.c.session == session).order_by(exam_exclusions.c.position)
    with reading(engine) as connection:
        return [QuestionExclusion(*row) for row in connection.execute(query)]
