"""A served exam with ten subjects."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from exam_room import room
from exam_server import Served, serving
from fresh_database import fresh_sqlite


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A real server over a fresh SQLite database."""
    engine = fresh_sqlite(tmp_path / "assay.db")
    with serving(room(engine)) as server:
        yield server
    engine.dispose()
