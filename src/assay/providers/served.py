"""The HTTP server in this process that the simulated and the recorded provider share."""

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
    """The parts of a request to `chat/completions` that these servers use.

    `about` describes the purpose of the request; it is empty if the request does not state it. `schema` is
    the JSON Schema that the answer must follow, or None for free text.
    """

    model: str
    conversation: Conversation
    about: Mapping[str, str] = field(default_factory=dict)
    schema: Mapping[str, Any] | None = None
    logprobs: bool = False


def read_request(raw: bytes) -> ChatRequest | None:
    """Parse the body of a request; None if it is not a valid request."""
    try:
        body = orjson.loads(raw)
        response_format = body.get("response_format") or {}
        request = ChatRequest(
            body["model"],
            tuple((turn["role"], turn["content"]) for turn in body["messages"]),
            dict(body.get("about") or {}),
            response_format["json_schema"]["schema"]
            if response_format.get("type") == "json_schema"
            else None,
            bool(body.get("logprobs")),
        )
        hash((request.model, request.conversation, *request.about.values()))
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError, AttributeError):
        return None
    return request


def conversation_of(case: Case) -> Conversation:
    """Return a case's conversation in the form in which requests contain it."""
    return tuple((turn.role, turn.content) for turn in case.messages)


def json_reply(body: object, *, status: int = 200, headers: Mapping[str, str] | None = None) -> web.Response:
    """Return an HTTP reply with a JSON body."""
    return web.Response(
        body=orjson.dumps(body), status=status, headers=headers, content_type="application/json"
    )


def refusal(status: int, message: str, **more: Any) -> web.Response:
    """Return an HTTP error in the protocol's form, with further fields beside the error."""
    return json_reply({"error": {"code": status, "message": message}, **more}, status=status)


@asynccontextmanager
async def serving(application: web.Application, port: int) -> AsyncIterator[str]:
    """Serve an application on 127.0.0.1 and yield its address. Port 0 chooses a free port."""
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", port)
        await site.start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()
