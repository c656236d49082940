"""Feeds over HTTP: types, secrets of programs, host names, health, the delivery log and the exam's API."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from banked import SEALER
from fresh_database import fresh_sqlite
from hostile_names import HOSTILE
from lxml import etree, html
from prometheus_client.parser import text_string_to_metric_families
from site_server import Site, served
from watched_database import watched_work

from assay.core.model import Model
from assay.core.notification import DeliveryStatus, Notification
from assay.core.verdict import ModelState
from assay.core.workspace import Webhook
from assay.notify.webhooks import prepare
from assay.report.site.deliveries import MOST_DELIVERIES
from assay.store.engine import writing
from assay.store.verdicts import add_deliveries, finish_delivery
from assay.web.app import create_app
from assay.web.site.access import SiteAccess

READER, OWNER = "reader-secret-of-16", "owner-secret-of-16"
FILES = ("/feed.atom", "/badges/small/2.svg", "/metrics")
PAGES = ("/feeds", "/deliveries")
CHANGE = Notification(
    model="simulated/falling",
    suite="small",
    suite_version="1",
    day=date(2026, 3, 13),
    before=ModelState.OK,
    after=ModelState.COOKED,
    simulated=True,
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Twelve days of two models, one of which fell on the last day."""
    with served(watched_work(tmp_path_factory.mktemp("site"))) as running:
        yield running


@pytest.fixture
def clock() -> list[float]:
    """A time that tests set."""
    return [1_000_000.0]


@pytest.fixture
def closed(tmp_path: Path, clock: list[float]) -> Iterator[Site]:
    """Pages that need a sign-in."""
    access = SiteAccess(READER, OWNER, clock=lambda: clock[0])
    with served(watched_work(tmp_path, days=7), access) as running:
        yield running


def test_files_have_their_types(site: Site) -> None:
    """Each is read by a parser of its kind, and its policy allows nothing."""
    types = ("application/atom+xml", "image/svg+xml", "text/plain; version=0.0.4")
    for path, kind in zip(FILES, types, strict=True):
        page = site.get(path)
        assert (page.status, page.headers["content-type"]) == (200, f"{kind}; charset=utf-8")
        assert page.headers["content-security-policy"].startswith("default-src 'none'")
        assert page.headers["cache-control"] == "no-store"
        if kind.endswith("xml"):
            etree.fromstring(page.text.encode())
        else:
            assert len(list(text_string_to_metric_families(page.text))) > 5
        assert "imulated" in page.text or "SIMULATED" in page.text


def test_links_of_the_feed_lead_to_pages_of_this_host(site: Site) -> None:
    """The address is that of the request."""
    feed = etree.fromstring(site.get("/feed.atom", Host=f"localhost:{site.port}").text.encode())
    links = [link.get("href", "") for link in feed.iter("{*}link")]
    assert len(links) == 3
    for link in links:
        assert link.startswith(f"http://localhost:{site.port}/")
        assert site.get(link.removeprefix(f"http://localhost:{site.port}")).status == 200


@pytest.mark.parametrize(
    "path", ["/badges/small/99.svg", "/badges/none/1.svg", "/badges/small/x.svg", "/badges/small/1"]
)
def test_unknown_badges_are_not_found(site: Site, path: str) -> None:
    """Status 404 and no image."""
    page = site.get(path)
    assert page.status == 404
    assert "svg" not in page.headers["content-type"]


@pytest.mark.parametrize("path", FILES)
def test_programs_send_the_readers_secret(closed: Site, path: str) -> None:
    """Without it they get 401, without a redirect to the sign-in."""
    refused = closed.get(path)
    assert (refused.status, refused.headers["www-authenticate"]) == (401, "Bearer")
    for scheme in ("Bearer", "bearer"):
        assert closed.get(path, Authorization=f"{scheme} {READER}").status == 200
    for wrong in (f"Basic {READER}", "Bearer", f"Bearer {READER}x", READER):
        assert closed.get(path, Authorization=wrong).status == 401
    assert closed.cookies == {}


