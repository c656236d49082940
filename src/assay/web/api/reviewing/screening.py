"""Screening questions: the next one as a reviewer sees it, a decision on it, and putting it right."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Final

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

from assay.bank import editing
from assay.bank.review import decide, next_question
from assay.core.errors import AssayError, Conflict, Denied, InvalidInput
from assay.core.exam import Permission
from assay.core.question import Question, QuestionState
from assay.questions.screen import Decided
from assay.questions.taxonomy import disciplines
from assay.questions.validate import validate
from assay.store.bank.duplicates import flagged
from assay.store.bank.questions import StoredQuestion, question_by_uuid
from assay.web.api.reviewing.admit import Admitted, standing, work
from assay.web.api.reviewing.shapes import (
    ReviewDecision,
    ReviewDiscipline,
    ReviewEdit,
    ReviewFinding,
    ReviewNext,
    ReviewOutcome,
    ReviewQuestion,
    ReviewStart,
    ReviewTwin,
)
from assay.web.routes import add, read_body, sent
from assay.web.shapes import UUID

MOST_SKIPPED: Final = 200
MOST_SECONDS: Final = 1800.0
"""The longest time that counts as reading one question."""
_SKIP: Final = re.compile(r"[0-9]{1,18}(,[0-9]{1,18}){0,199}")
_QUESTION: Final[list[dict[str, Any]]] = [
    {"name": "question", "in": "path", "required": True, "schema": {"type": "string", "pattern": UUID}}
]
_QUERY: Final[list[dict[str, Any]]] = [
    {
        "name": "skip",
        "in": "query",
        "description": "Numbers of questions to leave out, with commas between, at most 200.",
        "schema": {"type": "string", "pattern": f"^{_SKIP.pattern}$"},
    }
]
SCREEN: Final = (Permission.SCREEN,)
MOST_TWINS: Final = 3


def add_routes(app: FastAPI) -> None:
    """Add the routes of screening."""
    one = "/review/questions/{question}"
    add(app, "GET", "/review/reviewer", reviewer, sent=ReviewStart)
    add(app, "GET", "/review/question", next_one, sent=ReviewNext, query=_QUERY, problems=(422,))
    add(
        app,
        "POST",
        f"{one}/decision",
        decide_on,
        sent=ReviewOutcome,
        given=ReviewDecision,
        query=_QUESTION,
        problems=(404, 409),
    )
    add(
        app,
        "PUT",
        one,
        put_right,
        sent=ReviewQuestion,
        given=ReviewEdit,
        query=_QUESTION,
        problems=(404, 409),
    )


async def reviewer(request: Request) -> Response:
    """Tell who reviews and how much today."""
    found = await work(request, (Permission.SCREEN, Permission.MARK), standing)
    known = [ReviewDiscipline(code=each.code, name=each.english) for each in disciplines()]
    return sent(ReviewStart(reviewer=found, all_disciplines=known))


async def next_one(request: Request) -> Response:
    """Give the next question that waits for this reviewer, with its key."""
    skip = _skipped(request)

    def deed(one: Admitted) -> ReviewNext:
        if isinstance(skip, AssayError):
            raise skip
        reviewer, held = standing(one), one.reviewing
        if reviewer.read_today >= reviewer.daily_cap:
            held.release(one.who.name)
            return ReviewNext(reviewer=reviewer, question=None)
        left_out = skip | held.held_by_others(one.who.name, one.now)
        found = next_question(one.engine, one.who.name, now=one.now, skip=left_out)
        if found is None:
            held.release(one.who.name)
            return ReviewNext(reviewer=reviewer, question=None)
        held.hold(one.who.name, found.id, one.now)
        return ReviewNext(reviewer=reviewer, question=shown(one, found))

    return sent(await work(request, SCREEN, deed))


async def decide_on(request: Request) -> Response:
    """Accept or reject a question in the version that was read."""
    body = await read_body(request, ReviewDecision)

    def deed(one: Admitted) -> ReviewOutcome:
        if isinstance(body, AssayError):
            raise body
        question = _id(request)
        read_version(one, question, body.version)
        seconds = None if body.seconds is None else min(body.seconds, MOST_SECONDS)
        decided = Decided(question, body.decision, body.reason, seconds)
        state = decide(one.engine, one.who.name, decided, now=one.now)
        return ReviewOutcome(state=state, reviewer=standing(one))

    return sent(await work(request, SCREEN, deed))


async def put_right(request: Request) -> Response:
    """Give a question other words, kept as a new version that is read anew; the original stays."""
    body = await read_body(request, ReviewEdit)

    def deed(one: Admitted) -> ReviewQuestion:
        if isinstance(body, AssayError):
            raise body
        return shown(one, edit(one, _id(request), body))

    return sent(await work(request, SCREEN, deed))


def _id(request: Request) -> str:
    found: str = request.path_params["question"]
    if not re.fullmatch(UUID, found):
        raise InvalidInput(f"{found[:40]!r} is no question's id: give the `id` that came with it")
    return found


def _skipped(request: Request) -> set[int] | InvalidInput:
    given = request.query_params.multi_items()
    if not given:
        return set()
    name, value = given[0]
    if len(given) > 1 or name != "skip" or not _SKIP.fullmatch(value):
        return InvalidInput(
            f"give nothing but skip, once: at most {MOST_SKIPPED} numbers of questions with commas between"
        )
    return {int(each) for each in value.split(",")}


def read_version(one: Admitted, uuid: str, version: int) -> StoredQuestion:
    """Return a question in the version that a reviewer has read.

    Raises NotFound for none, Denied for another reviewer's discipline, Conflict where it was edited since.
    """
    stored = question_by_uuid(one.engine, uuid)
    if not one.who.reads(stored.question.discipline):
        raise Denied(f"{uuid!r} is of {stored.question.discipline!r}, which {one.who.name!r} does not read")
    if stored.version != version:
        raise Conflict(f"{uuid!r} was edited meanwhile: read it again")
    return stored


def edit(one: Admitted, uuid: str, given: ReviewEdit) -> StoredQuestion:
    """Give a question other words, and return it.

    Raises what `read_version` and the bank's edit raise, and InvalidInput where nothing is changed or left.
    """
    stored = read_version(one, uuid, given.version)
    key = one.reviewing.key_of(stored)
    edited = _edited(stored.question, given)
    answers = tuple(_stripped("an answer", each) for each in given.key)
    new = replace(key, answers=answers, explanation=given.explanation.strip())
    if (edited, new) == (stored.question, key):
        raise InvalidInput("nothing is changed: accept or reject the question as it is")
    editing.edit(
        one.engine,
        one.reviewing.check_sealer(),
        one.who.name,
        edited,
        new,
        version=given.version,
        reason=given.reason,
        now=one.now,
    )
    return question_by_uuid(one.engine, uuid)


def _edited(question: Question, given: ReviewEdit) -> Question:
    return replace(
        question,
        stem=_stripped("the question", given.stem),
        options=tuple(_stripped("an option", each) for each in given.options),
        discipline=given.discipline,
        secondary=question.secondary if given.discipline == question.discipline else None,
    )


def _stripped(what: str, text: str) -> str:
    if not text.strip():
        raise InvalidInput(f"{what} is empty: write it, or take it out")
    return text.strip()


def shown(one: Admitted, stored: StoredQuestion) -> ReviewQuestion:
    """Return a question for a reviewer. Raises NoKey where its key cannot be opened."""
    question, key = stored.question, one.reviewing.key_of(stored)
    return ReviewQuestion(
        id=question.uuid,
        number=stored.id,
        version=stored.version,
        state=stored.state,
        kind=question.kind,
        discipline=question.discipline,
        secondary=question.secondary,
        language=question.language,
        passage=question.passage,
        stem=question.stem,
        options=list(question.options),
        key=[_sendable(each) for each in key.answers],
        explanation=_sendable(key.explanation),
        place=stored.place,
        made_from=question.parent,
        findings=[
            ReviewFinding(kind=each.kind, severity=each.severity, text=each.text)
            for each in validate(question, key)
        ],
        near=_twins(one, question.uuid),
    )


def _twins(one: Admitted, uuid: str) -> list[ReviewTwin]:
    found = []
    for pair in flagged(one.engine, unresolved=True, of=uuid)[:MOST_TWINS]:
        twin = question_by_uuid(one.engine, pair.other if pair.question == uuid else pair.question)
        if twin.retired is None and twin.state is not QuestionState.REJECTED:
            question = twin.question
            found.append(
                ReviewTwin(
                    id=question.uuid,
                    similarity=round(pair.similarity, 3),
                    stem=question.stem,
                    options=list(question.options),
                    state=twin.state,
                )
            )
    return found


def _sendable(text: str) -> str:
    """Return a sealed text without lone surrogates, which no JSON in UTF-8 can hold."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
