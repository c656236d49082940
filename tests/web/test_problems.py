"""Errors as problem+json, and the pages that explain them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from exam_server import Served
from pydantic import ValidationError

from assay.core.errors import Conflict, InvalidInput
from assay.exam.access import Refusal, Refused
from assay.web.problems import PAGES, BodyTooLarge, error_response, invalid_body, status_problem
from assay.web.shapes import AnswerBody, OpenBody


class Malformed(InvalidInput):
    """A bad request whose connection can be used again."""

    status = 400


@pytest.mark.parametrize(("error", "header"), [(Malformed("no"), None), (BodyTooLarge("no"), "close")])
def test_only_a_too_long_body_closes_the_connection(error: InvalidInput, header: str | None) -> None:
    """It is not read to its end; after another bad request the client can use the connection again."""
    assert error_response(error).headers.get("connection") == header


def document(response: Any) -> Any:
    """Return the problem in a response."""
    return json.loads(response.body)


@pytest.mark.parametrize(
    ("response", "kind"),
    [
        (error_response(Refused(Refusal.EXPIRED)), "/api/v1/problems/token-expired"),
        (error_response(Conflict("no")), "/api/v1/problems/conflict"),
        (status_problem(405), "/api/v1/problems/method-not-allowed"),
        (status_problem(418), "about:blank"),
    ],
    ids=["refusal", "error", "method", "no page"],
)
def test_the_type_is_the_address_of_the_page(response: Any, kind: str) -> None:
    """A title without a page has no type of its own."""
    assert document(response)["type"] == kind


def test_the_pages_are_served(served: Served) -> None:
    """The address in a problem's type is a page that explains its title and needs no token."""
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
def test_an_invalid_body_is_explained_without_its_values(
    shape: type[AnswerBody] | type[OpenBody], body: bytes, detail: str
) -> None:
    """The message has the field and what to write."""
    with pytest.raises(ValidationError) as refused:
        shape.model_validate_json(body)
    text = str(invalid_body(refused.value))
    assert detail in text
    assert "sesame" not in text
