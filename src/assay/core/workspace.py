"""A workspace's settings: database, budget, providers, models, watch and alerts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from assay.core.errors import NotFound
from assay.core.model import Model, Provider
from assay.core.verdict import ModelState


@dataclass(frozen=True, slots=True)
class BudgetSettings:
    """Limits on spending. `max_cost` is in US dollars a run, None for no limit."""

    max_cost: float | None = None


@dataclass(frozen=True, slots=True)
class WatchPlan:
    """The defaults of the daily watch. `schedule` is `HH:MM` in UTC."""

    suite: str = "daily"
    models: tuple[str, ...] = ()
    schedule: str | None = None
    allow_unpinned: bool = False


@dataclass(frozen=True, slots=True)
class Webhook:
    """An address that changes of verdicts are sent to: `url`, or the variable `url_env` that holds it.

    A change is sent if the new state is among `states`. `secret_env` names the variable with the key that
    signs the body.
    """

    name: str
    url: str | None = field(default=None, repr=False)
    url_env: str | None = None
    format: Literal["json", "slack", "discord"] = "json"
    secret_env: str | None = None
    states: tuple[ModelState, ...] = (ModelState.OK, ModelState.SUSPICIOUS, ModelState.COOKED)


@dataclass(frozen=True, slots=True)
class Workspace:
    """The settings of one workspace. `path` is their file, None for the defaults.

    `database` is the path of an SQLite file or a PostgreSQL URL. `judges` and `geval` replace the panel and
    the G-Eval judge of suites that have them. `imported` are models whose answers were recorded elsewhere:
    they are never called, and listed only for their exclusions. `shipped` are models that Assay itself names,
    such as its suites' judges, with their pins; a listed model of the same name takes precedence.
    """

    path: str | None = None
    database: str = "assay.db"
    budget: BudgetSettings = BudgetSettings()
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
        """By suite name: the models that are not measured on it, with the reason."""
        reasons: dict[str, dict[str, str]] = {}
        for name, model in {**self.models, **self.imported}.items():
            for exclusion in model.exclusions:
                reasons.setdefault(exclusion.suite, {})[name] = exclusion.reason
        return reasons

    def model(self, name: str) -> Model:
        """Return the model of this name (`provider/upstream`): as listed, as shipped, or with defaults.

        Raises NotFound for a name without a known provider.
        """
        if name in self.models:
            return self.models[name]
        if name in self.shipped:
            return self.shipped[name]
        provider, _, upstream = name.partition("/")
        known = ", ".join(sorted(self.providers))
        if not upstream:
            raise NotFound(f"invalid model name {name!r}: write `provider/model` with a provider of {known}")
        if provider not in self.providers:
            raise NotFound(f"unknown provider {provider!r} in {name!r}: use one of {known}")
        return Model(provider, upstream)
