"""An open workspace: its database, suites, models and providers, and the context of its runs."""

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

from assay.calls.asking import AskingContext
from assay.calls.control import RunControl
from assay.calls.stand_ins import serve_stand_ins, stands_in
from assay.core.case import Case
from assay.core.errors import InvalidInput, NotFound, Problem
from assay.core.model import Model
from assay.core.suite import Suite
from assay.core.workspace import Workspace
from assay.files.shape import near
from assay.files.suite_folder import find_suite
from assay.files.suite_seal import open_suite, suite_sealer
from assay.grading import registry
from assay.providers.simulated import SIMULATED_NAMES
from assay.runs.conduct import Executor, RunContext, execute_here
from assay.runs.plan import Plan
from assay.runs.prices import priced
from assay.store.engine import database_exists, open_database
from assay.store.runs import keep_models

Place = Literal["here", "ray"]


class OpenWorkspace:
    """A workspace with its environment. The database is opened when first needed."""

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

    @cached_property
    def engine(self) -> Engine:
        """The database, created if it does not exist."""
        return open_database(
            self.workspace.database,
            durable=self._durable,
            sealer=lambda: suite_sealer(self.environment),
        )

    def today(self) -> date:
        """Return the current date in UTC."""
        return self.now().date()

    def now(self) -> datetime:
        """Return the current time in UTC."""
        return datetime.fromtimestamp(self._clock(), UTC)

    def suite(self, name: str) -> Suite:
        """Load a suite by its built-in name, its folder, or its sealed file (key in `ASSAY_SUITE_KEY`)."""
        return open_suite(find_suite(name), graders=registry, environment=self.environment)

    def models(self, names: Sequence[str]) -> list[Model]:
        """Return models by name, with listed prices if they have none; InvalidInput lists unknown names."""
        models, problems = [], []
        for name in dict.fromkeys(names):
            try:
                model = self.workspace.model(name)
            except NotFound as error:
                problems.append(Problem(str(error)))
                continue
            if stands_in(model, self.workspace.providers) and model.upstream not in SIMULATED_NAMES:
                known = [f"{model.provider}/{upstream}" for upstream in SIMULATED_NAMES]
                problems.append(Problem(f"unknown simulated model {name!r}: {near(name, known)}"))
            models.append(model)
        if problems:
            raise InvalidInput(problems)
        return priced(self.existing(), models)

    @property
    def simulated(self) -> tuple[str, ...]:
        """The names of the simulated providers."""
        providers = self.workspace.providers
        return tuple(name for name, provider in providers.items() if provider.dialect == "simulated")

    def existing(self) -> Engine | None:
        """Return the database, None if it does not exist yet."""
        return self.engine if database_exists(self.workspace.database) else None

    def store_judges(self, plan: Plan) -> Plan:
        """Store the judges of a plan as models and return the plan with their rows."""
        return replace(plan, judges=keep_models(self.engine, [model for _, model in plan.judges]))

    def limit(self, max_cost: float | None) -> float | None:
        """Return the limit on spending in US dollars: the given one, else that of the workspace."""
        return self.workspace.budget.max_cost if max_cost is None else max_cost

    def asking_context(self) -> AskingContext:
        """Return the context of asking models outside a suite."""
        providers = self.workspace.providers
        return AskingContext(self.engine, providers, self.environment, concurrency=self._concurrency)

    @asynccontextmanager
    async def run_context(
        self, models: Sequence[Model], cases: Iterable[Case], day: date | None, control: RunControl
    ) -> AsyncIterator[RunContext]:
        """Yield the context of a run; simulated and recorded providers are served meanwhile."""
        known = self.workspace.providers
        async with (
            self._executor(models) as executor,
            serve_stand_ins(
                known, models, cases, today=self.today, day=day, problems=control.progress.notices
            ) as providers,
        ):
            yield RunContext(
                self.engine,
                providers,
                self.environment,
                clock=self._clock,
                rng=self._rng,
                concurrency=self._concurrency,
                executor=executor,
            )

    @asynccontextmanager
    async def _executor(self, models: Sequence[Model]) -> AsyncIterator[Executor]:
        """Yield the executor of a run: this process, or a Ray cluster that it is connected to."""
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
