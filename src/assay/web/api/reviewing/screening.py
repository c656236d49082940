"""Routes for screening: get the next question with its key, decide on it, or correct it."""

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
from assay.core.question import Question, QuestionKind, QuestionState
from assay.questions.screen import Decided
from assay.questions.taxonomy import disciplines
from assay.questions.validate import validate
from assay.store.bank.duplicates import flagged
from assay.store.bank.questions import StoredQuestion, question_by_uuid
from assay.web.api.reviewing.admit import AdmittedReviewer, reviewer_body, work
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
from assay.web.routes import add, json_response, read_body
from assay.web.shapes import UUID

MOST_SKIPPED: Final = 200
MOST_SECONDS: Final = 1800.0
"""The longest reading time that is recorded for a question."""
_SKIP: Final = re.compile(r"[0-9]{1,18}(,[0-9]{1,18}){0,199}")
_QUESTION: Final[list[dict[str, Any]]] = [
    {"name": "question", "in": "path", "required": True, "schema": {"type": "string", "pattern": UUID}}
]
_QUERY: Final[list[dict[str, Any]]] = [
    {
        "name": "skip",
        "in": "query",
        "description": "Numbers of questions to leave out, separated by commas, at most 200.",
        "schema": {"type": "string", "pattern": f"^{_SKIP.pattern}$"},
    },
    {
        "name": "kind",
        "in": "query",
        "description": "The kind of question to get; all kinds if it is left out.",
        "schema": {"type": "string", "enum": [kind.value for kind in QuestionKind]},
    },
]
SCREEN: Final = (Permission.SCREEN,)
MOST_TWINS: Final = 3


def add_routes(app: FastAPI) -> None:
    """Add the routes for screening."""
    path = "/review/questions/{question}"
    add(app, "GET", "/review/reviewer", reviewer, response=ReviewStart)
    add(
        app,
        "GET",
        "/review/question",
        serve_question,
        response=ReviewNext,
        query=_QUERY,
        problems=(422,),
    )
    add(
        app,
        "POST",
        f"{path}/decision",
        decide_question,
        response=ReviewOutcome,
        body=ReviewDecision,
        query=_QUESTION,
        problems=(404, 409),
    )
    add(
        app,
        "PUT",
        path,
        correct_question,
        response=ReviewQuestion,
        body=ReviewEdit,
        query=_QUESTION,
        problems=(404, 409),
    )


async def reviewer(request: Request) -> Response:
    """Get the reviewer's name and work of today, and all disciplines and kinds."""
    body = await work(request, (Permission.SCREEN, Permission.MARK), reviewer_body)
    all_disciplines = [
        ReviewDiscipline(code=discipline.code, name=discipline.english) for discipline in disciplines()
    ]
    return json_response(
        ReviewStart(reviewer=body, all_disciplines=all_disciplines, all_kinds=list(QuestionKind))
    )


async def serve_question(request: Request) -> Response:
    """Get the next question for this reviewer, with its key."""
    wanted = _wanted(request)

    def action(admitted: AdmittedReviewer) -> ReviewNext:
        if isinstance(wanted, AssayError):
            raise wanted
        skip, kind = wanted
        name, now, reviewing = admitted.reviewer.name, admitted.now, admitted.reviewing
        reviewer = reviewer_body(admitted)
        stored = None
        if reviewer.read_today < reviewer.daily_cap:
            left_out = skip | reviewing.held_by_others(name, now)
            stored = next_question(admitted.engine, name, now=now, skip=left_out, kind=kind)
        if stored is None:
            reviewing.release(name)
            return ReviewNext(reviewer=reviewer, question=None)
        reviewing.hold(name, stored.id, now)
        return ReviewNext(reviewer=reviewer, question=question_body(admitted, stored))

    return json_response(await work(request, SCREEN, action))


async def decide_question(request: Request) -> Response:
    """Accept or reject the version of a question that was read."""
    body = await read_body(request, ReviewDecision)

    def action(admitted: AdmittedReviewer) -> ReviewOutcome:
        if isinstance(body, AssayError):
            raise body
        question = _question_id(request)
        read_version(admitted, question, body.version)
        seconds = None if body.seconds is None else min(body.seconds, MOST_SECONDS)
        decided = Decided(question, body.decision, body.reason, seconds)
        state = decide(admitted.engine, admitted.reviewer.name, decided, now=admitted.now)
        return ReviewOutcome(state=state, reviewer=reviewer_body(admitted))

    return json_response(await work(request, SCREEN, action))


async def correct_question(request: Request) -> Response:
    """Correct a question. The new version is reviewed again; the original is kept."""
    body = await read_body(request, ReviewEdit)

    def action(admitted: AdmittedReviewer) -> ReviewQuestion:
        if isinstance(body, AssayError):
            raise body
        return question_body(admitted, edit(admitted, _question_id(request), body))

    return json_response(await work(request, SCREEN, action))


