"""Notifications reach receivers over real HTTP, are retried, and leave an outcome without secrets."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from random import Random

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from network import proxying

from assay.core.errors import InvalidInput
from assay.core.notification import DeliveryStatus, Notification, UseCaseNote
from assay.core.verdict import ModelState, UseCaseState
from assay.core.workspace import Webhook
from assay.notify.webhooks import (
    DeliveryPatience,
    WebhookTarget,
    deliver,
    prepare,
    render,
    signature,
    slack,
    summary,
    target,
    wanted,
)
from assay.results.watch import NotificationDelivery

NOW = 1_774_936_800.0
HOOK = Webhook("log", url="https://example.org/hook", secret_env="HOOK_SECRET")
SECRET = "hush-hush-secret"
TOKEN = "T0KEN-in-the-address"

Answer = Callable[[web.Request], Awaitable[web.Response]]
JSON = Webhook("log", url="https://example.org/hook")
SLACK = Webhook("team", url_env="TEAM_HOOK", format="slack")


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

    def receive(
        self, delivery: NotificationDelivery, patience: DeliveryPatience | None = None
    ) -> NotificationDelivery:
        """Deliver to this receiver over HTTP."""

        async def run() -> NotificationDelivery:
            app = web.Application()
            app.router.add_post("/{token}", self.answer)
            async with TestServer(app) as server, aiohttp.ClientSession() as session:
                to = WebhookTarget(HOOK, str(server.make_url(f"/{TOKEN}")), SECRET)
                return await send(session, to, delivery, self.sleep, patience)

        return asyncio.run(run())


async def send(
    session: aiohttp.ClientSession,
    to: WebhookTarget,
    delivery: NotificationDelivery,
    sleep: Callable[[float], Awaitable[None]],
    patience: DeliveryPatience | None = None,
) -> NotificationDelivery:
    """Deliver with a fixed clock and chance."""
    return await deliver(
        session, to, delivery, clock=lambda: NOW, sleep=sleep, chance=Random(1), patience=patience
    )


@pytest.fixture
def delivery(change: Notification) -> NotificationDelivery:
    """The change, prepared for the hook."""
    return prepare(HOOK, change, now=NOW - 5)


def test_a_delivery_is_written_down_before_it_is_sent(
    delivery: NotificationDelivery, change: Notification
) -> None:
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


def test_sent_at_once(delivery: NotificationDelivery) -> None:
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


def test_the_body_is_signed(delivery: NotificationDelivery) -> None:
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


def test_a_failing_receiver_is_tried_again(delivery: NotificationDelivery) -> None:
    """Server errors and rate limits are retried, each wait longer than the one before."""
    receiver = Receiver([500, 429, 503, 200])
    done = receiver.receive(delivery)
    assert (done.status, done.attempts, done.http_status, receiver.waits == sorted(receiver.waits)) == (
        DeliveryStatus.SENT,
        4,
        200,
        True,
    )


def test_the_same_body_every_time(delivery: NotificationDelivery) -> None:
    """Retries repeat the body and the event, so that a receiver can drop repeats."""
    receiver = Receiver([500, 500, 200])
    receiver.receive(delivery)
    assert (set(receiver.bodies), {headers["X-Assay-Event"] for headers in receiver.sent}) == (
        {delivery.body},
        {delivery.event},
    )


def test_retry_after_is_honoured_up_to_a_minute(delivery: NotificationDelivery) -> None:
    """The receiver may say how long to wait, within reason."""
    short, long = Receiver([429, 200], {"Retry-After": "7"}), Receiver([429, 200], {"Retry-After": "86400"})
    short.receive(delivery)
    long.receive(delivery)
    assert (short.waits, long.waits) == ([7.0], [60.0])


def test_a_receiver_that_never_recovers(delivery: NotificationDelivery) -> None:
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


def test_attempts_add_up_over_restarts(delivery: NotificationDelivery) -> None:
    """A failed delivery that is sent again later counts all its attempts."""
    failed = Receiver([500]).receive(delivery, DeliveryPatience(attempts=2))
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
def test_what_is_final(status: int, error: str, delivery: NotificationDelivery) -> None:
    """Refusals and redirects are not repeated."""
    receiver = Receiver([status], {"Location": "http://localhost:1/elsewhere"})
    done = receiver.receive(delivery)
    assert (done.status, done.attempts, done.error) == (DeliveryStatus.FAILED, 1, error)


def test_a_receiver_that_hangs(delivery: NotificationDelivery) -> None:
    """An attempt ends after its time, and the next one is made."""
    done = Receiver([200], delay=30).receive(delivery, DeliveryPatience(attempts=2, timeout=0.1))
    assert (done.status, done.attempts, done.error) == (DeliveryStatus.FAILED, 2, "no answer within 0.1 s")


def unreached(url: str, delivery: NotificationDelivery) -> NotificationDelivery:
    """Deliver to an address where nobody answers."""

    async def no_wait(seconds: float) -> None:
        """Do not wait."""

    async def run() -> NotificationDelivery:
        async with aiohttp.ClientSession() as session:
            return await send(
                session, WebhookTarget(HOOK, url, SECRET), delivery, no_wait, DeliveryPatience(attempts=2)
            )

    return asyncio.run(run())


def test_nobody_listens(delivery: NotificationDelivery) -> None:
    """A refused connection is tried again and then told."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        done = unreached(f"http://127.0.0.1:{free.getsockname()[1]}/{TOKEN}", delivery)
    assert (done.status, done.attempts, done.error) == (
        DeliveryStatus.FAILED,
        2,
        "not reached (connection refused)",
    )


