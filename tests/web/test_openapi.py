"""The description of the service: complete, offline, and with no place for a key."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from banked import SEALER
from fresh_database import fresh_sqlite
from pydantic import BaseModel

from assay.exam.delivery import QuestionView, ReceiptView
from assay.results.exam_service import SessionView
from assay.web import shapes
from assay.web.app import create_app

SECRET = re.compile(r"(^|_)(keys?|answers?|explanations?|rationales?|gold|solutions?|correct|stars|why)($|_)")
TOLD = {"max_answer_characters"}
"""A limit, not an answer."""
REVIEWERS = "/api/v1/review/"
"""For the operator's reviewers, who must see keys: tested with the routes of reviewing."""


@pytest.fixture
def document(tmp_path: Path) -> dict[str, Any]:
    """What the service says of itself."""
    engine = fresh_sqlite(tmp_path / "assay.db")
    found = create_app(engine, SEALER).openapi()
    engine.dispose()
    return found


def schemas(document: dict[str, Any], node: Any, seen: set[str]) -> Iterator[dict[str, Any]]:
    """Yield every schema that a part of the description uses, following references."""
    if isinstance(node, list):
        for each in node:
            yield from schemas(document, each, seen)
    if not isinstance(node, dict):
        return
    reference = node.get("$ref")
    if reference is not None and reference not in seen:
        seen.add(reference)
        yield from schemas(document, document["components"]["schemas"][reference.rsplit("/", 1)[1]], seen)
    if "properties" in node or node.get("type") == "object":
        yield node
    for each in node.values():
        yield from schemas(document, each, seen)


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield path, method and description of every route but the reviewers'."""
    for path, methods in document["paths"].items():
        if not path.startswith(REVIEWERS):
            for method, told in methods.items():
                yield path, method, told


def test_no_response_has_a_place_for_a_key(document: dict[str, Any]) -> None:
    """Every body that a candidate, viewer or examiner gets is closed and names nothing like a key."""
    found = 0
    for path, method, told in operations(document):
        for schema in schemas(document, told["responses"], set()):
            found += 1
            names = set(schema.get("properties", {}))
            assert not {name for name in names - TOLD if SECRET.search(name)}, (path, method)
            assert schema.get("additionalProperties") is False, (path, method, schema.get("title"))
    assert found > 20


def test_the_check_would_find_a_key() -> None:
    """A field named like one is caught, whatever stands before or after it."""
    for name in ("key", "answer", "answers", "gold_answer", "explanation", "judge_rationale", "correct"):
        assert SECRET.search(name)


def test_no_type_that_leaves_the_exam_has_a_place_for_a_key() -> None:
    """Neither the views nor the bodies that are sent."""
    for each in (QuestionView, ReceiptView, SessionView):
        names = {field.name for field in dataclasses.fields(each)} - TOLD
        assert not {name for name in names if SECRET.search(name)}
    for _, each in inspect.getmembers(shapes, inspect.isclass):
        if issubclass(each, shapes.Sent):
            assert each.model_config["extra"] == "forbid"
            assert not {name for name in set(each.model_fields) - TOLD if SECRET.search(name)}


def test_bodies_that_are_read_refuse_what_they_do_not_know() -> None:
    """Every body that a client sends is closed too."""
    for _, each in inspect.getmembers(shapes, inspect.isclass):
        if issubclass(each, BaseModel) and each not in (BaseModel, shapes.RequestBody, shapes.Sent):
            assert each.model_config["extra"] == "forbid"


def test_every_route_tells_its_problems(document: dict[str, Any]) -> None:
    """401 and 403 where a token is needed, 422 where something is sent, 500 and 503 everywhere."""
    for path, method, told in operations(document):
        statuses = set(told["responses"])
        assert {"500", "503"} <= statuses, path
        if told.get("security"):
            assert {"401", "403"} <= statuses, path
        if "requestBody" in told:
            assert {"413", "415", "422"} <= statuses, (path, method)
        for status, response in told["responses"].items():
            if status >= "400":
                assert list(response["content"]) == ["application/problem+json"]


def test_every_parameter_of_a_path_is_described(document: dict[str, Any]) -> None:
    """With a schema."""
    for path, _, told in operations(document):
        named = {each["name"] for each in told["parameters"] if each["in"] == "path"}
        assert named == set(re.findall(r"{(\w+)}", path))


def test_only_health_and_login_need_no_token(document: dict[str, Any]) -> None:
    """Everything else is for somebody."""
    free = {path for path, _, told in operations(document) if not told.get("security")}
    assert free == {"/api/v1/health", "/api/v1/tokens"}
