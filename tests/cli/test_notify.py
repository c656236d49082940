"""`assay notify`: the log of notifications, and sending failed ones again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from aiohttp import web
from command_line import Assay
from in_thread import in_thread
from schemas import valid

from assay.core.notification import DeliveryStatus, Notification
from assay.core.verdict import ModelState
from assay.core.workspace import Webhook
from assay.notify.webhooks import prepare
from assay.providers.served import serving
from assay.store.engine import open_database
from assay.store.verdicts import add_deliveries, finish_delivery

CHANGE = Notification("mine/a", "small", "1", date(2026, 11, 7), ModelState.OK, ModelState.COOKED)


@contextmanager
def receiving(status: int) -> Iterator[tuple[str, list[str]]]:
    """Serve a receiver that answers with a status; yield its address and the bodies that it gets."""
    bodies: list[str] = []

    async def take(request: web.Request) -> web.Response:
        bodies.append(await request.text())
        return web.Response(status=status)

    app = web.Application()
    app.router.add_post("/hook", take)
    with in_thread(serving(app, 0)) as address:
        yield f"{address}/hook", bodies


@pytest.fixture
def logged(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace with a webhook, a notification that failed, and one to a webhook that is gone."""
    monkeypatch.setenv("COLUMNS", "200")
    (folder / "assay.yaml").write_text("notify:\n  - {name: team, url_env: TEAM_HOOK}\n")
    engine = open_database(str(folder / "assay.db"))
    for hook in ("team", "gone"):
        delivery = prepare(Webhook(hook, url_env="TEAM_HOOK"), CHANGE, now=1_795_000_000.0)
        add_deliveries(engine, [delivery])
        failed = replace(delivery, status=DeliveryStatus.FAILED, attempts=5, http_status=503)
        finish_delivery(engine, replace(failed, error="answered 503", finished_at=1_795_000_060.0))
    engine.dispose()
    return folder


def test_the_log_is_listed(logged: Path, assay: Assay) -> None:
    """With time, status, attempts and reason; the body is not published."""
    ended = assay("notify", "list")
    assert ended.status == 0
    assert "team  failed         5   503  verdict/small/1/mine/a/2026-11-07/COOKED" in ended.out
    (first, _) = valid("notify", assay("notify", "list", "--status", "failed", "--json"))["deliveries"]
    assert first["created_at"] == "2026-11-18T11:06:40Z"
    assert (first["http_status"], first["error"]) == (503, "answered 503")
    assert "body" not in first
    assert valid("notify", assay("notify", "list", "--status", "sent", "--json"))["deliveries"] == []
    assert len(valid("notify", assay("notify", "list", "--limit", "1", "--json"))["deliveries"]) == 1


def test_failed_ones_are_sent_again(logged: Path, assay: Assay, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those to known webhooks; afterwards none is waiting."""
    with receiving(204) as (address, bodies):
        monkeypatch.setenv("TEAM_HOOK", address)
        (sent,) = valid("notify", assay("notify", "retry", "--json"))["deliveries"]
        assert (sent["hook"], sent["status"], sent["attempts"], sent["http_status"]) == (
            "team",
            "sent",
            6,
            204,
        )
        assert len(bodies) == 1
        ended = assay("notify", "retry")
    assert (ended.status, ended.out) == (0, "")
    assert "no notification is waiting" in ended.err
    assert len(bodies) == 1


def test_another_failure_is_bad_news(logged: Path, assay: Assay, monkeypatch: pytest.MonkeyPatch) -> None:
    """The exit status is 3, the log counts the attempt, and no message has the address."""
    with receiving(410) as (address, _):
        monkeypatch.setenv("TEAM_HOOK", address)
        ended = assay("notify", "retry", "--hook", "team")
        assert ended.status == 3
        assert "1 notification failed again" in ended.err
        assert address not in ended.out + ended.err
    (one, _) = valid("notify", assay("notify", "list", "--json"))["deliveries"][::-1]
    assert (one["hook"], one["attempts"], one["http_status"]) == ("team", 6, 410)


def test_unknown_webhooks_and_none(logged: Path, assay: Assay) -> None:
    """The errors say what to do."""
    ended = assay("notify", "retry", "--hook", "gone")
    assert (ended.status, ended.out) == (2, "")
    assert "no webhook 'gone': use one of team" in ended.err
    (logged / "assay.yaml").write_text("{}\n")
    ended = assay("notify", "retry")
    assert ended.status == 0
    assert "list them under `notify`" in ended.err
