"""The files of the review page: a strict policy, and nothing in them that it forbids."""

from __future__ import annotations

import http.client
import re
from collections.abc import Iterator

import pytest
from exam_server import Served
from review_desk import furnish, reviewing
from sqlalchemy import Engine

from assay.web.pages.review import POLICY

FILES = ["/review", "/review/page.js", "/review/api.js", "/review/review.css", "/review/icon.svg"]


@pytest.fixture
def served(sqlite: Engine) -> Iterator[Served]:
    """A server over an empty bank."""
    with reviewing(furnish(sqlite, [])) as server:
        yield server


def fetch(served: Served, path: str) -> tuple[int, dict[str, str], str]:
    """Return status, headers and text of the reply for an address."""
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=30)
    connection.request("GET", path)
    reply = connection.getresponse()
    headers = {name.lower(): value for name, value in reply.getheaders()}
    text = reply.read().decode()
    connection.close()
    return reply.status, headers, text


@pytest.mark.parametrize("path", FILES)
def test_files_come_with_a_strict_policy(served: Served, path: str) -> None:
    """Only own scripts and styles, no frames, no caching, no type sniffing, no referrer."""
    status, headers, _ = fetch(served, path)
    assert status == 200
    assert headers["content-security-policy"] == POLICY
    assert "unsafe" not in POLICY
    assert {"script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"} <= set(POLICY.split("; "))
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"
    assert headers["referrer-policy"] == "no-referrer"


def test_the_page_has_nothing_inline(served: Served) -> None:
    """It has no inline script, style or handler, and all files that it names exist."""
    _, _, page = fetch(served, "/review")
    assert not re.search(r"<style|style=|\son\w+=|<script>|javascript:", page)
    named = re.findall(r"(?:src|href)=\"(/review/[^\"]+)\"", page)
    imported = re.findall(r"from \"(/review/[^\"]+)\"", fetch(served, "/review/page.js")[2])
    assert len(named) == 4
    assert {fetch(served, path)[0] for path in named + imported} == {200}


@pytest.mark.parametrize(
    "path", ["/review/", "/review/../web/app.py", "/review/none.js", "/review/review.html"]
)
def test_nothing_else_is_served(served: Served, path: str) -> None:
    """Other addresses get 404."""
    assert fetch(served, path)[0] == 404
