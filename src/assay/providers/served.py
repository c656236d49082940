"""Serving the protocol from this process: what the simulated and the recorded provider share."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import orjson
from aiohttp import web

from assay.core.case import Case

LARGEST_REQUEST = 16 * 1024 * 1024

Conversation = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A request to `chat/completions` as far as these servers look at it.

    `about` tells what is asked about, and is empty where the request does not say. `schema` is the JSON
    Schema that the answer must follow, None where any text will do.
    """

    model: str
    conversation: Conversation
    about: Mapping[str, str] = field(default_factory=dict)
    schema: Mapping[str, Any] | None = None
    logprobs: bool = False


def read_request(raw: bytes) -> ChatRequest | None:
    """Return what a request's body asks; None where it is no request."""
    try:
        body = orjson.loads(raw)
        wanted = body.get("response_format") or {}
        asked = ChatRequest(
            body["model"],
            tuple((turn["role"], turn["content"]) for turn in body["messages"]),
            dict(body.get("about") or {}),
            wanted["json_schema"]["schema"] if wanted.get("type") == "json_schema" else None,
            bool(body.get("logprobs")),
        )
        hash((asked.model, asked.conversation, *asked.about.values()))
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError, AttributeError):
        return None
    return asked


def conversation_of(case: Case) -> Conversation:
    """Return a case's conversation as requests hold it."""
    return tuple((turn.role, turn.content) for turn in case.messages)


def json_reply(body: object, *, status: int = 200, headers: Mapping[str, str] | None = None) -> web.Response:
    """Return an HTTP reply with a JSON body."""
    return web.Response(
        body=orjson.dumps(body), status=status, headers=headers, content_type="application/json"
    )


def refusal(status: int, message: str, **more: Any) -> web.Response:
    """Return an HTTP error as the protocol writes it, with more beside the error."""
    return json_reply({"error": {"code": status, "message": message}, **more}, status=status)


@asynccontextmanager
async def serving(application: web.Application, port: int) -> AsyncIterator[str]:
    """Serve an application on 127.0.0.1 and yield its address. Port 0 takes a free one."""
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", port)
        await site.start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()
