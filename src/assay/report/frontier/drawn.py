"""What the frontier's charts of simulations share: colours, points for the mouse, titles."""

from __future__ import annotations

from typing import Any

import altair as alt

INK, GREY, GRID = "#333333", "#777777", "#e6e6e6"
BLUE, ORANGE = "#0072b2", "#d55e00"
WIDTH, HEIGHT = 520, 320

Row = dict[str, Any]


def hover(base: Any, tips: list[alt.Tooltip]) -> Any:
    """Return points too pale to be seen and large enough to be met by the mouse."""
    return base.mark_point(size=90, opacity=0.0, filled=True).encode(tooltip=tips)


def finished(chart: Any, title: str, subtitle: str | list[str]) -> Any:
    """Return the chart with its title, and the colours of all its parts."""
    return (
        chart.properties(title=alt.TitleParams(title, subtitle=subtitle, anchor="start", offset=14))
        .configure_view(stroke=None)
        .configure_axis(labelColor=INK, titleColor=INK, titleFontWeight="normal", gridColor=GRID)
        .configure_title(fontSize=16, subtitleFontSize=12, subtitleColor="#555555", color=INK)
        .configure_legend(labelColor=INK, labelFontSize=11)
    )
