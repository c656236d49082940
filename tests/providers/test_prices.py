"""Prices from model lists."""

from __future__ import annotations

import pytest

from assay.core.money import Prices
from assay.providers.prices import find_prices, price_table


def entry(**pricing: str) -> dict[str, object]:
    """Return an entry of a model list."""
    return {"id": "a/b", "pricing": pricing}


def test_dollars_a_token_become_dollars_a_million() -> None:
    """Without the digits that binary arithmetic adds: 0.025, not 0.024999999999999998."""
    table = price_table(
        [entry(prompt="0.000000025", completion="0.0000002", input_cache_read="0.0000000025")]
    )
    assert table["a/b"] == Prices(0.025, 0.2, 0.0025)


@pytest.mark.parametrize("prompt", ["-1", "nan", "free", "", None])
def test_what_is_no_price_is_unknown(prompt: str | None) -> None:
    """OpenRouter's -1 stands for a price that varies; it never becomes 0."""
    assert price_table([{"id": "a/b", "pricing": {"prompt": prompt, "completion": "0.1"}}]) == {}
    assert price_table([{"id": "a/b"}, {"id": "c", "pricing": None}]) == {}


def test_a_routing_suffix_keeps_the_price_except_where_it_is_free() -> None:
    """`:nitro` costs what the model costs; `:free` is another product."""
    table = price_table([entry(prompt="0.000001", completion="0.000002")])
    assert find_prices(table, "a/b:nitro") == Prices(1.0, 2.0)
    assert find_prices(table, "a/b:free") is None
    assert find_prices(table, "other") is None
