"""Keeping count of a run whose samples others finish: from the database, and from what they tell."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass

from sqlalchemy import Engine

from assay.calls.progress import Progress, add_reason
from assay.store.runs import RunCounts, count_runs

TICK = 1.0


@dataclass(slots=True)
class Tally:
    """Keeps a run's progress: samples and costs as the database has them, errors as finished shards tell."""

    engine: Engine
    run: int
    progress: Progress
    done: int = 0
    before: RunCounts | None = None
    due: float = 0.0

    def add(self, progress: Progress) -> None:
        """Add what a finished shard counted."""
        self.progress.errors.update(progress.errors)
        self.progress.retries.update(progress.retries)
        self.progress.notices.extend(progress.notices)
        for reason, count in progress.ungraded.items():
            add_reason(self.progress.ungraded, reason, count)
        for reason, count in progress.unread.items():
            add_reason(self.progress.unread, reason, count)
        for kind, detail in progress.details.items():
            self.progress.details.setdefault(kind, detail)

    async def take(self, *, last: bool = False) -> None:
        """Bring the progress up to date, once a second, or less often where counting takes long."""
        started = time.monotonic()
        if started < self.due and not last:
            return
        progress = self.progress
        now = (await asyncio.to_thread(count_runs, self.engine, [self.run]))[self.run]
        if self.before is None:
            self.before, self.done = now, progress.done
        good = now.ok + now.invalid - self.before.ok - self.before.invalid
        progress.done = progress.durable = self.done + good + progress.errors.total()
        progress.invalid = now.invalid - self.before.invalid
        progress.calls = now.calls - self.before.calls
        progress.known_cost = now.cost - self.before.cost
        progress.unknown_costs = now.unknown_costs - self.before.unknown_costs
        self.due = time.monotonic() + max(TICK, 20 * (time.monotonic() - started))
