"""A shard: some positions of a stored run, executed by a worker that may die and be replaced.

A worker opens the database itself and looks each position up before it asks, so that a shard that is executed
again repeats nothing that is recorded.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib.metadata import version

from sqlalchemy import Engine

from assay.calls.budget import Budget
from assay.calls.progress import Progress
from assay.calls.stop import Stop
from assay.core.errors import AssayError, Conflict
from assay.core.model import Provider
from assay.core.money import Spend
from assay.core.suite import Suite
from assay.runs.conduct import Executed, Portion, Setting, execute_here
from assay.runs.plan import stored_plan
from assay.store.engine import open_database
from assay.store.ledger import calls_since, finished_positions
from assay.store.locks import Lease
from assay.store.runs import read_run
from assay.store.suites import read_suite

CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class ShardJob:
    """What a worker is told. `database` and `keys` are secrets and appear in no representation.

    `positions` are executed with at most so many requests in flight as `shares` give each provider; `paces`
    is what the providers bore before. `after` is the newest call in the ledger when the shard was handed out:
    newer calls at these positions are the shard's own, made by a worker that died. `allowance` (None: no
    limit) and `dearest`, the largest cost of a call seen so far by the model's row, are US dollars. `keys`
    are by variable; the worker's own environment comes first. `release` is the Assay that hands out.
    Nothing is written once the driver's `lease` on the run was lost.
    """

    database: str = field(repr=False)
    keys: Mapping[str, str] = field(repr=False)
    release: str
    run: int
    positions: tuple[int, ...]
    after: int
    providers: Mapping[str, Provider]
    shares: Mapping[str, int]
    paces: Mapping[str, float]
    allowance: float | None
    dearest: Mapping[int, float]
    retry_errors: bool
    lease: Lease | None = None

    @property
    def span(self) -> tuple[int, int]:
        """The least and the greatest position."""
        return min(self.positions), max(self.positions)


@dataclass(frozen=True, slots=True)
class ShardEnd:
    """What came of a shard. `left` are positions still to do, `stopped` and `error` why they are.

    `failure` is an error that ends the run. `spend` counts all calls of the shard that are in the ledger,
    `held` is what others may have cost, `dearest` what `Budget.dearest` was at the end.
    """

    left: tuple[int, ...] = ()
    spend: Spend = Spend()
    progress: Progress = field(default_factory=lambda: Progress(0))
    executed: Executed = Executed()
    stopped: str | None = None
    error: AssayError | None = None
    failure: AssayError | None = None
    held: float = 0.0
    dearest: Mapping[int, float] = field(default_factory=dict)


def release() -> str:
    """Return the version of Assay that is installed here."""
    return version("assay")


def execute_shard(job: ShardJob) -> ShardEnd:
    """Execute what a shard lacks and return what came of it; raises nothing that Assay foresees.

    Interrupted (SIGINT) it starts nothing more and waits for what is in flight.
    """
    try:
        if release() != job.release:
            raise Conflict(
                f"a worker has Assay {release()}, the run was started by {job.release}: "
                "install the same version on every machine of the cluster"
            )
        stop = Stop()
        with _asking(stop):
            return _execute(job, open_once(job.database), stop)
    except AssayError as error:
        return ShardEnd(job.positions, failure=error)


def _execute(job: ShardJob, engine: Engine, stop: Stop) -> ShardEnd:
    stored = read_run(engine, job.run)
    subjects = [model for _, model in stored.models]
    plan = stored_plan(_suite(job.database, stored.suite), subjects, stored.plan, stored.judges)
    done, spent = _recorded(job, engine)
    todo = [position for position in job.positions if position not in done]
    models = len(plan.models)

    def lacking(wanted: Collection[int]) -> Iterator[int]:
        return (position for position in todo if position % models in wanted)

    budget = Budget(job.allowance, spent=spent, dearest=job.dearest)
    portion = Portion(stored, plan, lacking, budget, job.retry_errors, job.span, job.paces)
    environment = {**os.environ, **{name: key for name, key in job.keys.items() if not os.environ.get(name)}}
    providers = {
        name: replace(provider, concurrency=job.shares.get(name, provider.concurrency))
        for name, provider in job.providers.items()
    }
    setting = Setting(engine, providers, environment, lease=job.lease)
    progress = Progress(len(todo))

    async def execute() -> Executed:
        _wake(stop)
        return await execute_here(setting, portion, progress, stop)

    executed = asyncio.run(execute())
    left: tuple[int, ...] = ()
    if stop.reason is not None:
        with _asking(stop):
            done, _ = _recorded(job, engine)
        left = tuple(position for position in todo if position not in done)
    return ShardEnd(
        left,
        budget.spent,
        progress,
        executed,
        stop.reason,
        stop.error,
        held=budget.held,
        dearest=budget.dearest,
    )


def _recorded(job: ShardJob, engine: Engine) -> tuple[set[int], Spend]:
    """Return the shard's finished positions, and what its calls in the ledger cost.

    An errored sample is finished when this shard asked for it.
    """
    done = finished_positions(engine, job.run, errored=not job.retry_errors, span=job.span)
    mine, wanted, spent = set(), set(job.positions), Spend()
    for attempt in calls_since(engine, job.run, job.after, span=job.span):
        if attempt.position in wanted:
            if attempt.cost is not None or attempt.missing:
                spent = spent.add(attempt.cost)
            if attempt.purpose == "subject":
                mine.add(attempt.position)
    if mine and job.retry_errors:
        done |= mine & finished_positions(engine, job.run, errored=True, span=job.span)
    return done, spent


@contextmanager
def _asking(stop: Stop) -> Iterator[None]:
    """Let an interrupt ask for a stop meanwhile: raised within a query it would break the connection."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, lambda *_: stop.ask(CANCELLED))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _wake(stop: Stop) -> None:
    """Let an interrupt ask for a stop at once, even where the running loop waits for replies."""
    with suppress(NotImplementedError, RuntimeError, ValueError):
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, stop.ask, CANCELLED)


@lru_cache(maxsize=2)
def open_once(url: str) -> Engine:
    """Return this process's engine for a database: one, whatever the number of shards."""
    return open_database(url)


@lru_cache(maxsize=2)
def _suite(database: str, digest: str) -> Suite:
    return read_suite(open_once(database), digest)
