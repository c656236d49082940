"""Prices from a provider's own model list (`GET /models`), as OpenRouter publishes them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import aiohttp
import orjson

from assay.core.errors import Upstream
from assay.core.model import Provider
from assay.core.money import MILLION, Prices
from assay.providers.network import LARGEST_LIST, ReplyTooLarge, receive
from assay.providers.quirks import SUFFIXES
from assay.providers.redaction import Redactor


async def fetch_models(
    provider: Provider, session: aiohttp.ClientSession, key: str | None, *, proxy: str | None = None
) -> list[dict[str, Any]]:
    """Return the entries of a provider's model list. Raises Upstream if it cannot be read.

    `proxy` is the address of the proxy to use.
    """
    url = provider.base_url.rstrip("/") + "/models"
    redactor = Redactor(key)
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        async with session.get(
            url, headers=headers, proxy=proxy, timeout=aiohttp.ClientTimeout(total=30)
        ) as response:
            raw = await receive(response, LARGEST_LIST)
            if response.status != 200:
                raise Upstream(f"{provider.name!r} answered HTTP {response.status} to GET {url}")
    except (aiohttp.ClientError, TimeoutError, ReplyTooLarge) as error:
        detail = redactor.detail(str(error)) or "time-out"
        raise Upstream(f"{provider.name!r} cannot be reached at {url}: {detail}") from error
    try:
        listed = orjson.loads(raw)["data"]
    except (orjson.JSONDecodeError, KeyError, TypeError):
        listed = None
    if not isinstance(listed, list):
        raise Upstream(f"{provider.name!r} did not send a model list at {url}")
    entries = [entry for entry in listed if isinstance(entry, dict) and isinstance(entry.get("id"), str)]
    if not redactor.suspects(raw):
        return entries
    return [{**entry, "id": redactor.strike(entry["id"])} for entry in entries]


def price_table(entries: list[dict[str, Any]]) -> dict[str, Prices]:
    """Return prices by upstream name, for the entries that state them.

    OpenRouter gives US dollars per token as text; -1 means a price that varies, which is unknown.
    """
    table = {}
    for entry in entries:
        prices = _prices(entry.get("pricing"))
        if prices is not None:
            table[entry["id"]] = prices
    return table


def find_prices(table: Mapping[str, Prices], upstream: str) -> Prices | None:
    """Return the prices of a model by its name, with or without a routing suffix; None if unknown."""
    if upstream in table:
        return table[upstream]
    for suffix in SUFFIXES:
        if upstream.endswith(suffix) and suffix != ":free":
            return table.get(upstream.removesuffix(suffix))
    return None


def _prices(pricing: object) -> Prices | None:
    if not isinstance(pricing, dict):
        return None
    prompt, completion = _dollars(pricing.get("prompt")), _dollars(pricing.get("completion"))
    if prompt is None or completion is None:
        return None
    cached = _dollars(pricing.get("input_cache_read"))
    request = _dollars(pricing.get("request")) or 0.0
    return Prices(
        _per_million(prompt),
        _per_million(completion),
        None if cached is None else _per_million(cached),
        request,
    )


def _per_million(dollars: float) -> float:
    """Convert a price per token to one per million, without the digits that binary arithmetic adds."""
    return round(dollars * MILLION, 9)


def _dollars(value: object) -> float | None:
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) and number >= 0 else None
