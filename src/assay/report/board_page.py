"""The board's page: one file that shows composites, ranks and judges; it fetches nothing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from assay.core.errors import InvalidInput
from assay.files.atomic import write_whole
from assay.report import board_figures, numerals
from assay.report.board_apart import rank_rows
from assay.report.board_charts import ranks_chart
from assay.report.board_view import BoardView, board_view
from assay.report.bundle import vega_bundle
from assay.report.inline import content_policy, json_block
from assay.runs.board import StoredBoard

FILTERS = (
    numerals.points,
    numerals.signed,
    numerals.percent,
    numerals.thousands,
    numerals.probability,
    board_figures.fixed,
    board_figures.signed_to,
    board_figures.hundredfold,
    board_figures.dollars,
    board_figures.tally,
)


def board_page(stored: StoredBoard, *, made: datetime) -> str:
    """Return the page as HTML that needs no other file and no network.

    `made` (UTC) is when it says that it was made. It holds no prompt, answer, rationale or case id,
    whatever the suite's visibility. InvalidInput where the charts' JavaScript was not built.
    """
    view = board_view(stored, made)
    return render_page("board.html", view, _charts(stored, view))


def render_page(template: str, view: object, charts: dict[str, Any]) -> str:
    """Return a board's page from its template, what it shows, and its charts by name.

    InvalidInput where the charts' JavaScript was not built.
    """
    # The watch's style sheet has what pages share: colours, type, tables, notices.
    css = _source("watch.css") + _source("board.css")
    script, bundle = _source("board.js"), vega_bundle()
    return (
        _environment()
        .get_template(template)
        .render(
            page=view,
            policy=content_policy([bundle, script], [css]),
            css=Markup(css),
            script=Markup(script),
            bundle=Markup(bundle),
            data=Markup(json_block(charts)),
        )
    )


def write_board(stored: StoredBoard, path: Path, *, made: datetime | None = None) -> str:
    """Write the board's page whole or not at all, and return its address; `made` is now unless given."""
    return write_page(path, lambda now: board_page(stored, made=made or now))


def write_page(path: Path, page: Callable[[datetime], str]) -> str:
    """Write what `page` makes of the present time (UTC), whole or not at all, and return its address."""
    if path.is_dir() or not path.parent.is_dir():
        raise InvalidInput(f"cannot write a page to {str(path)!r}: give a file in a folder that is there")
    write_whole(path, page(datetime.now(UTC)).encode())
    return path.resolve().as_uri()


def _charts(stored: StoredBoard, view: BoardView) -> dict[str, Any]:
    """Return each chart's specification and rows, by its name on the page."""
    charts = {
        each.key: {"spec": each.spec, "rows": each.rows, "lines": each.lines}
        for each in view.scatters
        if each.spec is not None
    }
    ranks = rank_rows(stored.board)
    if len(ranks) > 1:
        charts["ranks"] = {"spec": ranks_chart(len(ranks)), "rows": ranks, "lines": []}
    return charts


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("assay.report"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    for read in FILTERS:
        environment.filters[read.__name__] = read
    return environment


def _source(name: str) -> str:
    """Return a script or a style sheet of the page, with line feeds only, as its hash needs it."""
    return files("assay.report").joinpath("templates", name).read_text(encoding="utf-8").replace("\r\n", "\n")
