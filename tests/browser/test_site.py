"""The live pages in a real browser: every kind of page, two widths, two themes, by mouse and by keyboard."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from site_server import Site, served
from watched_database import watched_work

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]
BLOCKED = "Blocked script execution"
"""The browser's message that a script in a preview was not run."""
MOST_OF_A_KIND = 2
"""Pages of one kind that are opened; kinds differ by more than numbers and names."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Twelve days of two models, one of which fell on the last day, with some web pages; and a board."""

    def answer(model: str, case: str, day: int, right: bool) -> str:
        word = "right" if right else "wrong"
        page = f"<html><body><h1>{word}</h1><script>alert(1)</script></body></html>"
        return page if case.endswith("-1") else f"The answer of day {day} is {word}."

    work = watched_work(tmp_path_factory.mktemp("site"), answer=answer)
    models = work.models(["simulated/steady", "simulated/degrading"])
    with ThreadPoolExecutor(1) as pool:  # the browser's event loop runs in this thread
        pool.submit(asyncio.run, work.run(work.plan(work.suite("causal"), models))).result()
    with served(work) as running:
        running.get("/frontier/causal")
        yield running


def opened(browser: Browser, site: Site, **options: Any) -> tuple[Page, list[str]]:
    """Return a browser's page and the list of what the console and scripts complained about."""
    page = browser.new_context(base_url=f"http://127.0.0.1:{site.port}", **options).new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(f"{page.url} {message.type}: {message.text}"))
    page.on("pageerror", lambda error: complaints.append(f"{page.url} uncaught: {error}"))
    page.on("dialog", lambda dialog: (complaints.append(f"{page.url} dialog"), dialog.dismiss()))
    return page, complaints


def kind_of(path: str) -> str:
    """Return an address without its numbers, days and names."""
    plain = path.partition("?")[0]
    plain = re.sub(r"(?<=^/cases/)[^/]+/.*|(?<=^/compare/).*|(?<=^/samples/).+", "*", plain)
    return re.sub(r"\d[\d.-]*", "0", plain)


def walk(page: Page) -> Iterator[str]:
    """Open pages of every kind that links lead to, from the front page on, and yield their paths."""
    waiting, seen, kinds = ["/"], {"/"}, dict[str, int]()
    while waiting:
        path = waiting.pop(0)
        kind = kind_of(path)
        kinds[kind] = kinds.get(kind, 0) + 1
        if kinds[kind] > MOST_OF_A_KIND:
            continue
        reply = page.goto(path)
        assert reply is not None
        assert reply.status == 200, path
        if not reply.headers["content-type"].startswith("text/html"):
            continue
        page.locator(".chart:not([data-drawn])").first.wait_for(state="detached")
        yield path
        links = page.eval_on_selector_all("a[href]", "links => links.map(link => link.getAttribute('href'))")
        for link in links:
            address = link.partition("#")[0]
            if (
                address.startswith("/")
                and address not in seen
                and "." not in address.rpartition("/")[2].strip("0123456789.")
            ):
                seen.add(address)
                waiting.append(address)


@pytest.mark.parametrize(("width", "theme"), [(1280, "light"), (360, "dark")])
def test_every_page_is_legible_and_accessible(browser: Browser, site: Site, width: int, theme: Any) -> None:
    """No serious violation, nothing beside the screen, no console message, at two widths and two themes."""
    page, complaints = opened(browser, site, viewport={"width": width, "height": 800}, color_scheme=theme)
    axe, paths = Axe(), []
    for path in walk(page):
        paths.append(path)
        found = axe.run(page).response["violations"]
        serious = [
            (rule["id"], node["html"])
            for rule in found
            if rule["impact"] in ("serious", "critical")
            for node in rule["nodes"][:2]
        ]
        assert serious == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
    assert [complaint for complaint in complaints if BLOCKED not in complaint] == []
    kinds = {kind_of(path) for path in paths}
    assert {"/", "/watch/small/0", "/watch/small/0/0", "/cases/*", "/samples/*", "/compare/*"} <= kinds
    assert {"/boards/causal", "/boards/causal/report", "/frontier/causal", "/samples", "/runs/0"} <= kinds
    page.context.close()


def test_why_was_this_model_called_cooked(browser: Browser, site: Site) -> None:
    """From the front page to the two answers that differ in three clicks."""
    page, complaints = opened(browser, site)
    page.goto("/")
    page.get_by_role("link", name="2026-03-13: COOKED").click()
    assert page.get_by_role("heading", name="2026-03-13").is_visible()
    page.get_by_role("link", name="case-0-0").first.click()
    sides = page.locator(".sides pre")
    assert [side.inner_text() for side in sides.all()] == [
        "The answer of day 10 is right.",
        "The answer of day 11 is wrong.",
    ]
    assert complaints == []
    page.context.close()


def test_the_same_by_keyboard_alone(browser: Browser, site: Site) -> None:
    """Tab and Enter reach the answers, and focus is always visible."""
    page, _ = opened(browser, site)
    page.goto("/")

    def follow(name: str) -> None:
        for _ in range(120):
            page.keyboard.press("Tab")
            focused = page.locator(":focus")
            if name in (focused.get_attribute("aria-label"), focused.inner_text()):
                assert focused.evaluate("link => getComputedStyle(link).outlineStyle") != "none"
                with page.expect_navigation():
                    page.keyboard.press("Enter")
                return
        raise AssertionError(f"{name!r} cannot be reached")

    follow("2026-03-13: COOKED")
    follow("case-0-0")
    assert page.url.rpartition("/")[0].endswith("/compare/11.10")
    page.context.close()


def test_a_point_of_a_chart_leads_to_its_day(browser: Browser, site: Site) -> None:
    """A click on the last day of a chart opens the cases of that day."""
    page, _ = opened(browser, site, viewport={"width": 1280, "height": 900})
    page.goto("/watch/small/2")
    page.locator(".chart:not([data-drawn])").first.wait_for(state="detached")
    box = page.locator(".chart").first.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] - 12, box["y"] + box["height"] / 2)
    page.wait_for_url("**/watch/small/2/2026-03-13")
    page.context.close()


def test_a_preview_runs_no_script(browser: Browser, site: Site) -> None:
    """A web page that a model wrote is shown in its frame, without its script."""
    page, complaints = opened(browser, site)
    page.goto("/samples/12.1")
    frame = page.frame_locator("iframe.preview")
    assert frame.get_by_role("heading", name="right").is_visible()
    assert [BLOCKED in complaint for complaint in complaints] == [True]
    page.context.close()


def test_tables_sort_and_pages_print(browser: Browser, site: Site) -> None:
    """A click on a heading sorts; printing shows no bar."""
    page, _ = opened(browser, site)
    page.goto("/watch/small/2/2026-03-13")
    page.get_by_role("button", name="Case", exact=True).click()
    first = page.locator("#cases tbody tr th").first.inner_text()
    page.get_by_role("button", name="Case", exact=True).click()
    assert page.locator("#cases tbody tr th").first.inner_text() != first
    page.emulate_media(media="print")
    assert not page.locator("nav.site-bar").is_visible()
    page.context.close()
