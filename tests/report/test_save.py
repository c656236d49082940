"""Writing pages and charts to files."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import altair as alt
import pytest

from assay.core.errors import InvalidInput
from assay.report.save import chart_page, save_chart
from assay.report.watch.page import save_verdicts
from assay.runs.watch.verdicts import Verdicts

if TYPE_CHECKING:
    from playwright.sync_api import Browser

MakeVerdicts = Callable[..., Verdicts]
MADE = datetime(2026, 3, 22, 6, 30, tzinfo=UTC)


def test_the_page_is_written_and_its_address_returned(verdicts: MakeVerdicts, tmp_path: Path) -> None:
    """It is a file address with encoded characters, which a browser opens."""
    address = save_verdicts(verdicts(), tmp_path / "my report.html", made=MADE)
    assert address == (tmp_path / "my report.html").as_uri()
    assert (tmp_path / "my report.html").read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize("place", ["missing/report.html", "."])
def test_a_path_that_cannot_be_written_is_refused(verdicts: MakeVerdicts, tmp_path: Path, place: str) -> None:
    """The message names the file."""
    with pytest.raises(InvalidInput, match="cannot write a page"):
        save_verdicts(verdicts(), tmp_path / place, made=MADE)
    assert not list(tmp_path.iterdir())


def test_a_chart_page_escapes_its_title_and_data() -> None:
    """A file's name and a label cannot become markup, and the page has a strict policy."""
    label = "</script><script>alert(1)</script>"
    chart = alt.Chart(alt.InlineData(values=[{"name": label}])).mark_point().encode(x="name:N")
    page = chart_page(chart, title="<b>plot</b>")
    assert "<script>alert" not in page
    assert "<title>&lt;b&gt;plot&lt;/b&gt;</title>" in page
    assert "default-src &#x27;none&#x27;" in page


@pytest.mark.browser
@pytest.mark.slow
def test_a_chart_page_draws_under_its_policy(browser: Browser, tmp_path: Path) -> None:
    """The chart and its tooltip appear, and the console has no messages."""
    values = alt.InlineData(values=[{"name": "one", "count": 3}])
    chart = alt.Chart(values).mark_bar().encode(x="count:Q", y="name:N", tooltip="name:N")
    save_chart(chart, tmp_path / "plot.html")
    page = browser.new_page()
    console: list[str] = []
    page.on("console", lambda message: console.append(message.text))
    page.goto((tmp_path / "plot.html").as_uri())
    page.locator("#chart svg .mark-rect path").hover()
    assert page.locator("#vg-tooltip-element").inner_text() == "one"
    assert console == []
    page.close()
