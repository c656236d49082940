"""A candidate's client of an exam service: credentials, retries, and the requests of one session."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple
from urllib.parse import quote

import aiohttp
import orjson

from assay.calls.pacing import retry_delay
from assay.core.ask import Message
from assay.core.errors import AssayError, Conflict, Denied, InvalidInput, NotFound, Upstream
from assay.exam.access import Refusal
from assay.results.exam_marking import Receipt, SessionProgress

PREFIX: Final = "/api/v1"
TIMEOUT: Final = aiohttp.ClientTimeout(total=60.0, sock_connect=10.0)
RETRIED: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
PATIENCE: Final = 600.0
HOLD: Final = 75.0
"""The longest wait for a session that another client holds; a hold ends 60 s after its last request."""
CHECK: Final = 5.0
"""Seconds between two checks whether a held session is free."""
SHOWN: Final = 300


@dataclass(frozen=True, slots=True)
class Credentials:
    """A candidate's credentials: a user with a secret, or a token. Never printed."""

    user: str | None = None
    secret: str | None = field(default=None, repr=False)
    token: str | None = field(default=None, repr=False)

    @property
    def renewable(self) -> bool:
        """Whether a new token can be fetched."""
        return self.user is not None and self.secret is not None


@dataclass(frozen=True, slots=True)
class SessionAccess:
    """A session of an exam service, by the service's address and the session's id, with credentials for it.

    Raises InvalidInput for an invalid address.
    """

    url: str
    session: str
    credentials: Credentials

    def __post_init__(self) -> None:
        object.__setattr__(self, "url", _base_url(self.url))


@dataclass(frozen=True, slots=True)
class WaitPolicy:
    """How a client waits: clock and time limit in seconds, jitter, pause, and a function to report waits."""

    clock: Callable[[], float]
    rng: random.Random
    pause: Callable[[float], Awaitable[None]]
    report: Callable[[str], None]
    patience: float = PATIENCE


@dataclass(frozen=True, slots=True)
class PosedQuestion:
    """The question to answer now. Answers longer than `most_characters` are not accepted."""

    position: int
    of: int
    messages: tuple[Message, ...]
    most_characters: int


class ServiceReply(NamedTuple):
    """A reply of the exam service: HTTP status, document, and seconds of Retry-After, if any."""

    status: int
    document: Mapping[str, Any]
    after: float | None

    @property
    def good(self) -> bool:
        """Whether the request succeeded."""
        return 200 <= self.status < 300


