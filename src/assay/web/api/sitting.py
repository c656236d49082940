"""Routes for candidates: get a question, answer it, read the session's state, and finish."""

from __future__ import annotations

import re
from typing import Final

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

from assay.core.errors import AssayError, InvalidInput, NotFound
from assay.core.exam import Permission
from assay.exam.access import Allowed, Claims
from assay.exam.delivery import QuestionView, ReceiptView, Sitter, SubmittedAnswer, holder_of, view_of
from assay.results.exam_service import SessionView
from assay.store.exam.serving import RawStatements
from assay.web.auth import carry_out, claims_of
from assay.web.routes import add, json_response, read_body
from assay.web.service import service_of
from assay.web.shapes import (
    AnswerBody,
    QuestionBody,
    ReceiptBody,
    SessionBody,
    question_body,
    receipt_body,
    session_body,
)

CLIENT: Final = re.compile(r"[A-Za-z0-9-]{16,64}")
POSITION: Final = re.compile(r"[0-9]{1,9}")


def add_routes(app: FastAPI) -> None:
    """Add the routes for candidates."""
    session = "/sessions/{session}"
    add(app, "GET", session, read_session, response=SessionBody)
    add(
        app,
        "POST",
        f"{session}/question",
        question,
        response=QuestionBody,
        client=True,
        problems=(409, 422),
    )
    add(
        app,
        "PUT",
        f"{session}/answers/{{position}}",
        answer,
        response=ReceiptBody,
        body=AnswerBody,
        client=True,
        problems=(404, 409),
    )
    add(app, "POST", f"{session}/finish", finish, response=SessionBody, client=True, problems=(422,))


async def read_session(request: Request) -> Response:
    """Read the state of a session."""
    claims = await claims_of(request)

    def action(raw: RawStatements, allowed: Allowed, at: float) -> SessionView:
        return view_of(raw.connection, request.path_params["session"])

    view = await carry_out(request, claims, action, Permission.SIT, Permission.READ_SESSIONS)
    return json_response(session_body(view))


async def question(request: Request) -> Response:
    """Get the pending question, or else the next one; a repeated request returns the same question."""
    claims = await claims_of(request)
    delivery, sitter = service_of(request).delivery, _sitter(request, claims)

    def action(raw: RawStatements, allowed: Allowed, at: float) -> QuestionView | AssayError:
        return sitter if isinstance(sitter, AssayError) else delivery.question(raw, sitter, at)

    return json_response(question_body(await carry_out(request, claims, action, Permission.SIT)))


async def answer(request: Request) -> Response:
    """Submit the answer to the pending question; repeating the same answer returns the same receipt."""
    claims = await claims_of(request)
    body = await read_body(request, AnswerBody)
    delivery, sitter = service_of(request).delivery, _sitter(request, claims)
    position = request.path_params["position"]

    def action(raw: RawStatements, allowed: Allowed, at: float) -> ReceiptView | AssayError:
        if isinstance(sitter, AssayError):
            return sitter
        if isinstance(body, AssayError):
            return body
        if not POSITION.fullmatch(position):
            return NotFound(
                f"Invalid position {position[:20]!r} in the address: use a whole number, such as answers/1"
            )
        submitted = SubmittedAnswer(
            body.text, body.prompt_tokens, body.completion_tokens, body.seconds, body.finish_reason
        )
        return delivery.answer(raw, sitter, int(position), submitted, at)

    return json_response(receipt_body(await carry_out(request, claims, action, Permission.SIT)))


async def finish(request: Request) -> Response:
    """End the session, which then accepts no more answers; an ended session stays as it is."""
    claims = await claims_of(request)
    delivery, sitter = service_of(request).delivery, _sitter(request, claims)

    def action(raw: RawStatements, allowed: Allowed, at: float) -> SessionView | AssayError:
        return sitter if isinstance(sitter, AssayError) else delivery.finish(raw, sitter, at)

    return json_response(session_body(await carry_out(request, claims, action, Permission.SIT)))


def _sitter(request: Request, claims: Claims) -> Sitter | InvalidInput:
    names = request.headers.getlist("assay-client")
    client = names[0] if len(names) == 1 else ""
    if not CLIENT.fullmatch(client):
        return InvalidInput(
            "missing or invalid header Assay-Client: send a name of 16 to 64 letters, digits and hyphens, "
            "the same one in all requests"
        )
    return Sitter(request.path_params["session"], claims.user_id, holder_of(claims.jti, client))
