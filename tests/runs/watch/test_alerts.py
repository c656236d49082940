"""Telling webhooks what changed, over real HTTP, with a log that survives a killed process."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import orjson
import pytest
from aiohttp import web
from sqlalchemy import Engine, text

from assay.core.notification import DeliveryStatus, Notification, UseCaseNote
from assay.core.verdict import ModelState, UseCaseState
from assay.core.workspace import Webhook
from assay.notify.webhooks import prepare
from assay.results.watch import NotificationDelivery
from assay.runs.watch.alerts import notifications, send, send_again
from assay.store.verdicts import add_deliveries, count_deliveries, list_deliveries

CHANGE = Notification(
    model="test/a",
    suite="small",
    suite_version="1",
    day=date(2026, 11, 7),
    before=ModelState.OK,
    after=ModelState.COOKED,
    use_cases=(UseCaseNote("use-0", UseCaseState.COOKED, 40.0, 90.0, -12.5, 0.55),),
)
SECRET = "sesame-open"


class Receiver:
    """A web server that keeps what it is sent and answers with the given statuses, then 200."""

    def __init__(self, *statuses: int) -> None:
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.raw: list[bytes] = []
        self._statuses = list(statuses)

    async def handle(self, request: web.Request) -> web.Response:
        """Take one notification."""
        self.raw.append(await request.read())
        self.bodies.append(orjson.loads(self.raw[-1]))
        self.headers.append(dict(request.headers))
        status = self._statuses.pop(0) if self._statuses else 200
        return web.Response(status=status, text="the receiver's own words", headers={"Retry-After": "0"})


def notify_receiver(
    engine: Engine,
    receiver: Receiver,
    changes: Sequence[Notification],
    *,
    hooks: Sequence[Webhook] = (Webhook("ops", url_env="HOOK"),),
    environment: dict[str, str] | None = None,
    again: bool = False,
) -> list[NotificationDelivery]:
    """Send changes, or `again` what failed, to a receiver; hooks find its address in the variable HOOK."""

    async def main() -> list[NotificationDelivery]:
        app = web.Application()
        app.router.add_post("/secret-path", receiver.handle)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        address = f"http://127.0.0.1:{runner.addresses[0][1]}/secret-path"
        found = {"HOOK": address} if environment is None else environment
        times: Any = {"clock": lambda: 1000.0, "rng": random.Random(0)}
        try:
            if again:
                return await send_again(engine, hooks, found, **times)
            return await send(engine, hooks, changes, found, **times)
        finally:
            await runner.cleanup()

    return asyncio.run(main())


def test_a_change_is_sent_once(engine: Engine) -> None:
    """The same change met again, by a resumed run or a second process, is not told a second time."""
    receiver = Receiver()
    first = notify_receiver(engine, receiver, [CHANGE])
    again = notify_receiver(engine, receiver, [CHANGE])
    assert [each.status for each in first] == [DeliveryStatus.SENT]
    assert again == []
    assert [(body["model"], body["before"], body["after"]) for body in receiver.bodies] == [
        ("test/a", "OK", "COOKED")
    ]
    assert [each.status for each in list_deliveries(engine)] == [DeliveryStatus.SENT]


def test_what_a_killed_process_left_is_sent_by_the_next(engine: Engine) -> None:
    """A delivery that was written down and never sent goes out although nothing new changed."""
    hook = Webhook("ops", url_env="HOOK")
    add_deliveries(engine, [prepare(hook, CHANGE, now=900.0)])
    receiver = Receiver()
    (sent,) = notify_receiver(engine, receiver, [])
    assert (sent.status, sent.created_at, sent.finished_at) == (DeliveryStatus.SENT, 900.0, 1000.0)
    assert len(receiver.bodies) == 1


def test_pending_deliveries_go_out_in_the_order_they_were_written(sqlite: Engine) -> None:
    """The older change is told first where one receiver takes both."""
    hook = Webhook("ops", url_env="HOOK")
    later = replace(CHANGE, day=date(2026, 11, 8), before=ModelState.COOKED, after=ModelState.OK)
    add_deliveries(sqlite, [prepare(hook, CHANGE, now=1.0)])
    sent = notify_receiver(sqlite, Receiver(), [later])
    assert [orjson.loads(each.body)["day"] for each in sent] == ["2026-11-07", "2026-11-08"]


def test_a_receiver_that_fails_at_first_is_tried_again(sqlite: Engine) -> None:
    """After a 500 and a 429 it is sent; the log counts three attempts."""
    receiver = Receiver(500, 429)
    (sent,) = notify_receiver(sqlite, receiver, [CHANGE])
    assert (sent.status, sent.attempts, len(receiver.bodies)) == (DeliveryStatus.SENT, 3, 3)
    assert list_deliveries(sqlite)[0].attempts == 3


def test_failed_deliveries_are_sent_again(engine: Engine) -> None:
    """With the body that was written, counting all attempts; delivered ones are left alone."""
    later = replace(CHANGE, day=date(2026, 11, 8), before=ModelState.COOKED, after=ModelState.OK)
    notify_receiver(engine, Receiver(), [later])
    (failed,) = notify_receiver(engine, Receiver(404), [CHANGE])
    assert (failed.status, failed.attempts, failed.http_status) == (DeliveryStatus.FAILED, 1, 404)
    assert notify_receiver(engine, Receiver(), []) == []
    receiver = Receiver()
    (sent,) = notify_receiver(engine, receiver, [], again=True)
    assert (sent.status, sent.attempts, sent.error, sent.body) == (
        DeliveryStatus.SENT,
        2,
        None,
        failed.body,
    )
    assert len(receiver.bodies) == 1
    assert notify_receiver(engine, receiver, [], again=True) == []
    assert count_deliveries(engine) == {DeliveryStatus.SENT: 2}


def test_only_known_webhooks_are_tried_again(sqlite: Engine) -> None:
    """A delivery to a webhook that is gone stays failed."""
    notify_receiver(sqlite, Receiver(404), [CHANGE])
    other = (Webhook("other", url_env="HOOK"),)
    assert notify_receiver(sqlite, Receiver(), [], hooks=other, again=True) == []
    assert count_deliveries(sqlite) == {DeliveryStatus.FAILED: 1}


def test_one_receiver_s_failure_stops_no_other(sqlite: Engine) -> None:
    """A withdrawn address is logged as failed, and the other hook gets its notification."""
    hooks = (Webhook("gone", url="http://127.0.0.1:1/x", states=()), Webhook("ops", url_env="HOOK"))
    refused = Webhook("bad", url_env="BAD")
    receiver = Receiver()
    sent = notify_receiver(sqlite, receiver, [CHANGE], hooks=(*hooks, refused))
    outcome = {each.hook: each.status for each in sent}
    assert outcome == {"ops": DeliveryStatus.SENT, "bad": DeliveryStatus.FAILED}
    assert len(receiver.bodies) == 1


@pytest.mark.parametrize(
    ("hook", "variable"),
    [
        (Webhook("ops", url_env="HOOK_URL"), "HOOK_URL"),
        (Webhook("ops", url_env="HOOK", secret_env="HOOK_SECRET"), "HOOK_SECRET"),
    ],
)
def test_a_missing_variable_is_named(sqlite: Engine, hook: Webhook, variable: str) -> None:
    """Without the address or the secret nothing is sent, and the log names the variable to set."""
    receiver = Receiver()
    (failed,) = notify_receiver(
        sqlite, receiver, [CHANGE], hooks=[hook], environment={"HOOK": "http://127.0.0.1:1/x"}
    )
    assert failed.status is DeliveryStatus.FAILED
    assert variable in str(failed.error)
    assert receiver.bodies == []


def test_a_signed_body_carries_its_mark(sqlite: Engine) -> None:
    """The receiver can check the signature with the shared secret over time and body."""
    receiver = Receiver()

    async def main() -> None:
        app = web.Application()
        app.router.add_post("/", receiver.handle)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        address = f"http://127.0.0.1:{runner.addresses[0][1]}/"
        hook = Webhook("ops", url_env="HOOK", secret_env="SIGN")
        variables = {"HOOK": address, "SIGN": SECRET}
        await send(sqlite, [hook], [CHANGE], variables, clock=lambda: 1000.0, rng=random.Random(0))
        await runner.cleanup()

    asyncio.run(main())
    wanted = hmac.new(SECRET.encode(), b"1000." + receiver.raw[0], hashlib.sha256).hexdigest()
    assert receiver.headers[0]["X-Assay-Signature"] == f"t=1000,v1={wanted}"


def test_nothing_secret_stands_in_the_log(sqlite: Engine) -> None:
    """Neither the address, nor the secret, nor what the receiver answered is in any column."""
    hooks = [
        Webhook("refused", url_env="HOOK", secret_env="SIGN"),
        Webhook("unreached", url_env="NOWHERE", secret_env="SIGN"),
    ]
    receiver = Receiver(404)

    async def main() -> None:
        app = web.Application()
        app.router.add_post("/secret-path", receiver.handle)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        address = f"http://127.0.0.1:{runner.addresses[0][1]}/secret-path"
        variables = {"HOOK": address, "NOWHERE": "nonsense://secret-path", "SIGN": SECRET}
        await send(sqlite, hooks, [CHANGE], variables, clock=lambda: 1.0, rng=random.Random(0))
        await runner.cleanup()

    asyncio.run(main())
    with sqlite.connect() as connection:
        logged = str(connection.execute(text("SELECT * FROM deliveries")).all())
    assert logged.count("failed") == 2
    for secret in (SECRET, "secret-path", "127.0.0.1", "own words"):
        assert secret not in logged


def test_only_the_states_a_hook_asks_for_are_sent(sqlite: Engine) -> None:
    """A hook for COOKED alone is not told of OK."""
    better = replace(CHANGE, before=ModelState.COOKED, after=ModelState.OK)
    receiver = Receiver()
    hook = Webhook("ops", url_env="HOOK", states=(ModelState.COOKED,))
    notify_receiver(sqlite, receiver, [CHANGE, better], hooks=[hook])
    assert [body["after"] for body in receiver.bodies] == ["COOKED"]


def test_first_verdicts_that_are_no_news_are_not_told(watching_sqlite: Any, wrong: Any) -> None:
    """Calibrating and the first OK stay silent; the fall is told with the use case that fell."""
    silent = [notifications(watching_sqlite.on(day)[0].changes, simulated=False) for day in range(6)]
    assert silent == [[]] * 6
    ended, _ = watching_sqlite.on(6, wrong(0))
    (fall,) = notifications(ended.changes, simulated=True)
    assert (fall.before, fall.after, fall.simulated) == (ModelState.OK, ModelState.SUSPICIOUS, True)
    assert [(note.name, note.score) for note in fall.use_cases] == [("use-0", 0.0)]
