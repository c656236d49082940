"""The pages of boards: the list, a board, its items, its report, two of its models, and exams."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from assay.ranking.items import report_items
from assay.report.board.judged import board_page
from assay.report.board.keyed import keyed_page
from assay.report.rank.items import items_page
from assay.report.rank.report import report_page
from assay.report.site.boards import boards_page, compared_models_page
from assay.report.site.exam_board import exam_board_page
from assay.report.study_page import study_page
from assay.runs.board.stored import StoredBoard
from assay.web.site.routes import PageRequest, page_route


def boards(asked: PageRequest) -> str:
    """Return the list of boards."""
    return boards_page(asked.source.boards(), asked.site)


def board(asked: PageRequest) -> str:
    """Return a board."""
    stored, made = asked.source.board(asked.path["suite"]), asked.source.changed_at()
    if isinstance(stored, StoredBoard):
        judged = stored
        return asked.context.once(asked, stored, lambda: board_page(judged, made=made, site=asked.site))
    return asked.context.once(asked, stored, lambda: keyed_page(stored, made=made, site=asked.site))


def items(asked: PageRequest) -> str:
    """Return the item statistics of a board; a private suite's items are numbered."""
    suite = asked.path["suite"]
    scores = asked.source.board_scores(suite)
    return asked.context.once(asked, scores, lambda: _items(asked, suite))


def _items(asked: PageRequest, suite: str) -> str:
    report = report_items(asked.source.board_scores(suite))
    if asked.source.board(suite).private and not asked.visitor.owner:
        numbered = (replace(item, item=f"item {n}") for n, item in enumerate(report.statistics, 1))
        report = replace(report, statistics=tuple(numbered))
    return study_page(items_page(report), asked.source.changed_at(), asked.site, _above(asked))


def report(asked: PageRequest) -> str:
    """Return what is known about a board's ranking, and what is not."""
    suite = asked.path["suite"]
    return asked.context.once(asked, asked.source.rank_report(suite), lambda: _report(asked, suite))


def _report(asked: PageRequest, suite: str) -> str:
    found = asked.source.rank_report(suite)
    if asked.source.board(suite).private and not asked.visitor.owner:
        items = replace(found.parts.items, statistics=())
        rivals = tuple(replace(rival, items=()) for rival in found.parts.fragility.rivals)
        fragility = replace(found.parts.fragility, rivals=rivals)
        found = replace(found, parts=replace(found.parts, items=items, fragility=fragility))
    return study_page(report_page(found), asked.source.changed_at(), asked.site, _above(asked))


def _above(asked: PageRequest) -> tuple[tuple[str, str], tuple[str, str]]:
    suite = asked.source.board(asked.path["suite"]).suite
    return ("Boards", "boards"), (suite.title, asked.site.board(suite.name))


def compare(asked: PageRequest) -> str:
    """Return two models of a board prompt by prompt."""
    names = (asked.query.get("first", ""), asked.query.get("second", ""))
    return compared_models_page(asked.source.compared_models(asked.path["suite"], names), asked.site)


def exam(asked: PageRequest) -> str:
    """Return the board of an exam's series."""
    return exam_board_page(
        asked.source.exam_results(), asked.source.exam_series(asked.path["series"]), asked.site
    )


ROUTES: Final = (
    page_route("/boards", boards),
    page_route("/boards/exam/{series}", exam),
    page_route("/boards/{suite}", board),
    page_route("/boards/{suite}/items", items),
    page_route("/boards/{suite}/report", report),
    page_route("/boards/{suite}/compare", compare),
)
