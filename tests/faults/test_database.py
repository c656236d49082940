"""A full disk, a locked, vanished or cut-off database: no answer is lost, and none is paid for again."""

from __future__ import annotations

import asyncio
import os
import random
import re
import sqlite3
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from small_suite import make_suite
from sqlalchemy import Engine, event, text
from upstream import Upstream

from assay.calls.control import RunControl
from assay.calls.progress import Progress
from assay.core.errors import Upstream as Failed
from assay.core.model import Provider
from assay.core.suite import Suite
from assay.results.runs import RunOutcome
from assay.runs.conduct import RunContext, conduct
from assay.runs.plan import stored_plan
from assay.sandbox.choose import open_sandbox
from assay.store.engine import Vanished, open_database
from assay.store.runs import StoredRun, count_runs, read_run
from assay.store.samples import read_samples

CASES = 400
CONCURRENCY = 8
LONG = "right " * 400


@pytest.fixture
def suite() -> Suite:
    """A suite of four hundred cases."""
    return make_suite(use_cases=1, cases=CASES)


@pytest.fixture
def upstream(upstream_in_thread: Callable[..., Upstream]) -> Iterator[Upstream]:
    """An upstream with long answers."""
    return upstream_in_thread(lambda prompt, before: LONG, delay=0.02)


def execute(
    engine: Engine, run: StoredRun, suite: Suite, upstream: Upstream, progress: Progress | None = None
) -> RunOutcome:
    """Execute a stored run in this process."""
    setting = RunContext(
        engine,
        {"test": Provider("test", upstream.address, concurrency=CONCURRENCY)},
        {},
        rng=random.Random(0),
        sandbox=lambda: open_sandbox(()),
    )
    plan = stored_plan(suite, [model for _, model in run.models], run.plan)
    return asyncio.run(conduct(setting, run, plan, control=RunControl(progress or Progress(0))))


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that waits for its database for less than a second."""
    monkeypatch.setattr("assay.calls.record.PATIENCE", 0.5)
    monkeypatch.setattr("assay.calls.record.PAUSE", 0.1)
    monkeypatch.setattr("assay.store.engine.BUSY_SECONDS", 0.1)


def answers(engine: Engine, run: StoredRun) -> dict[int, str | None]:
    """Return what is stored of a run."""
    return {each.row.position: each.answer for each in read_samples(engine, run.id, limit=CASES)}


@pytest.mark.usefixtures("impatient")
def test_a_full_disk_stops_the_run_and_loses_nothing(
    sqlite: Engine, suite: Suite, store_run: Callable[..., StoredRun], upstream: Upstream
) -> None:
    """The error says that the disk is full and where the other answers are; with more room all are there."""
    run, room, full = store_run(sqlite, suite), [90], list[int]()

    @event.listens_for(sqlite, "connect")
    def limit(connection: sqlite3.Connection, _: object) -> None:
        full.append(connection.execute("PRAGMA page_count").fetchone()[0])
        connection.execute(f"PRAGMA max_page_count = {full[0] + room[0]}")

    sqlite.dispose()
    with pytest.raises(Failed, match=r"disk .* is full.*what was committed is safe; \d+ rows .* saved in"):
        execute(sqlite, run, suite, upstream)
    kept = answers(sqlite, run)
    assert 0 < len(kept) < CASES
    room[0] = 1_000_000
    sqlite.dispose()
    outcome = execute(sqlite, run, suite, upstream)
    assert (outcome.status, outcome.counts.ok) == ("finished", CASES)
    assert answers(sqlite, run).items() >= kept.items()
    assert upstream.calls <= CASES + CONCURRENCY
    assert count_runs(sqlite, [run.id])[run.id].spend.calls == CASES


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
    starved = start_child(
        **told, patience=0.5, file_limit=max(each.stat().st_size for each in files) + 400_000
    )
    errors = starved.communicate(timeout=60)[1]
    assert (starved.returncode, "Traceback" in errors) == (3, False), errors
    assert "What was committed is safe" in errors or "what was committed is safe" in errors
    kept = answers(sqlite, run)
    assert 0 < len(kept) < CASES
    assert finish(start_child(**told))["ok"] == CASES
    assert answers(sqlite, run).items() >= kept.items()


@pytest.mark.usefixtures("impatient")
def test_a_database_locked_for_too_long_stops_the_run_and_loses_nothing(
    tmp_path: Path,
    suite: Suite,
    store_run: Callable[..., StoredRun],
    upstream_in_thread: Callable[..., Upstream],
) -> None:
    """Another's long transaction is reported as such; answers that waited are kept and not paid for again."""
    engine = open_database(str(tmp_path / "locked.db"))
    run = store_run(engine, suite)
    holder = sqlite3.connect(tmp_path / "locked.db", isolation_level=None, check_same_thread=False)

    def answer(prompt: str, before: int) -> str:
        if prompt.startswith("Question 200 ") and not before:
            holder.execute("BEGIN IMMEDIATE")
        return "right"

    upstream = upstream_in_thread(answer, delay=0.02)
    with pytest.raises(Failed, match=r"locked by another process.*`assay resume 1` imports them"):
        execute(engine, run, suite, upstream)
    kept = answers(engine, run)
    assert 0 < len(kept) < CASES
    holder.execute("ROLLBACK")
    holder.close()
    outcome = execute(engine, run, suite, upstream)
    assert (outcome.status, outcome.counts.ok, outcome.spend.calls) == ("finished", CASES, CASES)
    assert answers(engine, run).items() >= kept.items()
    assert upstream.calls <= CASES + CONCURRENCY
    assert not list(tmp_path.glob("assay-unsaved-*"))
    engine.dispose()


