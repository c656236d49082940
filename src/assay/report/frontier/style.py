"""Colours (safe for colour-blind readers), sizes, titles and tooltips of the charts of a frontier report."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

from assay.report import altair as alt
from assay.report.frontier.drawn import BLUE, GRID, ORANGE, Row
from assay.results.frontier import Estimate

INK, QUIET, GREY = "#222222", "#555555", "#8a8a8a"
GREEN, PINK = "#009e73", "#cc79a7"
WIDTH, HEIGHT = 640, 400
ROW = 17
"""The height of one model's row in pixels."""


__all__ = ["BLUE", "GREEN", "GREY", "HEIGHT", "INK", "ORANGE", "PINK", "ROW", "WIDTH", "Row"]


def rows_of(rows: list[Row]) -> alt.InlineData:
    """Return rows as a chart's data."""
    return alt.InlineData(values=rows)


def tip(field: str, title: str, form: str | None = None) -> alt.Tooltip:
    """Return one line of a tooltip."""
    return alt.Tooltip(field, title=title) if form is None else alt.Tooltip(field, title=title, format=form)


def finished(chart: Any, title: str, subtitle: str) -> Any:
    """Return a chart with its title and subtitle, with dark text on white."""
    return (
        chart.properties(
            title=alt.TitleParams(title, subtitle=wrap(subtitle, 96), anchor="start", offset=14),
            background="white",
        )
        .configure_view(stroke=None)
        .configure_axis(
            labelColor=INK,
            titleColor=INK,
            titleFontWeight="normal",
            titleFontSize=12,
            labelFontSize=11,
            gridColor=GRID,
            domainColor=GREY,
            tickColor=GREY,
        )
        .configure_title(fontSize=16, subtitleFontSize=12, subtitleColor=QUIET, color=INK)
        .configure_legend(labelColor=INK, labelFontSize=11, labelLimit=420, titleColor=INK, title=None)
        .configure_text(color=INK)
    )


def ends_of(estimate: Estimate) -> dict[str, float | None]:
    """Return an interval over prompts as `low` and `high`."""
    interval = estimate.over_prompts
    return {"low": None, "high": None} if interval is None else {"low": interval.low, "high": interval.high}


def hundred(value: float | None) -> float | None:
    """Return a share as per cent."""
    return None if value is None else 100.0 * value
