"""Sending notifications to webhooks: retried, signed, never redirected, with an outcome for the log."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from urllib.parse import urlsplit

import aiohttp

from assay.core.errors import InvalidInput
from assay.core.notification import Delivery, DeliveryStatus, Notification
from assay.core.workspace import Webhook
from assay.notify.payloads import render

ATTEMPTS = 5
FIRST_WAIT = 1.0
LONGEST_WAIT = 60.0
TIMEOUT = 10.0
RETRIED = frozenset({408, 425, 429, *range(500, 600)})


@dataclass(frozen=True, slots=True)
class Target:
    """Where a webhook's notifications go. Neither the address nor the secret appears in its `repr`."""

    hook: Webhook
    url: str = field(repr=False)
    secret: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to try: attempts, seconds for each, the first wait (it doubles), and the longest one."""

    attempts: int = ATTEMPTS
    timeout: float = TIMEOUT
    first_wait: float = FIRST_WAIT
    longest_wait: float = LONGEST_WAIT

    def wait(self, attempt: int, asked: float | None, chance: Random) -> float:
        """Return the seconds to wait after an attempt (from 1): as the receiver asked, or doubling."""
        if asked is not None:
            return min(asked, self.longest_wait)
        doubled: float = self.first_wait * 2 ** (attempt - 1)
        return min(doubled, self.longest_wait) * chance.uniform(0.5, 1.0)


def target(hook: Webhook, environment: Mapping[str, str]) -> Target:
    """Return where a webhook goes. Raises InvalidInput, naming the variable, where one is missing."""
    url = hook.url
    if hook.url_env is not None:
        url = environment.get(hook.url_env, "").strip()
        if not url:
            raise InvalidInput(
                f"the webhook {hook.name!r} needs its address: set the variable {hook.url_env}"
            )
    if not _is_web(url or ""):
        place = hook.url_env or "`url`"
        raise InvalidInput(
            f"the webhook {hook.name!r} has no web address in {place}: write one with https://"
        )
    secret = None
    if hook.secret_env is not None:
        secret = environment.get(hook.secret_env, "").strip()
        if not secret:
            raise InvalidInput(f"the webhook {hook.name!r} signs: set the variable {hook.secret_env}")
    return Target(hook, url or "", secret)


def prepare(hook: Webhook, notification: Notification, *, now: float) -> Delivery:
    """Return the delivery to write down before it is sent, so that a killed process sends it later."""
    body = render(hook, notification)
    return Delivery(notification.event, hook.name, body, DeliveryStatus.PENDING, 0, now)


async def deliver(
    session: aiohttp.ClientSession,
    to: Target,
    delivery: Delivery,
    *,
    clock: Callable[[], float],
    sleep: Callable[[float], Awaitable[None]],
    chance: Random,
    patience: Patience | None = None,
    proxy: str | None = None,
) -> Delivery:
    """Send a delivery and return it with its outcome; a receiver that fails is a value, never an error.

    Time-outs, broken connections and statuses 408, 425, 429 and 5xx are tried again; others are final.
    `clock` gives UTC seconds since 1970, `proxy` is the address of the proxy to go through.
    """
    patience = patience or Patience()
    for attempt in range(1, patience.attempts + 1):
        tried = replace(delivery, attempts=delivery.attempts + attempt, http_status=None, error=None)
        asked: float | None = None
        again = True
        try:
            status, asked = await _post(
                session, to, delivery, now=clock(), seconds=patience.timeout, proxy=proxy
            )
        except TimeoutError:
            tried = replace(tried, error=f"no answer within {patience.timeout:g} s")
        except (aiohttp.ClientError, OSError, ValueError) as error:
            tried = replace(tried, error=f"not reached ({_kind(error)})")
        else:
            tried = replace(tried, http_status=status, error=_refusal(status))
            again = status in RETRIED
        if tried.error is None:
            return replace(tried, status=DeliveryStatus.SENT, finished_at=clock())
        if not again or attempt == patience.attempts:
            break
        await sleep(patience.wait(attempt, asked, chance))
    return replace(tried, status=DeliveryStatus.FAILED, finished_at=clock())


def signature(secret: str, body: str, now: int) -> str:
    """Return the header `X-Assay-Signature`: the time, and HMAC-SHA256 of `time.body` in hexadecimal."""
    mark = hmac.new(secret.encode(), f"{now}.{body}".encode(), hashlib.sha256).hexdigest()
    return f"t={now},v1={mark}"


async def _post(
    session: aiohttp.ClientSession,
    to: Target,
    delivery: Delivery,
    *,
    now: float,
    seconds: float,
    proxy: str | None,
) -> tuple[int, float | None]:
    headers = {
        "Content-Type": "application/json; charset=utf-8",
        "User-Agent": "assay",
        "X-Assay-Event": delivery.event,
    }
    if to.secret is not None:
        headers["X-Assay-Signature"] = signature(to.secret, delivery.body, int(now))
    limit = aiohttp.ClientTimeout(total=seconds)
    async with session.post(
        to.url,
        data=delivery.body.encode(),
        headers=headers,
        allow_redirects=False,
        timeout=limit,
        proxy=proxy,
    ) as answer:
        return answer.status, _seconds(answer.headers.get("Retry-After"))


def _refusal(status: int) -> str | None:
    if 200 <= status < 300:
        return None
    if 300 <= status < 400:
        return f"answered {status}, and redirects are not followed: write the final address"
    if status in (401, 403, 404, 410):
        return f"answered {status}: the address is wrong or was withdrawn"
    return f"answered {status}"


def _seconds(text: str | None) -> float | None:
    """Return the seconds a Retry-After header asks for; None without one, or where it is a date."""
    return float(text) if text is not None and text.strip().isdecimal() else None


def _kind(error: Exception) -> str:
    """Return an error's kind in words: its own text may hold the address."""
    if isinstance(error, aiohttp.ClientSSLError):
        return "no trusted certificate"
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return "unknown host"
    if isinstance(error, aiohttp.ClientConnectorError):
        return "connection refused"
    if isinstance(error, aiohttp.InvalidURL | ValueError):
        return "the address is no URL"
    return "connection broken"


def _is_web(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)
