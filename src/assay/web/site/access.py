"""Who may read the pages: everybody on this machine, or those who sign in with a secret.

The reader's secret opens the pages. The owner's secret also shows the texts of private suites and the pages
of the exam's administration. A session is a signed cookie; its key comes from the secrets, so that all
workers know it and a new secret ends every session. Programs send the reader's secret with each request, as
`Authorization: Bearer SECRET`.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

import jwt
from starlette.requests import Request
from starlette.responses import Response

from assay.core.errors import InvalidInput

READER_ENV: Final = "ASSAY_PAGES_SECRET"
OWNER_ENV: Final = "ASSAY_PAGES_OWNER_SECRET"
SHORTEST: Final = 16
COOKIE: Final = "assay_pages"
SESSION_SECONDS: Final = 12 * 3600
MOST_FAILURES: Final = 10
"""Wrong secrets that are accepted from one address in `FAILURE_SECONDS`, and ten times as many from all."""
FAILURE_SECONDS: Final = 60.0
HERE: Final = ("localhost", "127.0.0.1", "[::1]")


class PageRole(StrEnum):
    """What a signed-in person may see."""

    READER = "reader"
    OWNER = "owner"


@dataclass(frozen=True, slots=True)
class Visitor:
    """The reader of a page: a role, None without any, and whether it comes from a session."""

    role: PageRole | None
    signed_in: bool = False

    @property
    def owner(self) -> bool:
        """Whether private texts and the administration are shown."""
        return self.role is PageRole.OWNER


@dataclass(slots=True)
class SiteAccess:
    """The secrets of the pages; without one, only this machine's own browser may read them."""

    reader_secret: str | None = None
    owner_secret: str | None = None
    clock: Callable[[], float] = time.time
    _failures: dict[str, deque[float]] = field(default_factory=dict)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str], *, loopback: bool) -> SiteAccess:
        """Return the access that the environment sets.

        Raises InvalidInput for a short secret, and for none on an address that other machines can reach.
        """
        found = {name: environment.get(name) or None for name in (READER_ENV, OWNER_ENV)}
        for name, secret in found.items():
            if secret is not None and len(secret) < SHORTEST:
                raise InvalidInput(
                    f"{name} has {len(secret)} characters: give at least {SHORTEST} random ones, for example "
                    "by `openssl rand -hex 16`"
                )
        if not loopback and found[READER_ENV] is None:
            raise InvalidInput(
                f"the pages need a secret on an address that other machines can reach: set {READER_ENV}, or "
                "serve without the pages (--no-pages)"
            )
        return cls(found[READER_ENV], found[OWNER_ENV])

    @property
    def open_here(self) -> bool:
        """Whether the pages need no sign-in, because only this machine can reach them."""
        return self.reader_secret is None

    def host_allowed(self, host: str) -> bool:
        """Return whether a request may use this `Host`.

        Without a sign-in, only names of this machine are allowed: otherwise a page elsewhere could point its
        own name at this machine and read everything (DNS rebinding).
        """
        name = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
        return not self.open_here or name in HERE

    def visitor(self, request: Request) -> Visitor:
        """Return who sent a request: by its session, or by the secret that a program sent with it.

        With neither it is a visitor without a role, or a reader here. A program is always a reader.
        """
        try:
            claims = jwt.decode(
                request.cookies.get(COOKIE, ""),
                self._key(),
                algorithms=["HS256"],
                options={"require": ["exp", "role"], "verify_exp": False},
            )
            if claims["exp"] > self.clock():
                return Visitor(PageRole(claims["role"]), signed_in=True)
        except (jwt.InvalidTokenError, ValueError):
            pass
        if self.open_here:
            return Visitor(PageRole.READER)
        scheme, _, secret = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and self.sign_in(secret.strip(), address_of(request)) is not None:
            return Visitor(PageRole.READER)
        return Visitor(None)

    def sign_in(self, secret: str, address: str) -> PageRole | None:
        """Return the role that a secret opens; None for a wrong one, or after too many wrong ones."""
        if self.limited(address):
            return None
        for role, known in ((PageRole.OWNER, self.owner_secret), (PageRole.READER, self.reader_secret)):
            if known is not None and hmac.compare_digest(_digest(secret), _digest(known)):
                return role
        for place in (address, ""):
            self._failures.setdefault(place, deque(maxlen=10 * MOST_FAILURES)).append(self.clock())
        return None

    def limited(self, address: str) -> bool:
        """Return whether an address, or all together, gave too many wrong secrets in the last minute."""
        since = self.clock() - FAILURE_SECONDS
        for place, times in list(self._failures.items()):
            while times and times[0] < since:
                times.popleft()
            if not times:
                del self._failures[place]
        return (
            len(self._failures.get(address, ())) >= MOST_FAILURES
            or len(self._failures.get("", ())) >= 10 * MOST_FAILURES
        )

    def begin_session(self, response: Response, role: PageRole, *, secure: bool) -> None:
        """Give a response the cookie of a new session."""
        claims = {"role": role.value, "exp": int(self.clock()) + SESSION_SECONDS}
        response.set_cookie(
            COOKIE,
            jwt.encode(claims, self._key(), algorithm="HS256"),
            max_age=SESSION_SECONDS,
            httponly=True,
            samesite="strict",
            secure=secure,
        )

    def _key(self) -> bytes:
        if self.reader_secret is None and self.owner_secret is None:
            return _NO_SESSIONS
        return _digest(f"assay pages\n{self.reader_secret}\n{self.owner_secret}")


_NO_SESSIONS: Final = secrets.token_bytes(32)


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def is_loopback(host: str) -> bool:
    """Return whether an address to listen on is reachable from this machine only."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def address_of(request: Request) -> str:
    """Return the address that a request came from, by which wrong secrets are counted."""
    return request.client.host if request.client else ""


def same_origin(request: Request) -> bool:
    """Return whether a form was sent from a page of this host, as browsers tell in `Origin`."""
    origin = request.headers.get("origin")
    return origin is None or origin.partition("://")[2] == request.headers.get("host", "")
