"""Routes for tokens: get one for a secret, and revoke it."""

from __future__ import annotations

import asyncio
from typing import Final

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

from assay.core.errors import AssayError, Denied
from assay.exam.access import Allowed, Refused
from assay.exam.desk import ServiceBusy
from assay.exam.issuing import exchange
from assay.results.figure import utc
from assay.store.exam.serving import RawStatements
from assay.store.exam.tokens import revoke_token
from assay.web.auth import LOGGED, carry_out, claims_of, keys_unavailable
from assay.web.routes import add, json_response, read_body
from assay.web.service import service_of
from assay.web.shapes import LoginBody, TokenBody

MOST_AT_ONCE: Final = 32
"""The largest number of secrets that are checked at once; each takes 50 ms of processor time."""
MOST_BYTES: Final = 4096
"""Enough for the longest login; the limit is small because the sender is not authenticated yet."""
_checking = 0


def add_routes(app: FastAPI) -> None:
    """Add the routes of tokens."""
    add(
        app,
        "POST",
        "/tokens",
        login,
        response=TokenBody,
        body=LoginBody,
        token=False,
        problems=(401, 403),
    )
    add(app, "DELETE", "/tokens/current", revoke, response=None, status=204)


async def login(request: Request) -> Response:
    """Get a token for a user's secret; a candidate's token is for one session."""
    global _checking
    service = service_of(request)
    body = await read_body(request, LoginBody, most=MOST_BYTES)
    if isinstance(body, AssayError):
        raise body
    if _checking >= MOST_AT_ONCE:
        raise ServiceBusy("too many logins are being checked: repeat after a second")
    _checking += 1
    try:
        issued = await asyncio.to_thread(
            exchange,
            service.engine,
            service.keyring,
            body.user_id,
            body.secret,
            body.session_id,
            now=service.clock(),
        )
    except Refused:
        request.scope[LOGGED] = True
        raise
    except Denied as error:
        raise keys_unavailable(error) from error
    finally:
        _checking -= 1
    request.scope[LOGGED] = True
    return json_response(TokenBody(token=issued.token, expires_at=utc(issued.claims.exp, "milliseconds")))


async def revoke(request: Request) -> Response:
    """Revoke the token of this request."""
    claims = await claims_of(request)

    def action(raw: RawStatements, allowed: Allowed, at: float) -> bool:
        if allowed.session_id is not None:
            raw.session_rows.pop(allowed.session_id, None)
        return revoke_token(raw.connection, allowed.jti, at)

    await carry_out(request, claims, action, status=204)
    return Response(status_code=204)
