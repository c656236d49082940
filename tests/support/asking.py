"""Asking an in-process provider as runs do: real bodies, a real endpoint, read replies."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import TypeVar

from assay.core.ask import ModelAsk
from assay.core.model import Model, Provider
from assay.providers.body import BodyBuilder
from assay.providers.chat import ChatEndpoint
from assay.providers.network import open_session
from assay.providers.reading import Attempt

T = TypeVar("T")
Put = Callable[[str, ModelAsk], Awaitable[Attempt]]


def talk(
    served: Callable[[], AbstractAsyncContextManager[str]],
    provider: Callable[[str], Provider],
    work: Callable[[Put], Awaitable[T]],
) -> T:
    """Serve, and let `work(put)` talk: `put(model, ask)` sends one request and returns the attempt."""

    async def main() -> T:
        async with served() as address, open_session(8, {}, tls=False) as session:
            there = provider(address)
            endpoint = ChatEndpoint(there, session, None)

            async def put(model: str, ask: ModelAsk) -> Attempt:
                return await endpoint.attempt(BodyBuilder(Model(there.name, model), there).build(ask))

            return await work(put)

    return asyncio.run(main())