def test_no_secret_in_any_outcome(delivery: NotificationDelivery) -> None:
    """Neither the secret, nor the address, nor what the receiver answered is kept, whatever happens."""
    outcomes = [
        *(
            Receiver([status]).receive(delivery, DeliveryPatience(attempts=1))
            for status in (200, 302, 404, 500)
        ),
        Receiver([200], delay=30).receive(delivery, DeliveryPatience(attempts=1, timeout=0.05)),
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

    async def run() -> tuple[NotificationDelivery, list[str]]:
        app = web.Application()
        app.router.add_post("/{token}", receiver.answer)
        async with TestServer(app) as server, aiohttp.ClientSession() as session:
            assert server.port is not None
            async with proxying(server.port) as proxy:
                to = WebhookTarget(HOOK, f"http://hooks.test/{TOKEN}", None)
                pending = NotificationDelivery("e", HOOK.name, "{}", DeliveryStatus.PENDING, 0, NOW)
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


def test_the_summary(change: Notification) -> None:
    """One line says who, what, before, when and by which suite."""
    assert summary(change) == (
        "openrouter/openai/gpt-5-mini is COOKED (was OK) on 2026-03-31, suite daily 2.0.0"
    )


def test_what_is_simulated_says_so(change: Notification) -> None:
    """A change on the simulated provider is labelled in every format."""
    simulated = replace(change, simulated=True, before=None)
    bodies = [summary(simulated), render(SLACK, simulated), render(JSON, simulated)]
    assert [("[simulated]" in body, "not judged before" in body) for body in bodies] == [(True, True)] * 3


def test_the_generic_payload(change: Notification) -> None:
    """Programs get every field by name."""
    assert json.loads(render(JSON, change)) == {
        "format": 1,
        "kind": "verdict.changed",
        "event": "verdict/daily/2.0.0/openrouter/openai/gpt-5-mini/2026-03-31/COOKED",
        "summary": summary(change),
        "model": "openrouter/openai/gpt-5-mini",
        "suite": {"name": "daily", "version": "2.0.0"},
        "day": "2026-03-31",
        "before": "OK",
        "after": "COOKED",
        "use_cases": [
            {
                "name": "summarization",
                "state": "SUSPICIOUS",
                "score": 70,
                "mean": 80,
                "z": -2.6,
                "drop": 0.125,
            },
            {
                "name": "code-generation",
                "state": "COOKED",
                "score": 40,
                "mean": 90,
                "z": -12.5,
                "drop": 0.556,
            },
            {"name": "math", "state": "OK", "score": 90, "mean": 90, "z": 0, "drop": 0},
        ],
        "notes": ["two models behind OpenAI fell today"],
        "simulated": False,
    }


def test_the_slack_message(change: Notification) -> None:
    """Slack gets the line, the use cases that fell with the worst first, and the notes."""
    [block] = slack(change)["blocks"]
    assert block["text"]["text"].split("\n") == [
        f":red_circle: *{summary(change)}*",
        "• code-generation COOKED, score 40.0, baseline 90.0, z -12.5, drop 56%",
        "• summarization SUSPICIOUS, score 70.0, baseline 80.0, z -2.6, drop 12%",
        "_two models behind OpenAI fell today_",
    ]


def test_slack_text_is_escaped(change: Notification) -> None:
    """A model's name cannot inject links or mentions."""
    told = render(SLACK, replace(change, model="local/<!channel>&"))
    assert ("<!channel>" in told, "&lt;!channel&gt;&amp;" in told) == (False, True)


def test_a_long_slack_message_is_cut(change: Notification) -> None:
    """Slack refuses sections over 3,000 characters."""
    notes = tuple(UseCaseNote(f"use-case-{number}", UseCaseState.COOKED) for number in range(20))
    long = replace(change, use_cases=notes, notes=("x" * 4000,))
    text = slack(long)["blocks"][0]["text"]["text"]
    assert (len(text), "• and 8 more" in text) == (3000, True)


@pytest.mark.parametrize("state", list(ModelState))
def test_every_state_has_a_slack_mark(state: ModelState, change: Notification) -> None:
    """No state is left without its sign."""
    assert render(SLACK, replace(change, after=state)).count(str(state)) >= 2


def test_a_hook_is_told_of_its_states_only(change: Notification) -> None:
    """By default a gap is not told; a hook may ask for one state alone."""
    gap = replace(change, after=ModelState.GAP)
    only = replace(JSON, states=(ModelState.GAP,))
    assert [wanted(JSON, change), wanted(JSON, gap), wanted(only, change), wanted(only, gap)] == [
        True,
        False,
        False,
        True,
    ]
