"""A shard: some positions of a stored run, executed by a worker that may die and be replaced.

A worker opens the database itself and looks up each position before it asks, so that a repeated shard does
not repeat recorded calls.
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
from assay.calls.control import RunControl, Stop
from assay.calls.progress import Progress
from assay.core.errors import AssayError, Conflict
from assay.core.model import Provider
from assay.core.suite import Suite
from assay.files.suite_seal import KEY_ENV, suite_sealer
from assay.results.runs import Spend
from assay.runs.conduct import Executed, Portion, RunContext, execute_here
from assay.runs.plan import stored_plan
from assay.store.engine import open_database
from assay.store.ledger import calls_since, finished_positions
from assay.store.locks import Lease
from assay.store.runs import read_run
from assay.store.suites import read_suite

CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class ShardJob:
    """The task of a worker. `database` and `keys` are secrets and are left out of its representation.

    `shares` are the most requests in flight to each provider; `paces` is what the models allowed before.
    `after` is the newest call in the ledger when the shard was started: newer calls at these positions were
    made for this shard by a worker that died. `allowance` (None for no limit) and `dearest`, the largest cost
    of a call so far by the model's row, are US dollars. `keys` are by variable; the worker's own environment
    takes precedence. `release` is the driver's version of Assay. Nothing is written after the driver's
    `lease` on the run is lost.
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
    """The result of a shard. `left` are the unfinished positions, `stopped` and `error` the reason.

    `failure` is an error that ends the run. `spend` counts all calls of the shard that are in the ledger,
    `held` the possible cost of others, `dearest` is `Budget.dearest` at the end.
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
    """Execute the unfinished positions of a shard; errors of Assay are returned, not raised.

    After an interrupt (SIGINT) it starts nothing more and waits for calls in flight.
    """
    try:
        if release() != job.release:
            raise Conflict(
                f"a worker has Assay {release()}, the run was started by {job.release}: "
                "install the same version on every machine of the cluster"
            )
        stop = Stop()
        with _stop_on_interrupt(stop):
            return _execute(job, open_once(job.database, job.keys.get(KEY_ENV)), stop)
    except AssayError as error:
        return ShardEnd(job.positions, failure=error)


def _execute(job: ShardJob, engine: Engine, stop: Stop) -> ShardEnd:
    stored = read_run(engine, job.run)
    subjects = [model for _, model in stored.models]
    plan = stored_plan(_suite(engine, stored.suite), subjects, stored.plan, stored.judges)
    done, spent = _recorded(job, engine)
    unfinished = [position for position in job.positions if position not in done]
    models = len(plan.models)

    def lacking(wanted: Collection[int]) -> Iterator[int]:
        return (position for position in unfinished if position % models in wanted)

    budget = Budget(job.allowance, spent=spent, dearest=job.dearest)
    portion = Portion(stored, plan, lacking, budget, job.retry_errors, job.span, job.paces)
    environment = {**os.environ, **{name: key for name, key in job.keys.items() if not os.environ.get(name)}}
    providers = {
        name: replace(provider, concurrency=job.shares.get(name, provider.concurrency))
        for name, provider in job.providers.items()
    }
    context = RunContext(engine, providers, environment, lease=job.lease)
    control = RunControl(Progress(len(unfinished)), stop)

    async def execute() -> Executed:
        _stop_loop_on_interrupt(stop)
        return await execute_here(context, portion, control)

    executed = asyncio.run(execute())
    left: tuple[int, ...] = ()
    if stop.reason is not None:
        with _stop_on_interrupt(stop):
            done, _ = _recorded(job, engine)
        left = tuple(position for position in unfinished if position not in done)
    return ShardEnd(
        left,
        budget.spent,
        control.progress,
        executed,
        stop.reason,
        stop.error,
        held=budget.held,
        dearest=budget.dearest,
    )


def _recorded(job: ShardJob, engine: Engine) -> tuple[set[int], Spend]:
    """Return the shard's finished positions, and the cost of its calls in the ledger.

    An errored sample counts as finished if this shard asked for it.
    """
    done = finished_positions(engine, job.run, errored=not job.retry_errors, span=job.span)
    asked, wanted, spent = set(), set(job.positions), Spend()
    for attempt in calls_since(engine, job.run, job.after, span=job.span):
        if attempt.position in wanted:
            if attempt.cost is not None or attempt.missing:
                spent = spent.add(attempt.cost)
            if attempt.purpose == "subject":
                asked.add(attempt.position)
    if asked and job.retry_errors:
        done |= asked & finished_positions(engine, job.run, errored=True, span=job.span)
    return done, spent


@contextmanager
def _stop_on_interrupt(stop: Stop) -> Iterator[None]:
    """Make an interrupt request a stop; an exception within a query would break the connection."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, lambda *_: stop.request(CANCELLED))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _stop_loop_on_interrupt(stop: Stop) -> None:
    """Make an interrupt request a stop at once, even while the event loop waits for replies."""
    with suppress(NotImplementedError, RuntimeError, ValueError):
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, stop.request, CANCELLED)


@lru_cache(maxsize=2)
def open_once(url: str, suite_key: str | None = None) -> Engine:
    """Return this process's engine for a database, the same for all shards."""
    environment = {} if suite_key is None else {KEY_ENV: suite_key}
    return open_database(url, sealer=lambda: suite_sealer(environment))


@lru_cache(maxsize=2)
def _suite(engine: Engine, digest: str) -> Suite:
    return read_suite(engine, digest)
