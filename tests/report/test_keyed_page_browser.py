"""The keyed board's page in a real browser: it draws, asks nobody for anything, and fits a phone."""

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
def test_it_draws_fits_and_asks_nobody(
    browser: Browser, tmp_path: Path, stored: StoredKeyedBoard, charts: int, width: int, scheme: str
) -> None:
    """Accuracies and rank ranges; nothing on the console, nothing from a network, no sideways scrolling."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(write_keyed_board(stored, tmp_path / "board.html", made=MADE))
    page.locator(".chart:not([data-drawn])").first.wait_for(state="detached")
    assert page.locator(".chart svg").count() == charts
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert said == []
    assert [address.partition(":")[0] for address in asked] == ["file"]
    context.close()


def test_cells_are_told_by_keyboard_and_tables_sorted(browser: Browser, tmp_path: Path) -> None:
    """A concept's cell says its counts; a click on a head sorts by it."""
    page = browser.new_page()
    page.goto(write_keyed_board(full(), tmp_path / "board.html", made=MADE))
    page.locator(".chart:not([data-drawn])").first.wait_for(state="detached")
    page.locator("#groups .matrix td[tabindex='0']").focus()
    assert "4 of 4 valid right" in page.locator("#tip").inner_text()
    page.locator("table.standings thead button", has_text="unread").click()
    assert page.locator("table.standings tbody th").first.inner_text().endswith("model-04")
    page.close()
