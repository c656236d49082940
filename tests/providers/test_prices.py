"""Prices from a provider's own model list."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from assay.core.errors import Upstream
from assay.core.model import Provider
from assay.core.money import Prices
from assay.providers.prices import fetch_models, find_prices, price_table

LISTED = Prices(0.25, 2.0)


def entry(**pricing: Any) -> dict[str, Any]:
    """Return an entry of a model list."""
    return {"id": "openai/gpt-5-mini", "pricing": pricing}


def test_dollars_a_token_become_dollars_a_million() -> None:
    """OpenRouter's texts are read: prompt, completion, cached reads, and a price for each request."""
    table = price_table(
        [entry(prompt="0.00000025", completion="0.000002", input_cache_read="0.000000025", request="0.01")]
    )
    found = table["openai/gpt-5-mini"]
    assert (found.prompt, found.completion) == (pytest.approx(0.25), pytest.approx(2.0))
    assert (found.cached, found.request) == (pytest.approx(0.025), 0.01)


def test_a_free_model_costs_nothing_and_that_is_known() -> None:
    """A stated 0 is a price."""
    assert price_table([entry(prompt="0", completion="0")]) == {"openai/gpt-5-mini": Prices(0.0, 0.0)}


@pytest.mark.parametrize(
    "pricing",
    [
        {"prompt": "-1", "completion": "-1"},
        {"prompt": "0.1"},
        {"prompt": "cheap", "completion": "0.1"},
        {"prompt": None, "completion": "0.1"},
        {"prompt": "nan", "completion": "inf"},
    ],
)
def test_what_is_not_stated_is_unknown(pricing: dict[str, Any]) -> None:
    """A price that varies, is missing or cannot be read leaves the model without prices, never at 0."""
    assert price_table([entry(**pricing)]) == {}


@pytest.mark.parametrize("pricing", [None, "free", [1], 0])
def test_an_entry_without_prices_is_passed_over(pricing: Any) -> None:
    """Other servers list models without pricing."""
    assert price_table([{"id": "x", "pricing": pricing}, {"id": "y"}]) == {}


def test_a_routing_suffix_keeps_the_price() -> None:
    """`:nitro` and the like are the same model; `:free` is not, unless it is listed itself."""
    table = {"openai/gpt-5-mini": LISTED}
    assert find_prices(table, "openai/gpt-5-mini") == LISTED
    assert find_prices(table, "openai/gpt-5-mini:nitro") == LISTED
    assert find_prices(table, "openai/gpt-5-mini:free") is None
    assert find_prices({"a:free": Prices(0, 0), "a": LISTED}, "a:free") == Prices(0, 0)
    assert find_prices(table, "gpt-5-mini") is None


def fetched(handle: Callable[[web.Request], Any], key: str | None = None) -> list[dict[str, Any]]:
    """Fetch the model list of a server that answers as `handle` does."""

    async def main() -> list[dict[str, Any]]:
        async def answer(request: web.Request) -> web.Response:
            found = handle(request)
            return found if isinstance(found, web.Response) else web.json_response(found)

        app = web.Application()
        app.router.add_get("/v1/models", answer)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        provider = Provider("listed", f"http://127.0.0.1:{runner.addresses[0][1]}/v1/")
        try:
            async with aiohttp.ClientSession() as session:
                return await fetch_models(provider, session, key)
        finally:
            await runner.cleanup()

    return asyncio.run(main())


def test_the_list_is_asked_for_with_the_key() -> None:
    """The key goes into the header, and only entries with a name come back."""
    seen: list[str | None] = []

    def handle(request: web.Request) -> Any:
        seen.append(request.headers.get("Authorization"))
        return {"data": [{"id": "a"}, {"id": 7}, "b", {}]}

    assert fetched(handle, "sesame") == [{"id": "a"}]
    assert seen == ["Bearer sesame"]


@pytest.mark.parametrize(
    "reply",
    [
        lambda request: web.Response(status=500, text="broken"),
        lambda request: web.Response(status=200, text="<html>"),
        lambda request: {"models": []},
        lambda request: [],
        lambda request: {"data": None},
        lambda request: {"data": 5},
    ],
)
def test_a_list_that_cannot_be_had_is_told(reply: Callable[[web.Request], Any]) -> None:
    """A refusal, a page or another shape is an error that names provider and address, without the key."""
    with pytest.raises(Upstream, match=r"'listed'.*/v1/models") as caught:
        fetched(reply, "sesame")
    assert "sesame" not in str(caught.value)


def test_a_server_that_is_not_there_is_told() -> None:
    """A refused connection is an error with the address."""

    async def main() -> None:
        async with aiohttp.ClientSession() as session:
            await fetch_models(Provider("gone", "http://127.0.0.1:1/v1"), session, None)

    with pytest.raises(Upstream, match="'gone' cannot be reached"):
        asyncio.run(main())


def test_a_list_that_repeats_the_key_is_read_without_it() -> None:
    """The names are kept and shown."""

    def handle(request: web.Request) -> Any:
        return {"data": [{"id": request.headers["Authorization"]}, {"id": "a/b"}]}

    assert fetched(handle, "sk-0123456789-abcdef") == [{"id": "Bearer [key]"}, {"id": "a/b"}]
