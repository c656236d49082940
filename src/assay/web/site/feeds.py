"""Feeds for people and programs: Atom, badges, Prometheus, the delivery log, and the exam's API."""

from __future__ import annotations

from importlib.metadata import version
from typing import Final

from assay.report.site.badge import BADGE_TYPE, model_badge
from assay.report.site.deliveries import MOST_DELIVERIES, deliveries_page
from assay.report.site.docs import docs_page
from assay.report.site.feed import FEED_TYPE, atom_feed
from assay.report.site.feeds import feeds_page
from assay.report.site.message import message_page
from assay.report.site.metrics import METRICS_TYPE, metrics_text
from assay.store.verdicts import count_deliveries, list_deliveries
from assay.web.site.routes import PageRequest, file_route, page_route

UTF_8: Final = "; charset=utf-8"


def feeds(asked: PageRequest) -> str:
    """Return the page of all feeds."""
    context = asked.context
    return feeds_page(
        asked.source.overview(),
        asked.base,
        asked.site,
        secret=not context.access.open_here,
        exam=context.openapi is not None,
    )


def feed(asked: PageRequest) -> str:
    """Return the Atom feed."""
    return atom_feed(asked.source.overview(), asked.base, asked.site)


def badge(asked: PageRequest) -> str:
    """Return the badge of a model."""
    return model_badge(asked.source.today(asked.path["suite"]), asked.number("model"))


def metrics(asked: PageRequest) -> str:
    """Return the metrics."""
    return metrics_text(asked.source.overview(), asked.source.run_measures(), version("assay"))


def deliveries(asked: PageRequest) -> str:
    """Return the delivery log."""
    engine, hooks = asked.source.engine, asked.source.work.workspace.notify
    listed = list_deliveries(engine, limit=MOST_DELIVERIES)
    return deliveries_page(listed, count_deliveries(engine), hooks, asked.site)


def docs(asked: PageRequest) -> str:
    """Return the exam's API, or how to serve an exam if this process serves none."""
    if asked.context.openapi is None:
        return message_page(
            "The exam's API",
            "This process serves no exam. Start `assay serve` with the bank's key (ASSAY_BANK_KEY or "
            "ASSAY_BANK_KEY_FILE) to serve one.",
            asked.site,
        )
    return docs_page(asked.context.openapi(), asked.base, asked.site)


ROUTES = (
    page_route("/feeds", feeds),
    page_route("/deliveries", deliveries),
    page_route("/docs", docs),
    file_route("/feed.atom", feed, FEED_TYPE + UTF_8),
    file_route("/badges/{suite}/{model}.svg", badge, BADGE_TYPE + UTF_8),
    file_route("/metrics", metrics, METRICS_TYPE),
)
