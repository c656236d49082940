"""Notifications to webhooks: as JSON, for Slack or for Discord; sent, signed and retried, with an outcome."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any
from urllib.parse import urlsplit

import aiohttp

from assay.core.errors import InvalidInput
from assay.core.notification import DeliveryStatus, Notification, UseCaseNote
from assay.core.verdict import ModelState, UseCaseState
from assay.core.workspace import Webhook
from assay.results.published import document
from assay.results.watch import NotificationDelivery

ATTEMPTS = 5
FIRST_WAIT = 1.0
LONGEST_WAIT = 60.0
TIMEOUT = 10.0
RETRIED = frozenset({408, 425, 429, *range(500, 600)})
FORMAT = 1
SLACK_SECTION = 3000
DISCORD_CONTENT = 2000
DISCORD_DESCRIPTION = 4096
SHOWN_USE_CASES = 12
MARKS = {
    ModelState.GAP: ":white_circle:",
    ModelState.CALIBRATING: ":hourglass:",
    ModelState.OK: ":large_green_circle:",
    ModelState.SUSPICIOUS: ":large_yellow_circle:",
    ModelState.COOKED: ":red_circle:",
}
COLOURS = {
    ModelState.GAP: 0x98A3AC,
    ModelState.CALIBRATING: 0x98A3AC,
    ModelState.OK: 0x33565F,
    ModelState.SUSPICIOUS: 0xD18F00,
    ModelState.COOKED: 0xB4390B,
}
"""The colour of the bar beside a Discord message's details."""
_DISCORD_MARKUP = re.compile(r"[\\`*_~|<>\[\]@#]|:(?=//)")
"""What Discord reads as formatting, a mention, a channel, a link or an emoji."""


@dataclass(frozen=True, slots=True)
class WebhookTarget:
    """Where a webhook's notifications go. Neither the address nor the secret appears in its `repr`."""

    hook: Webhook
    url: str = field(repr=False)
    secret: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class DeliveryPatience:
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


def target(hook: Webhook, environment: Mapping[str, str]) -> WebhookTarget:
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
    return WebhookTarget(hook, url or "", secret)


def prepare(hook: Webhook, notification: Notification, *, now: float) -> NotificationDelivery:
    """Return the delivery to write down before it is sent, so that a killed process sends it later."""
    body = render(hook, notification)
    return NotificationDelivery(notification.event, hook.name, body, DeliveryStatus.PENDING, 0, now)


async def deliver(
    session: aiohttp.ClientSession,
    to: WebhookTarget,
    delivery: NotificationDelivery,
    *,
    clock: Callable[[], float],
    sleep: Callable[[float], Awaitable[None]],
    chance: Random,
    patience: DeliveryPatience | None = None,
    proxy: str | None = None,
) -> NotificationDelivery:
    """Send a delivery and return it with its outcome; a receiver that fails is a value, never an error.

    Time-outs, broken connections and statuses 408, 425, 429 and 5xx are tried again; others are final.
    `clock` gives UTC seconds since 1970, `proxy` is the address of the proxy to go through.
    """
    patience = patience or DeliveryPatience()
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
    to: WebhookTarget,
    delivery: NotificationDelivery,
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


def wanted(hook: Webhook, notification: Notification) -> bool:
    """Return whether a webhook is told of this change."""
    return notification.after in hook.states


def render(hook: Webhook, notification: Notification) -> str:
    """Return the body for a webhook, in its format."""
    return json.dumps(
        FORMATS[hook.format](notification), ensure_ascii=False, separators=(",", ":"), allow_nan=False
    )


def summary(notification: Notification) -> str:
    """Return the change in one line of plain text."""
    before = "not judged before" if notification.before is None else f"was {notification.before}"
    if notification.before == notification.after:
        before = "as before; its conditions changed"
    simulated = " [simulated]" if notification.simulated else ""
    where = f"on {notification.day}, suite {notification.suite} {notification.suite_version}"
    return f"{notification.model} is {notification.after} ({before}) {where}{simulated}"


def generic(notification: Notification) -> dict[str, Any]:
    """Return the payload for programs; docs/how-to/notify.md describes its fields."""
    return {
        "format": FORMAT,
        "kind": "conditions.changed" if notification.before == notification.after else "verdict.changed",
        "event": notification.event,
        "summary": summary(notification),
        "model": notification.model,
        "suite": {"name": notification.suite, "version": notification.suite_version},
        "day": notification.day.isoformat(),
        "before": None if notification.before is None else notification.before.value,
        "after": notification.after.value,
        "use_cases": document(notification.use_cases),
        "notes": list(notification.notes),
        "simulated": notification.simulated,
    }


def slack(notification: Notification) -> dict[str, Any]:
    """Return a Slack message: one line for the notification area, and a section with the use cases."""
    line = _for_slack(summary(notification))
    lines = [f"{MARKS[notification.after]} *{line}*", *map(_for_slack, _use_cases(notification.use_cases))]
    lines += [f"_{_for_slack(note)}_" for note in notification.notes]
    section = "\n".join(lines)
    if len(section) > SLACK_SECTION:
        section = section[: SLACK_SECTION - 1] + "…"
    return {"text": line, "blocks": [{"type": "section", "text": {"type": "mrkdwn", "text": section}}]}


def discord(notification: Notification) -> dict[str, Any]:
    """Return a Discord message: one line, and the use cases below it. It mentions nobody."""
    lines = [*_use_cases(notification.use_cases), *notification.notes]
    message: dict[str, Any] = {
        "content": _within(_for_discord(summary(notification)), DISCORD_CONTENT),
        "allowed_mentions": {"parse": []},
    }
    if lines:
        details = _within("\n".join(map(_for_discord, lines)), DISCORD_DESCRIPTION)
        message["embeds"] = [{"description": details, "color": COLOURS[notification.after]}]
    return message


def _within(text: str, most: int) -> str:
    """Return a text in at most this many UTF-16 units, which is the larger way to count characters."""
    encoded = text.encode("utf-16-le")
    return text if len(encoded) <= 2 * most else encoded[: 2 * most - 2].decode("utf-16-le", "ignore") + "…"


def _for_discord(text: str) -> str:
    return _DISCORD_MARKUP.sub(lambda found: f"\\{found[0]}", " ".join(text.split()))


def _use_cases(notes: Sequence[UseCaseNote]) -> list[str]:
    """Return a line for each use case that fell, worst first, without more than a screenful."""
    fallen = sorted(
        (note for note in notes if note.state >= UseCaseState.SUSPICIOUS), key=lambda note: -note.state
    )
    lines = [f"• {_use_case(note)}" for note in fallen[:SHOWN_USE_CASES]]
    more = len(fallen) - SHOWN_USE_CASES
    return [*lines, f"• and {more} more"] if more > 0 else lines


def _use_case(note: UseCaseNote) -> str:
    parts = [f"{note.name} {note.state.name}"]
    if note.score is not None:
        parts.append(f"score {note.score:.1f}")
    if note.mean is not None:
        parts.append(f"baseline {note.mean:.1f}")
    if note.z is not None:
        parts.append(f"z {note.z:.1f}")
    if note.drop is not None:
        parts.append(f"drop {note.drop:.0%}")
    return ", ".join(parts)


def _for_slack(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


FORMATS = {"json": generic, "slack": slack, "discord": discord}
"""The function that makes the body, by a webhook's format."""
