"""Prices from the providers' own model lists, as they were last read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from sqlalchemy import Engine, delete, insert, select

from assay.core.money import Prices
from assay.store.engine import reading, writing
from assay.store.schema import prices


@dataclass(frozen=True, slots=True)
class ListedPrices:
    """One model's prices with their source address and time (UTC seconds since 1970)."""

    prices: Prices
    source: str
    fetched_at: float


def keep_prices(
    engine: Engine, provider: str, table: Mapping[str, Prices], *, source: str, clock: Callable[[], float]
) -> None:
    """Replace all prices of a provider by those of its model list, by upstream name."""
    now = clock()
    rows = [
        {
            "provider": provider,
            "upstream": upstream,
            "prompt": listed.prompt,
            "completion": listed.completion,
            "cached": listed.cached,
            "request": listed.request,
            "source": source,
            "fetched_at": now,
        }
        for upstream, listed in table.items()
    ]
    with writing(engine) as connection:
        connection.execute(delete(prices).where(prices.c.provider == provider))
        if rows:
            connection.execute(insert(prices), rows)


def read_prices(engine: Engine, providers: Collection[str]) -> dict[str, dict[str, ListedPrices]]:
    """Return the known prices of these providers, by provider and upstream name."""
    listed: dict[str, dict[str, ListedPrices]] = {name: {} for name in providers}
    query = select(prices).where(prices.c.provider.in_(list(providers)))
    with reading(engine) as connection:
        for row in connection.execute(query):
            listed[row.provider][row.upstream] = ListedPrices(
                Prices(row.prompt, row.completion, row.cached, row.request), row.source, row.fetched_at
            )
    return listed
