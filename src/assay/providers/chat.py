"""An OpenAI-compatible endpoint over aiohttp: one request, one attempt."""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import Callable

import aiohttp
from yarl import URL

from assay.core.ask import ErrorKind
from assay.core.model import Provider
from assay.core.money import Prices
from assay.providers.network import UNTRUSTED, ReplyTooLarge, receive
from assay.providers.reading import Attempt, broken, read_reply
from assay.providers.redaction import Redactor
from assay.providers.usages import host_rule


class ChatEndpoint:
    """A provider's `chat/completions`, called over a session's connections.

    `key` is the API key, or None if no key is needed. `proxy` is the address of the proxy to use. `clock`
    returns UTC seconds since 1970. Call `close` when done; the connections stay open.
    """

    def __init__(
        self,
        provider: Provider,
        session: aiohttp.ClientSession,
        key: str | None,
        *,
        proxy: str | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.provider = provider
        self._clock = clock
        self._redactor = Redactor(key)
        self._url = URL(provider.base_url.rstrip("/") + "/chat/completions")
        self._rule = host_rule(self._url.host)
        self._recorded = provider.dialect == "recorded"
        headers = {"Content-Type": "application/json"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        if provider.dialect == "openrouter":
            headers["X-Title"] = "Assay"
        # A session's own headers would also go to the proxy unencrypted; only the endpoint may get the key.
        self._proxy = proxy
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
        """Send one request and read its reply. A time-out or broken connection is returned, not raised.

        The key is removed from the reply, because some endpoints repeat it in an answer or an error.
        """
        start = time.perf_counter()
        try:
            response = await self._session.post(
                self._url, data=body, headers=self._headers, proxy=self._proxy, allow_redirects=False
            )
            try:
                raw = await receive(response)
            except ReplyTooLarge as error:
                raw = str(error).encode()
            finally:
                response.release()
        except (
            TimeoutError,
            aiohttp.ClientError,
            ConnectionError,
            asyncio.IncompleteReadError,
            ssl.SSLError,
        ) as error:
            attempt = self._broken(error, time.perf_counter() - start)
        else:
            attempt = read_reply(
                response.status,
                response.headers,
                raw,
                time.perf_counter() - start,
                prices,
                recorded=self._recorded,
                rule=self._rule,
                now=self._clock(),
            )
        reply = self._redactor.clean(attempt.reply)
        return attempt if reply is attempt.reply else attempt._replace(reply=reply)

    def _broken(self, error: Exception, waited: float) -> Attempt:
        """Return the attempt of a request without a complete reply."""
        if isinstance(error, TimeoutError):
            detail = f"no reply within {self.provider.timeout:g} s"
            sent = not isinstance(error, aiohttp.ConnectionTimeoutError)
            return broken(ErrorKind.TIMEOUT, detail, waited, sent=sent)
        detail = f"{type(error).__name__}: {error}"
        if isinstance(error, aiohttp.ClientSSLError | ssl.SSLError):
            untrusted = "CERTIFICATE_VERIFY_FAILED" in detail
            detail = f"{UNTRUSTED} ({error})" if untrusted else detail
            return broken(ErrorKind.CONNECTION, detail, waited, again=not untrusted, sent=False)
        sent = not isinstance(error, aiohttp.ClientConnectorError)
        return broken(ErrorKind.CONNECTION, detail, waited, sent=sent)
