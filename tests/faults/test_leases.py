"""A run has one executor: a second is refused, a dead one is shown as dead, a lost lease ends all writing."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from typing import Any

import pytest
from small_suite import make_suite
from sqlalchemy import Engine, delete, select, update
from upstream import Upstream

from assay.core.errors import Conflict
from assay.core.model import Provider
from assay.results.runs import RunOutcome
from assay.runs.conduct import RunContext, conduct
from assay.runs.plan import stored_plan
from assay.runs.regrading.regrade import regrade
from assay.runs.resume_command import unfinished
from assay.sandbox.choose import open_sandbox
from assay.store.engine import writing
from assay.store.locks import Holder, free_lock, run_lock, take_lock, this_process
from assay.store.rows import Batch, SampleRow
from assay.store.runs import StoredRun, count_runs, end_run, list_runs, read_run
from assay.store.schema import calls, locks, samples
from assay.store.writer import LedgerWriter

CASES = 60


def execute(
    engine: Engine,
    run: StoredRun,
    upstream: Upstream,
    deed: Callable[..., Any] = conduct,
    *,
    concurrency: int = 4,
) -> RunOutcome:
    """Execute a stored run in this process."""
    setting = RunContext(
        engine,
        {"test": Provider("test", upstream.address, concurrency=concurrency)},
        {},
        rng=random.Random(0),
        sandbox=lambda: open_sandbox(()),
    )
    suite = make_suite(use_cases=1, cases=CASES)
    plan = stored_plan(suite, [model for _, model in run.models], run.plan)
    outcome: RunOutcome = asyncio.run(deed(setting, run, plan))
    return outcome


def sample(run: int, position: int) -> SampleRow:
    """Return a sample of a run."""
    return SampleRow(run, position, 1, 0, 0, "ok", 100.0, 0, 0.0)


@pytest.mark.slow
def test_two_at_once_never_pay_twice(
    engine: Engine,
    store_run: Callable[..., StoredRun],
    start_child: Callable[..., subprocess.Popen[str]],
    finish: Callable[[Any], dict[str, Any]],
    upstream_in_thread: Callable[..., Upstream],
) -> None:
    """Of three processes that execute a run at once two end with 2, and every sample is asked for once."""
    upstream = upstream_in_thread(lambda prompt, before: "right", delay=0.1)
    run = store_run(engine, make_suite(use_cases=1, cases=CASES))
    told = {
        "database": engine.url.render_as_string(hide_password=False),
        "address": upstream.address,
        "run": run.id,
        "concurrency": 2,
    }
    children = [start_child(**told) for _ in range(3)]
    errors = {child: child.communicate(timeout=60)[1] for child in children}
    assert sorted(child.returncode for child in children) == [0, 2, 2], errors
    for child in children:
        if child.returncode:
            assert f"run {run.id} is being executed (process " in errors[child]
    assert upstream.calls == CASES
    assert count_runs(engine, [run.id])[run.id].samples.ok == CASES


@pytest.mark.parametrize("deed", [conduct, regrade])
def test_a_second_executor_is_refused_and_leaves_the_run_alone(
    engine: Engine,
    store_run: Callable[..., StoredRun],
    upstream_in_thread: Callable[..., Upstream],
    deed: Callable[..., Any],
) -> None:
    """While another process holds a run nothing is asked and nothing changed; then it is executed."""
    upstream = upstream_in_thread(lambda prompt, before: "right")
    run = store_run(engine, make_suite(use_cases=1, cases=CASES))
    lease = take_lock(engine, run_lock(run.id), this_process())
    with pytest.raises(Conflict, match=rf"run {run.id} is being executed .process {os.getpid()} on .*since"):
        execute(engine, run, upstream, deed)
    assert upstream.calls == 0
    assert read_run(engine, run.id).status == "running"
    free_lock(engine, lease)
    assert execute(engine, run, upstream).status == "finished"


@pytest.mark.slow
def test_a_killed_run_is_dead_and_resumed_at_once(
    engine: Engine,
    store_run: Callable[..., StoredRun],
    start_child: Callable[..., subprocess.Popen[str]],
    finish: Callable[[Any], dict[str, Any]],
    upstream_in_thread: Callable[..., Upstream],
) -> None:
    """While it runs it is shown with its process, killed it is dead with its command, then it is finished."""
    upstream = upstream_in_thread(lambda prompt, before: "right", delay=0.1)
    run = store_run(engine, make_suite(use_cases=1, cases=CASES))
    told = {"database": engine.url.render_as_string(hide_password=False), "address": upstream.address}
    child = start_child(**told, run=run.id, concurrency=2)
    while upstream.calls < 6:
        time.sleep(0.01)
    running = read_run(engine, run.id)
    assert (running.status, unfinished(running)) == ("running", None)
    assert f"process {child.pid} on " in str(running.holder)
    child.send_signal(signal.SIGKILL)
    child.wait()
    dead = read_run(engine, run.id)
    assert (dead.status, dead.holder, unfinished(dead)) == ("dead", None, f"assay resume {run.id}")
    assert [each.status for each in list_runs(engine)] == ["dead"]
    assert finish(start_child(**told, run=run.id))["ok"] == CASES
    assert read_run(engine, run.id).status == "finished"


def test_whoever_lost_the_lease_writes_nothing_more(
    engine: Engine, store_run: Callable[..., StoredRun]
) -> None:
    """A batch and an end of a process whose lease was taken over are refused whole."""
    run = store_run(engine)
    lease = take_lock(engine, run_lock(run.id), this_process())
    writer, batch = LedgerWriter(engine, lease), Batch()
    batch.samples.append(sample(run.id, 0))
    writer.commit(batch)
    with writing(engine) as connection:
        connection.execute(delete(locks))
    take_lock(engine, run_lock(run.id), Holder(7, "elsewhere", None, None, "other"))
    batch.samples[:] = [sample(run.id, 1)]
    with pytest.raises(Conflict, match="this process writes nothing more"):
        writer.commit(batch)
    writer.close()
    with pytest.raises(Conflict, match="this process writes nothing more"):
        end_run(engine, run.id, status="finished", reason=None, clock=time.time, lease=lease)
    with engine.connect() as connection:
        assert list(connection.execute(select(samples.c.position)).scalars()) == [0]
    assert read_run(engine, run.id).status == "running"


def test_a_run_that_is_taken_over_stops(
    engine: Engine, store_run: Callable[..., StoredRun], upstream_in_thread: Callable[..., Upstream]
) -> None:
    """A process that slept through its lease ends with an error; what it wrote before stays, alone."""
    run = store_run(engine, make_suite(use_cases=1, cases=CASES))
    kept: list[int] = []

    def answer(prompt: str, before: int) -> str:
        if prompt.startswith("Question 30 "):
            with writing(engine) as connection:
                connection.execute(update(locks).values(holder="{}"))
                kept.extend(connection.execute(select(calls.c.position)).scalars())
        return "right"

    with pytest.raises(Conflict, match="lost its lock"):
        execute(engine, run, upstream_in_thread(answer, delay=0.02))
    with engine.connect() as connection:
        assert sorted(connection.execute(select(calls.c.position)).scalars()) == sorted(kept)
    assert 0 < len(kept) < CASES
