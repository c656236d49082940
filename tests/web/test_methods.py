"""The HTTP methods of all addresses of the service."""

from __future__ import annotations

import http.client
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from banked import SEALER
from exam_room import room
from exam_server import Reply, Served, serving
from fresh_database import fresh_sqlite
from starlette.routing import Route

from assay.web.app import create_app

FILLED = {"session": "0f0e0d0c-0000-4000-8000-000000000000"}
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One real server for the file; the tests change nothing."""
    engine = fresh_sqlite(tmp_path_factory.mktemp("served") / "assay.db")
    with serving(room(engine)) as server:
        yield server
    engine.dispose()


def methods_by_path(folder: Path) -> dict[str, set[str]]:
    """Return the methods of all routes of each address of the application."""
    engine = fresh_sqlite(folder / "routes.db")
    methods = defaultdict(set)
    for route in create_app(engine, SEALER).routes:
        assert isinstance(route, Route)
        path = re.sub(r"{(\w+)}", lambda place: FILLED.get(place[1], "1"), route.path)
        methods[path] |= route.methods or set()
    engine.dispose()
    return methods


def ask(served: Served, method: str, path: str) -> Reply:
    """Send a request without a token to any address."""
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=30)
    connection.request(method, path)
    reply = connection.getresponse()
    headers = {name.lower(): value for name, value in reply.getheaders()}
    received = Reply(reply.status, headers, reply.read())
    connection.close()
    return received


def test_a_refused_method_gets_all_allowed_ones(served: Served, tmp_path: Path) -> None:
    """Methods without a route get 405, and `Allow` has the methods of all routes at the address."""
    routes = methods_by_path(tmp_path)
    assert len(routes) > 15 and any(len(methods - {"HEAD"}) > 1 for methods in routes.values())
    for path, methods in routes.items():
        for method in METHODS:
            reply = ask(served, method, path)
            assert (reply.status == 405) == (method not in methods), (method, path)
            if reply.status == 405:
                assert reply.headers["allow"] == ", ".join(sorted(methods)), (method, path)


def test_head_is_served_wherever_get_is(served: Served, tmp_path: Path) -> None:
    """HEAD has the same status and length as GET, and no body."""
    for path, methods in methods_by_path(tmp_path).items():
        assert ("HEAD" in methods) == ("GET" in methods), path
        if "GET" in methods:
            got, head = ask(served, "GET", path), ask(served, "HEAD", path)
            assert (head.status, head.raw) == (got.status, b""), path
            assert head.headers["content-length"] == got.headers["content-length"], path
