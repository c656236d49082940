"""The pages behind the sign-in in a real browser: administration, API, delivery log and feeds."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from banked import SEALER
from exam_room import room
from hostile_names import HOSTILE
from site_server import Site, served
from watched_database import watched_work

from assay.core.notification import Notification
from assay.core.verdict import ModelState
from assay.core.workspace import Webhook
from assay.notify.webhooks import prepare
from assay.store.verdicts import add_deliveries
from assay.web.app import create_app
from assay.web.site.access import SiteAccess

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]
OWNER = "owner-secret-of-16"
PATHS = ("/admin", "/docs", "/deliveries", "/feeds")
CHANGE = Notification("simulated/falling", "small", "1", date(2026, 3, 13), None, ModelState.COOKED)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A watched suite, an exam with an open session, and a delivery that was not sent."""
    folder: Path = tmp_path_factory.mktemp("site")
    work = watched_work(folder, days=7)
    room(work.engine).open(now=time.time())
    waiting = prepare(Webhook("team", url_env="HOOK"), CHANGE, now=1_774_936_800.0)
    add_deliveries(work.engine, [waiting, replace(waiting, hook="other", event=HOSTILE)])
    document = create_app(work.engine, SEALER).openapi()
    with served(work, SiteAccess("reader-secret-of-16", OWNER), openapi=lambda: document) as running:
        yield running


def signed_in(browser: Browser, site: Site, **options: Any) -> tuple[Page, list[str]]:
    """Sign in through the form, and return the page with what the console and scripts complained about."""
    page = browser.new_context(base_url=f"http://127.0.0.1:{site.port}", **options).new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(f"{page.url} uncaught: {error}"))
    page.goto("/admin")
    page.fill("[name=secret]", OWNER)
    page.click("button[type=submit]")
    page.wait_for_url("**/admin")
    page.on("console", lambda message: complaints.append(f"{page.url} {message.type}: {message.text}"))
    return page, complaints


@pytest.mark.parametrize(("width", "theme"), [(1280, "dark"), (360, "light")])
def test_the_pages_are_legible_and_accessible(browser: Browser, site: Site, width: int, theme: Any) -> None:
    """A browser can sign in; no serious violation, nothing beside the screen, and a silent console."""
    page, complaints = signed_in(browser, site, viewport={"width": width, "height": 800}, color_scheme=theme)
    for path in PATHS:
        reply = page.goto(path)
        assert reply is not None
        assert reply.status == 200
        violations = [
            (rule["id"], node["html"])
            for rule in Axe().run(page).response["violations"]
            if rule["impact"] in ("serious", "critical")
            for node in rule["nodes"][:2]
        ]
        assert violations == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
    assert complaints == []
    page.context.close()


def test_a_table_of_the_administration_is_sorted(browser: Browser, site: Site) -> None:
    """By a click on a heading, which says so to screen readers."""
    page, _ = signed_in(browser, site)
    users = page.locator("#users")
    users.get_by_role("button", name="User").click()
    assert users.locator("th[aria-sort=ascending]").count() == 1
    names = users.locator("tbody th").all_inner_texts()
    assert names == sorted(names)
    page.context.close()


def test_badges_are_shown(browser: Browser, site: Site) -> None:
    """Each image of the page of feeds is drawn."""
    page, _ = signed_in(browser, site)
    page.goto("/feeds")
    page.locator("#badges img").last.scroll_into_view_if_needed()
    page.wait_for_load_state("networkidle")
    drawn = page.eval_on_selector_all("#badges img", "images => images.map(image => image.naturalWidth)")
    assert len(drawn) == 2
    assert min(drawn) > 100
    page.context.close()
