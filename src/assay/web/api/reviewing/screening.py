"""Screening questions: the next one with its key, a decision on it, and putting it right."""

from __future__ import annotations

import re
from typing import Any, Final

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

from assay.bank.review import decide, next_question
from assay.core.errors import AssayError, InvalidInput
from assay.core.exam import Permission
from assay.questions.screen import Decided
from assay.questions.taxonomy import disciplines
from assay.web.api.reviewing.admit import Admitted, standing, work
from assay.web.api.reviewing.edit import edit, read_version
from assay.web.api.reviewing.shapes import (
    ReviewDecision,
    ReviewDiscipline,
    ReviewEdit,
    ReviewNext,
    ReviewOutcome,
    ReviewQuestion,
    ReviewStart,
)
from assay.web.api.reviewing.view import shown
from assay.web.body import read_body
from assay.web.routes import add, sent
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
        told, held = standing(one), one.reviewing
        if told.read_today >= told.daily_cap:
            held.let_go(one.who.name)
            return ReviewNext(reviewer=told, question=None)
        left_out = skip | held.with_others(one.who.name, one.now)
        found = next_question(one.engine, one.who.name, now=one.now, skip=left_out)
        if found is None:
            held.let_go(one.who.name)
            return ReviewNext(reviewer=told, question=None)
        held.hold(one.who.name, found.id, one.now)
        return ReviewNext(reviewer=told, question=shown(one, found))

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
        state = decide(one.engine, one.who.name, decided, second_review=one.reviewing.second, now=one.now)
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
