"""The pages of the frontier: the list, the frontier of a board's models, and the page that waits for one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Engine

from assay.core.errors import InvalidInput
from assay.core.suite import Suite
from assay.report.frame import SiteFrame
from assay.report.frontier.charts import report_charts
from assay.report.frontier.more_tables import more_tables
from assay.report.frontier.page import report_page
from assay.report.frontier.table import ReportTable
from assay.report.frontier.tables import paper_tables
from assay.report.site.samples import GENERAL_NOTICE
from assay.report.site.style import site_page
from assay.runs.board.stored import StoredBoard, StoredKeyedBoard
from assay.runs.site.boards import BoardLine
from assay.studies.frontier.report import frontier_report
from assay.studies.frontier.report_result import FrontierReport
from assay.studies.frontier.source import read_tensor

RESAMPLES: Final = 200
"""Resamples of the intervals, fewer than on the command line because a reader waits."""


@dataclass(frozen=True, slots=True)
class DrawnFrontier:
    """The frontier of a board's models with its tables and charts."""

    suite: Suite
    report: FrontierReport
    tables: tuple[ReportTable, ...]
    charts: Mapping[str, Any]


def draw_frontier(engine: Engine, stored: StoredBoard | StoredKeyedBoard) -> DrawnFrontier:
    """Return the frontier of a board's runs. Raises InvalidInput for fewer than two models."""
    read = read_tensor(",".join(f"run:{run}" for run in stored.runs), engine=engine)
    if len(read.tensor.models) < 2:
        raise InvalidInput("a frontier needs two models or more: run the suite with another model")
    report = frontier_report(read, resamples=RESAMPLES)
    charts = {name: chart.to_dict() for name, chart in report_charts(report).items()}
    return DrawnFrontier(stored.suite, report, (*paper_tables(report), *more_tables(report)), charts)


def frontier_page(drawn: DrawnFrontier, made: datetime, site: SiteFrame) -> str:
    """Return the page of a frontier."""
    board = (drawn.suite.name, drawn.suite.title)
    return report_page(drawn.report, drawn.tables, drawn.charts, made=made, site=site, board=board)


@dataclass(frozen=True, slots=True)
class FrontiersView:
    """The boards of suites, or the suite whose frontier is being computed."""

    boards: tuple[BoardLine, ...]
    waiting: Suite | None = None
    made: None = None

    @property
    def simulation(self) -> str | None:
        """The notice of simulated models; None without any."""
        return GENERAL_NOTICE if any(board.simulated for board in self.boards) else None


def frontiers_page(boards: Sequence[BoardLine], site: SiteFrame) -> str:
    """Return the list of frontiers: one for each board of a suite."""
    of_suites = tuple(board for board in boards if board.kind != "exam" and not board.problem)
    return _page(FrontiersView(of_suites), site)


def computing_page(suite: Suite, site: SiteFrame) -> str:
    """Return the page that a reader sees while a frontier is computed; it loads itself again."""
    return _page(FrontiersView((), suite), site)


def _page(view: FrontiersView, site: SiteFrame) -> str:
    return site_page("site_frontiers.html", view, site, refresh=None if view.waiting is None else 3)
