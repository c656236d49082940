"""Around every request: no answer without its line in the access log, and none that shows the inside."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Final

from sqlalchemy.exc import DBAPIError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assay.core.errors import AssayError, InvalidInput
from assay.exam.desk import UNREACHABLE, ServiceBusy
from assay.web.auth import LOGGED, unproven
from assay.web.problems import INSIDE, error_response, plain, problem, title_of
from assay.web.service import Service

logger = logging.getLogger("assay.web")
TOLD: Final = "assay.told"
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


class AmbiguousHost(InvalidInput):
    """A request does not say which one host it is meant for."""

    status = 400


class Edge:
    """Refuses ambiguous hosts, answers defects with a bare problem, notes what no deed noted.

    It adds the security headers to all answers.
    """

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
                    await _whole(error_response(ServiceBusy(UNREACHABLE)), send)
                    return
                _secure(message.setdefault("headers", []))
            await send(message)

        refusal = _host_refusal(scope)
        if refusal is not None:
            scope[TOLD] = title_of(refusal)
            response = error_response(refusal)
            # What follows on the connection might be meant for another host.
            response.headers["Connection"] = "close"
            await response(scope, receive, sending)
            return
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
        if scope.get(LOGGED) or scope["path"] in QUIET or status == ServiceBusy.status:
            return True
        service = self._service()
        line = unproven(service, scope, status, scope.get(TOLD))
        try:
            await service.desk.do(lambda raw: raw.accesses.append(line))
        except ServiceBusy:
            return False
        return True


def _host_refusal(scope: Scope) -> AmbiguousHost | None:
    """Return why a request is refused for its `Host` headers (RFC 9112, section 3.2), None where it is not.

    A proxy and the service could each go by another one.
    """
    count = sum(name == b"host" for name, _ in scope["headers"])
    if count == 1 or (count == 0 and scope["http_version"] == "1.0"):
        return None
    return AmbiguousHost(f"the request has {count} Host headers: send exactly one")


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
    """Return the answer to an error of Assay's own."""
    assert isinstance(error, AssayError)
    if isinstance(error.__cause__, DBAPIError) and not isinstance(error, ServiceBusy):
        # What the store says of its database is for whoever runs it.
        logger.error("%s %s failed: %s", request.method, _shown(request.scope), error)
        error = ServiceBusy(UNREACHABLE)
    response = error_response(error)
    request.scope[TOLD] = getattr(error, "title", None)
    return response


async def on_http(request: Request, error: Any) -> Response:
    """Return the answer where there is no such address or method."""
    assert isinstance(error, HTTPException)
    headers = dict(error.headers or {})
    if error.status_code == 405:
        headers["Allow"] = ", ".join(sorted(_allowed(request)))
    return plain(error.status_code, headers)


def _allowed(request: Request) -> set[str]:
    """Return the methods of all routes at the address of a request; the router names those of the first."""
    return {
        method
        for route in request.app.routes
        if isinstance(route, Route) and route.matches(request.scope)[0] is not Match.NONE
        for method in route.methods or ()
    }


def defect() -> Response:
    """Return the answer to a defect, which says only that there was one."""
    return problem(500, "Internal Server Error", INSIDE)


def _shown(scope: Scope) -> str:
    return ascii(scope["path"])[1:201]
