"""A scripted upstream: a real HTTP server that answers as a test says and counts what it is asked."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import orjson
from aiohttp import web

Answer = Callable[[str, int], Any]


class Upstream:
    """Answers with what `answer(prompt, times_asked_before)` returns.

    A text is an answer, an integer an HTTP status, a dictionary a whole body, None no reply at all.
    """

    def __init__(self, answer: Answer, *, delay: float = 0.0) -> None:
        self.asked: Counter[str] = Counter()
        self.bodies: list[dict[str, Any]] = []
        self.in_flight = self.most_in_flight = 0
        self.address = ""
        self._answer = answer
        self._delay = delay

    @property
    def calls(self) -> int:
        """How many requests came."""
        return self.asked.total()

    async def handle(self, request: web.Request) -> web.Response:
        """Answer one request."""
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            body = orjson.loads(await request.read())
            self.bodies.append(body)
            prompt = body["messages"][-1]["content"]
            before = self.asked[prompt]
            self.asked[prompt] += 1
            await asyncio.sleep(self._delay)
            answer = self._answer(prompt, before)
            if answer is None:
                await asyncio.sleep(60)
            if isinstance(answer, int):
                headers = {"retry-after-ms": "5"} if answer in (429, 500, 503) else None
                return web.json_response({"error": {"message": "scripted"}}, status=answer, headers=headers)
            return web.json_response(answer if isinstance(answer, dict) else chat(answer))
        finally:
            self.in_flight -= 1


def chat(text: str | None, **parts: Any) -> dict[str, Any]:
    """Return a reply with a text; a dollar for a thousand calls."""
    return {
        "choices": [{"message": {"content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "cost": 0.001},
        **parts,
    }


@asynccontextmanager
async def serving(upstream: Upstream) -> AsyncIterator[Upstream]:
    """Serve an upstream on a free port."""
    app = web.Application()
    app.router.add_post("/v1/chat/completions", upstream.handle)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    upstream.address = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    try:
        yield upstream
    finally:
        await runner.cleanup()
