"""Prices of models: those of the workspace, else those of the provider's last model list."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from sqlalchemy import Engine

from assay.calls.subjects import key_for
from assay.core.errors import AssayError, InvalidInput, NotFound
from assay.core.model import Model, Provider
from assay.providers.network import open_session, proxy_for
from assay.providers.prices import fetch_models, find_prices, price_table
from assay.results.models import KnownPrices, RefreshedList
from assay.store.prices import ListedPrices, keep_prices, read_prices


def known_prices(engine: Engine | None, models: Sequence[Model]) -> list[KnownPrices]:
    """Return the prices of models with their sources; without a database only the workspace's are known."""
    unpriced = {model.provider for model in models if model.prices is None}
    stored = read_prices(engine, unpriced) if engine is not None and unpriced else {}
    return [_known_prices(model, stored) for model in models]


def _known_prices(model: Model, stored: Mapping[str, Mapping[str, ListedPrices]]) -> KnownPrices:
    if model.prices is not None:
        return KnownPrices(model, model.prices, "workspace")
    listed = stored.get(model.provider, {})
    prices = find_prices({name: entry.prices for name, entry in listed.items()}, model.upstream)
    if prices is None:
        return KnownPrices(model, None, None)
    entry = next(iter(listed.values()))
    return KnownPrices(model, prices, "model list", entry.source, entry.fetched_at)


def priced(engine: Engine | None, models: Sequence[Model]) -> list[Model]:
    """Return the models; those without prices get the listed ones if there are any."""
    return [replace(known.model, prices=known.prices) for known in known_prices(engine, models)]


async def refresh_prices(
    engine: Engine,
    providers: Mapping[str, Provider],
    names: Sequence[str],
    environment: Mapping[str, str],
    *,
    clock: Callable[[], float],
) -> list[RefreshedList]:
    """Ask these providers for their model lists and store the prices; if one fails, its old prices stay."""
    for name in names:
        if name not in providers:
            raise NotFound(f"unknown provider {name!r}: use one of {', '.join(sorted(providers))}")
        if providers[name].dialect == "simulated":
            raise InvalidInput(f"provider {name!r} is simulated: it has no list of prices")
        if providers[name].dialect == "recorded":
            raise InvalidInput(f"provider {name!r} replays recordings: write `prices` for its models")
    lists = []
    async with open_session(len(names) or 1, environment) as session:
        for name in dict.fromkeys(names):
            provider = providers[name]
            source = provider.base_url.rstrip("/") + "/models"
            try:
                key, proxy = _key(provider, environment), proxy_for(source, environment)
                entries = await fetch_models(provider, session, key, proxy=proxy)
            except AssayError as error:
                lists.append(RefreshedList(name, source, 0, 0, error))
                continue
            table = price_table(entries)
            await asyncio.to_thread(keep_prices, engine, name, table, source=source, clock=clock)
            lists.append(RefreshedList(name, source, len(entries), len(table)))
    return lists


def _key(provider: Provider, environment: Mapping[str, str]) -> str | None:
    """Return the key for a model list; OpenRouter's list needs none."""
    if provider.dialect == "openrouter" and not environment.get(provider.api_key_env or "", "").strip():
        return None
    return key_for(provider, environment)
