"""Prices of models: the workspace's own, else those that the provider's model list last gave."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from sqlalchemy import Engine

from assay.calls.subjects import key_for
from assay.core.errors import AssayError, InvalidInput, NotFound
from assay.core.model import Model, Provider
from assay.core.money import Prices
from assay.providers.network import open_session, proxy_for
from assay.providers.prices import fetch_models, find_prices, price_table
from assay.store.prices import ListedPrices, keep_prices, read_prices


@dataclass(frozen=True, slots=True)
class KnownPrices:
    """A model with its prices; None stays unknown. `at` is UTC seconds since 1970, for a list only."""

    model: Model
    prices: Prices | None
    origin: Literal["workspace", "model list"] | None
    source: str | None = None
    at: float | None = None


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What came of asking one provider for its list: how many models it named, how many with prices."""

    provider: str
    source: str
    listed: int
    priced: int
    error: AssayError | None = None


def known_prices(engine: Engine | None, models: Sequence[Model]) -> list[KnownPrices]:
    """Return what is known of these models' prices; without a database, only the workspace's are."""
    lacking = {model.provider for model in models if model.prices is None}
    stored = read_prices(engine, lacking) if engine is not None and lacking else {}
    return [_known(model, stored) for model in models]


def _known(model: Model, stored: Mapping[str, Mapping[str, ListedPrices]]) -> KnownPrices:
    if model.prices is not None:
        return KnownPrices(model, model.prices, "workspace")
    listed = stored.get(model.provider, {})
    found = find_prices({name: each.prices for name, each in listed.items()}, model.upstream)
    if found is None:
        return KnownPrices(model, None, None)
    any_row = next(iter(listed.values()))
    return KnownPrices(model, found, "model list", any_row.source, any_row.fetched_at)


def priced(engine: Engine | None, models: Sequence[Model]) -> list[Model]:
    """Return the models, those without prices of their own with the listed ones where there are any."""
    return [replace(known.model, prices=known.prices) for known in known_prices(engine, models)]


async def refresh_prices(
    engine: Engine,
    providers: Mapping[str, Provider],
    names: Sequence[str],
    environment: Mapping[str, str],
    *,
    clock: Callable[[], float],
) -> list[Refreshed]:
    """Ask these providers for their model lists and keep the prices; one that fails keeps the old ones."""
    for name in names:
        if name not in providers:
            raise NotFound(f"no provider is called {name!r}: there are {', '.join(sorted(providers))}")
        if providers[name].dialect == "simulated":
            raise InvalidInput(f"provider {name!r} is simulated: its prices are made up, there is no list")
        if providers[name].dialect == "recorded":
            raise InvalidInput(f"provider {name!r} repeats recordings: write `prices` for its models")
    made = []
    async with open_session(len(names) or 1, environment) as session:
        for name in dict.fromkeys(names):
            provider = providers[name]
            source = provider.base_url.rstrip("/") + "/models"
            try:
                key, proxy = _key(provider, environment), proxy_for(source, environment)
                entries = await fetch_models(provider, session, key, proxy=proxy)
            except AssayError as error:
                made.append(Refreshed(name, source, 0, 0, error))
                continue
            table = price_table(entries)
            await asyncio.to_thread(keep_prices, engine, name, table, source=source, clock=clock)
            made.append(Refreshed(name, source, len(entries), len(table)))
    return made


def _key(provider: Provider, environment: Mapping[str, str]) -> str | None:
    """Return the key for a model list; OpenRouter shows its own to anybody."""
    if provider.dialect == "openrouter" and not environment.get(provider.api_key_env or "", "").strip():
        return None
    return key_for(provider, environment)
