"""Marking answers blind: question, key and answer, and never whose answer it is."""

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
from assay.web.api.reviewing.admit import Admitted, standing, work
from assay.web.api.reviewing.screening import MOST_SECONDS
from assay.web.api.reviewing.shapes import ReviewMark, ReviewMarked, ReviewToMark, answer_body
from assay.web.routes import add, read_body, sent
from assay.web.shapes import UUID

_CODE: Final[list[dict[str, Any]]] = [
    {"name": "code", "in": "path", "required": True, "schema": {"type": "string", "pattern": UUID}}
]
MARK: Final = (Permission.MARK,)


def add_routes(app: FastAPI) -> None:
    """Add the routes of blind marking."""
    add(app, "GET", "/review/answer", next_answer, sent=ReviewToMark)
    add(
        app,
        "PUT",
        "/review/answers/{code}",
        mark,
        sent=ReviewMarked,
        given=ReviewMark,
        query=_CODE,
        problems=(404, 409),
    )


async def next_answer(request: Request) -> Response:
    """Give the next answer that waits for this reviewer's stars, with the key."""

    def deed(one: Admitted) -> ReviewToMark:
        reviewer = standing(one)
        if not reviewer.to_mark or reviewer.marked_today >= reviewer.daily_cap:
            return ReviewToMark(reviewer=reviewer, answer=None)
        try:
            found = next_to_mark(one.engine, one.who.name, one.reviewing.check_sealer(), now=one.now)
        except Denied as denied:
            raise NoKey(f"an answer cannot be marked here: {denied}") from None
        return ReviewToMark(reviewer=reviewer, answer=None if found is None else answer_body(found))

    return sent(await work(request, MARK, deed))


async def mark(request: Request) -> Response:
    """Keep a reviewer's stars for an answer, once."""
    body = await read_body(request, ReviewMark)

    def deed(one: Admitted) -> ReviewMarked:
        if isinstance(body, AssayError):
            raise body
        code = request.path_params["code"]
        if not re.fullmatch(UUID, code):
            raise NotFound("there is no answer with that code: give the one that came with it")
        take_mark(
            one.engine,
            one.who.name,
            code,
            body.stars,
            body.reason,
            one.reviewing.check_sealer(),
            seconds=None if body.seconds is None else min(body.seconds, MOST_SECONDS),
            now=one.now,
        )
        return ReviewMarked(reviewer=standing(one))

    return sent(await work(request, MARK, deed))
