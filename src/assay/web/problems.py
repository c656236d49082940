"""Errors on the wire: problem+json (RFC 9457), with the titles of Algorithm 1 where access is refused."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

import orjson
from pydantic import ValidationError
from starlette.responses import Response

from assay.core.documented import DocumentedStrEnum, HelpText, slug
from assay.core.errors import AssayError, Denied, InvalidInput
from assay.core.shape_errors import explain_shape_errors
from assay.exam.access import Refusal, Refused

MEDIA_TYPE: Final = "application/problem+json"
PROBLEMS: Final = "/api/v1/problems"
"""The address below which each kind of problem has its page."""


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
            There is nothing at this address: no such route, or no question, page or answer with that number
            or code.

            A mistyped address and a thing that does not exist look alike. What belongs to another
            organisation is refused as Session Invalid instead, whether it exists or not.

            The detail says what was looked for. `/api/v1/openapi.json` describes all addresses; a session
            has the questions 1 to its number.
        """),
    )
    METHOD_NOT_ALLOWED = (
        "Method Not Allowed",
        HelpText("""
            The address exists, but not for this HTTP method.

            Each method has its own meaning here: for example, GET reads a question and PUT submits an
            answer.

            The `Allow` header of the reply lists the methods of the address. Check for a redirect on the
            way: some proxies turn a POST into a GET.
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

            The service reads nothing else, and it does not guess: a form or plain text could be understood
            in two ways.

            Send the header `Content-Type: application/json` and a JSON body. With curl, `--json DATA` sets
            both.
        """),
    )
    INVALID_INPUT = (
        "Invalid Input",
        HelpText("""
            The request was understood, but a value in it cannot be used: a field is missing, has another
            type or is out of range.

            Nothing was changed or recorded. The detail names each place and what is expected there; it
            never repeats what was sent, since that may be a secret.

            Correct the named fields. `/api/v1/openapi.json` has the schema of every body and parameter.
        """),
    )
    INTERNAL = (
        "Internal Server Error",
        HelpText("""
            The service failed because of a defect. The reply says nothing else on purpose; the cause is in
            the service's own log.

            An answer that was acknowledged with a receipt is safe. One without a receipt may or may not
            have been recorded.

            Repeat the request: submitting the same answer twice is harmless and returns the same receipt.
            If it fails again, report the time of the request to whoever runs the service.
        """),
    )
    UPSTREAM = (
        "Upstream Failed",
        HelpText("""
            Another service that the exam service depends on failed.

            The request itself may be fine, and the same request can succeed later. Nothing of it needs to
            be changed.

            Wait a while and repeat it. If it fails again, tell whoever runs the service, who finds the
            cause in its log.
        """),
    )
    UNAVAILABLE = (
        "Service Unavailable",
        HelpText("""
            The service is overloaded for the moment, or its database does not answer. The request was not
            carried out.

            The service refuses requests early, before they pile up, so that those it accepts are answered
            in time.

            Wait for the seconds in the `Retry-After` header and repeat the request. `assay sit` does so for
            up to ten minutes. If it lasts, whoever runs the service should look at the database.
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
_SHOWN: Final = 60
INSIDE: Final = "the service failed: repeat the request; if it fails again, tell whoever runs the service"


class BodyTooLarge(InvalidInput):
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
    """Return a problem as a response. Its type is the address of its page, if it has one."""
    kind = f"{PROBLEMS}/{slug(title)}" if title in PAGES else "about:blank"
    document = {"type": kind, "title": title, "status": status, "detail": detail}
    return Response(orjson.dumps(document), status, headers, MEDIA_TYPE)


def error_response(error: AssayError) -> Response:
    """Return the answer to an error; for a defect inside, it says only that there was one."""
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
    """Return a problem that its status explains: no such page, no such method."""
    details = {
        404: "there is nothing at this address: /api/v1/openapi.json describes what there is",
        405: "this address does not take that method: the Allow header names those it takes",
    }
    title = _TITLES.get(status) or HTTPStatus(status).phrase
    return problem(status, title, details.get(status, title), headers)


def unreadable(error: ValidationError) -> InvalidInput:
    """Return what is wrong with a body, place by place; never what was sent, which may be a secret."""
    errors = [
        {**each, "loc": tuple(str(part)[:_SHOWN] for part in each["loc"])}
        for each in error.errors(include_url=False, include_input=False)
    ]
    return InvalidInput("; ".join(explain_shape_errors(errors[:10])))
