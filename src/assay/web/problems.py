"""Errors as problem+json (RFC 9457), and the pages that explain them.

Refusals of access have the titles of Algorithm 1.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Final

import orjson
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assay.core.documented import DocumentedStrEnum, HelpText, slug
from assay.core.errors import AssayError, Denied, InvalidInput
from assay.core.shape_errors import explain_shape_errors
from assay.exam.access import Refusal, Refused

if TYPE_CHECKING:
    from fastapi import FastAPI

MEDIA_TYPE: Final = "application/problem+json"
PROBLEMS: Final = "/api/v1/problems"
"""The address of the pages of all kinds of problems."""


class ProblemTitle(DocumentedStrEnum):
    """The titles of problems other than refusals of access."""

    BAD_REQUEST = (
        "Bad Request",
        HelpText("""
            The request has no `Host` header, or more than one, so it is not clear which service it is meant
            for.

            A proxy and the service could each believe another host, which attackers use to slip requests
            past a proxy. The connection is closed.

            No ordinary HTTP library sends such a request. Look at the proxy in front of the service, or at
            the code that writes the headers by hand.
        """),
    )
    NOT_FOUND = (
        "Not Found",
        HelpText("""
            Nothing exists at this address: there is no such route, or no question, page or answer with that
            number or code.

            A mistyped address gets the same reply as a missing question. Sessions of another organisation
            are refused as Session Invalid instead, whether they exist or not.

            The detail says what was not found. `/api/v1/openapi.json` describes all addresses. The questions
            of a session are numbered from 1.
        """),
    )
    METHOD_NOT_ALLOWED = (
        "Method Not Allowed",
        HelpText("""
            The address exists, but not for this HTTP method.

            Each method has its own meaning: for example, GET reads a session and PUT submits an answer.

            The `Allow` header of the reply lists the methods of the address. Check for redirects: some
            proxies turn a POST into a GET.
        """),
    )
    CONFLICT = (
        "Conflict",
        HelpText("""
            The request contradicts what is already recorded. For example, the question has another answer
            already, an earlier question is still open, or a colleague has edited the question meanwhile.

            In an exam an answer is final, so it cannot be replaced. Repeating the same answer is allowed
            and returns the same receipt.

            The detail says what is recorded. Read the present state first (the session, the next question)
            and continue from there.
        """),
    )
    CONTENT_TOO_LARGE = (
        "Content Too Large",
        HelpText("""
            The body of the request is longer than the service accepts, which is 1 MiB on most routes.

            The limit is far above the longest answer that counts (`max_answer_characters` comes with every
            question), so such a body is a mistake or an attack. The connection is closed.

            Shorten the answer to the announced number of characters. `assay sit` does this by itself and
            says so in its summary.
        """),
    )
    UNSUPPORTED = (
        "Unsupported Media Type",
        HelpText("""
            The body is not declared as JSON in UTF-8.

            The service accepts no other format, because a form or plain text could be understood in two
            ways.

            Send the header `Content-Type: application/json` and a JSON body. With curl, `--json DATA` sets
            both.
        """),
    )
    INVALID_INPUT = (
        "Invalid Input",
        HelpText("""
            The request was understood, but a value in it cannot be used: a field is missing, has another
            type or is out of range.

            Nothing was changed or recorded. The detail names each field and the expected value. It never
            repeats the value that was sent, because that may be a secret.

            Correct the named fields. `/api/v1/openapi.json` has the schema of every body and parameter.
        """),
    )
    INTERNAL = (
        "Internal Server Error",
        HelpText("""
            The service failed because of a defect. The reply has no details on purpose; the cause is in the
            service's own log.

            An answer that was acknowledged with a receipt is safe. One without a receipt may or may not
            have been recorded.

            Repeat the request: submitting the same answer twice is harmless and returns the same receipt.
            If it fails again, report the time of the request to the operator of the service.
        """),
    )
    UPSTREAM = (
        "Upstream Failed",
        HelpText("""
            Another service that the exam service depends on failed.

            The request itself may be valid, and it can succeed later without a change.

            Wait a while and repeat it. If it fails again, tell the operator of the service, who can find the
            cause in its log.
        """),
    )
    UNAVAILABLE = (
        "Service Unavailable",
        HelpText("""
            The service is temporarily overloaded, or its database does not respond. The request was not
            carried out.

            The service refuses requests before too many wait, so that accepted requests are answered in
            time.

            Wait for the seconds in the `Retry-After` header and repeat the request. `assay sit` does so for
            up to ten minutes. If this continues, the operator of the service should check the database.
        """),
    )


_TITLES: Final = {
    400: ProblemTitle.BAD_REQUEST,
    404: ProblemTitle.NOT_FOUND,
    405: ProblemTitle.METHOD_NOT_ALLOWED,
    409: ProblemTitle.CONFLICT,
    413: ProblemTitle.CONTENT_TOO_LARGE,
    415: ProblemTitle.UNSUPPORTED,
    422: ProblemTitle.INVALID_INPUT,
    500: ProblemTitle.INTERNAL,
    502: ProblemTitle.UPSTREAM,
    503: ProblemTitle.UNAVAILABLE,
}
PAGES: Final[dict[str, HelpText]] = {
    **{refusal.title: refusal.help for refusal in Refusal},
    **{title.value: title.help for title in ProblemTitle},
}
"""The help of each title."""
_LONGEST_FIELD: Final = 60
INTERNAL_DETAIL: Final = (
    "the service failed: repeat the request; if it fails again, tell the operator of the service"
)


class BodyTooLarge(InvalidInput):
    """The body of a request is longer than the limit of its route."""

    status = 413


class Unsupported(InvalidInput):
    """The body of a request is not JSON in UTF-8."""

    status = 415


def title_of(error: AssayError) -> str:
    """Return the title of an error; refusals of access have the titles of Algorithm 1."""
    if isinstance(error, Refused):
        return error.title
    if isinstance(error, Denied):
        return Refusal.UNAUTHORIZED.title if error.status == 401 else Refusal.FORBIDDEN.title
    return _TITLES.get(error.status, _TITLES[500])


def problem(status: int, title: str, detail: str, headers: dict[str, str] | None = None) -> Response:
    """Return a problem as a response; its type is the address of its page, if it has one."""
    kind = f"{PROBLEMS}/{slug(title)}" if title in PAGES else "about:blank"
    document = {"type": kind, "title": title, "status": status, "detail": detail}
    return Response(orjson.dumps(document), status, headers, MEDIA_TYPE)


def error_response(error: AssayError) -> Response:
    """Return the reply to an error; for a defect it has no details."""
    status = error.status
    if status not in _TITLES and not isinstance(error, Denied):
        status = 500
    title = title_of(error)
    detail = INTERNAL_DETAIL if status == 500 else str(error).removeprefix(f"{title}: ")
    headers: dict[str, str] = {}
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    seconds = getattr(error, "retry_after", None)
    if seconds is not None:
        headers["Retry-After"] = str(seconds)
    if status == 413:
        headers["Connection"] = "close"
    return problem(status, title, detail, headers)


def status_problem(status: int, headers: dict[str, str] | None = None) -> Response:
    """Return the problem of an address or method that does not exist."""
    details = {
        404: "nothing exists at this address: see /api/v1/openapi.json for all addresses",
        405: "this address does not have that method: use one of the methods in the Allow header",
    }
    title = _TITLES.get(status) or HTTPStatus(status).phrase
    return problem(status, title, details.get(status, title), headers)


def invalid_body(error: ValidationError) -> InvalidInput:
    """Return the errors in the fields of a body, without its values, which may be secret."""
    errors = [
        {**detail, "loc": tuple(str(part)[:_LONGEST_FIELD] for part in detail["loc"])}
        for detail in error.errors(include_url=False, include_input=False)
    ]
    return InvalidInput("; ".join(explain_shape_errors(errors[:10])))


_MARKDOWN: Final = {slug(title): text.markdown(title) for title, text in PAGES.items()}


def add_routes(app: FastAPI) -> None:
    """Add the pages of all problems, in Markdown; they need no token."""
    app.router.routes.append(Route(f"{PROBLEMS}/{{problem}}", _page, methods=["GET"]))


async def _page(request: Request) -> Response:
    text = _MARKDOWN.get(request.path_params["problem"])
    return status_problem(404) if text is None else Response(text, media_type="text/markdown; charset=utf-8")
