"""A small suite watched day by day against a scripted upstream."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from typing import Any

import pytest
from small_suite import make_suite
from sqlalchemy import Engine
from upstream import Upstream, serving

from assay.calls.control import Stop
from assay.core.model import Model, Provider
from assay.core.suite import Suite
from assay.results.watch import WatchDay
from assay.runs.conduct import RunContext
from assay.runs.plan import stored_plan
from assay.runs.watch.daily import finish_watch, watch_day
from assay.sandbox.choose import open_sandbox
from assay.store.runs import read_run

FIRST = date(2026, 11, 1)
Script = Callable[[str, int], Any]


def right(prompt: str, before: int) -> Any:
    """Answer rightly."""
    return "right"


def wrong_in(*use_cases: int, cases: int = 5) -> Script:
    """Return a script that answers the first cases of these use cases wrongly."""

    def answer(prompt: str, before: int) -> Any:
        words = prompt.rstrip("?").split()
        return "no" if int(words[-1]) in use_cases and int(words[1]) < cases else "right"

    return answer


class Watching:
    """A suite watched on numbered days, from 0; each watch has an upstream of its own."""

    def __init__(self, engine: Engine, *, suite: Suite | None = None, models: Sequence[str] = ("a",)) -> None:
        self.engine = engine
        self.suite = suite or make_suite()
        self.models = [Model("test", name) for name in models]
        self.now = 1_795_176_000.0
        self.dialect = "openai"

    def on(self, day: int, answer: Script = right, **options: Any) -> tuple[WatchDay, Upstream]:
        """Watch one day."""

        async def work(setting: RunContext) -> WatchDay:
            return await watch_day(setting, self.suite, self.models, FIRST + timedelta(days=day), **options)

        return self._with(answer, work)

    def until(self, day: int) -> None:
        """Watch every day up to that one, excluded, with right answers."""
        for number in range(day):
            self.on(number)

    def resume(self, run: int, answer: Script = right, **options: Any) -> tuple[WatchDay, Upstream]:
        """Resume a watch run."""
        stored = read_run(self.engine, run)
        plan = stored_plan(self.suite, [model for _, model in stored.models], stored.plan)

        async def work(setting: RunContext) -> WatchDay:
            return await finish_watch(setting, stored, plan, **options)

        return self._with(answer, work)

    def _with(self, answer: Script, work: Callable[[RunContext], Any]) -> tuple[WatchDay, Upstream]:
        upstream = Upstream(answer)

        async def main() -> WatchDay:
            async with serving(upstream):
                provider = Provider(
                    "test",
                    upstream.address,
                    dialect=self.dialect,  # type: ignore[arg-type]
                    attempts=1,
                    timeout=5.0,
                    concurrency=4,
                )
                setting = RunContext(
                    self.engine,
                    {"test": provider},
                    {},
                    clock=lambda: self.now,
                    rng=random.Random(0),
                    sandbox=lambda: open_sandbox(()),
                )
                ended: WatchDay = await work(setting)
                return ended

        return asyncio.run(main()), upstream


@pytest.fixture
def watching(engine: Engine) -> Iterator[Watching]:
    """One model watched with two use cases of five cases, one sample a day and three at full count."""
    return Watching(engine)


@pytest.fixture
def watching_sqlite(sqlite: Engine) -> Iterator[Watching]:
    """The same on SQLite only."""
    return Watching(sqlite)


@pytest.fixture
def watch() -> type[Watching]:
    """Watches what a test puts together itself."""
    return Watching


@pytest.fixture
def wrong() -> Callable[..., Script]:
    """Makes scripts that answer the first cases of some use cases wrongly."""
    return wrong_in


@pytest.fixture
def stop() -> Stop:
    """Tells a run to stop."""
    return Stop()
