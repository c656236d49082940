"""Samples and runs in a real browser: keys that walk through rows and pages, and a run that is followed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe
from site_server import Site, served
from sqlalchemy import delete, update
from watched_database import watched_work

from assay.runs.work import Work
from assay.store.engine import writing
from assay.store.locks import run_lock
from assay.store.schema import locks, runs, samples

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Work:
    """Twelve days of two models with ten cases; the last run is still going on."""
    work = watched_work(tmp_path_factory.mktemp("site"))
    with writing(work.engine) as connection:
        last = runs.c.id == 12
        connection.execute(update(runs).where(last).values(status="running", finished_at=None))
        connection.execute(delete(samples).where(samples.c.run == 12, samples.c.position >= 10))
        lock = {"name": run_lock(12), "holder": "host:1", "taken_at": 0.0, "expires_at": 4e9}
        connection.execute(locks.insert(), lock)
    return work


@pytest.fixture(scope="module")
def site(work: Work) -> Iterator[Site]:
    """The pages of these runs."""
    with served(work) as running:
        yield running


@pytest.fixture
def page(browser: Browser, site: Site) -> Iterator[Page]:
    """A browser's page, whose scripts must not fail."""
    page = browser.new_context(base_url=f"http://127.0.0.1:{site.port}").new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    page.context.close()
    assert errors == []


@pytest.mark.parametrize("view", ["", "?view=read"])
def test_keys_walk_through_samples_and_pages(page: Page, view: str) -> None:
    """j and k choose a row, n and p turn the page, Enter opens the sample."""
    page.goto(f"/samples{view}")
    chosen = page.locator("[data-row][aria-selected=true]")
    for key, name in (("j", "12.9"), ("j", "12.8"), ("k", "12.9")):
        page.keyboard.press(key)
        assert chosen.locator("a").first.inner_text() == name
    with page.expect_navigation():
        page.keyboard.press("n")
    assert "before=" in page.url
    with page.expect_navigation():
        page.keyboard.press("p")
    assert page.locator("[data-row] a").first.inner_text() == "12.9"
    page.keyboard.press("j")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert page.url.endswith("/samples/12.9")


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize(
    "path",
    [
        "/samples?flipped=yes&model=simulated/steady",
        "/samples?view=read",
        "/samples?text=none",
        "/runs/12",
        "/runs",
    ],
)
def test_pages_are_accessible_and_fit(page: Page, path: str, width: int) -> None:
    """No serious violation, and nothing beside the screen."""
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(path)
    violations = Axe().run(page).response["violations"]
    assert [rule["id"] for rule in violations if rule["impact"] in ("serious", "critical")] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_typing_into_the_filter_turns_no_page(page: Page) -> None:
    """Letters belong to the field; the folded conditions can be opened and used."""
    page.goto("/samples")
    page.get_by_label("Text in the answer").press_sequentially("jknp right")
    assert page.url.endswith("/samples")
    page.get_by_label("Text in the answer").fill("right")
    page.get_by_text("More conditions").click()
    page.get_by_label("Run", exact=True).fill("3")
    page.get_by_role("button", name="Filter").click()
    assert page.locator("[data-row]").count() == 20
    assert page.get_by_label("Run", exact=True).is_visible()


def test_a_run_is_followed_until_it_ends(page: Page, work: Work) -> None:
    """Figures and bar change without loading the page; at the end the page is loaded again."""
    page.goto("/runs/12")
    done, bar = page.locator("[data-live=done]"), page.locator("progress")
    page.get_by_text("These figures are updated as the run goes on.").wait_for()
    assert (done.inner_text(), bar.get_attribute("value")) == ("10", "10")
    with writing(work.engine) as connection:
        connection.execute(delete(samples).where(samples.c.run == 12, samples.c.position >= 3))
    page.locator("[data-live=done]", has_text="3").wait_for()
    assert bar.evaluate("bar => bar.value / bar.max") == 0.15
    with page.expect_navigation(), writing(work.engine) as connection:
        connection.execute(update(runs).where(runs.c.id == 12).values(status="stopped", reason="enough"))
    assert page.get_by_text("The run was stopped: enough.").is_visible()
