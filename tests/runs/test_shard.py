"""A worker's shard, executed here: what is in the ledger is looked up first."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import Any

from small_suite import make_suite
from sqlalchemy import Engine, delete
from upstream import Upstream, serving

from assay.calls.budget import BudgetSpent
from assay.core.errors import Conflict
from assay.core.model import Model, Provider
from assay.runs.cluster.shard import ShardEnd, ShardJob, execute_shard, open_once, release
from assay.runs.plan import plan_run
from assay.store.ledger import finished_positions, last_call
from assay.store.runs import new_run
from assay.store.schema import samples
from assay.store.suites import keep_suite

SHARD = (2, 3, 4, 5)


def shard_of(engine: Engine, **changes: Any) -> ShardJob:
    """Store a run of ten cases, and return a shard of four."""
    plan = plan_run(make_suite(), [Model("test", "a")])
    keep_suite(engine, plan.suite, clock=time.time)
    run = new_run(
        engine,
        kind="run",
        suite=plan.suite.digest,
        subjects=plan.models,
        plan=plan.described(),
        day=None,
        simulated=False,
        clock=time.time,
    )
    job = ShardJob(
        database=engine.url.render_as_string(hide_password=False),
        keys={},
        release=release(),
        run=run.id,
        positions=SHARD,
        after=0,
        providers={"test": Provider("test", "")},
        shares={"test": 2},
        paces={},
        allowance=None,
        dearest={},
        retry_errors=True,
    )
    return replace(job, **changes)


def execute(job: ShardJob, upstream: Upstream, attempts: int = 1) -> ShardEnd:
    """Execute a shard against an upstream, which is served from this loop while a thread does the work."""

    async def main() -> ShardEnd:
        async with serving(upstream):
            provider = Provider("test", upstream.address, attempts=attempts)
            return await asyncio.to_thread(execute_shard, replace(job, providers={"test": provider}))

    try:
        return asyncio.run(main())
    finally:
        open_once(job.database, None).dispose()


def right(prompt: str, before: int) -> Any:
    """Answer rightly."""
    return "right"


def test_a_shard_executes_its_positions_and_no_others(engine: Engine) -> None:
    """Four of ten positions are asked and stored, and their cost is reported."""
    job, upstream = shard_of(engine), Upstream(right)
    end = execute(job, upstream)
    assert finished_positions(engine, job.run) == set(SHARD)
    assert (upstream.calls, end.left, end.failure) == (4, (), None)
    assert (round(end.spend.known, 6), end.spend.calls) == (0.004, 4)


def test_a_shard_done_again_asks_for_nothing_and_tells_the_same_cost(engine: Engine) -> None:
    """As after the death of a worker that had finished: no call, and the earlier attempt's cost."""
    job, upstream = shard_of(engine), Upstream(right)
    execute(job, upstream)
    end = execute(job, upstream)
    assert upstream.calls == 4
    assert (round(end.spend.known, 6), end.spend.calls) == (0.004, 4)


def test_answers_without_samples_are_graded_not_asked_again(engine: Engine) -> None:
    """A worker that died between call and sample leaves an answer, which the next one grades."""
    job, upstream = shard_of(engine), Upstream(right)
    execute(job, upstream)
    with engine.begin() as connection:
        connection.execute(delete(samples).where(samples.c.run == job.run, samples.c.position > 3))
    execute(job, upstream)
    assert upstream.calls == 4
    assert finished_positions(engine, job.run) == set(SHARD)


def test_errors_of_a_dead_worker_are_not_asked_again_but_older_ones_are(engine: Engine) -> None:
    """What failed since the shard was handed out was tried; what failed before is what resuming is for."""
    job = shard_of(engine)
    failing = Upstream(lambda prompt, before: 400)
    execute(job, failing)
    execute(job, failing)
    assert failing.calls == 4
    later, upstream = replace(job, after=last_call(engine, job.run)), Upstream(right)
    execute(later, upstream)
    assert upstream.calls == 4


def test_a_shard_without_money_returns_what_is_left(engine: Engine) -> None:
    """An allowance of two calls executes two; the positions of the others come back."""
    job = shard_of(engine, allowance=0.0025, shares={"test": 1})
    end = execute(job, Upstream(right))
    assert end.left == SHARD[2:]
    assert isinstance(end.error, BudgetSpent)


def test_a_worker_of_another_version_refuses(engine: Engine) -> None:
    """Graders may differ between versions: nothing is asked, and both versions are named."""
    job, upstream = shard_of(engine, release="0.0.0"), Upstream(right)
    end = execute(job, upstream)
    assert upstream.calls == 0
    assert isinstance(end.failure, Conflict)
    assert {"0.0.0", release()} <= set(str(end.failure).replace(",", " ").replace(":", " ").split())


def test_secrets_are_in_no_representation(sqlite: Engine) -> None:
    """Neither the database's address nor a key shows where a job is printed or logged."""
    job = shard_of(sqlite, database="postgresql://me:sesame@host/x", keys={"KEY": "k-4711"})
    assert "sesame" not in repr(job)
    assert "k-4711" not in repr(job)
