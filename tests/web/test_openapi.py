"""The OpenAPI description of the service: complete, and without a field for a key."""

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
ALLOWED = {"max_answer_characters"}
"""Names that look like keys: this one is a limit."""
REVIEWERS = "/api/v1/review/"
"""The routes for the operator's reviewers, who see keys; they have their own tests."""


@pytest.fixture
def document(tmp_path: Path) -> dict[str, Any]:
    """The OpenAPI description."""
    engine = fresh_sqlite(tmp_path / "assay.db")
    description = create_app(engine, SEALER).openapi()
    engine.dispose()
    return description


def schemas(document: dict[str, Any], node: Any, seen: set[str]) -> Iterator[dict[str, Any]]:
    """Yield every schema that a part of the description uses, following references."""
    if isinstance(node, list):
        for item in node:
            yield from schemas(document, item, seen)
    if not isinstance(node, dict):
        return
    reference = node.get("$ref")
    if reference is not None and reference not in seen:
        seen.add(reference)
        yield from schemas(document, document["components"]["schemas"][reference.rsplit("/", 1)[1]], seen)
    if "properties" in node or node.get("type") == "object":
        yield node
    for value in node.values():
        yield from schemas(document, value, seen)


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield path, method and description of all routes except the reviewers'."""
    for path, methods in document["paths"].items():
        if not path.startswith(REVIEWERS):
            for method, operation in methods.items():
                yield path, method, operation


def test_no_response_has_a_field_for_a_key(document: dict[str, Any]) -> None:
    """Bodies for candidates, viewers and examiners have only known fields, none named like a key."""
    checked = 0
    for path, method, operation in operations(document):
        for schema in schemas(document, operation["responses"], set()):
            checked += 1
            names = set(schema.get("properties", {}))
            assert not {name for name in names - ALLOWED if SECRET.search(name)}, (path, method)
            assert schema.get("additionalProperties") is False, (path, method, schema.get("title"))
    assert checked > 20


def test_the_check_would_find_a_key() -> None:
    """Also a name with other words before or after it."""
    for name in ("key", "answer", "answers", "gold_answer", "explanation", "judge_rationale", "correct"):
        assert SECRET.search(name)


def test_no_view_and_no_body_has_a_field_for_a_key() -> None:
    """The views of the exam and the bodies of responses."""
    for view in (QuestionView, ReceiptView, SessionView):
        names = {field.name for field in dataclasses.fields(view)} - ALLOWED
        assert not {name for name in names if SECRET.search(name)}
    for _, shape in inspect.getmembers(shapes, inspect.isclass):
        if issubclass(shape, shapes.ResponseBody):
            assert shape.model_config["extra"] == "forbid"
            assert not {name for name in set(shape.model_fields) - ALLOWED if SECRET.search(name)}


def test_request_bodies_refuse_unknown_fields() -> None:
    """All of them forbid extra fields."""
    for _, shape in inspect.getmembers(shapes, inspect.isclass):
        if issubclass(shape, BaseModel) and shape is not BaseModel:
            assert shape.model_config["extra"] == "forbid"


def test_every_route_has_its_problems(document: dict[str, Any]) -> None:
    """401 and 403 with a token, 413, 415 and 422 with a body, 500 and 503 everywhere."""
    for path, method, operation in operations(document):
        statuses = set(operation["responses"])
        assert {"500", "503"} <= statuses, path
        if operation.get("security"):
            assert {"401", "403"} <= statuses, path
        if "requestBody" in operation:
            assert {"413", "415", "422"} <= statuses, (path, method)
        for status, response in operation["responses"].items():
            if status >= "400":
                assert list(response["content"]) == ["application/problem+json"]


def test_every_parameter_of_a_path_is_described(document: dict[str, Any]) -> None:
    """The description has all parameters of the path."""
    for path, _, operation in operations(document):
        names = {parameter["name"] for parameter in operation["parameters"] if parameter["in"] == "path"}
        assert names == set(re.findall(r"{(\w+)}", path))


def test_only_health_and_login_need_no_token(document: dict[str, Any]) -> None:
    """All other routes need one."""
    free = {path for path, _, operation in operations(document) if not operation.get("security")}
    assert free == {"/api/v1/health", "/api/v1/tokens"}