def test_a_lock_that_outlasts_sqlites_own_patience_is_waited_for(
    sqlite: Engine,
    suite: Suite,
    store_run: Callable[..., StoredRun],
    upstream_in_thread: Callable[..., Upstream],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Commits that fail are tried again, the screen says why, and every answer is asked for once."""
    monkeypatch.setattr("assay.store.writer.BUSY_SECONDS", 0.05)
    monkeypatch.setattr("assay.calls.record.PAUSE", 0.1)
    run = store_run(sqlite, suite)
    holder = sqlite3.connect(str(sqlite.url.database), isolation_level=None, check_same_thread=False)
    freeing = threading.Timer(0.8, holder.execute, ("ROLLBACK",))
    progress, said = Progress(CASES), set[str | None]()

    def answer(prompt: str, before: int) -> str:
        if prompt.startswith("Question 100 "):
            holder.execute("BEGIN IMMEDIATE")
            freeing.start()
        said.add(progress.waiting)
        return "right"

    upstream = upstream_in_thread(answer, delay=0.02)
    outcome = execute(sqlite, run, suite, upstream, progress=progress)
    freeing.join()
    holder.close()
    assert (outcome.status, outcome.counts.ok, outcome.spend.calls) == ("finished", CASES, CASES)
    assert upstream.calls == CASES
    assert any("locked" in str(each) for each in said)
    assert progress.waiting is None


def test_a_database_that_vanished_is_an_error_and_its_rows_are_saved(
    sqlite: Engine,
    suite: Suite,
    store_run: Callable[..., StoredRun],
    upstream_in_thread: Callable[..., Upstream],
) -> None:
    """Deleted in mid-run, no run is finished; the rescued file, put back, is resumed without paying again."""
    run, path = store_run(sqlite, suite), Path(str(sqlite.url.database))

    def answer(prompt: str, before: int) -> str:
        if prompt.startswith("Question 200 ") and not before:
            path.unlink()
        return "right"

    upstream = upstream_in_thread(answer, delay=0.02)
    with pytest.raises(Vanished, match=r"deleted, moved or replaced.*saved in .*saved in") as caught:
        execute(sqlite, run, suite, upstream)
    sqlite.dispose()
    for left in path.parent.glob("assay.db-*"):
        left.unlink()
    Path(re.findall(r"saved in '([^']*)'", str(caught.value))[0]).rename(path)
    engine = open_database(str(path))
    assert read_run(engine, run.id).status == "dead"
    outcome = execute(engine, run, suite, upstream)
    assert (outcome.status, outcome.counts.ok, outcome.spend.calls) == ("finished", CASES, CASES)
    assert upstream.calls <= CASES + 2 * CONCURRENCY
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


@pytest.mark.slow
def test_a_server_that_drops_its_connections_costs_nothing(
    request: pytest.FixtureRequest,
    suite: Suite,
    store_run: Callable[..., StoredRun],
    upstream_in_thread: Callable[..., Upstream],
) -> None:
    """When PostgreSQL ends the writer's connections the run goes on over new ones; nothing is asked twice."""
    engine = open_database(request.getfixturevalue("postgres_server"))
    run = store_run(engine, suite)

    def answer(prompt: str, before: int) -> str:
        if prompt.split()[1] in ("100", "200", "300") and not before:
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
        outcome = execute(engine, run, suite, upstream)
        assert (outcome.status, outcome.counts.ok, outcome.spend.calls) == ("finished", CASES, CASES)
        assert upstream.calls == CASES
    finally:
        with engine.begin() as connection:
            connection.execute(text("DROP SCHEMA public CASCADE"))
            connection.execute(text("CREATE SCHEMA public"))
        engine.dispose()
