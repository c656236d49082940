"""The page of a frontier report: one file, with the caveats before the figures."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from frontier_reports import report

from assay.report.frontier.charts import report_charts
from assay.report.frontier.headline import cautions
from assay.report.frontier.more_tables import more_tables
from assay.report.frontier.page import report_page
from assay.report.frontier.tables import paper_tables
from assay.studies.frontier.report_result import FrontierReport

if TYPE_CHECKING:
    from playwright.sync_api import Browser

MADE = datetime(2026, 3, 22, 6, 30, tzinfo=UTC)


def page(found: FrontierReport) -> str:
    """Return the page of a report."""
    specs: dict[str, Any] = {name: chart.to_dict() for name, chart in report_charts(found).items()}
    return report_page(found, (*paper_tables(found), *more_tables(found)), specs, made=MADE)


@pytest.mark.slow
def test_it_holds_the_headline_the_caveats_and_every_table() -> None:
    """The caveats come before the first table, and nothing is fetched."""
    found = report()
    text = page(found)
    places = [
        text.index(word)
        for word in ("The best single model, model-", "the oracle is not a router", "Table 1.")
    ]
    assert places == sorted(places)
    for number in range(1, 7):
        assert f"Table {number}." in text
    assert "2026-03-22 06:30 UTC" in text
    assert 'src="http' not in text and 'href="http' not in text


def test_a_replaced_method_is_a_caution_at_the_top() -> None:
    """One generation: the caution comes before the facts."""
    text = page(report(1))
    assert text.index("<strong>Caution.</strong> G = 1") < text.index("may be luck") < text.index("<dl")


def test_a_method_that_contradicts_the_data_is_a_caution() -> None:
    """A value above the naive oracle, as its own note says, is a caution."""
    found = report()
    assert cautions(found) == ()
    naive = found.methods[1]
    assert naive.quality.value is not None
    above = replace(found.main, quality=replace(found.main.quality, value=naive.quality.value + 0.02))
    warnings = cautions(replace(found, methods=(above, *found.methods[1:])))
    assert len(warnings) == 1 and "2.00 points above the naive oracle" in warnings[0]


@pytest.mark.slow
def test_names_of_a_source_cannot_become_markup() -> None:
    """A source named like a tag is shown as text."""
    found = report()
    text = page(replace(found, read=replace(found.read, source="<img src=x onerror=alert(1)>.csv")))
    assert "<img src=x" not in text and "&lt;img src=x" in text


@pytest.mark.browser
@pytest.mark.slow
def test_it_draws_in_a_browser_without_the_network(browser: Browser, tmp_path: Path) -> None:
    """Every chart is drawn, nothing is on the console, nothing sideways; a column sorts and a point tells."""
    found = report()
    (tmp_path / "index.html").write_text(page(found), encoding="utf-8")
    context = browser.new_context(viewport={"width": 390, "height": 900}, color_scheme="dark")
    shown = context.new_page()
    said: list[str] = []
    asked: list[str] = []
    shown.on("console", lambda message: said.append(message.text))
    shown.on("pageerror", lambda error: said.append(str(error)))
    shown.on("request", lambda request: asked.append(request.url))
    shown.goto((tmp_path / "index.html").as_uri())
    shown.locator(".plot:not([data-drawn])").first.wait_for(state="detached")
    assert shown.locator(".plot svg").count() == len(report_charts(found))
    assert shown.evaluate("document.documentElement.scrollWidth") <= 390
    shown.locator("table thead button", has_text="quality, %").first.click()
    assert said == []
    assert [address.partition(":")[0] for address in asked] == ["file"]
    context.close()


@pytest.mark.browser
@pytest.mark.slow
def test_single_models_are_hidden_and_shown(browser: Browser, tmp_path: Path) -> None:
    """Without a tick a model's name leaves every chart of a frontier; the box for all brings them back."""
    (tmp_path / "index.html").write_text(page(report()), encoding="utf-8")
    shown = browser.new_page()
    said: list[str] = []
    shown.on("console", lambda message: said.append(message.text))
    shown.goto((tmp_path / "index.html").as_uri())
    shown.locator(".plot:not([data-drawn])").first.wait_for(state="detached")
    shown.get_by_text("Single models on these charts").click()

    def drawn(count: int, chart: str = "frontier") -> None:
        names = shown.locator(f'[data-chart="{chart}"] svg text').filter(has_text=re.compile(r"^model-\d$"))
        for _ in range(50):
            if names.count() == count:
                return
            shown.wait_for_timeout(20)
        assert names.count() == count

    drawn(4)
    shown.get_by_role("checkbox", name="model-2").press("Space")
    drawn(3)
    drawn(3, "frontier-topic-0")
    every = shown.get_by_role("checkbox", name="all")
    every.press("Space")
    drawn(4)
    every.press("Space")
    drawn(0)
    assert said == []
    shown.close()
