"""A served exam for a whole test file: ten subjects, people of every role."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from exam_room import room
from exam_server import Served, serving

from assay.store.engine import open_database


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A real server over a fresh SQLite database."""
    engine = open_database(str(tmp_path / "assay.db"))
    with serving(room(engine)) as server:
        yield server
    engine.dispose()