@pytest.mark.parametrize("path", PAGES)
def test_pages_need_a_sign_in(closed: Site, path: str) -> None:
    """A browser is sent to the form; the secret in the header opens pages too."""
    assert closed.get(path).status == 303
    assert closed.get(path, Authorization=f"Bearer {READER}").status == 200


def test_a_program_is_never_the_owner(closed: Site) -> None:
    """The owner's secret in a header opens what a reader may see."""
    assert closed.get("/metrics", Authorization=f"Bearer {OWNER}").status == 200
    assert closed.get("/admin", Authorization=f"Bearer {OWNER}").status == 303


def test_wrong_secrets_of_programs_are_limited(closed: Site, clock: list[float]) -> None:
    """They count together with those of the form; a minute later the right one works again."""
    for _ in range(5):
        assert closed.get("/metrics", Authorization="Bearer wrong").status == 401
    for _ in range(5):
        closed.post("/sign-in", {"secret": "wrong"})
    assert closed.get("/metrics", Authorization=f"Bearer {READER}").status == 429
    assert closed.post("/sign-in", {"secret": READER}).status == 429
    clock[0] += 61
    assert closed.get("/metrics", Authorization=f"Bearer {READER}").status == 200


@pytest.mark.parametrize("path", [*FILES, *PAGES, "/healthz", "/docs"])
def test_other_host_names_are_refused_without_a_sign_in(site: Site, path: str) -> None:
    """As for all pages."""
    assert site.get(path, Host="evil.example").status == 421


@pytest.mark.parametrize("host", ['evil"><script>alert(1)</script>', "a b", "[", "evil\\", "é"])
def test_a_hostile_host_is_text(closed: Site, host: str) -> None:
    """The host stands in addresses of the page and of the feed."""
    for path in ("/feeds", "/feed.atom"):
        page = closed.get(path, Host=host.encode().decode("latin-1"), Authorization=f"Bearer {READER}")
        assert page.status in (200, 400), (path, page.text)
        assert "<script>alert" not in page.text
        if path == "/feed.atom" and page.status == 200:
            etree.fromstring(page.text.encode())


def test_the_page_of_feeds_has_addresses_and_examples(site: Site) -> None:
    """Absolute addresses of this host, and a badge for each model; only known pages are linked."""
    text = site.get("/feeds").text
    base = f"http://127.0.0.1:{site.port}"
    for example in (f"{base}/feed.atom", f"{base}/metrics", f"{base}/healthz", "format: discord"):
        assert example in text
    assert f"[![simulated/falling]({base}/badges/small/2.svg)]({base}/watch/small/2)" in text
    assert "Authorization" not in text
    page = html.fromstring(text)
    for link in page.xpath("//a/@href | //img/@src"):
        assert site.get(str(link).partition("#")[0]).status == 200, link
    assert '<p class="notice"><strong>Simulated.</strong>' in text


def test_the_page_of_feeds_says_how_programs_sign_in(closed: Site) -> None:
    """With the name of the variable, never with the secret."""
    text = closed.get("/feeds", Authorization=f"Bearer {READER}").text
    assert "Authorization: Bearer $ASSAY_PAGES_SECRET" in text
    assert READER not in text


def test_hostile_models_have_feeds(tmp_path: Path) -> None:
    """On the page, in the feed, in the badge and in the metrics."""
    work = watched_work(tmp_path, days=7, models=[Model("real", HOSTILE), Model("real", "b")], fell_on={0: 6})
    with served(work) as running:
        for path in ("/feeds", "/feed.atom", "/badges/small/1.svg"):
            page = running.get(path)
            assert page.status == 200
            assert "<script>alert" not in page.text
        assert running.get("/metrics").status == 200