class ServiceConnection:
    """Sends the requests of one client of one session, with tokens and retries."""

    def __init__(
        self,
        http: aiohttp.ClientSession,
        access: SessionAccess,
        client: str,
        waiting: WaitPolicy,
        *,
        proxy: str | None = None,
    ) -> None:
        self.waiting = waiting
        self._http = http
        self._access = access
        self._client = client
        self._proxy = proxy
        self._token = access.credentials.token
        self._own = False

    async def send(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> ServiceReply:
        """Send a request and return the reply; an expired token is renewed once if possible.

        Raises Upstream if the service does not reply for `patience` seconds.
        """
        if self._token is None:
            await self._renew()
        reply = await self._retry(method, path, body)
        if reply.status == 401 and self._access.credentials.renewable:
            await self._renew()
            reply = await self._retry(method, path, body)
        return reply

    async def revoke_token(self) -> None:
        """Revoke a token that was fetched here, if the service can be reached."""
        if self._token is None or not self._own:
            return
        try:
            await self._once("DELETE", "/tokens/current", None)
        except (AssayError, aiohttp.ClientError, TimeoutError, OSError):
            return

    async def _renew(self) -> None:
        """Fetch a new token with the secret."""
        credentials, session = self._access.credentials, self._access.session
        if not credentials.renewable:
            raise Denied(
                "no token for the exam: set ASSAY_EXAM_SECRET and give --user, or set ASSAY_EXAM_TOKEN",
                status=401,
            )
        login = {"user_id": credentials.user, "secret": credentials.secret, "session_id": session}
        self._token = None
        reply = await self._retry("POST", "/tokens", login)
        token = reply.document.get("token")
        if reply.good and isinstance(token, str):
            self._token, self._own = token, True
            return
        if reply.status == 403:
            raise Denied(
                f"no token for user {credentials.user!r} and session {session!r}: the session is finished, "
                "closed, past its deadline or not theirs; ask the person who opened it for another session"
            )
        if reply.status == 401:
            raise Denied(
                f"wrong user {credentials.user!r} or secret: set ASSAY_EXAM_SECRET to the user's newest "
                "secret; after too many attempts wait a minute",
                status=401,
            )
        raise self.refusal(reply)

    async def _retry(self, method: str, path: str, body: Mapping[str, Any] | None) -> ServiceReply:
        """Repeat a request while the network or the service fails, until `patience` runs out."""
        attempt, since = 0, self.waiting.clock()
        while True:
            attempt += 1
            after = None
            try:
                reply = await self._once(method, path, body)
                if reply.status not in RETRIED:
                    return reply
                after, cause = reply.after, f"HTTP {reply.status}"
            except (aiohttp.ClientError, TimeoutError, OSError) as error:
                cause = type(error).__name__
            wait = retry_delay(attempt, after, self.waiting.rng)
            elapsed = self.waiting.clock() - since
            if wait is None or elapsed + wait > self.waiting.patience:
                raise Upstream(
                    f"no answer from the exam service at {self._access.url!r} for {elapsed:.0f} s ({cause}): "
                    "submitted answers are stored; continue when the service is back"
                )
            self.waiting.report(f"the exam service is unavailable ({cause}): trying again in {wait:.1f} s")
            await self.waiting.pause(wait)

    async def _once(self, method: str, path: str, body: Mapping[str, Any] | None) -> ServiceReply:
        headers = {"Assay-Client": self._client, "Accept": "application/json"}
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token}"
        if body is not None:
            headers["Content-Type"] = "application/json"
        async with self._http.request(
            method,
            f"{self._access.url}{PREFIX}{path}",
            data=None if body is None else orjson.dumps(dict(body)),
            headers=headers,
            proxy=self._proxy,
            timeout=TIMEOUT,
            allow_redirects=False,
        ) as response:
            after = response.headers.get("Retry-After", "")
            return ServiceReply(
                response.status,
                _document(await response.read()),
                float(after) if after.isascii() and after.isdigit() else None,
            )

    def refusal(self, reply: ServiceReply) -> AssayError:
        """Return the error for a refused request, with the service's reason and a remedy."""
        reason, status = self._reason(reply), reply.status
        if status == 401:
            return Denied(
                f"the exam service refused the token ({reason}): set ASSAY_EXAM_SECRET and give --user, so "
                "that a new token can be fetched, or set a new ASSAY_EXAM_TOKEN",
                status=401,
            )
        if status == 403:
            return Denied(
                f"the exam service refused session {self._access.session!r} ({reason}): it is over, past its "
                "deadline, another candidate's or in use by another client; stop that client, or ask the "
                "person who opened the session"
            )
        if status == 404:
            return NotFound(
                f"no such session or page at {self._access.url!r} ({reason}): check address and session"
            )
        if status == 409:
            return Conflict(f"the exam service refused the request as contradictory ({reason})")
        if 400 <= status < 500:
            return InvalidInput(f"the exam service refused the request with HTTP {status} ({reason})")
        return Upstream(f"{self._access.url!r} replied HTTP {status}: check the address of the exam service")

    def _reason(self, reply: ServiceReply) -> str:
        """Return the text of a refusal without any secret that it might repeat."""
        title, detail = str(reply.document.get("title") or reply.status), reply.document.get("detail")
        reason = f"{title}: {detail}" if isinstance(detail, str) and detail != title else title
        credentials = self._access.credentials
        for secret in (self._token, credentials.secret, credentials.token):
            reason = reason.replace(secret, "...") if secret else reason
        return " ".join(reason.split())[:SHOWN]


