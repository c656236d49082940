"""A served exam with ten subjects, and a desk of reviewers with a server over it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from exam_room import room
from exam_server import Served, serving
from fresh_database import fresh_sqlite
from review_desk import ITEMS, Desk, Page, furnish, reviewing
from sqlalchemy import Engine


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A real server over a fresh SQLite database."""
    engine = fresh_sqlite(tmp_path / "assay.db")
    with serving(room(engine)) as server:
        yield server
    engine.dispose()


@pytest.fixture
def desk(engine: Engine) -> Desk:
    """Return a desk with two raw questions on law and one on science."""
    return furnish(engine, ITEMS)


@pytest.fixture
def review_server(desk: Desk) -> Iterator[Served]:
    """A server over the desk."""
    with reviewing(desk) as server:
        yield server


@pytest.fixture
def ada(review_server: Served, desk: Desk) -> Page:
    """Ada, who reads every discipline."""
    return Page(review_server, desk.users["Ada"])
