"""A real browser for tests of served pages."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUM = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
CHROMIUM += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A real browser, closed with the module: its event loop would stand in the way of others' tests."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    reason = "no chromium: apt-get install chromium to test pages in a browser"
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        path, reason = None, "playwright is not installed: no browser to test pages in"
    if path is None:
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=CHROMIUM)
        yield opened
        opened.close()
