"""What was asked and answered in a session: its questions as they were drawn, answers, times, exclusions."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Any

import orjson
from sqlalchemy import Connection, Engine, Row, and_, select

from assay.core.errors import NotFound
from assay.core.exam import AnswerStatus, Prompting, SessionState
from assay.core.question import Question, QuestionKind
from assay.store.bank.questions import questions_by_id
from assay.store.engine import reading
from assay.store.schema_bank import passages, question_versions, questions
from assay.store.schema_exam import (
    answers,
    draw_questions,
    draws,
    exam_exclusions,
    organisations,
    served,
    sessions,
)


@dataclass(frozen=True, slots=True)
class Sitting:
    """One session as results see it. `drawn` counts the draw's questions by subject; `draw_name` may be
    None."""

    session: str
    organisation: int
    organisation_name: str
    model: str
    prompting: Prompting
    draw: int
    draw_name: str | None
    revision: int
    n: int
    drawn: dict[str, int]
    state: SessionState
    simulated: bool
    opened_at: float
    started_at: float | None
    closed_at: float | None
    deadline: float


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """One position of a session. `status` is None where no answer was given; `excluded` is why it does not
    count, None where it does."""

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
    """A question in the version in which it was drawn, with its key sealed for that version."""

    id: int
    question: Question
    version: int
    sealed: bytes = field(repr=False)


def list_sittings(
    engine: Engine,
    *,
    only: str | None = None,
    organisation: int | None = None,
    model: str | None = None,
    draw: str | None = None,
) -> list[Sitting]:
    """Return sessions in the order in which they were opened; `organisation` and others keep theirs only."""
    query = (
        select(sessions, organisations.c.name.label("owner"), draws.c.name.label("draw_name"))
        .add_columns(draws.c.n.label("drawn_n"), draws.c.allocation)
        .join(organisations, organisations.c.id == sessions.c.organisation)
        .join(draws, draws.c.id == sessions.c.draw)
        .order_by(sessions.c.opened_at, sessions.c.id)
    )
    wanted = (
        (sessions.c.id, only),
        (sessions.c.organisation, organisation),
        (sessions.c.model, model),
        (draws.c.name, draw),
    )
    for column, value in wanted:
        if value is not None:
            query = query.where(column == value)
    with reading(engine) as connection:
        return [_sitting(row) for row in connection.execute(query)]


def read_sitting(engine: Engine, session: str) -> Sitting:
    """Return one session. Raises NotFound where there is none of that id."""
    found = list_sittings(engine, only=session)
    if not found:
        raise NotFound(f"there is no exam session {session!r}: `assay exam results` lists them")
    return found[0]


def _sitting(row: Row[Any]) -> Sitting:
    return Sitting(
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
    )


def answered_questions(engine: Engine, session: str) -> list[AnsweredQuestion]:
    """Return every position of a session's draw in order, answered or not."""
    here = sessions.c.id == session
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
        .outerjoin(served, _at(served))
        .outerjoin(answers, _at(answers))
        .outerjoin(exam_exclusions, _at(exam_exclusions))
        .where(here)
        .order_by(draw_questions.c.position)
    )
    with reading(engine) as connection:
        rows = connection.execute(query).all()
    return [
        replace(AnsweredQuestion(*row), status=None if row.status is None else AnswerStatus(row.status))
        for row in rows
    ]


def _at(table: Any) -> Any:
    return and_(table.c.session == sessions.c.id, table.c.position == draw_questions.c.position)


def questions_as_drawn(engine: Engine, drawn: Collection[tuple[int, int]]) -> dict[int, DrawnQuestion]:
    """Return questions by id, each in the version given beside it: (id, version).

    One that was edited since is read from the versions that the bank keeps.
    """
    wanted = dict(drawn)
    found = {}
    current = questions_by_id(engine, wanted)
    with reading(engine) as connection:
        for number, held in current.items():
            if held.version == wanted[number]:
                found[number] = DrawnQuestion(number, held.question, held.version, held.sealed)
            else:
                found[number] = _older(connection, number, held.question, wanted[number])
    return found


def _older(connection: Connection, number: int, now: Question, version: int) -> DrawnQuestion:
    query = select(question_versions).where(
        question_versions.c.question == number, question_versions.c.version == version
    )
    row = connection.execute(query).first()
    if row is None:
        raise NotFound(f"the bank does not keep version {version} of question {now.uuid!r}")
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
