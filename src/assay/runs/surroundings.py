"""An open workspace: its database, models and providers, and the setting that runs on it are executed in."""

from __future__ import annotations

import random
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import cached_property
from typing import Literal

from sqlalchemy import Engine

from assay.calls.stand_ins import served
from assay.core.case import Case
from assay.core.errors import InvalidInput, NotFound, Problem
from assay.core.model import Model, Provider
from assay.core.suite import Suite
from assay.core.workspace import Workspace
from assay.files.suite_folder import find_suite
from assay.files.suite_seal import open_suite
from assay.grading import registry
from assay.runs.conduct import Executor, Setting, execute_here
from assay.runs.plan import Plan
from assay.runs.prices import priced
from assay.store.engine import database_exists, open_database
from assay.store.runs import keep_models

Place = Literal["here", "ray"]


class Surroundings:
    """What every deed on a workspace starts from. The database is opened when first needed.

    `told` collects what was wrong with recordings while the rest of them is served.
    """

    def __init__(
        self,
        workspace: Workspace,
        environment: Mapping[str, str],
        *,
        clock: Callable[[], float] = time.time,
        seed: int | None = None,
        concurrency: int | None = None,
        durable: bool = False,
        on: Place = "here",
    ) -> None:
        self.workspace = workspace
        self.environment = environment
        self._clock = clock
        self._rng = random.Random(seed)
        self._concurrency = concurrency
        self._durable = durable
        self._on = on
        self.told: list[str] = []

    @cached_property
    def engine(self) -> Engine:
        """The database, its schema brought into being when it is new."""
        return open_database(self.workspace.database, durable=self._durable)

    def today(self) -> date:
        """Return the day it is, in UTC."""
        return datetime.fromtimestamp(self._clock(), UTC).date()

    def suite(self, name: str) -> Suite:
        """Load a suite by its built-in name, its folder, or its sealed file (key in `ASSAY_SUITE_KEY`)."""
        return open_suite(find_suite(name), graders=registry, environment=self.environment)

    def models(self, names: Sequence[str]) -> list[Model]:
        """Return models by name, with listed prices where they have none; tells all unknown ones at once."""
        found, problems = [], []
        for name in dict.fromkeys(names):
            try:
                found.append(self.workspace.model(name))
            except NotFound as error:
                problems.append(Problem(str(error)))
        if problems:
            raise InvalidInput(problems)
        return priced(self.existing(), found)

    @property
    def simulated(self) -> tuple[str, ...]:
        """The names of the simulated providers."""
        providers = self.workspace.providers
        return tuple(name for name, provider in providers.items() if provider.dialect == "simulated")

    def existing(self) -> Engine | None:
        return self.engine if database_exists(self.workspace.database) else None

    def seat(self, plan: Plan) -> Plan:
        """Return a plan whose judges have rows in the store."""
        return replace(plan, judges=keep_models(self.engine, [model for _, model in plan.judges]))

    def limit(self, max_cost: float | None) -> float | None:
        return self.workspace.budget.max_cost if max_cost is None else max_cost

    @asynccontextmanager
    async def setting(
        self, models: Sequence[Model], cases: Iterable[Case], day: date | None
    ) -> AsyncIterator[Setting]:
        """Yield the setting of a run; providers that stand in for real ones are served meanwhile."""
        known = self.workspace.providers
        async with (
            self._executor(models) as executor,
            served(known, models, cases, today=self.today, day=day, told=self.told) as providers,
        ):
            yield self._with(providers, executor)

    @asynccontextmanager
    async def _executor(self, models: Sequence[Model]) -> AsyncIterator[Executor]:
        """Yield what does the work of a run: this process, or a Ray cluster that it stays connected to."""
        if self._on == "here":
            yield execute_here
            return
        from assay.runs.cluster.ray_cluster import check_database, check_providers, ray_cluster
        from assay.runs.cluster.ray_executor import RayExecutor

        check_database(self.workspace.database)
        async with ray_cluster(self.environment) as cluster:
            known = self.workspace.providers
            check_providers([known[model.provider] for model in models if model.provider in known], cluster)
            yield RayExecutor(cluster)

    def _with(self, providers: Mapping[str, Provider], executor: Executor) -> Setting:
        return Setting(
            self.engine,
            providers,
            self.environment,
            clock=self._clock,
            rng=self._rng,
            concurrency=self._concurrency,
            executor=executor,
        )
