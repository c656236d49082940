"""The keyed board's page in a real browser: charts, network requests, keyboard and width."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from keyed_answers import simulated
from stored_keyed_boards import bare, full, stored_keyed

from assay.report.board.keyed import write_keyed_board
from assay.runs.board.stored import StoredKeyedBoard

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.slow]
MADE = datetime(2026, 3, 22, 6, 30, tzinfo=UTC)


def many() -> StoredKeyedBoard:
    """Return 80 models."""
    return stored_keyed(simulated(np.random.default_rng(2), np.linspace(0.3, 0.9, 80)))


@pytest.mark.parametrize(
    ("stored", "charts"), [(full(), 2), (bare(), 0), (many(), 2)], ids=["full", "bare", "many"]
)
@pytest.mark.parametrize(("width", "scheme"), [(1280, "dark"), (390, "light"), (320, "light")])
def test_charts_are_drawn_without_requests_or_sideways_scrolling(
    browser: Browser, tmp_path: Path, stored: StoredKeyedBoard, charts: int, width: int, scheme: str
) -> None:
    """The charts are the accuracies and the rank ranges."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    console: list[str] = []
    requests: list[str] = []
    page.on("console", lambda message: console.append(message.text))
    page.on("pageerror", lambda error: console.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(write_keyed_board(stored, tmp_path / "board.html", made=MADE))
    page.locator(".chart:not([data-drawn])").first.wait_for(state="detached")
    assert page.locator(".chart svg").count() == charts
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert console == []
    assert [address.partition(":")[0] for address in requests] == ["file"]
    context.close()


def test_cells_have_tooltips_and_tables_are_sorted(browser: Browser, tmp_path: Path) -> None:
    """A focused cell of a concept shows its counts; a click on a header sorts by it."""
    page = browser.new_page()
    page.goto(write_keyed_board(full(), tmp_path / "board.html", made=MADE))
    page.locator(".chart:not([data-drawn])").first.wait_for(state="detached")
    page.locator("#groups .matrix td[tabindex='0']").focus()
    assert "4 of 4 valid right" in page.locator("#tip").inner_text()
    page.locator("table.standings thead button", has_text="unread").click()
    assert page.locator("table.standings tbody th").first.inner_text().endswith("model-04")
    page.close()
