"""The page of feeds: their addresses, with an example of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from assay.report.frame import SiteFrame
from assay.report.site.badge import model_badge
from assay.report.site.feed import atom_feed
from assay.report.site.style import site_page
from assay.report.site.today import simulation_of
from assay.report.watch.page import labels
from assay.runs.site.source import Overview


@dataclass(frozen=True, slots=True)
class BadgeLine:
    """A model with the addresses of its badge and its page, from the site's root on."""

    label: str
    file: str
    page: str


@dataclass(frozen=True, slots=True)
class FeedsView:
    """The feeds of a site at the address `base`, which has no slash at its end.

    `secret` says whether programs must send one, and `exam` whether exams are served too.
    """

    base: str
    badges: tuple[BadgeLine, ...]
    secret: bool
    exam: bool
    simulation: str | None
    made: datetime | None

    def markdown(self, line: BadgeLine) -> str:
        """Return the Markdown that shows a badge, which leads to the model."""
        name = line.label.translate(dict.fromkeys(map(ord, "[]()\\`\n"), " "))
        return f"[![{name}]({self.base}/{line.file})]({self.base}/{line.page})"


def feeds_page(
    overview: Overview, base: str, site: SiteFrame, *, secret: bool = False, exam: bool = False
) -> str:
    """Return the page of feeds. `base` is the absolute address of the site."""
    badges = [
        BadgeLine(
            name,
            site.to(badge_path(site, suite.name, row)).removeprefix("/"),
            site.to(site.watch(suite.name, row)).removeprefix("/"),
        )
        for suite in overview.suites
        if suite.watched is not None
        for row, name in zip(
            suite.watched.verdicts.stored.models, labels(suite.watched.verdicts.names()), strict=True
        )
    ]
    view = FeedsView(
        base.rstrip("/"), tuple(badges), secret, exam, simulation_of(overview), overview.changed_at
    )
    return site_page("site_feeds.html", view, site)


def badge_path(site: SiteFrame, suite: str, row: int) -> str:
    """Return the path of a model's badge, which is also its file in a static site."""
    return f"{site.watch(suite, row).replace('watch/', 'badges/', 1)}.svg"


def feed_files(overview: Overview, base: str, site: SiteFrame) -> Iterator[tuple[str, str]]:
    """Yield the names and contents of a static site's feed and badges; `site` is any frame of it."""
    yield "feed.atom", atom_feed(overview, base, site)
    for suite in overview.suites:
        if suite.watched is not None:
            for row in suite.watched.verdicts.stored.models:
                yield badge_path(site, suite.name, row), model_badge(suite, row)