def _question_id(request: Request) -> str:
    uuid: str = request.path_params["question"]
    if not re.fullmatch(UUID, uuid):
        raise InvalidInput(f"Invalid question id {uuid[:40]!r}: use the `id` that came with the question")
    return uuid


def _wanted(request: Request) -> tuple[set[int], QuestionKind | None] | InvalidInput:
    """Return the questions to leave out, by number, and the kind to get; None for all."""
    parameters = request.query_params.multi_items()
    given = dict(parameters)
    skip, kind = given.pop("skip", None), given.pop("kind", None)
    if given or len(parameters) > 2 - (skip is None) - (kind is None):
        return InvalidInput("invalid query: use only skip and kind, each once")
    if skip is not None and not _SKIP.fullmatch(skip):
        return InvalidInput(
            f"invalid skip: use at most {MOST_SKIPPED} question numbers and commas between them"
        )
    if kind is not None and kind not in set(QuestionKind):
        return InvalidInput(f"invalid kind {kind[:40]!r}: use one of {', '.join(QuestionKind)}")
    numbers = set() if skip is None else {int(number) for number in skip.split(",")}
    return numbers, None if kind is None else QuestionKind(kind)


def read_version(admitted: AdmittedReviewer, uuid: str, version: int) -> StoredQuestion:
    """Return a question in the version that the reviewer has read.

    Raises NotFound for an unknown question, Denied for a discipline that the reviewer does not read, and
    Conflict if the question was edited since.
    """
    stored = question_by_uuid(admitted.engine, uuid)
    reviewer, discipline = admitted.reviewer, stored.question.discipline
    if not reviewer.reads(discipline):
        raise Denied(
            f"question {uuid!r} is of {discipline!r}, which {reviewer.name!r} does not read: leave it to "
            "another reviewer"
        )
    if stored.version != version:
        raise Conflict(f"question {uuid!r} was edited meanwhile: read it again")
    return stored


def edit(admitted: AdmittedReviewer, uuid: str, body: ReviewEdit) -> StoredQuestion:
    """Correct a question and return its new version.

    Raises the errors of `read_version` and of the bank's edit, and InvalidInput if nothing changes or a text
    is empty.
    """
    stored = read_version(admitted, uuid, body.version)
    key = admitted.reviewing.key_of(stored)
    question = _edited(stored.question, body)
    answers = tuple(_stripped("an answer", answer) for answer in body.key)
    new_key = replace(key, answers=answers, explanation=body.explanation.strip())
    if (question, new_key) == (stored.question, key):
        raise InvalidInput("nothing is changed: accept or reject the question as it is")
    editing.edit(
        admitted.engine,
        admitted.reviewing.check_sealer(),
        admitted.reviewer.name,
        question,
        new_key,
        version=body.version,
        reason=body.reason,
        now=admitted.now,
    )
    return question_by_uuid(admitted.engine, uuid)


def _edited(question: Question, body: ReviewEdit) -> Question:
    return replace(
        question,
        stem=_stripped("the question", body.stem),
        options=tuple(_stripped("an option", option) for option in body.options),
        discipline=body.discipline,
        secondary=question.secondary if body.discipline == question.discipline else None,
    )


def _stripped(what: str, text: str) -> str:
    if not text.strip():
        raise InvalidInput(f"{what} is empty: write its text, or remove it")
    return text.strip()


def question_body(admitted: AdmittedReviewer, stored: StoredQuestion) -> ReviewQuestion:
    """Return the body of a question with its key. Raises NoKey if its key cannot be opened."""
    question, key = stored.question, admitted.reviewing.key_of(stored)
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
        key=[_sendable(answer) for answer in key.answers],
        explanation=_sendable(key.explanation),
        place=stored.place,
        made_from=question.parent,
        findings=[
            ReviewFinding(kind=finding.kind, severity=finding.severity, text=finding.text)
            for finding in validate(question, key)
        ],
        near=_twins(admitted, question.uuid),
    )


def _twins(admitted: AdmittedReviewer, uuid: str) -> list[ReviewTwin]:
    twins = []
    for pair in flagged(admitted.engine, unresolved=True, of=uuid)[:MOST_TWINS]:
        twin = question_by_uuid(admitted.engine, pair.other if pair.question == uuid else pair.question)
        if twin.retired is None and twin.state is not QuestionState.REJECTED:
            question = twin.question
            twins.append(
                ReviewTwin(
                    id=question.uuid,
                    similarity=round(pair.similarity, 3),
                    stem=question.stem,
                    options=list(question.options),
                    state=twin.state,
                )
            )
    return twins


def _sendable(text: str) -> str:
    """Return a sealed text without lone surrogates, which cannot be sent as JSON in UTF-8."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
