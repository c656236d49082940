"""Executing a run on a Ray cluster: workers execute shards and share one database."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import Engine

from assay.calls.ask import KeyRefused
from assay.calls.budget import BudgetSpent
from assay.calls.circuit import CircuitOpen
from assay.calls.control import RunControl
from assay.calls.progress import Progress, add_reason
from assay.calls.subjects import check_keys
from assay.core.errors import AssayError, Upstream
from assay.files.suite_seal import KEY_ENV
from assay.results.runs import RunCounts
from assay.runs.cluster.allowances import Allowances
from assay.runs.cluster.ray_cluster import Cluster, check_database, check_providers
from assay.runs.cluster.shard import CANCELLED, ShardEnd, ShardJob, execute_shard, release
from assay.runs.conduct import Executed, Portion, RunContext
from assay.store.ledger import last_call
from assay.store.runs import count_runs

ROUNDS = 16
RETRIES = 3
TICK = 1.0


@dataclass(eq=False, slots=True)
class _Slot:
    """The right to run one shard at a time, with its shares of the providers' requests in flight, by name.

    `paces` has the requests that each model allowed in flight at the end of the last shard, by name.
    """

    provider: str
    shares: dict[str, int]
    paces: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Batch:
    """Positions to be executed in one shard; `needed` is the least that one of their calls reserves (USD)."""

    positions: tuple[int, ...]
    needed: float = 0.0


@dataclass(frozen=True, slots=True)
class _RunningShard:
    """A shard that a worker executes."""

    slot: _Slot
    job: ShardJob
    reference: Any


@dataclass(frozen=True, slots=True)
class RayExecutor:
    """Execution of portions on a cluster, in shards of `ROUNDS` rounds of calls to one provider.

    A provider gets as many slots as the cluster has processors, and its limit is divided among them, so that
    the requests in flight stay within it on any worker. The limit of a provider of judges is divided among
    all slots.
    """

    cluster: Cluster

    async def __call__(self, context: RunContext, portion: Portion, control: RunControl) -> Executed:
        """Execute a portion; raises the error of a failed commit after all shards have ended."""
        models = [model for _, model in portion.stored.models]
        everyone = {model.provider for model in (*models, *(judge for _, judge in portion.plan.judges))}
        check_database(str(context.engine.url))
        check_providers(
            [context.providers[name] for name in everyone & context.providers.keys()], self.cluster
        )
        check_keys(models, context.providers, context.environment)
        return await _Distribution(self.cluster, context, portion, control).execute()


class _Distribution:
    """The execution of one portion on a cluster."""

    def __init__(self, cluster: Cluster, context: RunContext, portion: Portion, control: RunControl) -> None:
        self._ray = cluster.ray
        self._context, self._portion, self._stop = context, portion, control.stop
        self._allowances = Allowances(portion.budget)
        names = dict.fromkeys(model.provider for _, model in portion.stored.models)
        serving = [model.provider for _, model in (*portion.stored.models, *portion.plan.judges)]
        self._providers = {name: context.providers[name] for name in serving if name in context.providers}
        variables = [provider.api_key_env for provider in self._providers.values()]
        if portion.plan.suite.sealed:
            variables.append(KEY_ENV)
        known = context.environment
        self._keys = {name: known[name] for name in variables if name is not None and name in known}
        self._task = cluster.ray.remote(execute_shard).options(
            num_cpus=int(10_000 / len(names)) / 10_000,
            max_retries=RETRIES,
            scheduling_strategy="SPREAD",
            name=f"assay run {portion.stored.id}",
        )
        self._judging = {model.provider for _, model in portion.plan.judges} & self._providers.keys()
        self._queues: dict[str, deque[_Batch]] = {}
        self._idle: list[_Slot] = []
        for name in names:
            self._divide(name, cluster.processors)
        self._share_judges()
        self._running: dict[asyncio.Future[ShardEnd], _RunningShard] = {}
        self._cancelled: set[asyncio.Future[ShardEnd]] = set()
        self._refused: dict[str, KeyRefused] = {}
        self._failure: AssayError | None = None
        self._unpaid = False
        self._circuits: dict[str, CircuitOpen] = {}
        self._refusals: dict[str, None] = {}
        self._tally = _Tally(context.engine, portion.stored.id, control.progress)

    def _divide(self, name: str, processors: int) -> None:
        listed = enumerate(self._portion.stored.models)
        models = [ordinal for ordinal, (_, model) in listed if model.provider == name]
        positions = list(self._portion.lacking(models))
        limit = self._limit(name)
        judges = [self._limit(judging) for judging in self._judging]
        slots = max(1, min(limit, processors, len(positions), *judges))
        shares = [limit // slots + (slot < limit % slots) for slot in range(slots)]
        size = max(1, min(ROUNDS * shares[0], -(-len(positions) // slots)))
        starts = range(0, len(positions), size)
        self._queues[name] = deque(_Batch(tuple(positions[start : start + size])) for start in starts)
        self._idle += [_Slot(name, {name: share}) for share in shares]

    def _limit(self, name: str) -> int:
        """Return the limit on requests in flight to a provider, for all workers together."""
        return self._context.concurrency or self._providers[name].concurrency

    def _share_judges(self) -> None:
        """Divide the limits of the judges' providers among all slots, since every shard may ask them."""
        for name in self._judging:
            share, rest = divmod(self._limit(name), max(1, len(self._idle)))
            for number, slot in enumerate(self._idle):
                slot.shares[name] = max(1, share + (number < rest))

    async def execute(self) -> Executed:
        """Start shards until none is left or a stop is requested."""
        await self._tally.update()
        try:
            while True:
                if self._stop.reason is None:
                    await self._start_shards()
                    self._cancel(self._refused)
                else:
                    self._cancel(self._providers)
                if not self._running:
                    break
                await self._wait()
                for future in [future for future in self._running if future.done()]:
                    self._settle(self._running.pop(future), future)
                await self._tally.update()
        finally:
            await self._abandon()
        await self._tally.update(last=True)
        if self._failure is not None:
            raise self._failure
        for error in self._refused.values():
            self._stop.request(str(error), error)
        for circuit in self._circuits.values():
            self._stop.request(str(circuit), circuit)
        if self._unpaid:
            budget = self._portion.budget
            reason = f"another call could pass the budget of ${budget.limit:g}: spent {budget.spent}"
            self._stop.request(reason, BudgetSpent(reason))
        return Executed(tuple(self._refusals))

    async def _start_shards(self) -> None:
        while ready := [slot for slot in self._idle if self._queues[slot.provider]]:
            slot = next((slot for slot in ready if self._affordable(slot)), None)
            if slot is None:
                if self._running:
                    return
                self._unpaid = True
                for name in {slot.provider for slot in ready}:
                    self._queues[name].popleft()
                continue
            batch = self._queues[slot.provider].popleft()
            after = await asyncio.to_thread(last_call, self._context.engine, self._portion.stored.id)
            job = ShardJob(
                database=self._context.engine.url.render_as_string(hide_password=False),
                keys=self._keys,
                release=release(),
                run=self._portion.stored.id,
                positions=batch.positions,
                after=after,
                providers=self._providers,
                shares=slot.shares,
                paces=slot.paces,
                allowance=self._allowances.grant(len(ready), batch.needed),
                dearest=dict(self._allowances.dearest),
                retry_errors=self._portion.retry_errors,
                lease=self._context.lease,
            )
            reference = self._task.remote(job)
            self._running[asyncio.wrap_future(reference.future())] = _RunningShard(slot, job, reference)
            self._idle.remove(slot)

    def _affordable(self, slot: _Slot) -> bool:
        return self._allowances.affordable(self._queues[slot.provider][0].needed)

    async def _wait(self) -> None:
        waited: set[asyncio.Future[Any]] = set(self._running)
        stopped = None
        if self._stop.reason is None:
            stopped = asyncio.ensure_future(self._stop.event.wait())
            waited.add(stopped)
        await asyncio.wait(waited, timeout=TICK, return_when=asyncio.FIRST_COMPLETED)
        if stopped is not None:
            stopped.cancel()

    def _settle(self, shard: _RunningShard, future: asyncio.Future[ShardEnd]) -> None:
        self._idle.append(shard.slot)
        provider = shard.slot.provider
        try:
            end = future.result()
        except self._ray.exceptions.RayError as error:
            self._allowances.settle(shard.job.allowance, ShardEnd().spend)
            if future not in self._cancelled:
                reason = f"a shard failed on the Ray cluster: {_last_line(error)}"
                self._stop.request(reason, Upstream(reason))
            return
        self._allowances.settle(shard.job.allowance, end.spend, held=end.held, dearest=end.dearest)
        shard.slot.paces = {**shard.slot.paces, **end.executed.paces}
        self._refusals.update(dict.fromkeys(end.executed.refusals))
        self._tally.add(end.progress)
        if end.failure is not None:
            self._failure = self._failure or end.failure
            self._stop.request(str(end.failure), end.failure)
        elif isinstance(end.error, KeyRefused):
            self._refused.setdefault(provider, end.error)
            self._queues[provider].clear()
        elif isinstance(end.error, CircuitOpen):
            self._give_up(provider, end.error, end.left)
        elif isinstance(end.error, BudgetSpent):
            if end.left and provider not in self._refused:
                self._queues[provider].append(_Batch(end.left, end.error.amount))
        elif end.stopped is not None and not (end.stopped == CANCELLED and future in self._cancelled):
            reason = "a shard was cancelled on the Ray cluster" if end.error is None else end.stopped
            self._stop.request(reason, end.error)

    def _give_up(self, provider: str, error: CircuitOpen, left: tuple[int, ...]) -> None:
        """Start no more shards of a model that is given up; the remaining positions of others go on."""
        self._circuits.setdefault(error.model, error)
        models = self._portion.stored.models
        given_up = {ordinal for ordinal, (_, model) in enumerate(models) if model.name in self._circuits}
        batches = []
        for batch in (_Batch(left), *self._queues[provider]):
            positions = tuple(
                position for position in batch.positions if position % len(models) not in given_up
            )
            if positions:
                batches.append(replace(batch, positions=positions))
        self._queues[provider] = deque(batches)

    def _cancel(self, providers: Collection[str]) -> None:
        """Ask these providers' workers, once, to start nothing more; calls in flight are waited for."""
        for future, shard in self._running.items():
            if shard.slot.provider in providers and future not in self._cancelled:
                self._cancelled.add(future)
                self._ray.cancel(shard.reference)

    async def _abandon(self) -> None:
        """Kill the shards that still run; their committed rows stay."""
        for shard in self._running.values():
            self._ray.cancel(shard.reference, force=True)
        if self._running:
            await asyncio.wait(self._running, timeout=5 * TICK)
            for future in self._running:
                if future.done() and not future.cancelled():
                    future.exception()


