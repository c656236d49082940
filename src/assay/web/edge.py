"""Around every request: no answer without its line in the access log, and none that tells of the inside."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Final

from sqlalchemy.exc import DBAPIError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assay.core.errors import AssayError
from assay.exams.desk import AWAY, Unavailable
from assay.web.auth import LOGGED, unproven
from assay.web.problems import INSIDE, plain, problem, told
from assay.web.service import Service

logger = logging.getLogger("assay.web")
HEALTH: Final = "/api/v1/health"
QUIET: Final = frozenset({HEALTH, "/api/v1/openapi.json"})
"""Addresses whose every look is not worth a line."""
_POLICY: Final = b"content-security-policy"
_HEADERS: Final = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-store"),
]
_NOTHING: Final = (_POLICY, b"default-src 'none'; frame-ancestors 'none'")


class Edge:
    """Answers defects with a bare problem, notes what no deed noted, and adds the security headers."""

    def __init__(self, app: ASGIApp, service: Callable[[], Service]) -> None:
        self._app = app
        self._service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = dropped = False

        async def sending(message: Message) -> None:
            nonlocal begun, dropped
            if dropped:
                return
            if message["type"] == "http.response.start":
                begun = True
                dropped = not await self._noted(scope, message["status"])
                if dropped:
                    await _whole(told(Unavailable(AWAY)), send)
                    return
                _secure(message.setdefault("headers", []))
            await send(message)

        try:
            await self._app(scope, receive, sending)
        except Exception as error:
            if begun:
                raise
            logger.error("%s %s failed", scope["method"], _shown(scope), exc_info=error)
            await defect()(scope, receive, sending)

    async def _noted(self, scope: Scope, status: int) -> bool:
        """Note a request that no deed noted; False where that cannot be done, so that it gets no answer.

        What gets 503 was not carried out and is not noted.
        """
        if scope.get(LOGGED) or scope["path"] in QUIET or status == Unavailable.status:
            return True
        service = self._service()
        line = unproven(service, scope, status, scope.get("assay.told"))
        try:
            await service.desk.do(lambda raw: raw.accesses.append(line))
        except Unavailable:
            return False
        return True


def _secure(headers: list[tuple[bytes, bytes]]) -> None:
    headers.extend(_HEADERS)
    if not any(name == _POLICY for name, _ in headers):
        headers.append(_NOTHING)


async def _whole(response: Response, send: Send) -> None:
    headers = list(response.raw_headers)
    _secure(headers)
    await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": response.body})


async def on_error(request: Request, error: Any) -> Response:
    """Return what a client is told of an error of Assay's own."""
    assert isinstance(error, AssayError)
    if isinstance(error.__cause__, DBAPIError) and not isinstance(error, Unavailable):
        # What the store says of its database is for whoever runs it.
        logger.error("%s %s failed: %s", request.method, _shown(request.scope), error)
        error = Unavailable(AWAY)
    response = told(error)
    request.scope["assay.told"] = getattr(error, "title", None)
    return response


async def on_http(request: Request, error: Any) -> Response:
    """Return what a client is told where there is no such address or method."""
    assert isinstance(error, HTTPException)
    return plain(error.status_code, dict(error.headers or {}))


def defect() -> Response:
    """Return what a client is told of a defect: that there was one."""
    return problem(500, "Internal Server Error", INSIDE)


def _shown(scope: Scope) -> str:
    return ascii(scope["path"])[1:201]
