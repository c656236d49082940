"""The keyed page's chart: each model's accuracy with its interval, against blind guessing."""

from __future__ import annotations

from typing import Any

import altair as alt

from assay.ranking.keyed.board import KeyedBoard, KeyedStanding
from assay.report.board_charts import (
    INK,
    LEAD,
    LINE,
    LINES,
    PAPER,
    ROWS,
    pointed_row,
    row_height,
    specification,
)
from assay.report.board_figures import hundredfold, labels, tally
from assay.report.numerals import points

Row = dict[str, Any]


def accuracy_chart(models: int) -> dict[str, Any]:
    """Return the specification of accuracies in points, one line a model, best first.

    Rows: `label`, `place`, `low` and `high` (the interval over valid answers), `valid`, `all`, `leads` and
    `text`. `lines` has one row, `chance`.
    """
    height = row_height(models) + 3
    scale = alt.X(
        "low:Q",
        title="Right of 100",
        scale=alt.Scale(domain=[0, 100], nice=False),
        axis=alt.Axis(tickCount=5, orient="top", grid=True),
    )
    y = alt.Y(
        "label:N",
        title=None,
        sort=alt.SortField("place"),
        axis=alt.Axis(ticks=False, domain=False, labelOverlap="parity", labelColor=INK),
    )
    colour = alt.condition("datum.leads", alt.value(LEAD), alt.value(LINE))
    base = alt.Chart(alt.NamedData(ROWS)).encode(y=y)
    thick = max(3, height - 12)
    intervals = base.mark_bar(height=thick, opacity=0.45, cornerRadius=2).encode(
        x=scale, x2="high:Q", color=colour
    )
    overall = base.mark_point(shape="diamond", size=40, filled=False, strokeWidth=1.5, opacity=1).encode(
        x="all:Q", stroke=alt.value(INK)
    )
    valid = base.mark_point(filled=True, size=52, opacity=1, stroke=PAPER, strokeWidth=0.75).encode(
        x="valid:Q", fill=colour
    )
    guess = (
        alt.Chart(alt.NamedData(LINES))
        .mark_rule(strokeDash=[4, 3], strokeWidth=1.25, color=INK, opacity=0.7)
        .encode(x="chance:Q")
    )
    return specification(
        alt.layer(intervals, guess, overall, valid, pointed_row(base)), height=height * models
    )


def accuracy_rows(found: KeyedBoard) -> list[Row]:
    """Return a row for each model with a visible answer."""
    drawn = [each for each in found.standings if each.rights.valid.value is not None]
    named = labels([each.model for each in drawn])
    return [
        {
            "label": named[each.model],
            "place": place,
            "low": 100.0 * each.rights.valid.interval.low,
            "high": 100.0 * each.rights.valid.interval.high,
            "valid": hundredfold(each.rights.valid.value),
            "all": hundredfold(each.rights.overall.value),
            "leads": each.ranks is not None and each.ranks.low == 1,
            "text": _told(each),
        }
        for place, each in enumerate(drawn, start=1)
        if each.rights.valid.interval is not None
    ]


def _told(standing: KeyedStanding) -> str:
    rights = standing.rights
    lines = [standing.model]
    for name, found in (("valid", rights.valid), ("all", rights.overall)):
        interval = found.interval
        ends = (
            ""
            if interval is None
            else f", 95 % {points(100 * interval.low)} to {points(100 * interval.high)}"
        )
        lines.append(f"right of {name} {points(hundredfold(found.value))}{ends}")
    return "\n".join((*lines, tally(rights.counts)))