def test_health_needs_the_database(tmp_path: Path) -> None:
    """The reply to everybody names neither file nor error."""
    work = watched_work(tmp_path, days=1)
    with served(work, SiteAccess(READER)) as running:
        assert (running.get("/healthz").status, running.get("/healthz").text) == (200, "ok\n")
        with writing(work.engine) as connection:
            connection.exec_driver_sql("ALTER TABLE runs RENAME TO elsewhere")
        failed = running.get("/healthz")
        assert (failed.status, failed.text) == (503, "the database does not respond\n")


def test_the_delivery_log_has_outcomes_and_the_command(tmp_path: Path) -> None:
    """Failed deliveries, the newest first, with what the receiver answered and how to send them again."""
    (tmp_path / "assay.yaml").write_text("notify:\n  - {name: ops, url_env: HOOK}\n")
    work = watched_work(tmp_path, days=1)
    with served(work) as running:
        text = running.get("/deliveries").text
        assert "One is sent when a verdict changes" in text
        first = prepare(Webhook("ops", url_env="HOOK"), CHANGE, now=1_774_936_800.0)
        other = replace(first, hook="<script>alert(1)</script>", event=HOSTILE)
        add_deliveries(work.engine, [first, other])
        failed = replace(
            first, status=DeliveryStatus.FAILED, attempts=5, http_status=503, error="answered 503"
        )
        finish_delivery(work.engine, failed)
        text = running.get("/deliveries").text
    assert "<script>alert" not in text
    rows = [
        [" ".join(cell.text_content().split()) for cell in row.xpath("./th | ./td")]
        for row in html.fromstring(text).xpath("//tbody/tr")
    ]
    assert rows[1] == [
        "2026-03-31T06:00:00Z",
        "ops",
        "failed",
        "5",
        "503",
        "answered 503",
        "verdict/small/1/simulated/falling/2026-03-13/COOKED simulated",
    ]
    assert rows[0][2:5] == ["pending", "0", "–"]
    assert "assay notify retry" in text
    assert "2 notifications were not delivered" in text
    assert '<p class="notice"><strong>Simulated.</strong>' in text


def test_a_long_delivery_log_is_cut(tmp_path: Path) -> None:
    """The page says how to see the rest."""
    work = watched_work(tmp_path, days=0)
    hook = Webhook("ops", url="https://example.org")
    add_deliveries(
        work.engine,
        [replace(prepare(hook, CHANGE, now=1.0), event=f"event {number}") for number in range(203)],
    )
    with served(work) as running:
        text = running.get("/deliveries").text
    assert text.count("<tr data-row>") == MOST_DELIVERIES == 200
    assert "The last 200 of 203" in text


def test_the_api_has_a_page_where_an_exam_is_served(site: Site, tmp_path: Path) -> None:
    """Every operation and body is on it, every link leads somewhere, and every example can be typed."""
    assert "This process serves no exam" in site.get("/docs").text
    assert 'href="/docs"' not in site.get("/feeds").text
    engine = fresh_sqlite(tmp_path / "exam.db")
    document = create_app(engine, SEALER).openapi()
    with served(watched_work(tmp_path, days=0), openapi=lambda: document) as running:
        assert 'href="/docs"' in running.get("/feeds").text
        text = running.get("/docs").text
    engine.dispose()
    page = html.fromstring(text)
    ids = [str(name) for name in page.xpath("//@id")]
    assert len(ids) == len(set(ids))
    assert {link[1:] for link in map(str, page.xpath("//a/@href")) if link.startswith("#")} <= set(ids)
    examples = [str(example) for example in page.xpath("//section//pre/text()")]
    operations = [(method.upper(), path) for path, methods in document["paths"].items() for method in methods]
    assert len(examples) == len(operations)
    for (method, path), example in zip(operations, examples, strict=False):
        assert f"{method} {path}" in text
        assert shlex.split(example)[0] == "curl"
    for name in document["components"]["schemas"]:
        assert f"schema-{name}" in ids
    assert not re.search(r"https?://(?!127\.0\.0\.1)", text)
