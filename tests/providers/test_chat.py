"""An endpoint against real HTTP servers."""

from __future__ import annotations

import asyncio
import base64
import tracemalloc
import zlib
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest
from aiohttp import web

from assay.core.ask import CallStatus, ErrorKind
from assay.core.model import Provider
from assay.providers.chat import ChatEndpoint
from assay.providers.network import open_session
from assay.providers.reading import Attempt

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
GOOD = {"choices": [{"message": {"content": "hi"}, "finish_reason": "stop"}]}


def ask(handler: Handler, *, timeout: float = 5.0, key: str | None = None) -> Attempt:
    """Serve `handler`, send one request, and return the attempt."""

    async def main() -> Attempt:
        app = web.Application()
        app.router.add_post("/v1/chat/completions", handler)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        address = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        try:
            async with open_session(4, {}, tls=False) as session:
                endpoint = ChatEndpoint(Provider("test", address, timeout=timeout), session, key)
                return await endpoint.attempt(b'{"model":"x"}')
        finally:
            await runner.cleanup()

    return asyncio.run(main())


def test_a_good_reply_is_read_with_its_latency() -> None:
    """Text and a latency above the server's own delay."""

    async def handler(request: web.Request) -> web.Response:
        await asyncio.sleep(0.05)
        return web.json_response(GOOD)

    reply = ask(handler).reply
    assert reply.text == "hi"
    assert reply.latency >= 0.05


def test_the_key_goes_out_as_a_bearer_token() -> None:
    """The server sees it; without a key there is no header."""
    seen: list[str | None] = []

    async def handler(request: web.Request) -> web.Response:
        seen.append(request.headers.get("Authorization"))
        return web.json_response(GOOD)

    ask(handler, key="secret")
    ask(handler)
    assert seen == ["Bearer secret", None]


def test_a_key_that_the_server_repeats_is_struck_out() -> None:
    """The stored text of an error never contains the key."""

    async def handler(request: web.Request) -> web.Response:
        message = f"Incorrect key: {request.headers['Authorization']}"
        return web.json_response({"error": {"message": message}}, status=401)

    assert ask(handler, key="sk-0123456789").reply.detail == "Incorrect key: Bearer [key]"


def test_a_key_in_another_form_is_struck_out_of_every_field() -> None:
    """The whole header in base64 as the answer, and its end in the name of the provider."""

    async def handler(request: web.Request) -> web.Response:
        header = f"Authorization: {request.headers['Authorization']}"
        answer = {"message": {"content": base64.b64encode(header.encode()).decode()}}
        return web.json_response({"provider": header[-12:], "choices": [answer]})

    reply = ask(handler, key="sk-0123456789-abcdef-0123").reply
    assert "[key]" in str(reply.text)
    assert base64.b64encode(b"456789-abcdef").decode()[4:-4] not in str(reply.text)
    assert reply.served.provider == "[key]"


def test_a_key_in_a_broken_status_line_is_struck_out() -> None:
    """A reply that is not HTTP ends in an exception whose text repeats it."""
    key = "sk-0123456789-abcdef-0123"

    async def main() -> Attempt:
        async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(f"{key} is wrong\r\n\r\n".encode())
            writer.close()

        async with await asyncio.start_server(handle, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            async with open_session(1, {}, tls=False) as session:
                provider = Provider("test", f"http://127.0.0.1:{port}/v1", timeout=5)
                endpoint = ChatEndpoint(provider, session, key)
                attempt = await endpoint.attempt(b"{}")
                await endpoint.close()
                return attempt

    detail = str(asyncio.run(main()).reply.detail)
    assert "[key]" in detail
    assert "456789" not in detail


def test_a_server_that_never_answers_is_a_time_out() -> None:
    """The attempt ends by itself and may be tried again."""

    async def handler(request: web.Request) -> web.Response:
        await asyncio.sleep(2)
        return web.json_response(GOOD)

    attempt = ask(handler, timeout=0.2)
    assert attempt.reply.error is ErrorKind.TIMEOUT
    assert attempt.again


def test_a_connection_that_breaks_is_no_exception() -> None:
    """A server that hangs up in the middle of a body gives an error worth trying again."""

    async def handler(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Length": "1000"})
        await response.prepare(request)
        await response.write(b"{")
        assert request.transport is not None
        request.transport.abort()
        return response

    attempt = ask(handler)
    assert attempt.reply.error is ErrorKind.CONNECTION
    assert attempt.again


def test_nobody_listening_is_a_connection_error() -> None:
    """A refused connection is an attempt like any other."""

    async def main() -> Attempt:
        async with open_session(1, {}, tls=False) as session:
            provider = Provider("gone", "http://127.0.0.1:9/v1", timeout=2)
            return await ChatEndpoint(provider, session, None).attempt(b"{}")

    assert asyncio.run(main()).reply.error is ErrorKind.CONNECTION


def test_a_reply_without_end_does_not_fill_the_memory() -> None:
    """A body past the limit is broken off: an error that is worth one more attempt."""

    async def handler(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        with suppress(ConnectionError):
            for _ in range(100):
                await response.write(b"x" * 2**20)
        return response

    attempt = ask(handler)
    assert (attempt.reply.error, attempt.again, attempt.once) == (ErrorKind.MALFORMED, True, True)
    assert attempt.reply.detail == "the reply is larger than 8 MiB"


@pytest.mark.parametrize(("encoding", "window"), [("gzip", 31), ("deflate", 15)])
def test_a_small_reply_cannot_decompress_into_a_large_one(encoding: str, window: int) -> None:
    """64 MiB of blanks arrive as 64 KiB; no more than the limit is ever decompressed."""
    packed = zlib.compress(b" " * 64 * 2**20, 9, window)
    assert len(packed) < 100_000

    async def handler(request: web.Request) -> web.Response:
        return web.Response(body=packed, headers={"Content-Encoding": encoding})

    tracemalloc.start()
    attempt = ask(handler)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert attempt.reply.detail == "the reply is larger than 8 MiB"
    assert peak < 24 * 2**20


def test_redirects_are_not_followed() -> None:
    """A key is never carried to another host: a redirect is an error."""

    async def handler(request: web.Request) -> web.Response:
        raise web.HTTPTemporaryRedirect("http://127.0.0.1:9/elsewhere")

    assert ask(handler, key="secret").reply.status is CallStatus.ERROR


def test_chunked_and_compressed_replies_are_read_whole() -> None:
    """A body in many chunks, compressed, arrives as one text."""
    text = "long " * 50_000

    async def handler(request: web.Request) -> web.Response:
        response = web.json_response({"choices": [{"message": {"content": text}}]})
        response.enable_compression()
        response.enable_chunked_encoding()
        return response

    assert ask(handler).reply.text == text
