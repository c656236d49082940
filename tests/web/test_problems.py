"""Errors on the wire."""

from __future__ import annotations

import json
from typing import Any

import pytest
from exam_server import Served
from pydantic import ValidationError

from assay.core.errors import Conflict, InvalidInput
from assay.exam.access import Refusal, Refused
from assay.web.problems import PAGES, BodyTooLarge, error_response, plain, unreadable
from assay.web.shapes import AnswerBody, OpenBody


class Malformed(InvalidInput):
    """A bad request whose connection can be used again."""

    status = 400


@pytest.mark.parametrize(("error", "header"), [(Malformed("no"), None), (BodyTooLarge("no"), "close")])
def test_only_an_unread_body_ends_the_connection(error: InvalidInput, header: str | None) -> None:
    """A body that is too large is not read to its end; after any other bad request the client may go on."""
    assert error_response(error).headers.get("connection") == header


def document(response: Any) -> Any:
    """Return the problem that a response holds."""
    return json.loads(response.body)


@pytest.mark.parametrize(
    ("response", "kind"),
    [
        (error_response(Refused(Refusal.EXPIRED)), "/api/v1/problems/token-expired"),
        (error_response(Conflict("no")), "/api/v1/problems/conflict"),
        (plain(405), "/api/v1/problems/method-not-allowed"),
        (plain(418), "about:blank"),
    ],
    ids=["refusal", "error", "method", "no page"],
)
def test_the_type_is_the_address_of_the_page(response: Any, kind: str) -> None:
    """A title without a page has no type of its own."""
    assert document(response)["type"] == kind


def test_the_pages_are_served(served: Served) -> None:
    """What a problem's type refers to says what its title means; anybody may read it."""
    problem = served.send("GET", "/nothing").json
    page = served.send("GET", problem["type"].removeprefix("/api/v1"))
    assert (page.status, page.headers["content-type"]) == (200, "text/markdown; charset=utf-8")
    assert page.raw.decode() == PAGES["Not Found"].markdown("Not Found")
    assert served.send("GET", "/problems/nothing").status == 404


@pytest.mark.parametrize(
    ("shape", "body", "detail"),
    [
        (AnswerBody, b"{", "invalid JSON at line 1, column 1: correct it"),
        (AnswerBody, b"{}", "'text' is missing: add it"),
        (AnswerBody, b'{"text": 7}', "'text' is not valid: write text"),
        (AnswerBody, b'{"text": "a", "seconds": -1}', "'seconds' is not valid: write a number of at least 0"),
        (AnswerBody, b'{"text": "a", "key": "sesame"}', "unknown field 'key': remove it"),
        (
            OpenBody,
            b'{"candidate": "a", "model": "m", "prompting": "loud"}',
            "'prompting' is not",
        ),
    ],
)
def test_a_broken_body_is_explained_without_what_was_sent(
    shape: type[AnswerBody] | type[OpenBody], body: bytes, detail: str
) -> None:
    """The field and what to write, in our own words."""
    with pytest.raises(ValidationError) as refused:
        shape.model_validate_json(body)
    text = str(unreadable(refused.value))
    assert detail in text
    assert "sesame" not in text
