"""What a candidate does: ask for a question, answer it, look how the session stands, finish."""

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
from assay.web.routes import add, read_body, sent
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
    """Add the candidate's routes."""
    session = "/sessions/{session}"
    add(app, "GET", session, standing, sent=SessionBody)
    add(
        app,
        "POST",
        f"{session}/question",
        question,
        sent=QuestionBody,
        client=True,
        problems=(409, 422),
    )
    add(
        app,
        "PUT",
        f"{session}/answers/{{position}}",
        answer,
        sent=ReceiptBody,
        given=AnswerBody,
        client=True,
        problems=(404, 409),
    )
    add(app, "POST", f"{session}/finish", finish, sent=SessionBody, client=True, problems=(422,))


async def standing(request: Request) -> Response:
    """Tell how a session stands."""
    claims = await claims_of(request)

    def deed(raw: RawStatements, allowed: Allowed, at: float) -> SessionView:
        return view_of(raw.connection, request.path_params["session"])

    view = await carry_out(request, claims, deed, Permission.SIT, Permission.READ_SESSIONS)
    return sent(session_body(view))


async def question(request: Request) -> Response:
    """Give the pending question, or serve the next one; asking again gives the same."""
    claims = await claims_of(request)
    delivery, sitter = service_of(request).delivery, _sitter(request, claims)

    def deed(raw: RawStatements, allowed: Allowed, at: float) -> QuestionView | AssayError:
        return sitter if isinstance(sitter, AssayError) else delivery.question(raw, sitter, at)

    return sent(question_body(await carry_out(request, claims, deed, Permission.SIT)))


async def answer(request: Request) -> Response:
    """Keep the answer to the pending question; the same answer again gets the same receipt."""
    claims = await claims_of(request)
    body = await read_body(request, AnswerBody)
    delivery, sitter = service_of(request).delivery, _sitter(request, claims)
    position = request.path_params["position"]

    def deed(raw: RawStatements, allowed: Allowed, at: float) -> ReceiptView | AssayError:
        if isinstance(sitter, AssayError):
            return sitter
        if isinstance(body, AssayError):
            return body
        if not POSITION.fullmatch(position):
            return NotFound("the address ends in no position: give a whole number, such as answers/1")
        given = SubmittedAnswer(
            body.text, body.prompt_tokens, body.completion_tokens, body.seconds, body.finish_reason
        )
        return delivery.answer(raw, sitter, int(position), given, at)

    return sent(receipt_body(await carry_out(request, claims, deed, Permission.SIT)))


async def finish(request: Request) -> Response:
    """End the session: it takes no more answers. One that has ended stays as it is."""
    claims = await claims_of(request)
    delivery, sitter = service_of(request).delivery, _sitter(request, claims)

    def deed(raw: RawStatements, allowed: Allowed, at: float) -> SessionView | AssayError:
        return sitter if isinstance(sitter, AssayError) else delivery.finish(raw, sitter, at)

    return sent(session_body(await carry_out(request, claims, deed, Permission.SIT)))


def _sitter(request: Request, claims: Claims) -> Sitter | InvalidInput:
    named = request.headers.getlist("assay-client")
    client = named[0] if len(named) == 1 else ""
    if not CLIENT.fullmatch(client):
        return InvalidInput(
            "the header Assay-Client must name the client: 16 to 64 letters, digits, hyphens, always the same"
        )
    return Sitter(request.path_params["session"], claims.user_id, holder_of(claims.jti, client))
