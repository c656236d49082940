"""The styles, scripts and filters that all pages of a site share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import orjson

from assay.report.frame import SITE_STYLES, SiteFrame
from assay.report.inline import render_page
from assay.report.numerals import thousands
from assay.report.watch.page import FILTERS as WATCH_FILTERS
from assay.results.figure import dollars, utc

STYLES: Final = ("page.css", "watch.css")
SCRIPTS: Final = ("page.js", "site.js")
LONGEST: Final = 100_000
"""Characters of an answer or prompt that a page shows; the rest is counted."""


def hundred(value: float | None) -> str:
    """Return a score of 0-1 as points of 100; a dash for None."""
    return "–" if value is None else f"{100 * value:.0f}"


def shortened(text: str, most: int | None = None) -> str:
    """Return a text, or its first `most` characters with a note on how much was left out."""
    most = most or LONGEST
    left = len(text) - most
    return text if left <= 0 else f"{text[:most]}\n[{thousands(left)} more characters are not shown]"


def plain(value: Any) -> str:
    """Return a value of a grade's evidence as text."""
    if isinstance(value, str):
        return value
    return orjson.dumps(value, default=str, option=orjson.OPT_INDENT_2).decode()


FILTERS: Final = (*WATCH_FILTERS, hundred, shortened, plain, dollars, utc)


def site_page(
    template: str,
    view: object,
    site: SiteFrame,
    *,
    data: object = None,
    scripts: Sequence[str] = SCRIPTS,
    charts: bool = False,
    **values: object,
) -> str:
    """Return a page of a site from its template and view, with the styles and filters of all of them."""
    return render_page(
        template,
        view,
        data,
        styles=STYLES,
        scripts=scripts,
        filters=FILTERS,
        site=site,
        charts=charts,
        **values,
    )


ASSETS: Final = (
    (*STYLES, *SITE_STYLES),
    ("page.css", "board.css", *SITE_STYLES),
    SCRIPTS,
    ("page.js", "watch.js", "site.js"),
    ("page.js", "site.js", "runs.js"),
    ("page.js", "board.js"),
    ("page.css", "board.css", "frontier_report.css", *SITE_STYLES),
    ("page.js", "board.js", "frontier_report.js"),
)
"""The files of styles and scripts that pages of a site use."""
