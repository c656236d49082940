"""Notifications reach receivers over real HTTP, are retried, and leave an outcome without secrets."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from random import Random

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from network import proxying

from assay.core.errors import InvalidInput
from assay.core.notification import Delivery, DeliveryStatus, Notification
from assay.core.workspace import Webhook
from assay.notify.webhooks import Patience, Target, deliver, prepare, signature, target

NOW = 1_774_936_800.0
HOOK = Webhook("log", url="https://example.org/hook", secret_env="HOOK_SECRET")
SECRET = "hush-hush-secret"
TOKEN = "T0KEN-in-the-address"

Answer = Callable[[web.Request], Awaitable[web.Response]]


@dataclass
class Receiver:
    """Answers with the given statuses in turn (the last one for ever) and keeps what it was sent."""

    statuses: list[int]
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    bodies: list[str] = field(default_factory=list)
    sent: list[dict[str, str]] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)

    async def answer(self, request: web.Request) -> web.Response:
        self.bodies.append(await request.text())
        self.sent.append(dict(request.headers))
        await asyncio.sleep(self.delay)
        status = self.statuses.pop(0) if len(self.statuses) > 1 else self.statuses[0]
        return web.Response(status=status, headers=self.headers, text=f"echo {request.path} {TOKEN}")

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)

    def receive(self, delivery: Delivery, patience: Patience | None = None) -> Delivery:
        """Deliver to this receiver over HTTP."""

        async def run() -> Delivery:
            app = web.Application()
            app.router.add_post("/{token}", self.answer)
            async with TestServer(app) as server, aiohttp.ClientSession() as session:
                to = Target(HOOK, str(server.make_url(f"/{TOKEN}")), SECRET)
                return await send(session, to, delivery, self.sleep, patience)

        return asyncio.run(run())


async def send(
    session: aiohttp.ClientSession,
    to: Target,
    delivery: Delivery,
    sleep: Callable[[float], Awaitable[None]],
    patience: Patience | None = None,
) -> Delivery:
    """Deliver with a fixed clock and chance."""
    return await deliver(
        session, to, delivery, clock=lambda: NOW, sleep=sleep, chance=Random(1), patience=patience
    )


@pytest.fixture
def delivery(change: Notification) -> Delivery:
    """The change, prepared for the hook."""
    return prepare(HOOK, change, now=NOW - 5)


def test_a_delivery_is_written_down_before_it_is_sent(delivery: Delivery, change: Notification) -> None:
    """What is prepared is pending, under the event's name, without an attempt."""
    assert (
        delivery.status,
        delivery.attempts,
        delivery.event,
        delivery.created_at,
        delivery.finished_at,
    ) == (
        DeliveryStatus.PENDING,
        0,
        change.event,
        NOW - 5,
        None,
    )


def test_sent_at_once(delivery: Delivery) -> None:
    """A receiver that accepts gets the body once."""
    receiver = Receiver([204])
    done = receiver.receive(delivery)
    assert (done.status, done.attempts, done.http_status, done.error, done.finished_at, receiver.bodies) == (
        DeliveryStatus.SENT,
        1,
        204,
        None,
        NOW,
        [delivery.body],
    )


def test_the_body_is_signed(delivery: Delivery) -> None:
    """The signature header is the time and the HMAC of time and body, and the event is named."""
    receiver = Receiver([200])
    receiver.receive(delivery)
    mark = hmac.new(SECRET.encode(), f"{int(NOW)}.{delivery.body}".encode(), hashlib.sha256).hexdigest()
    headers = receiver.sent[0]
    assert (headers["X-Assay-Signature"], headers["X-Assay-Event"], headers["Content-Type"]) == (
        f"t={int(NOW)},v1={mark}",
        delivery.event,
        "application/json; charset=utf-8",
    )


def test_a_known_signature() -> None:
    """The signature follows the documented recipe to the letter."""
    assert signature("key", "{}", 1) == "t=1,v1=" + hmac.new(b"key", b"1.{}", "sha256").hexdigest()


def test_a_failing_receiver_is_tried_again(delivery: Delivery) -> None:
    """Server errors and rate limits are retried, each wait longer than the one before."""
    receiver = Receiver([500, 429, 503, 200])
    done = receiver.receive(delivery)
    assert (done.status, done.attempts, done.http_status, receiver.waits == sorted(receiver.waits)) == (
        DeliveryStatus.SENT,
        4,
        200,
        True,
    )


def test_the_same_body_every_time(delivery: Delivery) -> None:
    """Retries repeat the body and the event, so that a receiver can drop repeats."""
    receiver = Receiver([500, 500, 200])
    receiver.receive(delivery)
    assert (set(receiver.bodies), {headers["X-Assay-Event"] for headers in receiver.sent}) == (
        {delivery.body},
        {delivery.event},
    )


def test_retry_after_is_honoured_up_to_a_minute(delivery: Delivery) -> None:
    """The receiver may say how long to wait, within reason."""
    short, long = Receiver([429, 200], {"Retry-After": "7"}), Receiver([429, 200], {"Retry-After": "86400"})
    short.receive(delivery)
    long.receive(delivery)
    assert (short.waits, long.waits) == ([7.0], [60.0])


def test_a_receiver_that_never_recovers(delivery: Delivery) -> None:
    """After the last attempt the delivery has failed, and says how."""
    receiver = Receiver([500])
    done = receiver.receive(delivery)
    assert (done.status, done.attempts, done.http_status, done.error, len(receiver.waits)) == (
        DeliveryStatus.FAILED,
        5,
        500,
        "answered 500",
        4,
    )


