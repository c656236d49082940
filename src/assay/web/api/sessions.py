"""Routes for examiners: open sessions for candidates of their organisation, and list them."""

from __future__ import annotations

import re
import uuid
from typing import Final

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

from assay.core.errors import AssayError, InvalidInput, NotFound
from assay.core.exam import Permission, SessionState
from assay.exam.access import Allowed
from assay.exam.delivery import session_view
from assay.exam.opening import Opening, new_seed, open_session
from assay.results.exam_service import SessionView
from assay.store.exam.serving import RawStatements
from assay.store.exam.sessions import list_sessions, session_by_id
from assay.web.auth import carry_out, claims_of
from assay.web.routes import PREFIX, add, json_response, read_body
from assay.web.shapes import UUID, OpenBody, SessionBody, SessionsBody, session_body

PAGE: Final = 50
MOST: Final = 200
_UUID: Final = re.compile(UUID)
_QUERY: Final = [
    {
        "name": "limit",
        "in": "query",
        "schema": {"type": "integer", "minimum": 1, "maximum": MOST, "default": PAGE},
    },
    {"name": "after", "in": "query", "schema": {"type": "string", "pattern": UUID}},
    {
        "name": "state",
        "in": "query",
        "schema": {"type": "string", "enum": [state.value for state in SessionState]},
    },
]


def add_routes(app: FastAPI) -> None:
    """Add the routes for examiners."""
    add(
        app,
        "POST",
        "/sessions",
        create_session,
        response=SessionBody,
        status=201,
        body=OpenBody,
        problems=(404, 409),
    )
    add(app, "GET", "/sessions", list_own_sessions, response=SessionsBody, query=_QUERY, problems=(404, 422))


async def create_session(request: Request) -> Response:
    """Open a session for a candidate of your organisation, with questions that it has not seen."""
    claims = await claims_of(request)
    body = await read_body(request, OpenBody)
    session, seed = str(uuid.uuid4()), new_seed()

    def action(raw: RawStatements, allowed: Allowed, at: float) -> SessionView | AssayError:
        if isinstance(body, AssayError):
            return body
        opening = Opening(**body.model_dump())
        return open_session(
            raw.connection, opening, session=session, seed=seed, now=at, within=allowed.organisation
        )

    view = await carry_out(request, claims, action, Permission.OPEN_SESSIONS, status=201)
    return json_response(session_body(view), 201, {"Location": f"{PREFIX}/sessions/{view.id}"})


async def list_own_sessions(request: Request) -> Response:
    """List the sessions of your organisation, newest first, page by page."""
    claims = await claims_of(request)
    page_request = _page_request(request)

    def action(raw: RawStatements, allowed: Allowed, at: float) -> list[SessionView] | AssayError:
        if isinstance(page_request, AssayError):
            return page_request
        limit, after, state = page_request
        before = None
        if after is not None:
            last = session_by_id(raw.connection, after)
            if last is None or last.organisation != allowed.organisation:
                return NotFound(f"Invalid after {after!r}: use the `next` of the previous page")
            before = (last.opened_at, last.id)
        stored = list_sessions(
            raw.connection,
            organisation=allowed.organisation,
            state=state,
            before=before,
            limit=limit + 1,
        )
        return [session_view(session) for session in stored]

    views = await carry_out(request, claims, action, Permission.READ_SESSIONS)
    assert not isinstance(page_request, AssayError)
    page = views[: page_request[0]]
    more = page[-1].id if len(views) > len(page) else None
    return json_response(SessionsBody(sessions=[session_body(view) for view in page], next=more))


def _page_request(request: Request) -> tuple[int, str | None, str | None] | InvalidInput:
    query = request.query_params
    unknown = set(query) - {"limit", "after", "state"}
    if unknown or len(query.multi_items()) > len(query):
        return InvalidInput("invalid query: use only limit, after and state, each at most once")
    limit, after, state = query.get("limit", str(PAGE)), query.get("after"), query.get("state")
    if not re.fullmatch("[0-9]{1,4}", limit) or not 1 <= int(limit) <= MOST:
        return InvalidInput(f"Invalid limit {limit[:20]!r}: use a number from 1 to {MOST}")
    if after is not None and not _UUID.fullmatch(after):
        return InvalidInput(f"Invalid after {after[:40]!r}: use the `next` of the previous page")
    if state is not None and state not in set(SessionState):
        return InvalidInput(f"Invalid state {state[:20]!r}: use one of {', '.join(SessionState)}")
    return int(limit), after, state
