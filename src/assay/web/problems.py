"""Errors on the wire: problem+json (RFC 9457), with the titles of Algorithm 1 where access is refused."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

import orjson
from pydantic import ValidationError
from starlette.responses import Response

from assay.core.errors import AssayError, Denied, InvalidInput
from assay.exams.refused import Refusal, Refused

MEDIA_TYPE: Final = "application/problem+json"
_TITLES: Final = {
    400: "Bad Request",
    404: "Not Found",
    405: "Method Not Allowed",
    409: "Conflict",
    413: "Content Too Large",
    415: "Unsupported Media Type",
    422: "Invalid Input",
    500: "Internal Server Error",
    502: "Upstream Failed",
    503: "Service Unavailable",
}
_SHOWN: Final = 60
INSIDE: Final = "the service failed: repeat the request; if it fails again, tell whoever runs the service"


class TooLarge(InvalidInput):
    """A body is longer than anything that is taken."""

    status = 413


class Unsupported(InvalidInput):
    """A body is not what its route takes."""

    status = 415


def title_of(error: AssayError) -> str:
    """Return the short name of what went wrong; for refusals Algorithm 1's own words."""
    if isinstance(error, Refused):
        return error.title
    if isinstance(error, Denied):
        return Refusal.UNAUTHORIZED.title if error.status == 401 else Refusal.FORBIDDEN.title
    return _TITLES.get(error.status, _TITLES[500])


def problem(status: int, title: str, detail: str, headers: dict[str, str] | None = None) -> Response:
    """Return a problem as a response."""
    document = {"type": "about:blank", "title": title, "status": status, "detail": detail}
    return Response(orjson.dumps(document), status, headers, MEDIA_TYPE)


def told(error: AssayError) -> Response:
    """Return what a client is told of an error; of a defect inside nothing but that there was one."""
    status = error.status
    if status not in _TITLES and not isinstance(error, Denied):
        status = 500
    title = title_of(error)
    detail = INSIDE if status == 500 else str(error).removeprefix(f"{title}: ")
    headers: dict[str, str] = {}
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    after = getattr(error, "retry_after", None)
    if after is not None:
        headers["Retry-After"] = str(after)
    if status == 413:
        headers["Connection"] = "close"
    return problem(status, title, detail, headers)


def plain(status: int, headers: dict[str, str] | None = None) -> Response:
    """Return a problem that its status tells enough of: no such page, no such method."""
    told = {
        404: "there is nothing at this address: /api/v1/openapi.json describes what there is",
        405: "this address does not take that method: the Allow header names those it takes",
    }
    title = _TITLES.get(status) or HTTPStatus(status).phrase
    return problem(status, title, told.get(status, title), headers)


def unreadable(error: ValidationError) -> InvalidInput:
    """Return what is wrong with a body, place by place; never what was sent, which may be a secret."""
    found = []
    for each in error.errors(include_url=False, include_context=False, include_input=False):
        place = ".".join(str(part)[:_SHOWN] for part in each["loc"]) or "body"
        found.append(f"{place}: {each['msg']}")
    return InvalidInput("; ".join(found[:10]))
