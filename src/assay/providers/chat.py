"""An OpenAI-compatible endpoint over aiohttp: one request, one attempt."""

from __future__ import annotations

import asyncio
import ssl
import time
from dataclasses import replace

import aiohttp
from yarl import URL

from assay.core.ask import ErrorKind
from assay.core.model import Provider
from assay.core.money import Prices
from assay.providers.network import UNTRUSTED, proxy_for
from assay.providers.reading import Attempt, broken, read_reply
from assay.providers.receiving import TooLarge, receive
from assay.providers.usages import host_rule


class ChatEndpoint:
    """Sends bodies to one provider's `chat/completions` over a session's connections.

    `key` is the API key, None where none is needed. `close` when done; the connections stay open.
    """

    def __init__(self, provider: Provider, session: aiohttp.ClientSession, key: str | None) -> None:
        self.provider = provider
        self._key = key or None
        self._url = URL(provider.base_url.rstrip("/") + "/chat/completions")
        self._rule = host_rule(self._url.host)
        headers = {"Content-Type": "application/json"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        if provider.dialect == "openrouter":
            headers["X-Title"] = "Assay"
        # A session's own headers would go to the proxy too, in the clear: the key is for the endpoint alone.
        self._proxy = proxy_for(provider.base_url)
        self._headers = headers if self._proxy else None
        self._session = aiohttp.ClientSession(
            connector=session.connector,
            connector_owner=False,
            cookie_jar=aiohttp.DummyCookieJar(),
            headers=None if self._proxy else headers,
            timeout=aiohttp.ClientTimeout(total=provider.timeout, sock_connect=30),
        )

    async def close(self) -> None:
        """Close this endpoint's session."""
        await self._session.close()

    async def attempt(self, body: bytes, prices: Prices | None = None) -> Attempt:
        """Send one request and read its reply; a time-out or broken connection does not raise."""
        start = time.perf_counter()
        try:
            async with self._session.post(
                self._url, data=body, headers=self._headers, proxy=self._proxy, allow_redirects=False
            ) as response:
                status, headers = response.status, response.headers
                try:
                    raw = await receive(response)
                except TooLarge as error:
                    raw = str(error).encode()
        except TimeoutError as error:
            waited = time.perf_counter() - start
            sent = not isinstance(error, aiohttp.ConnectionTimeoutError)
            told = f"no reply within {self.provider.timeout:g} s"
            return broken(ErrorKind.TIMEOUT, told, waited, sent=sent)
        except (aiohttp.ClientSSLError, ssl.SSLError) as error:
            waited = time.perf_counter() - start
            untrusted = "CERTIFICATE_VERIFY_FAILED" in str(error)
            told = f"{UNTRUSTED} ({error})" if untrusted else f"{type(error).__name__}: {error}"
            return broken(ErrorKind.CONNECTION, told, waited, again=not untrusted, sent=False)
        except (aiohttp.ClientError, ConnectionError, asyncio.IncompleteReadError) as error:
            waited = time.perf_counter() - start
            sent = not isinstance(error, aiohttp.ClientConnectorError)
            return broken(ErrorKind.CONNECTION, f"{type(error).__name__}: {error}", waited, sent=sent)
        waited = time.perf_counter() - start
        recorded = self.provider.dialect == "recorded"
        attempt = read_reply(status, headers, raw, waited, prices, recorded=recorded, rule=self._rule)
        return attempt if attempt.reply.detail is None else self._without_key(attempt)

    def _without_key(self, attempt: Attempt) -> Attempt:
        """Return the attempt with the key struck out of what the endpoint says; some repeat it."""
        detail = attempt.reply.detail
        if self._key is None or detail is None or self._key not in detail:
            return attempt
        return replace(attempt, reply=replace(attempt.reply, detail=detail.replace(self._key, "[key]")))
