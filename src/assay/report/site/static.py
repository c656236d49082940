"""The files of a static site: the pages that `assay serve` shows, as files that any web host carries.

It shows what a reader without a role may see: no prompt, answer or case of a private suite.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from assay.report.assets import charts_asset, joined, site_asset
from assay.report.board.judged import board_page
from assay.report.board.keyed import keyed_page
from assay.report.frame import SiteFrame, file_name
from assay.report.site.boards import boards_page
from assay.report.site.case import case_page
from assay.report.site.compare import compare_page
from assay.report.site.day import day_page
from assay.report.site.exam_board import exam_board_page
from assay.report.site.feeds import feed_files, feeds_page
from assay.report.site.frontiers import draw_frontier, frontier_page, frontiers_page
from assay.report.site.model import model_page
from assay.report.site.runs import run_view_page, runs_page
from assay.report.site.style import ASSETS
from assay.report.site.today import today_page
from assay.runs.board.stored import StoredBoard
from assay.runs.site.progress import list_page, shown_run
from assay.runs.site.source import SiteSource
from assay.runs.site.watched import ModelDay, Watched, model_day
from assay.store.overview import CaseSample

DAYS: Final = 30
"""Days of each model that a static site has pages of, by default."""
NamedFile = tuple[str, bytes]
"""A file's name in the site, and its content."""
SECTIONS: Final = (
    ("Today", ""),
    ("Boards", "boards"),
    ("Frontier", "frontier"),
    ("Runs", "runs"),
    ("Feeds", "feeds"),
)
NO_ADDRESS: Final = "https://example.invalid"
"""The address in feeds whose site has none yet."""


def common_files(source: SiteSource, address: str | None) -> Iterator[NamedFile]:
    """Yield the front page, the feeds, and the files of styles and scripts. Feeds link to `address`."""
    for asset in (charts_asset(), *map(site_asset, ASSETS)):
        yield f"assets/{asset.name}", asset.content
    yield "icon.svg", joined(("icon.svg",)).encode()
    yield _page("", today_page(source.overview(), _frame("")))
    yield _page("feeds", feeds_page(source.overview(), address or NO_ADDRESS, _frame("feeds")))
    for name, content in feed_files(source.overview(), address or NO_ADDRESS, _static):
        yield name, content.encode()


def board_files(source: SiteSource) -> Iterator[NamedFile]:
    """Yield the pages of boards and their frontiers, and the lists of both."""
    boards, made = source.boards(), source.changed_at()
    yield _page("boards", boards_page(boards, _frame("boards")))
    yield _page("frontier", frontiers_page(boards, _frame("frontier")))
    for line in boards:
        if line.problem:
            continue
        if line.kind == "exam":
            site = _frame(f"boards/exam/{file_name(line.name)}")
            yield _page(
                site.path, exam_board_page(source.exam_results(), source.exam_series(line.name), site)
            )
            continue
        stored, site = source.board(line.name), _frame(f"boards/{file_name(line.name)}")
        if isinstance(stored, StoredBoard):
            yield _page(site.path, board_page(stored, made=made, site=site))
        else:
            yield _page(site.path, keyed_page(stored, made=made, site=site))
        if line.models > 1:
            site = _frame(f"frontier/{file_name(line.name)}")
            drawn = draw_frontier(source.engine, stored)
            yield _page(site.path, frontier_page(drawn, made, site))


def run_files(source: SiteSource) -> Iterator[NamedFile]:
    """Yield the pages of the last runs, and their list."""
    listed = list_page(source.engine, None)
    yield _page("runs", runs_page(listed, _frame("runs")))
    for run in listed.runs:
        site = _frame(f"runs/{run.run}")
        simulated = source.simulated(model.model for model in run.models)
        shown = shown_run(source.engine, run.run, source.suite)
        yield _page(site.path, run_view_page(shown, None, simulated, site))


def case_files(watched: Watched) -> Iterator[NamedFile]:
    """Yield the pages of a watched suite's cases; none of a private suite."""
    stored = watched.verdicts.stored
    for case in () if watched.private else stored.history.cases:
        site = _frame(_static.case(stored.suite.name, case))
        yield _page(site.path, case_page(watched, case, site))


def model_files(source: SiteSource, watched: Watched, place: int, days: int) -> Iterator[NamedFile]:
    """Yield a model's page, those of its last days, and the answers that flipped side by side."""
    stored, judged = watched.verdicts.stored, watched.verdicts.judgement
    row = stored.models[place]
    site = _frame(_static.watch(stored.suite.name, row))
    yield _page(site.path, model_page(watched, row, site))
    measured = np.flatnonzero(judged.daily.gaps.attempted[place])
    for number in measured[measured >= stored.history.days - days].tolist():
        yield from _day_files(source, watched, model_day(watched, row, stored.history.date_of(number)))


def _day_files(source: SiteSource, watched: Watched, day: ModelDay) -> Iterator[NamedFile]:
    """Yield the page of a model's day, and for each case that flipped the two answers side by side."""
    site = _frame(_static.watch(watched.verdicts.stored.suite.name, day.row, day.verdict.day))
    if watched.private:
        yield _page(site.path, day_page(watched, day, site))
        return
    flipped = [case for case in day.cases if case.flipped and case.samples and case.earlier]
    texts = source.samples([sample for case in day.cases for sample in case.samples])
    texts_before = source.samples([case.earlier[0] for case in flipped])
    yield _page(site.path, day_page(watched, day, site, texts))
    for case in flipped:
        first, second = texts_before[_id(case.earlier[0])], texts[_id(case.samples[0])]
        site = _frame(f"compare/{first.sample.id}/{second.sample.id}")
        dates = (day.compared_with, day.verdict.day)
        yield _page(site.path, compare_page(first, second, (str(dates[0]), str(dates[1])), site))


def _id(sample: CaseSample) -> str:
    return f"{sample.run}.{sample.position}"


def _frame(path: str) -> SiteFrame:
    return SiteFrame(path, live=False, sections=SECTIONS)


_static: Final = SiteFrame("", live=False)


def _page(path: str, text: str) -> NamedFile:
    return f"{path or 'index'}.html", text.encode()