@dataclass(slots=True)
class _Tally:
    """A run's progress on a cluster: samples and costs from the database, errors from finished shards."""

    engine: Engine
    run: int
    progress: Progress
    done: int = 0
    before: RunCounts | None = None
    due: float = 0.0

    def add(self, progress: Progress) -> None:
        """Add the counts of a finished shard."""
        self.progress.errors.update(progress.errors)
        self.progress.retries.update(progress.retries)
        self.progress.notices.extend(progress.notices)
        for reason, count in progress.ungraded.items():
            add_reason(self.progress.ungraded, reason, count)
        for reason, count in progress.unread.items():
            add_reason(self.progress.unread, reason, count)
        for kind, detail in progress.details.items():
            self.progress.details.setdefault(kind, detail)

    async def update(self, *, last: bool = False) -> None:
        """Update the progress, once a second or less often if counting takes long."""
        started = time.monotonic()
        if started < self.due and not last:
            return
        progress = self.progress
        now = (await asyncio.to_thread(count_runs, self.engine, [self.run]))[self.run]
        if self.before is None:
            self.before, self.done = now, progress.done
        good = now.samples.answered - self.before.samples.answered
        progress.done = progress.durable = self.done + good + progress.errors.total()
        progress.invalid = now.samples.invalid - self.before.samples.invalid
        spend = now.spend - self.before.spend
        progress.known_cost, progress.calls, progress.unknown_costs = spend.known, spend.calls, spend.unknown
        self.due = time.monotonic() + max(TICK, 20 * (time.monotonic() - started))


def _last_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1][:240] if lines else type(error).__name__
