"""Executing a run on a Ray cluster: shards go out, what is committed stays, the ledger is shared."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Any

from assay.calls.ask import KeyRefused
from assay.calls.budget import BudgetSpent
from assay.calls.circuit import CircuitOpen
from assay.calls.progress import Progress
from assay.calls.stop import Stop
from assay.calls.subjects import check_keys
from assay.core.errors import AssayError, Upstream
from assay.runs.cluster.allowances import Allowances
from assay.runs.cluster.ray_cluster import Cluster, check_database, check_providers
from assay.runs.cluster.shard import CANCELLED, ShardEnd, ShardJob, execute_shard, release
from assay.runs.cluster.tally import TICK, Tally
from assay.runs.conduct import Executed, Portion, Setting
from assay.store.ledger import last_call

ROUNDS = 16
RETRIES = 3


@dataclass(eq=False, slots=True)
class _Slot:
    """A place for one shard at a time, with its shares of the providers' requests in flight, by name.

    `paces` are the requests in flight that each model bore at the end of the last shard, by name.
    """

    provider: str
    shares: dict[str, int]
    paces: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Batch:
    """Positions to be handed out together; `needed` is the least that one of their calls reserves (USD)."""

    positions: tuple[int, ...]
    needed: float = 0.0


@dataclass(frozen=True, slots=True)
class _Out:
    """A shard that was handed out."""

    slot: _Slot
    job: ShardJob
    reference: Any


@dataclass(frozen=True, slots=True)
class RayExecutor:
    """Executes portions on a cluster. Each provider's positions go out in shards of `ROUNDS` rounds of calls.

    A provider gets as many slots as the cluster has processors, and its limit is divided among them: the
    sum of requests in flight stays within it, whichever worker a shard is on. A provider of judges shares its
    limit among all slots.
    """

    cluster: Cluster

    async def __call__(self, setting: Setting, portion: Portion, progress: Progress, stop: Stop) -> Executed:
        """Execute a portion; raises the error of a failed commit once nothing is out any more."""
        models = [model for _, model in portion.stored.models]
        everyone = {model.provider for model in (*models, *(judge for _, judge in portion.plan.judges))}
        check_database(str(setting.engine.url))
        check_providers(
            [setting.providers[name] for name in everyone & setting.providers.keys()], self.cluster
        )
        check_keys(models, setting.providers, setting.environment)
        return await _Distribution(self.cluster, setting, portion, progress, stop).execute()


class _Distribution:
    """One portion on its way through a cluster."""

    def __init__(
        self, cluster: Cluster, setting: Setting, portion: Portion, progress: Progress, stop: Stop
    ) -> None:
        self._ray = cluster.ray
        self._setting, self._portion, self._progress, self._stop = setting, portion, progress, stop
        self._allowances = Allowances(portion.budget)
        names = dict.fromkeys(model.provider for _, model in portion.stored.models)
        serving = [model.provider for _, model in (*portion.stored.models, *portion.plan.judges)]
        self._providers = {name: setting.providers[name] for name in serving if name in setting.providers}
        variables = [provider.api_key_env for provider in self._providers.values()]
        known = setting.environment
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
        self._out: dict[asyncio.Future[ShardEnd], _Out] = {}
        self._cancelled: set[asyncio.Future[ShardEnd]] = set()
        self._refused: dict[str, KeyRefused] = {}
        self._failure: AssayError | None = None
        self._unpaid = False
        self._circuits: dict[str, CircuitOpen] = {}
        self._refusals: dict[str, None] = {}
        self._tally = Tally(setting.engine, portion.stored.id, progress)

    def _divide(self, name: str, processors: int) -> None:
        models = [at for at, (_, model) in enumerate(self._portion.stored.models) if model.provider == name]
        positions = list(self._portion.lacking(models))
        limit = self._limit(name)
        judges = [self._limit(judging) for judging in self._judging]
        slots = max(1, min(limit, processors, len(positions), *judges))
        shares = [limit // slots + (place < limit % slots) for place in range(slots)]
        size = max(1, min(ROUNDS * shares[0], -(-len(positions) // slots)))
        starts = range(0, len(positions), size)
        self._queues[name] = deque(_Batch(tuple(positions[start : start + size])) for start in starts)
        self._idle += [_Slot(name, {name: share}) for share in shares]

    def _limit(self, name: str) -> int:
        """Return how many requests may be in flight to a provider, from all workers together."""
        return self._setting.concurrency or self._providers[name].concurrency

    def _share_judges(self) -> None:
        """Divide the limits of the judges' providers among all slots, since every shard may ask them."""
        for name in self._judging:
            each, more = divmod(self._limit(name), max(1, len(self._idle)))
            for place, slot in enumerate(self._idle):
                slot.shares[name] = max(1, each + (place < more))

    async def execute(self) -> Executed:
        """Hand shards out until none is left or a stop was asked for."""
        await self._tally.take()
        try:
            while True:
                if self._stop.reason is None:
                    await self._hand_out()
                    self._cancel(self._refused)
                else:
                    self._cancel(self._providers)
                if not self._out:
                    break
                await self._wait()
                for future in [future for future in self._out if future.done()]:
                    self._settle(self._out.pop(future), future)
                await self._tally.take()
        finally:
            await self._abandon()
        await self._tally.take(last=True)
        if self._failure is not None:
            raise self._failure
        for error in self._refused.values():
            self._stop.ask(str(error), error)
        for circuit in self._circuits.values():
            self._stop.ask(str(circuit), circuit)
        if self._unpaid:
            budget = self._portion.budget
            told = f"another call could pass the budget of ${budget.limit:g}: spent {budget.spent}"
            self._stop.ask(told, BudgetSpent(told))
        return Executed(tuple(self._refusals))

    async def _hand_out(self) -> None:
        while ready := [slot for slot in self._idle if self._queues[slot.provider]]:
            slot = next((slot for slot in ready if self._affordable(slot)), None)
            if slot is None:
                if self._out:
                    return
                self._unpaid = True
                for name in {slot.provider for slot in ready}:
                    self._queues[name].popleft()
                continue
            batch = self._queues[slot.provider].popleft()
            after = await asyncio.to_thread(last_call, self._setting.engine, self._portion.stored.id)
            job = ShardJob(
                database=self._setting.engine.url.render_as_string(hide_password=False),
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
                lease=self._setting.lease,
            )
            reference = self._task.remote(job)
            self._out[asyncio.wrap_future(reference.future())] = _Out(slot, job, reference)
            self._idle.remove(slot)

    def _affordable(self, slot: _Slot) -> bool:
        return self._allowances.affordable(self._queues[slot.provider][0].needed)

    async def _wait(self) -> None:
        waited: set[asyncio.Future[Any]] = set(self._out)
        stopped = None
        if self._stop.reason is None:
            stopped = asyncio.ensure_future(self._stop.event.wait())
            waited.add(stopped)
        await asyncio.wait(waited, timeout=TICK, return_when=asyncio.FIRST_COMPLETED)
        if stopped is not None:
            stopped.cancel()

    def _settle(self, out: _Out, future: asyncio.Future[ShardEnd]) -> None:
        self._idle.append(out.slot)
        provider = out.slot.provider
        try:
            end = future.result()
        except self._ray.exceptions.RayError as error:
            self._allowances.settle(out.job.allowance, ShardEnd().spend)
            if future not in self._cancelled:
                told = f"a shard failed on the Ray cluster: {_last_line(error)}"
                self._stop.ask(told, Upstream(told))
            return
        self._allowances.settle(out.job.allowance, end.spend, held=end.held, dearest=end.dearest)
        out.slot.paces = {**out.slot.paces, **end.executed.paces}
        self._refusals.update(dict.fromkeys(end.executed.refusals))
        self._tally.add(end.progress)
        if end.failure is not None:
            self._failure = self._failure or end.failure
            self._stop.ask(str(end.failure), end.failure)
        elif isinstance(end.error, KeyRefused):
            self._refused.setdefault(provider, end.error)
            self._queues[provider].clear()
        elif isinstance(end.error, CircuitOpen):
            self._leave_alone(provider, end.error, end.left)
        elif isinstance(end.error, BudgetSpent):
            if end.left and provider not in self._refused:
                self._queues[provider].append(_Batch(end.left, end.error.amount))
        elif end.stopped is not None and not (end.stopped == CANCELLED and future in self._cancelled):
            told = "a shard was cancelled on the Ray cluster" if end.error is None else end.stopped
            self._stop.ask(told, end.error)

    def _leave_alone(self, provider: str, error: CircuitOpen, left: tuple[int, ...]) -> None:
        """Hand out nothing more of a model that is to be left alone; what is left of others goes again."""
        self._circuits.setdefault(error.model, error)
        models = self._portion.stored.models
        barred = {at for at, (_, model) in enumerate(models) if model.name in self._circuits}
        batches = [_Batch(left), *self._queues[provider]]
        kept = (
            replace(batch, positions=tuple(at for at in batch.positions if at % len(models) not in barred))
            for batch in batches
        )
        self._queues[provider] = deque(batch for batch in kept if batch.positions)

    def _cancel(self, providers: Collection[str]) -> None:
        """Ask these providers' workers, once, to start nothing more; what is in flight is waited for."""
        for future, out in self._out.items():
            if out.slot.provider in providers and future not in self._cancelled:
                self._cancelled.add(future)
                self._ray.cancel(out.reference)

    async def _abandon(self) -> None:
        """End at once what is still out; what it committed stays."""
        for out in self._out.values():
            self._ray.cancel(out.reference, force=True)
        if self._out:
            await asyncio.wait(self._out, timeout=5 * TICK)
            for future in self._out:
                if future.done() and not future.cancelled():
                    future.exception()


def _last_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1][:240] if lines else type(error).__name__
