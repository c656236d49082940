"""Colours, hover points and titles of the charts of simulations, routers and selection."""

from __future__ import annotations

from typing import Any

from assay.report import altair as alt

INK, GREY, GRID = "#333333", "#777777", "#e6e6e6"
BLUE, ORANGE = "#0072b2", "#d55e00"
WIDTH, HEIGHT = 520, 320

Row = dict[str, Any]


def hover(base: Any, tips: list[alt.Tooltip]) -> Any:
    """Return invisible points that are large enough to hover over."""
    return base.mark_point(size=90, opacity=0.0, filled=True).encode(tooltip=tips)


def finished(chart: Any, title: str, subtitle: str | list[str]) -> Any:
    """Return the chart with its title and its colours."""
    return (
        chart.properties(title=alt.TitleParams(title, subtitle=subtitle, anchor="start", offset=14))
        .configure_view(stroke=None)
        .configure_axis(labelColor=INK, titleColor=INK, titleFontWeight="normal", gridColor=GRID)
        .configure_title(fontSize=16, subtitleFontSize=12, subtitleColor="#555555", color=INK)
        .configure_legend(labelColor=INK, labelFontSize=11)
    )
