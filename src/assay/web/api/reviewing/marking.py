"""Routes for blind marking: the reviewer gets question, key and answer, but not the answer's author."""

from __future__ import annotations

import re
from typing import Any, Final

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

from assay.bank.reviewing import NoKey
from assay.core.errors import AssayError, Denied, NotFound
from assay.core.exam import Permission
from assay.exam.human import next_to_mark, take_mark
from assay.web.api.reviewing.admit import AdmittedReviewer, reviewer_body, work
from assay.web.api.reviewing.screening import MOST_SECONDS
from assay.web.api.reviewing.shapes import ReviewMark, ReviewMarked, ReviewToMark, answer_body
from assay.web.routes import add, json_response, read_body
from assay.web.shapes import UUID

_CODE: Final[list[dict[str, Any]]] = [
    {"name": "code", "in": "path", "required": True, "schema": {"type": "string", "pattern": UUID}}
]
MARK: Final = (Permission.MARK,)


def add_routes(app: FastAPI) -> None:
    """Add the routes for blind marking."""
    add(app, "GET", "/review/answer", next_answer, response=ReviewToMark)
    add(
        app,
        "PUT",
        "/review/answers/{code}",
        mark,
        response=ReviewMarked,
        body=ReviewMark,
        query=_CODE,
        problems=(404, 409),
    )


async def next_answer(request: Request) -> Response:
    """Get the next answer that this reviewer has to mark, with the key."""

    def action(admitted: AdmittedReviewer) -> ReviewToMark:
        reviewer = reviewer_body(admitted)
        if not reviewer.to_mark or reviewer.marked_today >= reviewer.daily_cap:
            return ReviewToMark(reviewer=reviewer, answer=None)
        try:
            to_mark = next_to_mark(
                admitted.engine, admitted.reviewer.name, admitted.reviewing.check_sealer(), now=admitted.now
            )
        except Denied as denied:
            raise NoKey(f"an answer cannot be marked here: {denied}") from None
        return ReviewToMark(reviewer=reviewer, answer=None if to_mark is None else answer_body(to_mark))

    return json_response(await work(request, MARK, action))


async def mark(request: Request) -> Response:
    """Record the stars of a reviewer for an answer; they cannot be changed."""
    body = await read_body(request, ReviewMark)

    def action(admitted: AdmittedReviewer) -> ReviewMarked:
        if isinstance(body, AssayError):
            raise body
        code = request.path_params["code"]
        if not re.fullmatch(UUID, code):
            raise NotFound(f"unknown answer {code[:40]!r}: use the `code` that came with the answer")
        take_mark(
            admitted.engine,
            admitted.reviewer.name,
            code,
            body.stars,
            body.reason,
            admitted.reviewing.check_sealer(),
            seconds=None if body.seconds is None else min(body.seconds, MOST_SECONDS),
            now=admitted.now,
        )
        return ReviewMarked(reviewer=reviewer_body(admitted))

    return json_response(await work(request, MARK, action))
