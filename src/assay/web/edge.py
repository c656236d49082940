"""The outermost layer of the service: access log, security headers, and replies without internal details."""

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
from assay.web.auth import LOGGED, access_without_action
from assay.web.problems import INTERNAL_DETAIL, error_response, problem, status_problem, title_of
from assay.web.service import Service

logger = logging.getLogger("assay.web")
TITLE: Final = "assay.problem_title"
HEALTH: Final = "/api/v1/health"
UNLOGGED: Final = frozenset({HEALTH, "/api/v1/openapi.json"})
"""Addresses whose requests are not in the access log."""
_POLICY: Final = b"content-security-policy"
_HEADERS: Final = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-store"),
]
_STRICT_POLICY: Final = (_POLICY, b"default-src 'none'; frame-ancestors 'none'")


class AmbiguousHost(InvalidInput):
    """A request does not have exactly one host."""

    status = 400


class Edge:
    """The middleware around the application.

    It refuses ambiguous hosts, replies to defects without details, logs the requests that are not in the
    access log yet, and adds the security headers to all replies.
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
                dropped = not await self._log(scope, message["status"])
                if dropped:
                    await _send_secured(error_response(ServiceBusy(UNREACHABLE)), send)
                    return
                _secure(message.setdefault("headers", []))
            await send(message)

        refusal = _host_refusal(scope)
        if refusal is not None:
            scope[TITLE] = title_of(refusal)
            response = error_response(refusal)
            # The next bytes of the connection might belong to a request for another host.
            response.headers["Connection"] = "close"
            await response(scope, receive, sending)
            return
        try:
            await self._app(scope, receive, sending)
        except Exception as error:
            if begun:
                raise
            logger.error("%s %s failed", scope["method"], _shown(scope), exc_info=error)
            await defect_response()(scope, receive, sending)

    async def _log(self, scope: Scope, status: int) -> bool:
        """Log a request that is not in the access log yet. Return False if this fails.

        The request then gets no other reply. A request with status 503 was not carried out and is not logged.
        """
        if scope.get(LOGGED) or scope["path"] in UNLOGGED or status == ServiceBusy.status:
            return True
        service = self._service()
        entry = access_without_action(service, scope, status, scope.get(TITLE))
        try:
            await service.desk.do(lambda raw: raw.accesses.append(entry))
        except ServiceBusy:
            return False
        return True


def _host_refusal(scope: Scope) -> AmbiguousHost | None:
    """Return the refusal of a request without exactly one `Host` header (RFC 9112, section 3.2), else None.

    With several headers, a proxy and the service could each use another one.
    """
    count = sum(name == b"host" for name, _ in scope["headers"])
    if count == 1 or (count == 0 and scope["http_version"] == "1.0"):
        return None
    return AmbiguousHost(f"the request has {count} Host headers: send exactly one")


def _secure(headers: list[tuple[bytes, bytes]]) -> None:
    headers.extend(_HEADERS)
    if not any(name == _POLICY for name, _ in headers):
        headers.append(_STRICT_POLICY)


async def _send_secured(response: Response, send: Send) -> None:
    headers = list(response.raw_headers)
    _secure(headers)
    await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": response.body})


async def on_error(request: Request, error: Any) -> Response:
    """Return the reply to an error of Assay."""
    assert isinstance(error, AssayError)
    if isinstance(error.__cause__, DBAPIError) and not isinstance(error, ServiceBusy):
        # The message names the database, so only the operator may see it.
        logger.error("%s %s failed: %s", request.method, _shown(request.scope), error)
        error = ServiceBusy(UNREACHABLE)
    response = error_response(error)
    request.scope[TITLE] = getattr(error, "title", None)
    return response


async def on_http(request: Request, error: Any) -> Response:
    """Return the reply for an address or method that does not exist."""
    assert isinstance(error, HTTPException)
    headers = dict(error.headers or {})
    if error.status_code == 405:
        headers["Allow"] = ", ".join(sorted(_allowed(request)))
    return status_problem(error.status_code, headers)


def _allowed(request: Request) -> set[str]:
    """Return the methods of all routes at a request's address; the router knows those of the first only."""
    return {
        method
        for route in request.app.routes
        if isinstance(route, Route) and route.matches(request.scope)[0] is not Match.NONE
        for method in route.methods or ()
    }


def defect_response() -> Response:
    """Return the reply to a defect, which has no details of it."""
    return problem(500, "Internal Server Error", INTERNAL_DETAIL)


def _shown(scope: Scope) -> str:
    return ascii(scope["path"])[1:201]
