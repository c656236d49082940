"""Prices as the providers' own model lists last gave them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from sqlalchemy import Engine, delete, insert, select

from assay.core.money import Prices
from assay.store.engine import reading, writing
from assay.store.schema import prices


@dataclass(frozen=True, slots=True)
class ListedPrices:
    """One model's prices with the address they came from and when (UTC seconds since 1970)."""

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
            "prompt": each.prompt,
            "completion": each.completion,
            "cached": each.cached,
            "request": each.request,
            "source": source,
            "fetched_at": now,
        }
        for upstream, each in table.items()
    ]
    with writing(engine) as connection:
        connection.execute(delete(prices).where(prices.c.provider == provider))
        if rows:
            connection.execute(insert(prices), rows)


def read_prices(engine: Engine, providers: Collection[str]) -> dict[str, dict[str, ListedPrices]]:
    """Return what is known of these providers' prices, by provider and upstream name."""
    found: dict[str, dict[str, ListedPrices]] = {name: {} for name in providers}
    query = select(prices).where(prices.c.provider.in_(list(providers)))
    with reading(engine) as connection:
        for row in connection.execute(query):
            found[row.provider][row.upstream] = ListedPrices(
                Prices(row.prompt, row.completion, row.cached, row.request), row.source, row.fetched_at
            )
    return found