class SessionClient:
    """The requests of a candidate to one session; each of them can be repeated.

    Raises Upstream if the service is unavailable, Denied if it refuses the candidate, Conflict for a request
    that contradicts the session's state, InvalidInput for an invalid request. No message contains a secret, a
    token, a question or an answer.
    """

    def __init__(self, connection: ServiceConnection, session: str) -> None:
        self._connection = connection
        self._path = f"/sessions/{quote(session, safe='')}"

    async def progress(self) -> SessionProgress:
        """Return the session's state."""
        body = await self._call("GET", self._path)
        return SessionProgress(_text(body, "state"), _whole(body, "quota"), _whole(body, "completed"))

    async def question(self) -> PosedQuestion:
        """Return the pending question or the next one. Raises Conflict when all are done."""
        body = await self._call("POST", f"{self._path}/question")
        try:
            messages = tuple(Message(turn["role"], str(turn["content"])) for turn in body["messages"])
        except (KeyError, TypeError):
            raise _malformed("messages") from None
        return PosedQuestion(
            _whole(body, "position"), _whole(body, "of"), messages, _whole(body, "max_answer_characters")
        )

    async def answer(self, position: int, body: Mapping[str, Any]) -> Receipt:
        """Submit an answer and return its receipt; the same answer again gets the same receipt."""
        reply = await self._call("PUT", f"{self._path}/answers/{position}", body)
        return Receipt(_whole(reply, "position"), _text(reply, "receipt"), _text(reply, "status"))

    async def _call(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
        """Return the document of a reply, after waiting for another client's hold to end."""
        waited, waiting = 0.0, self._connection.waiting
        while True:
            reply = await self._connection.send(method, path, body)
            if reply.good:
                return reply.document
            error = self._connection.refusal(reply)
            if waited >= HOLD or not await self._is_held(method, reply):
                raise error
            waiting.report(
                "the session is in use by another client or an earlier token until one minute after its last "
                f"request: checking again in {CHECK:.0f} s (waited {waited:.0f} of {HOLD:.0f} s)"
            )
            await waiting.pause(CHECK)
            waited += CHECK

    async def _is_held(self, method: str, reply: ServiceReply) -> bool:
        """Whether a refusal only means that another client holds the session.

        The refusal does not say so. But if this candidate may read the session and it is open, there is no
        other cause.
        """
        if reply.status != 403 or reply.document.get("title") != Refusal.SESSION.title:
            return False
        if method == "GET":
            return reply.after is not None
        try:
            session = await self._connection.send("GET", self._path)
        except AssayError:
            return False
        return session.good and session.document.get("state") == "open"


def _base_url(url: str) -> str:
    base = url.strip().rstrip("/").removesuffix(PREFIX).rstrip("/")
    scheme, separator, rest = base.partition("://")
    if scheme not in ("http", "https") or not separator or not rest or any(sign in rest for sign in "@?#"):
        shown = url.rpartition("@")[2] if "@" in url else url
        raise InvalidInput(f"invalid exam service address {shown!r}: use https://HOST or http://HOST:PORT")
    return base


def _document(raw: bytes) -> Mapping[str, Any]:
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError:
        return {}
    return value if isinstance(value, dict) else {}


def _malformed(name: str) -> Upstream:
    return Upstream(f"invalid {name!r} in the reply: check the address and the version of the exam service")


def _text(body: Mapping[str, Any], name: str) -> str:
    value = body.get(name)
    if not isinstance(value, str):
        raise _malformed(name)
    return value


def _whole(body: Mapping[str, Any], name: str) -> int:
    value = body.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise _malformed(name)
    return value
