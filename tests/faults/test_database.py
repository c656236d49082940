"""A full disk or a locked database: a clear error, nothing committed lost, and resuming completes the run."""

from __future__ import annotations

import asyncio
import os
import random
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from small_suite import make_suite
from sqlalchemy import Engine, event, text
from upstream import Upstream

from assay.calls.code import NoSandbox
from assay.core.errors import Upstream as Failed
from assay.core.model import Provider
from assay.core.suite import Suite
from assay.runs.conduct import Outcome, Setting, conduct
from assay.runs.plan import stored_plan
from assay.store.engine import open_database
from assay.store.runs import StoredRun
from assay.store.samples import read_samples

CASES = 400
LONG = "right " * 400


@pytest.fixture
def suite() -> Suite:
    """A suite of four hundred cases."""
    return make_suite(use_cases=1, cases=CASES)


@pytest.fixture
def upstream(upstream_in_thread: Callable[..., Upstream]) -> Iterator[Upstream]:
    """An upstream with long answers."""
    return upstream_in_thread(lambda prompt, before: LONG, delay=0.02)


def execute(engine: Engine, run: StoredRun, suite: Suite, upstream: Upstream) -> Outcome:
    """Execute a stored run in this process."""
    setting = Setting(
        engine,
        {"test": Provider("test", upstream.address, concurrency=8)},
        {},
        rng=random.Random(0),
        sandbox=lambda: NoSandbox("none in this test"),
    )
    plan = stored_plan(suite, [model for _, model in run.models], run.plan)
    return asyncio.run(conduct(setting, run, plan))


def answers(engine: Engine, run: StoredRun) -> dict[int, str | None]:
    """Return what is stored of a run."""
    return {each.row.position: each.answer for each in read_samples(engine, run.id, limit=CASES)}


def test_a_full_disk_stops_the_run_and_loses_nothing(
    sqlite: Engine, suite: Suite, store_run: Callable[..., StoredRun], upstream: Upstream
) -> None:
    """With room for some answers only the error says that the disk is full; with more room the rest comes."""
    run, room = store_run(sqlite, suite), [90]

    @event.listens_for(sqlite, "connect")
    def limit(connection: sqlite3.Connection, _: object) -> None:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + room[0]}")

    sqlite.dispose()
    with pytest.raises(Failed, match=r"disk .* is full.*what was committed is safe"):
        execute(sqlite, run, suite, upstream)
    kept = answers(sqlite, run)
    assert 0 < len(kept) < CASES
    room[0] = 1_000_000
    sqlite.dispose()
    outcome = execute(sqlite, run, suite, upstream)
    assert (outcome.status, outcome.counts.ok) == ("finished", CASES)
    assert answers(sqlite, run).items() >= kept.items()
    asked_again = [prompt for prompt, times in upstream.asked.items() if times > 1]
    assert not {suite.cases[position].messages[0].content for position in kept} & set(asked_again)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="limits on file sizes are POSIX's")
def test_a_file_that_may_not_grow_ends_a_process_with_a_message(
    sqlite: Engine,
    suite: Suite,
    store_run: Callable[..., StoredRun],
    upstream: Upstream,
    start_child: Callable[..., subprocess.Popen[str]],
    finish: Callable[[Any], dict[str, Any]],
) -> None:
    """Under a limit of the operating system the process ends with status 3; without it the run completes."""
    run = store_run(sqlite, suite)
    told = {"database": str(sqlite.url.database), "address": upstream.address, "run": run.id}
    files = Path(str(sqlite.url.database)).parent.glob("assay.db*")
    starved = start_child(**told, file_limit=max(each.stat().st_size for each in files) + 400_000)
    errors = starved.communicate(timeout=60)[1]
    assert (starved.returncode, "Traceback" in errors) == (3, False), errors
    assert "What was committed is safe" in errors or "what was committed is safe" in errors
    kept = answers(sqlite, run)
    assert 0 < len(kept) < CASES
    assert finish(start_child(**told))["ok"] == CASES
    assert answers(sqlite, run).items() >= kept.items()


def test_a_database_locked_for_too_long_stops_the_run_and_loses_nothing(
    tmp_path: Path,
    suite: Suite,
    store_run: Callable[..., StoredRun],
    upstream_in_thread: Callable[..., Upstream],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Another process's long transaction is told as such; once it is over the run completes."""
    monkeypatch.setattr("assay.store.engine.BUSY_SECONDS", 0.2)
    engine = open_database(str(tmp_path / "locked.db"))
    run = store_run(engine, suite)
    holder = sqlite3.connect(tmp_path / "locked.db", isolation_level=None, check_same_thread=False)

    def answer(prompt: str, before: int) -> str:
        if prompt.startswith("Question 200 ") and not before:
            holder.execute("BEGIN IMMEDIATE")
        return "right"

    upstream = upstream_in_thread(answer, delay=0.02)
    with pytest.raises(Failed, match="locked by another process"):
        execute(engine, run, suite, upstream)
    kept = answers(engine, run)
    assert 0 < len(kept) < CASES
    holder.execute("ROLLBACK")
    holder.close()
    outcome = execute(engine, run, suite, upstream)
    assert (outcome.status, outcome.counts.ok) == ("finished", CASES)
    assert answers(engine, run).items() >= kept.items()
    engine.dispose()


def test_a_short_lock_is_waited_for(
    sqlite: Engine,
    suite: Suite,
    store_run: Callable[..., StoredRun],
    upstream_in_thread: Callable[..., Upstream],
) -> None:
    """A transaction that ends within the patience of the writer holds the run up, no more."""
    run = store_run(sqlite, suite)
    holder = sqlite3.connect(str(sqlite.url.database), isolation_level=None, check_same_thread=False)

    def answer(prompt: str, before: int) -> str:
        if prompt.startswith("Question 100 "):
            holder.execute("BEGIN IMMEDIATE")
        if prompt.startswith("Question 200 "):
            holder.execute("ROLLBACK")
        return "right"

    outcome = execute(sqlite, run, suite, upstream_in_thread(answer, delay=0.02))
    holder.close()
    assert (outcome.status, outcome.counts.ok) == ("finished", CASES)


def test_a_server_that_drops_its_connections_stops_the_run_and_loses_nothing(
    request: pytest.FixtureRequest,
    suite: Suite,
    store_run: Callable[..., StoredRun],
    upstream_in_thread: Callable[..., Upstream],
) -> None:
    """When PostgreSQL ends the writer's connection the run stops with an error, and resuming completes it."""
    engine = open_database(request.getfixturevalue("postgres_server"))
    run = store_run(engine, suite)

    def answer(prompt: str, before: int) -> str:
        if prompt.startswith("Question 200 ") and not before:
            with engine.connect() as connection:
                connection.execute(
                    text(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                        "WHERE pid <> pg_backend_pid() AND datname = current_database()"
                    )
                )
        return "right"

    upstream = upstream_in_thread(answer, delay=0.02)
    try:
        with pytest.raises(Failed, match="failed"):
            execute(engine, run, suite, upstream)
        kept = answers(engine, run)
        assert 0 < len(kept) < CASES
        outcome = execute(engine, run, suite, upstream)
        assert (outcome.status, outcome.counts.ok) == ("finished", CASES)
    finally:
        with engine.begin() as connection:
            connection.execute(text("DROP SCHEMA public CASCADE"))
            connection.execute(text("CREATE SCHEMA public"))
        engine.dispose()
