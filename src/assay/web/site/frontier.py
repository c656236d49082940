"""The pages of the frontier: what all models of a board reach together at each cost."""

from __future__ import annotations

from typing import Final

from assay.report.site.frontiers import (
    DrawnFrontier,
    computing_page,
    draw_frontier,
    frontier_page,
    frontiers_page,
)
from assay.runs.site.fresh import Fresh
from assay.runs.site.source import SiteSource
from assay.web.site.routes import PageRequest, page_route


def frontiers(source: SiteSource) -> Fresh[str, DrawnFrontier]:
    """Return the frontiers of a workspace's boards by suite, computed when they are asked for."""

    def draw(suite: str) -> DrawnFrontier:
        return draw_frontier(source.engine, source.board(suite))

    return Fresh(source.engine, draw)


def listed(asked: PageRequest) -> str:
    """Return the list of suites that have a frontier."""
    return frontiers_page(asked.source.boards(), asked.site)


def frontier(asked: PageRequest) -> str:
    """Return the frontier of a board's models, or a page that waits for it."""
    suite = asked.source.board(asked.path["suite"]).suite
    drawn = asked.context.frontiers.ready(suite.name)
    if drawn is None:
        return computing_page(suite, asked.site)
    return asked.context.once(
        asked,
        drawn,
        lambda: frontier_page(drawn, asked.source.changed_at(), asked.site),
    )


ROUTES: Final = (page_route("/frontier", listed), page_route("/frontier/{suite}", frontier))
