"""Proxies and authorities that stand in the workspace's `.env`, for models, price lists and webhooks."""

from __future__ import annotations

import asyncio
import os
import random
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from network import make_authority, proxying
from sqlalchemy import Engine

from assay.calls.budget import Budget
from assay.calls.control import RunControl
from assay.calls.subjects import CallContext, open_calls
from assay.core.model import Model
from assay.core.notification import Notification
from assay.core.verdict import ModelState
from assay.core.workspace import Webhook
from assay.files.workspace import open_workspace
from assay.runs.prices import refresh_prices
from assay.runs.watch.alerts import send
from assay.sandbox.choose import open_sandbox

GOOD = {"choices": [{"message": {"content": "hi"}, "finish_reason": "stop"}]}
LIST = {"data": [{"id": "a", "pricing": {"prompt": "0.000001", "completion": "0.000002"}}]}
CHANGE = Notification("far/a", "small", "1", date(2026, 11, 7), ModelState.OK, ModelState.COOKED, ())


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start from a process whose own environment names no proxy and no authority."""
    for name in list(os.environ):
        if name.lower().endswith("_proxy") or name in ("SSL_CERT_FILE", "SSL_CERT_DIR"):
            monkeypatch.delenv(name)


async def serve(authority: Any) -> web.AppRunner:
    """Serve a chat endpoint, a price list and a webhook over TLS."""

    async def chat(request: web.Request) -> web.Response:
        return web.json_response(GOOD)

    async def models(request: web.Request) -> web.Response:
        return web.json_response(LIST)

    app = web.Application()
    app.router.add_post("/v1/chat/completions", chat)
    app.router.add_get("/v1/models", models)
    app.router.add_post("/hook", chat)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=authority.server_context()).start()
    return runner


def test_proxies_and_authorities_of_dotenv_hold_for_all_that_is_sent(sqlite: Engine, tmp_path: Path) -> None:
    """A model's answer, its price list and a webhook go through the proxy, and the authority is trusted.

    `models.test` exists nowhere: without the proxy nothing could be reached.
    """
    authority = make_authority(tmp_path)

    async def main() -> tuple[str | None, int, str, list[str]]:
        runner = await serve(authority)
        port = runner.addresses[0][1]
        base = f"https://models.test:{port}"
        try:
            async with proxying(port) as proxy:
                (tmp_path / "assay.yaml").write_text(
                    f"providers: {{far: {{base_url: '{base}/v1', api_key_env: FAR_KEY}}}}\n"
                )
                (tmp_path / ".env").write_text(
                    f"FAR_KEY=sk-0123456789\nHTTPS_PROXY={proxy.address}\nHOOK={base}/hook\n"
                    f"REQUESTS_CA_BUNDLE={authority.bundle}\n"
                )
                workspace, environment = open_workspace(tmp_path, {})
                context, model = CallContext(sqlite, workspace.providers, environment), Model("far", "a")
                async with open_calls(
                    context, 1, [model], Budget(None), RunControl(), sandbox=lambda: open_sandbox(())
                ) as calls:
                    (subject,) = calls.ready([(1, model)])
                    attempt = await subject.provider.endpoint.attempt(b'{"model":"a"}')
                (listed,) = await refresh_prices(
                    sqlite, workspace.providers, ["far"], environment, clock=lambda: 1.0
                )
                (delivery,) = await send(
                    sqlite,
                    [Webhook("ops", url_env="HOOK")],
                    [CHANGE],
                    environment,
                    clock=lambda: 1.0,
                    rng=random.Random(0),
                )
                return attempt.reply.text, listed.priced, delivery.status, proxy.heads
        finally:
            await runner.cleanup()

    text, priced, status, heads = asyncio.run(main())
    assert (text, priced, status) == ("hi", 1, "sent")
    assert [head.split(":")[0] for head in heads] == ["CONNECT models.test"] * 3
    assert "sk-0123456789" not in "".join(heads)
