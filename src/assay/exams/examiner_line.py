"""The line to an examiner: credentials, fresh tokens, and patience with network and service."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import aiohttp
import orjson

from assay.calls.retry import delay
from assay.core.errors import AssayError, Conflict, Denied, InvalidInput, NotFound, Upstream

PREFIX: Final = "/api/v1"
TIMEOUT: Final = aiohttp.ClientTimeout(total=60.0, sock_connect=10.0)
AGAIN: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
PATIENCE: Final = 600.0
SHOWN: Final = 300


@dataclass(frozen=True, slots=True)
class Credentials:
    """What proves a candidate: a user with a secret, or a token that is ready. Never printed."""

    user: str | None = None
    secret: str | None = field(default=None, repr=False)
    token: str | None = field(default=None, repr=False)

    @property
    def renewable(self) -> bool:
        """Whether a fresh token can be had."""
        return self.user is not None and self.secret is not None


@dataclass(frozen=True, slots=True)
class Waiting:
    """How one waits: a clock (seconds from any start), chance, a pause, who is told, and how long."""

    clock: Callable[[], float]
    rng: random.Random
    pause: Callable[[float], Awaitable[None]]
    say: Callable[[str], None]
    patience: float = PATIENCE


class Said(NamedTuple):
    """What the examiner said: HTTP status, document, and the seconds after which to come again, if told."""

    status: int
    document: Mapping[str, Any]
    after: float | None

    @property
    def good(self) -> bool:
        """Whether the request was carried out."""
        return 200 <= self.status < 300


class ExaminerLine:
    """Sends requests for one session as one named client, again and again where that may help."""

    def __init__(
        self,
        http: aiohttp.ClientSession,
        url: str,
        session: str,
        credentials: Credentials,
        client: str,
        waiting: Waiting,
        *,
        proxy: str | None = None,
    ) -> None:
        self.waiting = waiting
        self._http = http
        self._proxy = proxy
        self._base = base_url(url)
        self._session = session
        self._credentials = credentials
        self._client = client
        self._token = credentials.token
        self._own = False

    async def say(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Said:
        """Send a request until it is answered, once more with a fresh token where the old one has run out.

        Raises Upstream when the examiner was not reached for `patience` seconds.
        """
        if self._token is None:
            await self._renew()
        said = await self._patiently(method, path, body)
        if said.status == 401 and self._credentials.renewable:
            await self._renew()
            said = await self._patiently(method, path, body)
        return said

    async def leave(self) -> None:
        """Revoke a token that was fetched here, if the examiner can be reached."""
        if self._token is None or not self._own:
            return
        try:
            await self._once("DELETE", "/tokens/current", None)
        except (AssayError, aiohttp.ClientError, TimeoutError, OSError):
            return

    async def _renew(self) -> None:
        """Fetch a fresh token with the secret."""
        credentials = self._credentials
        if not credentials.renewable:
            raise Denied(
                "the exam wants a token: set ASSAY_EXAM_SECRET and give --user, or set ASSAY_EXAM_TOKEN",
                status=401,
            )
        wanted = {"user_id": credentials.user, "secret": credentials.secret, "session_id": self._session}
        self._token = None
        said = await self._patiently("POST", "/tokens", wanted)
        token = said.document.get("token")
        if said.good and isinstance(token, str):
            self._token, self._own = token, True
            return
        if said.status == 403:
            raise Denied(
                f"the examiner gives user {credentials.user!r} no token for session {self._session!r}: it is "
                "over (finished, closed, past its deadline) or not theirs; ask whoever opened it for another"
            )
        if said.status == 401:
            raise Denied(
                f"the examiner does not know user {credentials.user!r} by that secret: is ASSAY_EXAM_SECRET "
                "theirs, and the newest? After too many wrong ones wait a minute",
                status=401,
            )
        raise self.refused(said)

    async def _patiently(self, method: str, path: str, body: Mapping[str, Any] | None) -> Said:
        """Send a request again while the network or the examiner fails, for so long as patience lasts."""
        attempt, since = 0, self.waiting.clock()
        while True:
            attempt += 1
            after = None
            try:
                said = await self._once(method, path, body)
                if said.status not in AGAIN:
                    return said
                after, why = said.after, f"it answers {said.status}"
            except (aiohttp.ClientError, TimeoutError, OSError) as error:
                why = type(error).__name__
            wait = delay(attempt, after, self.waiting.rng)
            gone = self.waiting.clock() - since
            if wait is None or gone + wait > self.waiting.patience:
                raise Upstream(
                    f"the examiner at {self._base!r} has not served for {gone:.0f} s ({why}): what was "
                    "answered is kept, sit on when it is back"
                )
            self.waiting.say(f"the examiner does not serve now ({why}): trying again in {wait:.1f} s")
            await self.waiting.pause(wait)

    async def _once(self, method: str, path: str, body: Mapping[str, Any] | None) -> Said:
        url = f"{self._base}{PREFIX}{path}"
        headers = {"Assay-Client": self._client, "Accept": "application/json"}
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token}"
        if body is not None:
            headers["Content-Type"] = "application/json"
        async with self._http.request(
            method,
            url,
            data=None if body is None else orjson.dumps(dict(body)),
            headers=headers,
            proxy=self._proxy,
            timeout=TIMEOUT,
            allow_redirects=False,
        ) as reply:
            return Said(
                reply.status, _document(await reply.read()), _seconds(reply.headers.get("Retry-After"))
            )

    def refused(self, said: Said) -> AssayError:
        """Return the error for a refusal: what the examiner says of it, and what to do."""
        told = self._told(said)
        if said.status == 401:
            return Denied(
                f"the examiner does not take the token ({told}): set ASSAY_EXAM_SECRET and give --user, so "
                "that a fresh one can be had, or set a new ASSAY_EXAM_TOKEN",
                status=401,
            )
        if said.status == 403:
            return Denied(
                f"the examiner refuses session {self._session!r} ({told}): it may be over or past its "
                "deadline, another candidate's, or in use by another client; stop that one, or ask whoever "
                "opened the session"
            )
        if said.status == 404:
            return NotFound(f"the examiner at {self._base!r} knows no such session or page ({told})")
        if said.status == 409:
            return Conflict(f"the examiner has something else there ({told})")
        if 400 <= said.status < 500:
            return InvalidInput(f"the examiner does not take the request, {said.status} ({told})")
        return Upstream(f"{self._base!r} answers {said.status} like no examiner: is this its address?")

    def _told(self, said: Said) -> str:
        """Return what a refusal says of itself, without any secret that it might repeat."""
        title, detail = str(said.document.get("title") or said.status), said.document.get("detail")
        told = f"{title}: {detail}" if isinstance(detail, str) and detail != title else title
        for secret in (self._token, self._credentials.secret, self._credentials.token):
            told = told.replace(secret, "...") if secret else told
        return " ".join(told.split())[:SHOWN]


def base_url(url: str) -> str:
    """Return the address of an examiner as requests begin with it; InvalidInput for what is no address."""
    base = url.strip().rstrip("/").removesuffix(PREFIX).rstrip("/")
    scheme, found, rest = base.partition("://")
    if scheme not in ("http", "https") or not found or not rest or any(sign in rest for sign in "@?#"):
        shown = url.rpartition("@")[2] if "@" in url else url
        raise InvalidInput(f"{shown!r} is no examiner's address: give https://HOST or http://HOST:PORT")
    return base


def _document(raw: bytes) -> Mapping[str, Any]:
    try:
        found = orjson.loads(raw)
    except orjson.JSONDecodeError:
        return {}
    return found if isinstance(found, dict) else {}


def _seconds(value: str | None) -> float | None:
    return float(value) if value is not None and value.isascii() and value.isdigit() else None
