"""Serving the application with uvicorn, with limits on the size of request heads and on their time."""

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
"""The largest number of bytes before a head is complete, between pieces of a body, and after it."""
SECONDS: Final = 60.0
"""The longest time for receiving a request, and for a new connection to send one."""
TOO_LONG: Final = "The head of the request is too long."


class Bounded(HttpToolsProtocol):
    """A protocol that closes connections with an endless head or a request that is never complete.

    The parser joins the pieces of a header again and again: a header of a few megabytes would block all other
    requests of the process.
    """

    most_seconds = SECONDS

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._unparsed_bytes = 0
        self._timeout: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the time limit for the first request."""
        super().connection_made(transport)
        self._start_timeout()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the time limit."""
        self._cancel_timeout()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse received bytes; refuse too many bytes without a complete head or a body."""
        self._unparsed_bytes += len(data)
        super().data_received(data)
        if self._unparsed_bytes > MOST_HEAD and not self.transport.is_closing():
            self.send_400_response(TOO_LONG)

    def on_message_begin(self) -> None:
        """Start the time limit of a request."""
        if self._timeout is None:
            self._start_timeout()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Pass a request on; the application limits the size of its body."""
        self._unparsed_bytes = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Pass a piece of a body on."""
        self._unparsed_bytes = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Cancel the time limit of a complete request."""
        self._cancel_timeout()
        super().on_message_complete()

    def _start_timeout(self) -> None:
        self._timeout = self.loop.call_later(self.most_seconds, self.transport.close)

    def _cancel_timeout(self) -> None:
        if self._timeout is not None:
            self._timeout.cancel()
            self._timeout = None


@contextmanager
def serving_here(app: FastAPI) -> Iterator[int]:
    """Serve an application on a free port of 127.0.0.1, in a thread, and yield the port.

    Raises Upstream if the application does not start.
    """
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
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
        with suppress(SystemExit):  # uvicorn exits if the application does not start
            server.run(sockets=[listener])

    thread = threading.Thread(target=run)
    thread.start()
    try:
        while not server.started:
            if not thread.is_alive():
                raise Upstream("the exam service did not start: see the messages above")
            time.sleep(POLL)
        yield int(listener.getsockname()[1])
    finally:
        server.should_exit = True
        thread.join()
        listener.close()
