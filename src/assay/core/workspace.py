"""A workspace as its users configured it: database, budget, providers, models, watch and alerts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from assay.core.errors import NotFound
from assay.core.model import Model, Provider
from assay.core.verdict import ModelState


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits on spending. `max_cost` is US dollars a run, None for no limit."""

    max_cost: float | None = None


@dataclass(frozen=True, slots=True)
class WatchPlan:
    """What the daily watch does when nothing else is asked. `schedule` is `HH:MM` in UTC."""

    suite: str = "daily"
    models: tuple[str, ...] = ()
    schedule: str | None = None
    allow_unpinned: bool = False


@dataclass(frozen=True, slots=True)
class Webhook:
    """Where changes of verdicts are sent. Either `url` or `url_env`, which names a variable, is given.

    A change is sent when the new state is among `states`. `secret_env` names the variable whose value
    signs the body.
    """

    name: str
    url: str | None = field(default=None, repr=False)
    url_env: str | None = None
    format: Literal["json", "slack"] = "json"
    secret_env: str | None = None
    states: tuple[ModelState, ...] = (ModelState.OK, ModelState.SUSPICIOUS, ModelState.COOKED)


@dataclass(frozen=True, slots=True)
class Workspace:
    """The settings of one folder of work. `path` is the file they came from, None for the defaults.

    `database` is the path of an SQLite file or a PostgreSQL URL. `judges` and `geval` stand in for the panel
    and the G-Eval judge of suites that have them. `imported` are models whose answers were recorded
    elsewhere: they are never asked, and stand here for their exclusions. `shipped` are models that Assay
    itself names, such as its suites' judges, with their pins; a listed model of the same name comes first.
    """

    path: str | None = None
    database: str = "assay.db"
    budget: Budget = Budget()
    providers: Mapping[str, Provider] = field(default_factory=dict)
    models: Mapping[str, Model] = field(default_factory=dict)
    imported: Mapping[str, Model] = field(default_factory=dict)
    shipped: Mapping[str, Model] = field(default_factory=dict)
    judges: tuple[str, ...] = ()
    geval: str | None = None
    watch: WatchPlan = WatchPlan()
    notify: tuple[Webhook, ...] = ()

    @property
    def exclusions(self) -> dict[str, dict[str, str]]:
        """By suite name: the names of the models that are not measured on it, with the reason."""
        found: dict[str, dict[str, str]] = {}
        for name, model in {**self.models, **self.imported}.items():
            for exclusion in model.exclusions:
                found.setdefault(exclusion.suite, {})[name] = exclusion.reason
        return found

    def model(self, name: str) -> Model:
        """Return the model of that name (`provider/upstream`): as listed, as shipped, or with defaults.

        Raises NotFound where no provider is called so.
        """
        if name in self.models:
            return self.models[name]
        if name in self.shipped:
            return self.shipped[name]
        provider, _, upstream = name.partition("/")
        known = ", ".join(sorted(self.providers))
        if not upstream:
            raise NotFound(f"{name!r} names no model: write `provider/model`, with a provider of {known}")
        if provider not in self.providers:
            raise NotFound(f"no provider is called {provider!r} (in {name!r}): there are {known}")
        return Model(provider, upstream)
