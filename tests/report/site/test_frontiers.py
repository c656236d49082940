"""The frontier of a board on a site: links, the choice of single models, and what the data cannot give."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime

from frontier_reports import report
from hostile_names import HOSTILE
from small_suite import make_suite

from assay.report.frame import SiteFrame
from assay.report.frontier.charts import report_charts
from assay.report.frontier.more_tables import more_tables
from assay.report.frontier.tables import paper_tables
from assay.report.site.frontiers import DrawnFrontier, computing_page, frontier_page
from assay.studies.frontier.report_result import FrontierReport

MADE = datetime(2026, 3, 22, 6, 30, tzinfo=UTC)
SITE = SiteFrame("frontier/small", live=True)
SUITE = replace(make_suite(), title="Small suite")


def page(found: FrontierReport, title: str = "Small suite") -> str:
    """Return the page of a board's frontier."""
    charts = {name: chart.to_dict() for name, chart in report_charts(found).items()}
    drawn = DrawnFrontier(
        replace(SUITE, title=title), found, (*paper_tables(found), *more_tables(found)), charts
    )
    return frontier_page(drawn, MADE, SITE)


def test_it_is_a_page_of_the_site() -> None:
    """Links to the board and the list, the slider, a tick for each single model, no inline code."""
    text = page(report(1))
    assert 'href="/boards/small">Small suite</a>' in text
    assert "Data up to" in text
    assert 'id="alpha-slider"' in text
    ticks = re.findall(r'<input type="checkbox"[^>]* value="([^"]+)" checked>', text)
    assert ticks == [f"model-{n}" for n in range(4)]
    assert "inside this file" not in text
    assert not re.search(r"<style|\sstyle=|<script(?! (type=\"application/json\"|defer src=\"/assets))", text)


def test_without_costs_there_is_no_slider() -> None:
    """The page says that no costs were recorded, and there is nothing to tick."""
    text = page(report(1, costs=False))
    assert "no costs were recorded" in text
    assert 'id="alpha-slider"' not in text
    assert 'type="checkbox"' not in text


def test_one_generation_is_said_to_be_naive() -> None:
    """Luck cannot be removed from one answer: the page says so before the figures."""
    text = page(report(1))
    assert text.index("<strong>Caution.</strong> G = 1") < text.index('id="alpha"')


def test_hostile_names_stay_text() -> None:
    """The title of a suite and the names of models add no markup, in the text and in the data."""
    found = report(1)
    singles = tuple(replace(single, model=HOSTILE) for single in found.whole.frontier.singles)
    frontier = replace(found.whole.frontier, singles=singles)
    text = page(replace(found, whole=replace(found.whole, frontier=frontier)), title=HOSTILE)
    assert "<script>alert" not in text
    assert text.count("&lt;script&gt;alert(1)") > 5
    assert text.count("</title>") == 1


def test_a_page_that_waits_loads_itself_again() -> None:
    """It names the suite, and works without a script."""
    text = computing_page(replace(SUITE, title=HOSTILE), SITE)
    assert '<meta http-equiv="refresh" content="3">' in text
    assert 'role="status"' in text
    assert 'href="/frontier/small"' in text
    assert "<script>alert" not in text
