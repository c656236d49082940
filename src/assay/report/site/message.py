"""A page with one message: what is not there, or why it cannot be shown."""

from __future__ import annotations

from dataclasses import dataclass

from assay.report.frame import SiteFrame
from assay.report.inline import render_page
from assay.report.site.style import FILTERS, STYLES


@dataclass(frozen=True, slots=True)
class MessageView:
    """A heading and a sentence."""

    title: str
    text: str
    made: None = None


def message_page(title: str, text: str, site: SiteFrame) -> str:
    """Return the page of a message."""
    return render_page(
        "site_message.html",
        MessageView(title, text),
        None,
        styles=STYLES,
        scripts=("page.js", "site.js"),
        filters=FILTERS,
        site=site,
        charts=False,
    )
