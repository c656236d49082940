"""The keyed board's page: one file that shows who is right, how surely, and on what; it fetches nothing."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from assay.report.board_apart import rank_rows
from assay.report.board_charts import ranks_chart
from assay.report.board_page import render_page, write_page
from assay.report.keyed_charts import accuracy_chart, accuracy_rows
from assay.report.keyed_view import keyed_view
from assay.runs.boards.keyed import StoredKeyedBoard


def keyed_page(stored: StoredKeyedBoard, *, made: datetime) -> str:
    """Return the page as HTML that needs no other file and no network.

    `made` (UTC) is when it says that it was made. It holds no question, option, answer, key or case id,
    whatever the suite's visibility. InvalidInput where the charts' JavaScript was not built.
    """
    return render_page("keyed.html", keyed_view(stored, made), _charts(stored))


def write_keyed_board(stored: StoredKeyedBoard, path: Path, *, made: datetime | None = None) -> str:
    """Write the page whole or not at all, and return its address; `made` is now unless given."""
    return write_page(path, lambda now: keyed_page(stored, made=made or now))


def _charts(stored: StoredKeyedBoard) -> dict[str, Any]:
    """Return each chart's specification and rows, by its name on the page."""
    charts = {}
    rows = accuracy_rows(stored.board)
    if rows:
        chance = [{"chance": 100.0 * stored.board.chance}]
        charts["accuracy"] = {"spec": accuracy_chart(len(rows)), "rows": rows, "lines": chance}
    ranks = rank_rows(stored.board)
    if len(ranks) > 1:
        charts["ranks"] = {"spec": ranks_chart(len(ranks)), "rows": ranks, "lines": []}
    return charts
