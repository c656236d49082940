"""Serving the application with uvicorn in this process, with a bound on requests' heads and on their time."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from assay.core.errors import Upstream

POLL = 0.005
MOST_HEAD: Final = 65_536
"""How many bytes may come before a head is complete, between pieces of a body, and after it."""
SECONDS: Final = 60.0
"""How long a request may take to come in, and a new connection to send one."""
TOO_LONG: Final = "The head of the request is too long."


class Bounded(HttpToolsProtocol):
    """Ends connections that send an endless head, or a request that never becomes whole.

    The parser joins the pieces of a header again and again: a few megabytes of one would keep the process
    from everybody else.
    """

    most_seconds = SECONDS

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._loose = 0
        self._due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self._begin()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._end()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take bytes in, unless too many came that are neither a complete head nor a body."""
        self._loose += len(data)
        super().data_received(data)
        if self._loose > MOST_HEAD and not self.transport.is_closing():
            self.send_400_response(TOO_LONG)

    def on_message_begin(self) -> None:
        """Begin a request."""
        if self._due is None:
            self._begin()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Pass a request on; its body is for the application to bound."""
        self._loose = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Pass a piece of a body on."""
        self._loose = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """End a request that came in whole."""
        self._end()
        super().on_message_complete()

    def _begin(self) -> None:
        self._due = self.loop.call_later(self.most_seconds, self.transport.close)

    def _end(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None


@contextmanager
def serving_here(app: FastAPI) -> Iterator[int]:
    """Serve an application on a free port of 127.0.0.1, in a thread, and yield the port.

    Raises Upstream where the application does not start.
    """
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    config = uvicorn.Config(
        app,
        http="assay.web.serving:Bounded",
        log_level="warning",
        server_header=False,
        lifespan="on",
        access_log=False,
    )
    server = uvicorn.Server(config)

    def run() -> None:
        with suppress(SystemExit):  # how uvicorn ends where an application does not start
            server.run(sockets=[listening])

    thread = threading.Thread(target=run)
    thread.start()
    try:
        while not server.started:
            if not thread.is_alive():
                raise Upstream("the exam service did not start: the lines above say why")
            time.sleep(POLL)
        yield int(listening.getsockname()[1])
    finally:
        server.should_exit = True
        thread.join()
        listening.close()