def test_attempts_add_up_over_restarts(delivery: Delivery) -> None:
    """A failed delivery that is sent again later counts all its attempts."""
    failed = Receiver([500]).receive(delivery, Patience(attempts=2))
    done = Receiver([200]).receive(failed)
    assert (done.status, done.attempts, done.error) == (DeliveryStatus.SENT, 3, None)


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, "answered 400"),
        (404, "answered 404: the address is wrong or was withdrawn"),
        (302, "answered 302, and redirects are not followed: write the final address"),
    ],
)
def test_what_is_final(status: int, error: str, delivery: Delivery) -> None:
    """Refusals and redirects are not repeated."""
    receiver = Receiver([status], {"Location": "http://localhost:1/elsewhere"})
    done = receiver.receive(delivery)
    assert (done.status, done.attempts, done.error) == (DeliveryStatus.FAILED, 1, error)


def test_a_receiver_that_hangs(delivery: Delivery) -> None:
    """An attempt ends after its time, and the next one is made."""
    done = Receiver([200], delay=30).receive(delivery, Patience(attempts=2, timeout=0.1))
    assert (done.status, done.attempts, done.error) == (DeliveryStatus.FAILED, 2, "no answer within 0.1 s")


def unreached(url: str, delivery: Delivery) -> Delivery:
    """Deliver to an address where nobody answers."""

    async def no_wait(seconds: float) -> None:
        """Do not wait."""

    async def run() -> Delivery:
        async with aiohttp.ClientSession() as session:
            return await send(session, Target(HOOK, url, SECRET), delivery, no_wait, Patience(attempts=2))

    return asyncio.run(run())


def test_nobody_listens(delivery: Delivery) -> None:
    """A refused connection is tried again and then told."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        done = unreached(f"http://127.0.0.1:{free.getsockname()[1]}/{TOKEN}", delivery)
    assert (done.status, done.attempts, done.error) == (
        DeliveryStatus.FAILED,
        2,
        "not reached (connection refused)",
    )


def test_no_secret_in_any_outcome(delivery: Delivery) -> None:
    """Neither the secret, nor the address, nor what the receiver answered is kept, whatever happens."""
    outcomes = [
        *(Receiver([status]).receive(delivery, Patience(attempts=1)) for status in (200, 302, 404, 500)),
        Receiver([200], delay=30).receive(delivery, Patience(attempts=1, timeout=0.05)),
        unreached(f"http://127.0.0.1:1/{TOKEN}", delivery),
        unreached(f"http://{TOKEN}.invalid:99999/", delivery),
    ]
    told = " ".join(repr(outcome) for outcome in outcomes)
    assert [word in told for word in (SECRET, TOKEN, "127.0.0.1", "echo")] == [False] * 4


def test_a_target_hides_its_address_and_secret() -> None:
    """Printing a target shows neither."""
    shown = repr(target(HOOK, {"HOOK_SECRET": SECRET}))
    assert (SECRET in shown, "example.org" in shown) == (False, False)


def test_the_address_from_the_environment() -> None:
    """A hook may name the variable that holds its address."""
    hook = Webhook("team", url_env="TEAM_HOOK", format="slack")
    found = target(hook, {"TEAM_HOOK": f" https://example.org/{TOKEN} "})
    assert (found.url, found.secret) == (f"https://example.org/{TOKEN}", None)


@pytest.mark.parametrize(
    ("hook", "environment", "variable"),
    [
        (Webhook("team", url_env="TEAM_HOOK"), {}, "TEAM_HOOK"),
        (Webhook("team", url_env="TEAM_HOOK"), {"TEAM_HOOK": TOKEN}, "TEAM_HOOK"),
        (Webhook("team", url_env="TEAM_HOOK"), {"TEAM_HOOK": f"http://[{TOKEN}"}, "TEAM_HOOK"),
        (HOOK, {}, "HOOK_SECRET"),
    ],
)
def test_a_missing_variable_is_named(hook: Webhook, environment: dict[str, str], variable: str) -> None:
    """What is not set, or is no address, is told by its variable, never by its value."""
    with pytest.raises(InvalidInput) as caught:
        target(hook, environment)
    assert (variable in str(caught.value), TOKEN in str(caught.value)) == (True, False)


def test_a_delivery_goes_through_the_proxy_it_is_given() -> None:
    """A receiver that only the proxy can reach gets the body."""
    receiver = Receiver([204])

    async def run() -> tuple[Delivery, list[str]]:
        app = web.Application()
        app.router.add_post("/{token}", receiver.answer)
        async with TestServer(app) as server, aiohttp.ClientSession() as session:
            assert server.port is not None
            async with proxying(server.port) as proxy:
                to = Target(HOOK, f"http://hooks.test/{TOKEN}", None)
                pending = Delivery("e", HOOK.name, "{}", DeliveryStatus.PENDING, 0, NOW)
                sent = await deliver(
                    session,
                    to,
                    pending,
                    clock=lambda: NOW,
                    sleep=receiver.sleep,
                    chance=Random(0),
                    proxy=proxy.address,
                )
                return sent, proxy.heads

    sent, heads = asyncio.run(run())
    assert (sent.status, receiver.bodies) == (DeliveryStatus.SENT, ["{}"])
    assert heads[0].startswith("POST http://hooks.test/")
