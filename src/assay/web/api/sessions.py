"""What an examiner does: open sessions for candidates of the own organisation, and list them."""

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
from assay.web.routes import PREFIX, add, read_body, sent
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
    """Add the examiner's routes."""
    add(
        app,
        "POST",
        "/sessions",
        open_one,
        sent=SessionBody,
        status=201,
        given=OpenBody,
        problems=(404, 409),
    )
    add(app, "GET", "/sessions", list_own, sent=SessionsBody, query=_QUERY, problems=(404, 422))


async def open_one(request: Request) -> Response:
    """Open a session for a candidate of the own organisation, with questions that it has not met."""
    claims = await claims_of(request)
    body = await read_body(request, OpenBody)
    session, seed = str(uuid.uuid4()), new_seed()

    def deed(raw: RawStatements, allowed: Allowed, at: float) -> SessionView | AssayError:
        if isinstance(body, AssayError):
            return body
        opening = Opening(**body.model_dump())
        return open_session(
            raw.connection, opening, session=session, seed=seed, now=at, within=allowed.organisation
        )

    view = await carry_out(request, claims, deed, Permission.OPEN_SESSIONS, status=201)
    return sent(session_body(view), 201, {"Location": f"{PREFIX}/sessions/{view.id}"})


async def list_own(request: Request) -> Response:
    """List the own organisation's sessions, the newest first, page by page."""
    claims = await claims_of(request)
    wanted = _page(request)

    def deed(raw: RawStatements, allowed: Allowed, at: float) -> list[SessionView] | AssayError:
        if isinstance(wanted, AssayError):
            return wanted
        limit, after, state = wanted
        before = None
        if after is not None:
            last = session_by_id(raw.connection, after)
            if last is None or last.organisation != allowed.organisation:
                return NotFound(f"after is {after!r}, not a session of yours: give the `next` you got")
            before = (last.opened_at, last.id)
        found = list_sessions(
            raw.connection,
            organisation=allowed.organisation,
            state=state,
            before=before,
            limit=limit + 1,
        )
        return [session_view(each) for each in found]

    views = await carry_out(request, claims, deed, Permission.READ_SESSIONS)
    assert not isinstance(wanted, AssayError)
    page = views[: wanted[0]]
    more = page[-1].id if len(views) > len(page) else None
    return sent(SessionsBody(sessions=[session_body(each) for each in page], next=more))


def _page(request: Request) -> tuple[int, str | None, str | None] | InvalidInput:
    given = request.query_params
    unknown = set(given) - {"limit", "after", "state"}
    if unknown or len(given.multi_items()) > len(given):
        return InvalidInput("give limit, after and state, each at most once, and nothing else")
    limit, after, state = given.get("limit", str(PAGE)), given.get("after"), given.get("state")
    if not re.fullmatch("[0-9]{1,4}", limit) or not 1 <= int(limit) <= MOST:
        return InvalidInput(f"limit is {limit[:20]!r}: give 1 to {MOST}")
    if after is not None and not _UUID.fullmatch(after):
        return InvalidInput(f"after is {after[:40]!r}: give the `next` of the page before")
    if state is not None and state not in set(SessionState):
        return InvalidInput(f"state is {state[:20]!r}: give one of {', '.join(SessionState)}")
    return int(limit), after, state
